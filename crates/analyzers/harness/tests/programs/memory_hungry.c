// arguments: --checks 1 --mode exhaustive --run-milliseconds 5000
// expect: endless [1-9]\d* uchar:4
// expect: violated 1 uchar:5
#include <stdlib.h>
extern void juvenal_violated(unsigned);
unsigned char __VERIFIER_nondet_uchar(void);
static void *volatile kept;
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    while (x == 4) kept = malloc(1 << 20);
    if (!(x != 5)) juvenal_violated(1);
    return 0;
}
