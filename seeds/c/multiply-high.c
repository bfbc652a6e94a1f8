/* The 64 bits of a product of two unsigned ints from four products of halves, against the one computed directly. */
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint();
    unsigned b = __VERIFIER_nondet_uint();
    unsigned low_a = a & 0xffffu;
    unsigned high_a = a >> 16;
    unsigned low_b = b & 0xffffu;
    unsigned high_b = b >> 16;
    unsigned low = low_a * low_b;
    unsigned cross = high_a * low_b + (low >> 16);
    unsigned other = low_a * high_b + (cross & 0xffffu);
    unsigned high = high_a * high_b + (cross >> 16) + (other >> 16);
    unsigned lower = other << 16 | (low & 0xffffu);
    unsigned long long direct = (unsigned long long)a * b;
    unsigned long long joined = (unsigned long long)high << 32 | lower;
    _Bool fits = high == 0;
    unsigned short folded = (unsigned short)(lower ^ high);
    if (fits && a != 0 && lower / a != b) {
        return 1;
    }
    if (a > b && high >= a) {
        return 2;
    }
    return (direct != joined) * 4 + (folded == 0) * 8;
}
