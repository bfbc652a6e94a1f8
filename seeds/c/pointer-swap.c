/* Swaps through pointers that may point to the same variable, once with a temporary and once with exclusive or. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

static void swap(int *p, int *q) {
    int old = *p;
    *p = *q;
    *q = old;
}

static void exclusive(int *p, int *q) {
    *p ^= *q;
    *q ^= *p;
    *p ^= *q;
}

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool same = __VERIFIER_nondet_bool();
    _Bool plain = __VERIFIER_nondet_bool();
    int x = in;
    int y = 300 - in;
    int total = x + y;
    int *first = &x;
    int *second = same ? &x : &y;
    if (plain) {
        swap(first, second);
    } else {
        exclusive(first, second);
    }
    int after = x + y;
    int lost = total - after;
    if (lost != 0) {
        *second = lost;
    }
    return x + y != total;
}
