// arguments: --checks 1 --runs 20000
// sanitized: undefined add_overflow .*
// sanitized: exhaustive no undefined
// sanitized-refuse: violated .*
// plain: violated 1 .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
int __VERIFIER_nondet_int(void);
volatile int sink;
int main(void) {
    int x = __VERIFIER_nondet_int();
    sink = x + 2147483600;
    if (!(x < 1000)) juvenal_violated(1);
    return 0;
}
