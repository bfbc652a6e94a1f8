// arguments: --checks 2 --runs 20000 --convention n
// expect: violated 1 .*
// sanitized: undefined add_overflow .*
// sanitized-refuse: violated 2 .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
int __VERIFIER_nondet_int(void);
volatile int sink;
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (!(x < 1000)) juvenal_violated(1);
    sink = x + 2147483600;
    if (!(x < 1000)) juvenal_violated(2);
    return 0;
}
