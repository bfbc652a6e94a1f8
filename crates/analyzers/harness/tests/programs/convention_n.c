// arguments: --mode exhaustive --checks 2 --convention n
// expect: violated 1 uchar:4
// expect: violated 2 uchar:4
// expect: exhaustive yes
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (!(x != 4)) juvenal_violated(1);
    if (!(x != 4)) juvenal_violated(2);
    return 0;
}
