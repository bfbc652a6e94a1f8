extern void juvenal_violated(unsigned), juvenal_reached(unsigned);
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), sum = 0;
    for (int i = 0; i < 10; i++) sum += (x >> i) & 1;
    juvenal_reached(1);
    if (!(sum <= 10)) juvenal_violated(1);
    juvenal_reached(2);
    if (!(x != 123456789)) juvenal_violated(2);
}
