// arguments: --mode exhaustive --checks 2 --run-milliseconds 20
// expect: endless [1-9]\d* uchar:5
// expect: exhaustive no endless
// expect: violated 1 uchar:6
// refuse: violated 2
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
unsigned char __VERIFIER_nondet_uchar(void);
volatile int sink;
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    while (x == 5) sink++;
    if (!(x != 6)) juvenal_violated(1);
    if (!(x != 5)) juvenal_violated(2);
    return 0;
}
