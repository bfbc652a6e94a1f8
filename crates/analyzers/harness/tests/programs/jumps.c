// arguments: --checks 2 --mode exhaustive
// expect: violated 1 uchar:5
// expect: exhaustive yes
// refuse: violated 2 .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
#include <setjmp.h>
unsigned char __VERIFIER_nondet_uchar(void);
static jmp_buf back;
static int depth(int n) {
    if (n == 0) longjmp(back, 1);
    return depth(n - 1) + 1;
}
int main(void) {
    volatile unsigned char x = __VERIFIER_nondet_uchar();
    if (setjmp(back) == 0) {
        depth(x);
        juvenal_violated(2);
    }
    if (!(x != 5)) juvenal_violated(1);
    return 0;
}
