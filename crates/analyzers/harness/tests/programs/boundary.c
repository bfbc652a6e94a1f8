// arguments: --checks 4 --runs 20000
// expect: violated 1 int:-2147483648,.*
// expect: violated 2 .*
// expect: violated 3 .*
// expect: violated 4 .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
int __VERIFIER_nondet_int(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
short __VERIFIER_nondet_short(void);
double __VERIFIER_nondet_double(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned long long y = __VERIFIER_nondet_ulonglong();
    short z = __VERIFIER_nondet_short();
    double d = __VERIFIER_nondet_double();
    if (!(x != -2147483647 - 1)) juvenal_violated(1);
    if (!(y != 1ull << 47)) juvenal_violated(2);
    if (!(z != 32767)) juvenal_violated(3);
    if (!(d < 1e300)) juvenal_violated(4);
    return 0;
}
