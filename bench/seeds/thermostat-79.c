/* A controller over a window of readings: 79 lines, as long as the small program of sherlock's figure. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

#define WINDOW 8

enum state { OFF, HEATING, COOLING, FAULT };

struct controller {
    enum state state;
    int target;
    unsigned ticks;
    unsigned char faults;
};
static int window[WINDOW];
static unsigned used;

static void store(int reading) {
    unsigned place = used % WINDOW;
    window[place] = reading;
    used = used + 1u;
}

static int average(void) {
    int sum = 0;
    unsigned filled = used < WINDOW ? used : WINDOW;
    for (unsigned i = 0; i < filled; i++) {
        sum += window[i];
    }
    return filled == 0 ? 0 : sum / (int)filled;
}

static enum state decide(const struct controller *controller, int reading) {
    int gap = controller->target - reading;
    if (controller->faults > 3) {
        return FAULT;
    }
    if (gap > 20) {
        return HEATING;
    }
    return gap < -20 ? COOLING : OFF;
}

static int step(struct controller *controller, int reading, _Bool broken) {
    int power = 0;
    if (broken) {
        controller->faults++;
    } else {
        store(reading);
    }
    controller->state = decide(controller, average());
    switch (controller->state) {
    case HEATING:
        power = 100;
        break;
    case COOLING:
        power = -60;
        break;
    default:
        power = 0;
    }
    controller->ticks += power != 0;
    return power;
}

int main(void) {
    struct controller controller = {OFF, 210, 0u, 0};
    unsigned char first = __VERIFIER_nondet_uchar();
    _Bool broken = __VERIFIER_nondet_bool();
    int reading = first + 90;
    int energy = 0;
    for (int hour = 0; hour < 24; hour++) {
        int power = step(&controller, reading, broken && hour % 6 == 0);
        energy += power;
        reading += power / 20 - 1;
    }
    double mean = energy / 24.0;
    return mean > 100.0 || controller.ticks > 24u;
}
