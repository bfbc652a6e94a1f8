// arguments: --mode exhaustive --checks 1
// expect: escaped rand
// expect: exhaustive no escaped
// refuse: violated .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
#include <stdlib.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (!(rand() == 1804289383 && x < 256)) juvenal_violated(1);
    return 0;
}
