// arguments: --mode exhaustive --checks 3
// expect: exhaustive yes
// expect: violated 1 char:17,uchar:200
// expect: reached 2
// refuse: violated 2
// refuse: (violated|reached) 3
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    char a = __VERIFIER_nondet_char();
    unsigned char b = __VERIFIER_nondet_uchar();
    juvenal_reached(1);
    if (!(a != 17 || b != 200)) juvenal_violated(1);
    juvenal_reached(2);
    if (!(a + b <= 127 + 255)) juvenal_violated(2);
    if (a > 127 + 1) {
        juvenal_reached(3);
        if (!(a == 0)) juvenal_violated(3);
    }
    return 0;
}
