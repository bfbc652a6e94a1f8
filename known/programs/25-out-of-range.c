/* clang: FALSE; where a condition was seen to hold it is not false */
void check(signed char small) {
    if (255UL == small) {
        EVAL(255UL == small);
    }
}
