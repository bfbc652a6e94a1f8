/* gcc: UNKNOWN; right is more than left, which is more than zero */
void check(int left, int right) {
    if (left > 0 && right > left) {
        EVAL(right > 0);
    }
}
