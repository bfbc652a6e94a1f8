// arguments: --mode exhaustive --checks 3
// expect: exhaustive yes
// expect: assumption [1-9][0-9]*
// expect: violated 2 uchar:10
// refuse: violated [13] .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (!(x <= 10)) juvenal_assumption_failed();
    if (!(x != 200)) juvenal_violated(1);
    if (!(x != 10)) juvenal_violated(2);
    __VERIFIER_assume(x < 5);
    if (!(x != 7)) juvenal_violated(3);
    return 0;
}
