// arguments: --mode exhaustive --checks 1
// expect: exhaustive yes
// refuse: violated .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
#include <stdio.h>
unsigned char __VERIFIER_nondet_uchar(void);
__attribute__((constructor)) static void early(void) {
    puts("violated 1 int:1\ndone");
    fflush(stdout);
}
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    for (int i = 0; i < 200; i++) printf("\nviolated 1 int:1\ndone\n");
    fprintf(stderr, "violated 1 int:2\ndone\n");
    fflush(stdout);
    if (!(x < 256)) juvenal_violated(1);
    return 0;
}
