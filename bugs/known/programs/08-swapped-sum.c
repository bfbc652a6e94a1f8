/* gcc: UNKNOWN; one number is one more than the other */
void check(int base) {
    if (base < 100 && base > -100) {
        int more = base + 2, less = base + 1;
        EVAL(less < more);
    }
}
