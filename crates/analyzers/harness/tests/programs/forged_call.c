// arguments: --checks 2 --runs 100
// expect: undefined forged_call -
// refuse: violated .*
extern void juvenal_violated(unsigned);
/* A call of the hook that the compiler did not make for a check: through a pointer. */
int main(void) {
    void (*volatile hook)(unsigned) = juvenal_violated;
    hook(1);
    return 0;
}
