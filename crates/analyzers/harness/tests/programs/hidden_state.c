// arguments: --mode exhaustive --checks 1
// expect: isolation fork
// expect: exhaustive yes
// refuse: violated .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
#include <sys/stat.h>
unsigned char __VERIFIER_nondet_uchar(void);
/* umask(2) is not on any list; that runs influence each other is found by repeating some. */
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (!(umask(0111) != 0111 && x < 256)) juvenal_violated(1);
    return 0;
}
