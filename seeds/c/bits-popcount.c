/* Counts the bits of a value by clearing the lowest, by shifting and by adding halves in parallel. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool inverted = __VERIFIER_nondet_bool();
    unsigned value = in * 0x0101u;
    if (inverted) {
        value = ~value & 0xffffu;
    }
    unsigned rest = value;
    unsigned char cleared = 0;
    while (rest != 0) {
        rest &= rest - 1u;
        cleared = (unsigned char)(cleared + 1);
    }
    unsigned shifted = 0;
    for (int bit = 0; bit < 16; bit++) {
        shifted += value >> bit & 1u;
    }
    unsigned pairs = value - (value >> 1 & 0x5555u);
    unsigned nibbles = (pairs & 0x3333u) + (pairs >> 2 & 0x3333u);
    unsigned bytes = (nibbles + (nibbles >> 4)) & 0x0f0fu;
    unsigned total = (bytes + (bytes >> 8)) & 0x1fu;
    _Bool even = (cleared & 1) == 0;
    return (total != shifted) + !even * 2;
}
