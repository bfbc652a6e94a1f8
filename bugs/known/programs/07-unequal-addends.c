/* gcc: UNKNOWN; left > right implies left + 3 > right + 1 */
void check(int left, int right) {
    if (left > right && left < 100 && right > -100) {
        EVAL(left + 3 > right + 1);
    }
}
