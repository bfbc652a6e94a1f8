/* Calls through a table of function pointers chosen by the bits of an input, two at a time. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int twice(int x) { return x * 2; }
static int less(int x) { return x - 3; }
static int negative(int x) { return -x; }
static int half(int x) { return x / 2; }

int main(void) {
    int (*const table[4])(int) = {twice, less, negative, half};
    int (*last)(int) = half;
    unsigned char program = __VERIFIER_nondet_uchar();
    int value = __VERIFIER_nondet_bool() ? 100 : 7;
    int largest = value;
    unsigned char calls = 0;
    for (unsigned rest = program; rest != 0; rest >>= 2) {
        unsigned which = rest & 3u;
        int before = value;
        last = table[which];
        value = last(value);
        if (value > 10000 || value < -10000) {
            value = before;
        }
        if (value > largest) {
            largest = value;
        }
        calls++;
    }
    if (last == negative) {
        value = -value;
    }
    long long room = (long long)largest - value;
    return room < 0 || calls > 4;
}
