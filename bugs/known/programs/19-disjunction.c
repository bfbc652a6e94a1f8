/* gcc: UNKNOWN; one of the two was just tested to hold */
void check(_Bool first, _Bool second) {
    if (first || second) {
        EVAL(first || second);
    }
}
