// arguments: --checks 2 --runs 50000
// expect: violated 1 .*
// refuse: violated 2
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
/* The first check is wrong for an array whose last element is the largest. */
int main(void) {
    int values[8] = {0}, largest;
    unsigned count = __VERIFIER_nondet_uchar() % 8 + 1;
    for (unsigned i = 0; i < count; i++) values[i] = __VERIFIER_nondet_int();
    largest = values[0];
    for (unsigned i = 1; i + 1 < count; i++)
        if (values[i] > largest) largest = values[i];
    for (unsigned i = 0; i < count; i++) {
        if (!(values[i] <= largest)) juvenal_violated(1);
    }
    if (!(count <= 8)) juvenal_violated(2);
    return 0;
}
