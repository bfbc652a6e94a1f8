// arguments: --mode exhaustive --convention n
// expect: violated 0 uchar:9
// expect: exhaustive yes
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
    if (__VERIFIER_nondet_uchar() == 9) reach_error();
    return 0;
}
