/* gcc: FALSE; both pointers point one past the same element */
void check(void) {
    int row[2] = {0, 0};
    int *start = &row[0];
    if (start == &row[0]) {
        EVAL(start + 1 == &row[0] + 1);
    }
}
