/* Zeroes with and without sign: equal when compared, told apart by their bits, and kept or lost by addition. */
extern double __VERIFIER_nondet_double(void);
extern _Bool __VERIFIER_nondet_bool(void);

union bits {
    double number;
    unsigned long long raw;
};

int main(void) {
    double in = __VERIFIER_nondet_double();
    _Bool minus = __VERIFIER_nondet_bool();
    double zero = minus ? -0.0 : 0.0;
    double small = 0.0;
    if (in > -1.0 && in < 1.0) {
        small = in;
    }
    double scaled = small * zero;
    double sum = scaled + 0.0;
    double difference = scaled - 0.0;
    union bits seen = {.number = scaled};
    unsigned long long sign = seen.raw >> 63;
    seen.number = sum;
    unsigned long long after = seen.raw;
    _Bool equal = scaled == zero && sum == difference;
    double absolute = scaled < 0.0 ? -scaled : scaled;
    seen.number = absolute;
    _Bool kept = seen.raw >> 63 == sign;
    int turns = 0;
    while (small != 0.0 && turns < 20) {
        small = small * small * -1.0;
        turns++;
    }
    return !equal + (after != 0ull) * 2 + kept * 4 + (turns == 20) * 8;
}
