// arguments: --mode exhaustive --checks 2 --exhaustive-limit 16777216
// expect: violated 1 bool:1@1,schar:-3@2,schar:-3@2
// expect: violated 2 bool:0@1,schar:5
// expect: exhaustive yes
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
extern void juvenal_call(unsigned);
_Bool __VERIFIER_nondet_bool(void);
signed char __VERIFIER_nondet_schar(void);
static signed char (*through_pointer)(void) = __VERIFIER_nondet_schar;
int main(void) {
    if ((juvenal_call(1), __VERIFIER_nondet_bool())) {
        int sum = 0;
        for (int i = 0; i < 2; i++) sum += (juvenal_call(2), __VERIFIER_nondet_schar()) == -3;
        if (!(sum < 2)) juvenal_violated(1);
    } else {
        if (!(through_pointer() != 5)) juvenal_violated(2);
    }
    return 0;
}
