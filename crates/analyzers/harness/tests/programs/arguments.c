// arguments: --checks 1 --mode exhaustive
// expect: exhaustive yes
// refuse: violated .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
#include <string.h>
unsigned char __VERIFIER_nondet_uchar(void);
static int from_constructor;
__attribute__((constructor)) static void before(void) { from_constructor++; }
int main(int argc, char **argv) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (!(argc == 1 && strcmp(argv[0], "program") == 0 && !argv[1] && from_constructor == 1 && x < 256)) juvenal_violated(1);
    argv[0][0] = 'x';
    argv[0] = 0;
    from_constructor = 0;
}
