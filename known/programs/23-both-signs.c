/* clang: FALSE; where a condition was seen to hold it is not false */
union number { int value; };
void check(void) {
    union number zero = {0};
    if (-zero.value && zero.value) {
        EVAL(-zero.value && zero.value);
    }
}
