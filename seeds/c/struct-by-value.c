/* Structures passed and returned by value; the callee changes its own copy only. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

struct point {
    short x;
    short y;
};

struct box {
    struct point low;
    struct point high;
    unsigned char tag;
};

static struct point moved(struct point p, int dx, int dy) {
    p.x = (short)(p.x + dx);
    p.y = (short)(p.y - dy);
    return p;
}

static int area(struct box b) {
    int width = b.high.x - b.low.x;
    int height = b.high.y - b.low.y;
    if (width < 0 || height < 0) {
        return -1;
    }
    b.tag = 0;
    return width * height;
}

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool up = __VERIFIER_nondet_bool();
    _Bool turn = __VERIFIER_nondet_bool();
    struct point origin = {.x = -8, .y = 16};
    struct point corner = moved(origin, in, up ? -in : in);
    struct box b = {origin, corner, in};
    if (turn) {
        struct point kept = b.low;
        b.low = b.high;
        b.high = kept;
    }
    int size = area(b);
    int tag = b.tag;
    _Bool proper = size >= 0;
    return proper + (tag != in);
}
