/* Conditions with && and || whose right sides have effects, divide or index only when the left side allows it. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int asked;

static _Bool ask(int value, int limit) {
    asked++;
    return value > limit;
}

int main(void) {
    int table[8] = {3, -1, 4, -1, 5, -9, 2, -6};
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool strict = __VERIFIER_nondet_bool();
    int index = in / 16 - 4;
    int divisor = in % 16;
    int hits = 0;
    if (index >= 0 && index < 8 && table[index] > 0) {
        hits += table[index];
    }
    if (divisor != 0 && 100 / divisor > 10) {
        hits += 100 / divisor;
    }
    if (ask(index, 3) || (strict && ask(divisor, 7)) || ask(hits, 20)) {
        hits = -hits;
    }
    int before = asked;
    _Bool both = ask(hits, 0) && ask(-hits, 0);
    int more = asked - before;
    if (both) {
        more = 100;
    }
    _Bool never = strict && !strict;
    return never || (hits > 0) != (more == 2);
}
