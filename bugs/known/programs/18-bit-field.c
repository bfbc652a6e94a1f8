/* gcc: UNKNOWN; the bit-field was just compared unequal to zero */
struct flags { int count : 10; } flags;
void check(void) {
    flags.count = 0;
    if (flags.count) {
        EVAL(flags.count != 0);
    }
}
