// arguments: --mode exhaustive --convention n
// expect: violated 0 uchar:9
// expect: exhaustive yes
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
#include <assert.h>
#include <stdlib.h>
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
    if (!condition) {
    ERROR: {
        reach_error();
        abort();
    }
    }
}
int main(void) {
    __VERIFIER_assert(__VERIFIER_nondet_uchar() != 9);
    return 0;
}
