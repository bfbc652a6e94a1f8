// builds: coverage
// arguments: --mode exhaustive --checks 1 --run-steps 100000 --run-milliseconds 5000
// expect: endless 1 uchar:5|endless 2 uchar:5
// expect: exhaustive no endless
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
unsigned char __VERIFIER_nondet_uchar(void);
volatile int sink;
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    while (x == 5) sink++;
    if (!(x < 256)) juvenal_violated(1);
    return 0;
}
