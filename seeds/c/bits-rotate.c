/* Rotates 32 bits left by a byte modulo the width and back again, with no shift by the whole width. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned rotated(unsigned value, unsigned amount) {
    unsigned places = amount & 31u;
    unsigned left = value << places;
    unsigned right = value >> ((32u - places) & 31u);
    return left | right;
}

int main(void) {
    unsigned in = __VERIFIER_nondet_uint();
    unsigned char amount = __VERIFIER_nondet_uchar();
    unsigned places = amount & 31u;
    unsigned there = rotated(in, amount);
    unsigned back = rotated(there, 32u - places);
    unsigned long long wide = (unsigned long long)in << 32 | in;
    unsigned window = (unsigned)(wide >> (32u - places));
    unsigned mask = places != 0 ? 0xffffffffu >> (32u - places) : 0u;
    unsigned wrapped = there & mask;
    unsigned mixed = there ^ in;
    unsigned turns = 0;
    while (turns < 32u && rotated(in, turns) != there) {
        turns++;
    }
    if (back != in || window != there) {
        mixed = 1u;
    }
    return (mixed == 1u) + (wrapped > there) * 2 + (turns > places) * 4;
}
