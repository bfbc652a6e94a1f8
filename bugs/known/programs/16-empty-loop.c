/* gcc: UNKNOWN; the loop ends when the counter is zero */
void check(void) {
    int counter;
    for (counter = -1; counter != 0; ++counter) {
    }
    EVAL(counter == 0);
}
