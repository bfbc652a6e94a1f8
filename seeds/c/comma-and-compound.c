/* Comma expressions, compound assignments that narrow, and increments inside of loop headers. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool deep = __VERIFIER_nondet_bool();
    int i = 0, j = 0;
    unsigned char byte = 1;
    signed char small = -100;
    unsigned mixed = 0;
    for (i = 0, j = in; i < j; i++, j -= 2) {
        byte += 7;
        mixed ^= (unsigned)i << (j & 7), mixed &= 0xfffu;
        if (small < 120) {
            small += 3;
        }
    }
    int meeting = (mixed |= 1u, i - j);
    byte *= deep ? 3 : 5;
    byte -= in;
    mixed <<= 4;
    mixed %= 1000u;
    int last = j;
    last = deep ? (i++, i + last) : (--j, last - j);
    i *= -1;
    small /= 7;
    j |= 1;
    return (meeting > 2) + (last == 1) * 2 + (byte > mixed) * 4 + (small == i) * 8;
}
