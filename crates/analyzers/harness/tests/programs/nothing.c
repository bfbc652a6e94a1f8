// arguments: --checks 1
// expect: exhaustive yes
// expect: violated 1 -
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
int main(void) {
    if (!(0)) juvenal_violated(1);
    return 0;
}
