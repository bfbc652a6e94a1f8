/* A byte divided by ten in float and in double: what was exact, what was rounded, and what comes back. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool negate = __VERIFIER_nondet_bool();
    double wide = in;
    float narrow = (float)in;
    double tenth = wide / 10.0;
    float shortened = narrow / 10.0f;
    if (negate) {
        tenth = -tenth;
        shortened = -shortened;
    }
    double error = tenth - (double)shortened;
    float back = shortened * 10.0f;
    double scaled = tenth + (negate ? -0.5 : 0.5);
    int nearest = (int)scaled;
    int cut = (int)tenth;
    float sum = 0.0f;
    int steps = 0;
    while (steps < 20 && sum < narrow) {
        sum = sum + 0.1f;
        steps++;
    }
    _Bool exact = error == 0.0;
    _Bool restored = back == narrow || back == -narrow;
    return (nearest - cut) * 4 + exact * 2 + restored;
}
