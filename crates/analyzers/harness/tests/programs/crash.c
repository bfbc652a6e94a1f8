// arguments: --checks 1 --mode exhaustive
// expect: violated 1 uchar:200
// expect: exhaustive no (crashed|undefined)
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    volatile int *volatile nothing = 0;
    if (x % 16 == 3) *nothing = 1;
    if (!(x != 200)) juvenal_violated(1);
    return 0;
}
