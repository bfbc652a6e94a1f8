// arguments: --mode exhaustive --checks 3
// expect: exhaustive yes
// expect: isolation persistent
// expect: violated 2 char:9,char:0
// refuse: violated [13] .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
#include <stdlib.h>
#include <string.h>
char __VERIFIER_nondet_char(void);
static int *kept;
/* Leaks on purpose: the next run starts without the memory of this one. */
int main(void) {
    if (!(kept == 0)) juvenal_violated(1);
    kept = malloc(4000 * sizeof *kept);
    if (!kept) return 1;
    memset(kept, 0, 4000 * sizeof *kept);
    kept[7] = __VERIFIER_nondet_char();
    if (!(kept[7] != 9 || __VERIFIER_nondet_char() != 0)) juvenal_violated(2);
    char *copy = calloc(3, 4);
    copy = realloc(copy, 100);
    if (!(copy[11] == 0)) juvenal_violated(3);
    return 0;
}
