/* Comparisons of floats of which any may be no number: its comparisons are all false, and it is not equal to itself. */
extern float __VERIFIER_nondet_float(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    _Bool first = __VERIFIER_nondet_bool();
    _Bool less = x < y;
    _Bool more = x > y;
    _Bool same = x == y;
    int relations = less + more + same;
    float smaller = x < y ? x : y;
    float larger = !(x < y) ? x : y;
    float chosen = first ? smaller : larger;
    int numbers = 0;
    if (x == x) {
        numbers++;
    }
    if (y == y) {
        numbers++;
    }
    float bounded = 0.0f;
    if (chosen >= -100.0f && chosen <= 100.0f) {
        bounded = chosen;
    } else if (!(chosen < -100.0f)) {
        bounded = 100.0f;
    } else {
        bounded = -100.0f;
    }
    float difference = bounded - 50.0f;
    _Bool inside = difference <= 50.0f && difference >= -150.0f;
    if (relations == 0 && numbers == 2) {
        return 1;
    }
    return !inside * 2 + (smaller > larger) * 4 + (chosen != chosen) * 8;
}
