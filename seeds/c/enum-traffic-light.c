/* A traffic light as an enumeration: time and the button of a walker decide how long each colour stays. */
extern _Bool __VERIFIER_nondet_bool(void);

enum light { RED, RED_AMBER, GREEN, AMBER };

static enum light after(enum light now) {
    switch (now) {
    case RED: return RED_AMBER;
    case RED_AMBER: return GREEN;
    case GREEN: return AMBER;
    default: return RED;
    }
}

int main(void) {
    enum light now = RED;
    enum light before = AMBER;
    unsigned waited = 0;
    unsigned greens = 0;
    unsigned char walkers = 0;
    for (int second = 0; second < 9; second++) {
        _Bool pressed = __VERIFIER_nondet_bool();
        _Bool change = now == RED_AMBER || now == AMBER || waited >= 3u;
        if (pressed && now == GREEN) {
            change = 1;
        } else if (pressed && now == RED && walkers < 5) {
            walkers++;
        }
        if (change) {
            before = now;
            now = after(now);
            waited = 0;
        } else {
            waited++;
        }
        greens += now == GREEN;
    }
    int phase = (int)now - (int)before;
    _Bool moved = phase == 1 || phase == -3;
    return !moved || greens > 8u || walkers > 4u + greens;
}
