/* gcc: UNKNOWN; right is greater than left, which is greater than zero */
void check(int left, int right) {
    if (left > 0 && right > left) {
        EVAL(right > 0);
    }
}
