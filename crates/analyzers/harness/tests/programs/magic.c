// builds: coverage
// With 300,000 runs only some seeds find everything; the number of runs allows for that.
// arguments: --checks 2 --runs 2000000
// expect: violated 1 .*
// expect: violated 2 .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
int __VERIFIER_nondet_int(void);
long long __VERIFIER_nondet_longlong(void);
static volatile int sink;
/* Not given as constants: found by watching comparisons and coverage. */
int main(void) {
    int x = __VERIFIER_nondet_int();
    long long y = __VERIFIER_nondet_longlong();
    int z = __VERIFIER_nondet_int();
    if (!(x != 192837465)) juvenal_violated(1);
    if (x > 5000 && (x & 255) == 17) {
        sink = 1;
        if (y == 8877665544332211ll) {
            sink = 2;
            switch (z) {
            case 998877665: juvenal_violated(2); break;
            default: break;
            }
        }
    }
    return 0;
}
