// reproduce: no
// arguments: --checks 2 --milliseconds 700 --run-milliseconds 50 --convention n
// expect: endless [1-9]\d* .*
// expect: violated 1 .*
// expect: exhaustive no endless
extern void juvenal_violated(unsigned);
int __VERIFIER_nondet_int(void);
volatile int sink;
int main(void) {
    if (!(__VERIFIER_nondet_int() == 0)) juvenal_violated(1);
    for (;;) sink++;
}
