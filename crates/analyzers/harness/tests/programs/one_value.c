// constants: 305419896
// arguments: --checks 3 --runs 20000
// expect: violated 1 int:305419896
// expect: violated 2 int:305419895
// expect: exhaustive no too-large int
// expect: reached 3
// refuse: violated 3
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    juvenal_reached(1);
    if (!(x != 305419896)) juvenal_violated(1);
    juvenal_reached(2);
    if (!(x != 305419895)) juvenal_violated(2);
    juvenal_reached(3);
    if (!(x < 0 || x / 2 >= 0)) juvenal_violated(3);
    return 0;
}
