/* Nested conditional expressions that clamp a short into an interval, wrap it and take its sign. */
extern short __VERIFIER_nondet_short(void);

int main(void) {
    short in = __VERIFIER_nondet_short();
    int low = -300;
    int high = 32000;
    int clamped = in < low ? low : in > high ? high : in;
    int sign = in > 0 ? 1 : in < 0 ? -1 : 0;
    int magnitude = sign < 0 ? -in : in;
    short narrow = (short)(magnitude > 32767 ? 32767 : magnitude);
    unsigned distance = in < clamped ? (unsigned)(clamped - in) : (unsigned)(in - clamped);
    int wrapped = in < low ? high - (low - in) % 100 : clamped;
    if (distance > 0) {
        sign *= 2;
    }
    int rebuilt = sign * narrow;
    rebuilt = distance > 0 ? rebuilt / 2 : rebuilt;
    _Bool same = rebuilt == in;
    return same ? 0 : wrapped > narrow ? 1 : 2;
}
