// builds: coverage
// With 300,000 runs only some seeds find everything; the number of runs allows for that.
// arguments: --checks 3 --runs 2000000
// expect: violated 1 .*
// expect: violated 2 .*
// expect: violated 3 .*
extern void juvenal_violated(unsigned);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
/* Equations that no constant of the text solves: found by coming nearer bit by bit. */
int main(void) {
    long long x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    unsigned z = __VERIFIER_nondet_uint();
    if (!(x * 37 + 1234 != 37004342)) juvenal_violated(1);
    if (!(x * 3 - y != 987654)) juvenal_violated(2);
    if (!((z ^ 0xdeadbeef) != 0x12345678)) juvenal_violated(3);
    return 0;
}
