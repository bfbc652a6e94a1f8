/* Functions with static locals that count their calls and remember the largest argument. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

static unsigned next(void) {
    static unsigned calls = 0;
    calls = calls + 1u;
    return calls;
}

static int largest(int value) {
    static int most = -100;
    static unsigned char times;
    times++;
    if (value > most) {
        most = value;
    }
    return times > 200 ? -1 : most;
}

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool falling = __VERIFIER_nondet_bool();
    int value = in - 100;
    int most = largest(value);
    unsigned calls = next();
    while (calls < 10u && value != 0) {
        value = falling ? value / 2 : value / 3 * 2;
        most = largest(-value);
        calls = next();
    }
    unsigned final = next();
    unsigned difference = final - calls;
    int room = most - value;
    return room < 0 || difference != 1u;
}
