/* The same bytes of a union as signed, as unsigned and as two bytes; no result depends on the order of bytes. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

union word {
    unsigned short whole;
    short with_sign;
    unsigned char part[2];
};

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool high = __VERIFIER_nondet_bool();
    _Bool fill = __VERIFIER_nondet_bool();
    union word w = {.whole = 0};
    w.part[0] = in;
    w.part[1] = in;
    unsigned short both = w.whole;
    short negative = w.with_sign;
    if (high) {
        w.whole = (unsigned short)(w.whole | 0x8080u);
    }
    unsigned char sum = (unsigned char)(w.part[0] + w.part[1]);
    if (fill && w.with_sign < 0) {
        w.with_sign = (short)(-1 - w.with_sign);
    }
    int distance = (int)w.whole - (int)both;
    unsigned char zeroes = 0;
    for (int i = 0; i < 2; i++) {
        if (w.part[i] == 0) {
            zeroes++;
        }
    }
    return (zeroes == 1) + (negative < 0 && both < 0x8000u) + (distance == sum);
}
