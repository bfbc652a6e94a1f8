// arguments: --mode replay --checks 2 --input int:5,double:0x1.8p+1 --input int:-7@3,double:-inf@12
// expect: violated 1 int:-7,double:-inf
// expect: violated 2 int:5,double:0x3p\+0
// expect: runs 2
// expect: exhaustive no replay
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
int __VERIFIER_nondet_int(void);
double __VERIFIER_nondet_double(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    double y = __VERIFIER_nondet_double();
    if (!(x != -7 || y > -1e308)) juvenal_violated(1);
    if (!(x != 5 || y != 3.0)) juvenal_violated(2);
    return 0;
}
