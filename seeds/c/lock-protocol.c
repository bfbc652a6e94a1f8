/* A lock taken and released in a loop under changing conditions, in the style of the driver benchmarks of SV-COMP. */
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int locked;
static unsigned errors;

static void lock(void) {
    if (locked) {
        errors++;
    }
    locked = 1;
}

static void unlock(void) {
    if (!locked) {
        errors++;
    }
    locked = 0;
}

int main(void) {
    unsigned requests = __VERIFIER_nondet_uchar() & 7u;
    unsigned old = requests;
    unsigned handled = 0;
    int rounds = 0;
    do {
        lock();
        old = requests;
        if (requests > 0 && __VERIFIER_nondet_bool()) {
            unlock();
            requests--;
            handled++;
        }
        rounds++;
    } while (requests != old && rounds < 6);
    if (locked) {
        unlock();
    }
    unsigned total = requests + handled;
    _Bool clean = errors == 0 && !locked;
    return !clean || total > 7u;
}
