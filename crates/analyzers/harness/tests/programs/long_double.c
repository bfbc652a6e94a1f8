// constants: 0x1.8p+1
// arguments: --checks 2 --runs 20000
// expect: violated 1 long_double:0x3p\+0
// expect: violated 2 long_double:(nan|-?inf).*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
long double __VERIFIER_nondet_long_double(void);
int main(void) {
    long double x = __VERIFIER_nondet_long_double();
    if (!(x != 3.0L)) juvenal_violated(1);
    if (!(x - x == 0)) juvenal_violated(2);
    return 0;
}
