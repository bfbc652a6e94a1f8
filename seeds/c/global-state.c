/* An account in global variables changed by several functions; the noted changes add up to the balance. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int balance = 50;
static unsigned refused;
short history[4] = {0, 0, 0, 0};
static unsigned char at;

static void note(int amount) {
    history[at] = (short)amount;
    at = (unsigned char)((at + 1) % 4);
}

static _Bool take(int amount) {
    if (amount > balance) {
        refused++;
        return 0;
    }
    balance -= amount;
    note(-amount);
    return 1;
}

static void give(int amount) {
    if (balance <= 1000 - amount) {
        balance += amount;
        note(amount);
    }
}

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool taken = 0;
    for (int round = 0; round < 3; round++) {
        if (__VERIFIER_nondet_bool()) {
            taken = take(in % 40);
        } else {
            give(in / 4);
        }
    }
    int newest = history[(at + 3) % 4];
    short sum = 0;
    for (int i = 0; i < 4; i++) {
        sum = (short)(sum + history[i]);
    }
    int drift = balance - 50 - sum;
    return drift != 0 || (taken && newest > 0) || refused > 3u;
}
