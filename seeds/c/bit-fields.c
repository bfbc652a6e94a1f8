/* Bit-fields with and without sign, read and written between other members; those without wrap at their own width. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

struct packet {
    unsigned int kind : 3;
    signed int offset : 5;
    unsigned int length : 7;
    _Bool last : 1;
    unsigned short rest;
};

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool last = __VERIFIER_nondet_bool();
    struct packet p = {.kind = 0, .offset = -16, .length = 0, .last = last, .rest = 0};
    p.kind = in & 7u;
    p.offset = in >> 3 & 15;
    if (in & 0x80u) {
        p.offset = p.offset - 16;
    }
    int steps = 0;
    while (p.length < 100u && steps < 40) {
        p.length += p.kind;
        steps++;
    }
    p.kind += 5u;
    int kind = p.kind;
    int offset = p.offset;
    unsigned length = p.length;
    if (p.last && offset < 0) {
        p.offset = -1 - offset;
        p.rest = (unsigned short)(length << 9);
    }
    int sum = kind + p.offset;
    return sum + (p.rest > length) + (steps == 40);
}
