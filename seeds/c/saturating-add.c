/* Saturating addition of int, decided before the sum, in a wider type, and from the signs of the wrapped sum. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int most = 2147483647;
    int least = -most - 1;
    long long exact = (long long)a + b;
    unsigned wrapped = (unsigned)a + (unsigned)b;
    _Bool over = b > 0 && a > most - b;
    _Bool under = b < 0 && a < least - b;
    int sum = 0;
    if (over) {
        sum = most;
    } else if (under) {
        sum = least;
    } else {
        sum = a + b;
    }
    long long lost = exact - sum;
    unsigned flipped = (wrapped ^ (unsigned)a) & (wrapped ^ (unsigned)b);
    _Bool sign = flipped >> 31 != 0;
    if (sign != (over || under)) {
        return 1;
    }
    unsigned u = (unsigned)a;
    unsigned top = wrapped < u ? 0xffffffffu : wrapped;
    return (lost > 0 && !over) + (top < u) * 2 + (over && under) * 4;
}
