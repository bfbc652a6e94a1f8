/* Sums, products and shifts of long and unsigned long near their limits, valid for 32 and for 64 bits. */
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    long a = __VERIFIER_nondet_long();
    unsigned long b = __VERIFIER_nondet_ulong();
    unsigned long all = ~0ul;
    long most = (long)(all >> 1);
    int width = (int)sizeof(long) * 8;
    unsigned long top = 1ul << (width - 1);
    long middle = a / 2 + (long)(b >> 2);
    unsigned long size = a < 0 ? 0ul - (unsigned long)a : (unsigned long)a;
    unsigned long product = size * b;
    _Bool lost = size != 0 && product / size != b;
    long rest = most;
    if (middle > 0) {
        rest = most - middle;
    }
    int narrow = (int)(b & 0x7fffu) - 0x4000;
    long mixed = narrow * 3l + (a > 0 ? 1l : -1l);
    int zeroes = 0;
    while (zeroes < width && (b & top >> zeroes) == 0) {
        zeroes++;
    }
    _Bool fits = zeroes > width / 2 && size < 1ul << width / 2;
    if (fits && lost) {
        return 1;
    }
    return (rest < 0) * 2 + (mixed > most / 2) * 4 + (size == top) * 8;
}
