/* Sums of i, of i squared and of every third i up to an input; the three are related at every iteration. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    _Bool backwards = __VERIFIER_nondet_bool();
    unsigned sum = 0;
    unsigned squares = 0;
    unsigned short thirds = 0;
    unsigned left = n;
    for (int i = 1; i <= n; i++) {
        unsigned step = backwards ? left : (unsigned)i;
        sum += step;
        squares += step * step;
        if (step % 3 == 0) {
            thirds = (unsigned short)(thirds + step);
        }
        left--;
    }
    unsigned closed = (unsigned)n * (n + 1u) / 2u;
    int difference = (int)(sum - closed);
    if (squares < sum) {
        difference = -1;
    }
    return difference != 0 || left != 0;
}
