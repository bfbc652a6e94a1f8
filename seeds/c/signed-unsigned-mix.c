/* Comparisons and arithmetic between signed and unsigned operands, where a negative number becomes a large one. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool lower = __VERIFIER_nondet_bool();
    int number = in - 128;
    unsigned size = lower ? 16u : 0x80000000u;
    unsigned converted = (unsigned)number;
    _Bool less = converted < size;
    _Bool truly = number < 0 || (unsigned)number < size;
    long wide = number;
    unsigned short half = (unsigned short)number;
    int again = half;
    if (less != truly) {
        wide = wide * 2 - 1;
    }
    int gap = 0;
    for (unsigned i = size; i + 8u > size && gap < 12; i--) {
        if (i > converted) {
            gap++;
        } else if (number >= 0) {
            gap += 2;
        }
    }
    _Bool kept = again == number;
    unsigned long product = (unsigned long)wide * (unsigned long)gap;
    return kept + (product > 1000ul) * 2 + (wide < 0) * 4;
}
