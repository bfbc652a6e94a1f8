// arguments: --mode exhaustive --checks 1
// expect: endless 1 bool:1,bool:1.*
// expect: exhaustive no endless
// refuse: violated .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    unsigned count = 0;
    while (__VERIFIER_nondet_bool()) count++;
    if (!(count < 5000)) juvenal_violated(1);
    return 0;
}
