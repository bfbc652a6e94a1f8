// arguments: --checks 3 --runs 20000
// expect: violated 1 float:nan\(0x[0-9a-f]+\),.*
// expect: violated 2 .*double:nan.*
// expect: violated 3 .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
int main(void) {
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    if (!(f == f)) juvenal_violated(1);
    if (!(d < 1 || d >= 1)) juvenal_violated(2);
    if (!(d != 0.5 && 1 / (d + 1) != 0)) juvenal_violated(3);
    return 0;
}
