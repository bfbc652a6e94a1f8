// reproduce: no
// arguments: --mode exhaustive --checks 2 --isolation fork
// expect: escaped pthread_create
// expect: violated 1 uchar:66
// refuse: violated 2 .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
#include <pthread.h>
unsigned char __VERIFIER_nondet_uchar(void);
static int shared;
static void *other(void *argument) {
    unsigned char *x = argument;
    if (!(*x != 66)) juvenal_violated(1);
    shared = 1;
    return 0;
}
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    pthread_t thread;
    if (pthread_create(&thread, 0, other, &x) != 0) return 1;
    pthread_join(thread, 0);
    if (!(shared == 1)) juvenal_violated(2);
    return 0;
}
