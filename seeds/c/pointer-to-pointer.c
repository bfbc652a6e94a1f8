/* Two levels of pointers: the outer one chooses what the inner one points to, and a write goes through both. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

static void choose(int **place, int *candidate) {
    if (*place == 0 || *candidate > **place) {
        *place = candidate;
    }
}

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool third = __VERIFIER_nondet_bool();
    int a = in;
    int b = 255 - in;
    int c = third ? 128 : -1;
    int *best = 0;
    int *other = &c;
    int **level = &best;
    choose(level, &a);
    choose(level, &b);
    choose(level, &c);
    int most = *best;
    if (best == other) {
        level = &other;
        **level = most - 1;
    } else {
        **level += 1;
    }
    int sum = a + b;
    int changed = *best - most;
    int *kept = *level;
    _Bool inner = kept == &a || kept == &b;
    return (changed != 1 && changed != -1) + (inner && sum != 256) * 2 + (most < 127) * 4;
}
