// needs: 64
// constants: 1152921504606846976
// arguments: --checks 3 --runs 50000
// expect: violated 1 int128:-170141183460469231731687303715884105728.*
// expect: violated 2 .*uint128:340282366920938463463374607431768211455
// expect: violated 3 int128:1152921504606846976.*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
__int128 __VERIFIER_nondet_int128(void);
unsigned __int128 __VERIFIER_nondet_uint128(void);
int main(void) {
    __int128 x = __VERIFIER_nondet_int128();
    unsigned __int128 y = __VERIFIER_nondet_uint128();
    if (!(x != (__int128)((unsigned __int128)1 << 127))) juvenal_violated(1);
    if (!(y != ~(unsigned __int128)0)) juvenal_violated(2);
    if (!(x != (__int128)1 << 60)) juvenal_violated(3);
    return 0;
}
