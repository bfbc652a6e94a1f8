/* Arithmetic on short that happens in int: products, complements and shifts beyond the width of the operands. */
extern short __VERIFIER_nondet_short(void);

int main(void) {
    short in = __VERIFIER_nondet_short();
    unsigned short raw = (unsigned short)in;
    int square = in * in;
    int inverse = ~raw;
    int negated = -in;
    short stored = (short)negated;
    unsigned product = (unsigned)raw * raw;
    int left = (in < 0 ? -1 - in : in) * 2;
    _Bool stuck = stored == in;
    _Bool differs = (unsigned)square != product;
    if (differs && in >= 0) {
        left = -1;
    }
    if (inverse + 1 == -raw) {
        left |= 1;
    }
    unsigned char bytes = (unsigned char)(raw >> 8 ^ raw);
    return stuck + differs * 2 + (left < 0) * 4 + (bytes == 0) * 8;
}
