// needs: address
// arguments: --mode exhaustive --checks 4
// sanitized: undefined \S+ uchar:[123]
// sanitized: exhaustive no undefined
// sanitized: violated 1 uchar:7
// sanitized-refuse: violated 3 .*
// sanitized-refuse: violated 2 .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
#include <stdlib.h>
#include <string.h>
unsigned char __VERIFIER_nondet_uchar(void);
static volatile int size = 10;
static int *left;
static __attribute__((noinline)) int *keep(int *address) { return left = address; }
static __attribute__((noinline)) int leave(void) {
    int local = size;
    return *keep(&local);
}
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    char *memory = malloc(10), *stack = 0;
    memset(memory, 1, 10);
    if (x == 1) memset(memory, 0, size + 1);
    if (x == 2) memory[size] = 1;
    if (x == 3) {
        free(memory);
        if (memory[3]) return 1;
    }
    if (!(x != 1 && x != 2 && x != 3)) juvenal_violated(2);
    if (!(x != 7)) juvenal_violated(1);
    if (x == 9) {
        leave();
        if (!(*left == 0)) juvenal_violated(3);
        juvenal_violated(3);
    }
    if (x == 8) free(memory), free(memory);
    return stack != 0;
}
