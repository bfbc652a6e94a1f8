// builds: memory
// reproduce: no
// arguments: --mode exhaustive --checks 2
// expect: undefined uninitialized uchar:3
// expect: violated 1 uchar:4
// expect: exhaustive no undefined
// refuse: violated 2 .*
extern void juvenal_violated(unsigned);
unsigned char __VERIFIER_nondet_uchar(void);
static int big[100000];
static volatile int *somewhere(volatile int *address) { return address; }
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    volatile int value;
    if (big[5000] == 1) return 1;
    if (x != 3) value = x;
    big[5000] = *somewhere(&value);
    if (value == 1000) juvenal_violated(2);
    if (!(x != 3)) juvenal_violated(2);
    if (!(x != 4)) juvenal_violated(1);
    return 0;
}
