/* The square root of an unsigned int, bit by bit and by Newton's steps; the square of the next number is larger. */
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned in = __VERIFIER_nondet_uint();
    unsigned rest = in;
    unsigned root = 0;
    unsigned bit = 0x40000000u;
    while (bit > rest) {
        bit >>= 2;
    }
    while (bit != 0) {
        unsigned trial = root + bit;
        root >>= 1;
        if (rest >= trial) {
            rest -= trial;
            root += bit;
        }
        bit >>= 2;
    }
    unsigned guess = 65535;
    int steps = 0;
    while (steps < 40 && guess != 0 && guess > in / guess) {
        guess = (guess + in / guess) / 2u;
        steps++;
    }
    unsigned long long next = root + 1ull;
    _Bool below = root * root <= in;
    _Bool above = next * next > in;
    long long gap = (long long)rest - 2ll * root;
    return !below + !above * 2 + (gap > 0) * 4 + (guess != root) * 8;
}
