/* clang: FALSE; the condition was just tested to hold */
union number { int value; };
void check(void) {
    union number zero = {0};
    if (-zero.value && zero.value) {
        EVAL(-zero.value && zero.value);
    }
}
