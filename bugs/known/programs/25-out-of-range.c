/* clang: FALSE; the condition was just tested to hold */
void check(signed char small) {
    if (255UL == small) {
        EVAL(255UL == small);
    }
}
