// arguments: --checks 5
// expect: noted 1 0x7fffffffffffff80 0x800000000000007f 0x.*
// expect: noted 2 0x7 0x9 0x8
// expect: noted 3 0x3fffffffffffffff 0xc004000000000000 0x.* nan
// refuse: noted 4 .*
// expect: counted 5 \d+0 \d+
// expect: exhaustive yes
extern void juvenal_note_signed(unsigned, long long);
extern void juvenal_note_unsigned(unsigned, unsigned long long);
extern void juvenal_note_real(unsigned, double);
extern void juvenal_note_condition(unsigned, int);
signed char __VERIFIER_nondet_char(void);
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    signed char x = __VERIFIER_nondet_char();
    double zero = 0.0;
    juvenal_note_signed(1, x);
    for (int i = 0; x == 77 && i < 11; i++) juvenal_note_condition(5, i < 10);
    for (unsigned i = 7; i < 10; i++) juvenal_note_unsigned(2, i);
    juvenal_note_real(3, x < 0 ? -2.0 : 2.5);
    juvenal_note_real(3, x == 1 ? zero / zero : 0.0);
    if (x > 127) juvenal_note_signed(4, x);
}
