// arguments: --mode exhaustive --checks 2 --convention t
// expect: violated 1 uchar:.*
// refuse: violated 2 .*
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
