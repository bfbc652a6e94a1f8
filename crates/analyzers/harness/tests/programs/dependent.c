// arguments: --mode exhaustive --checks 2
// expect: exhaustive yes
// expect: runs 66528
// refuse: violated .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
_Bool __VERIFIER_nondet_bool(void);
short __VERIFIER_nondet_short(void);
unsigned char __VERIFIER_nondet_uchar(void);
/* 65,536 sequences on one side, 64 * (1 + 2 + 4 + 8) on the other, 32 probes. */
int main(void) {
    if (!__VERIFIER_nondet_bool()) {
        short x = __VERIFIER_nondet_short();
        if (!(x >= -32768)) juvenal_violated(1);
        return x;
    }
    int ones = 0;
    unsigned rest = __VERIFIER_nondet_uchar() % 4;
    for (unsigned i = 0; i < rest; i++) ones += __VERIFIER_nondet_bool();
    if (!(ones <= 3)) juvenal_violated(2);
    return 0;
}
