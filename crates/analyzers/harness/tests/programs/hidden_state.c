// arguments: --mode exhaustive --checks 1
// expect: isolation fork
// expect: exhaustive yes
// refuse: violated .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
#include <stdlib.h>
unsigned char __VERIFIER_nondet_uchar(void);
/* mrand48(3) is not on any list; that runs influence each other is found by repeating some. */
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (!(mrand48() == 0 && x < 256)) juvenal_violated(1);
    return 0;
}
