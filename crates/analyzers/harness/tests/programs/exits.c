// arguments: --mode exhaustive --checks 5
// expect: exhaustive yes
// expect: violated 3 uchar:40
// expect: violated 5 uchar:50
// refuse: violated [124] .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
#include <stdlib.h>
#include <unistd.h>
unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char x;
static void at_end(void) {
    if (!(x != 40)) juvenal_violated(3);
    if (!(x != 30)) juvenal_violated(4);
}
static void at_end_first(void) {
    if (!(x != 50)) juvenal_violated(5);
    if (x == 51) exit(3);
}
int main(void) {
    x = __VERIFIER_nondet_uchar();
    atexit(at_end);
    atexit(at_end_first);
    if (x < 10) exit(1);
    if (x < 20) _exit(0);
    if (x < 30) abort();
    if (x == 30) quick_exit(0);
    if (!(x >= 10)) juvenal_violated(1);
    if (!(x != 29 && x != 19)) juvenal_violated(2);
    return 0;
}
