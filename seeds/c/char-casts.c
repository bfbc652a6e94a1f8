/* Conversions between plain, signed and unsigned char and wider types. Plain char is taken to have a sign, and a value
   that does not fit is taken modulo the width, as gcc and clang do. */
extern char __VERIFIER_nondet_char(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    char in = __VERIFIER_nondet_char();
    _Bool widen = __VERIFIER_nondet_bool();
    signed char with_sign = (signed char)in;
    unsigned char without = (unsigned char)in;
    int from_plain = in;
    unsigned extended = (unsigned)with_sign;
    unsigned short half = (unsigned short)(with_sign * 2);
    unsigned long large = without;
    signed char doubled = (signed char)(without * 2);
    if (widen) {
        large = (unsigned long)with_sign;
    }
    _Bool top = (without & 0x80) != 0;
    int complement = ~without;
    unsigned char flipped = (unsigned char)complement;
    int total = without + flipped;
    if (top && from_plain >= 0) {
        total = -1;
    }
    if (doubled < 0 && with_sign >= 0) {
        total += doubled;
    }
    _Bool grown = large > 255ul;
    return (total != 255) + grown * 2 + (extended > half) * 4;
}
