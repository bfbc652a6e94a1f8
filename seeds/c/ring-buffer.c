/* A ring buffer with a producer and a consumer that take turns as the input says; what comes out is what went in. */
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char ring[4] = {0, 0, 0, 0};
    unsigned head = 0;
    unsigned tail = 0xfffffffeu;
    unsigned char produced = 250;
    unsigned char expected = 250;
    unsigned count = 0;
    unsigned char wrong = 0;
    head = tail;
    for (int turn = 0; turn < 10; turn++) {
        _Bool produce = __VERIFIER_nondet_bool();
        if (produce && count < 4u) {
            ring[head & 3u] = produced;
            produced++;
            head++;
        } else if (!produce && count > 0u) {
            unsigned char taken = ring[tail & 3u];
            if (taken != expected) {
                wrong++;
            }
            expected++;
            tail++;
        }
        count = head - tail;
    }
    unsigned char waiting = (unsigned char)(produced - expected);
    _Bool wrapped = head < 0xfffffffeu;
    return wrong + (waiting != count) * 2 + wrapped * 4;
}
