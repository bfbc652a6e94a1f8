#include <stdio.h>
#include <stdlib.h>
static unsigned char reached[1 << 20];
static unsigned long long state;
static unsigned long long next(void) {
    if (state == 0) { const char *seed = getenv("SEED"); state = 88172645463325252ull + (seed ? strtoull(seed, 0, 10) : 0) * 2654435761u; }
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    switch (state >> 60) {
    case 0: return 0;
    case 1: return 1;
    case 2: return -1ull;
    case 3: return state >> 8 & 15;
    case 4: return 0x7fffffff;
    case 5: return 0x80000000;
    case 6: return 1ull << 63;
    default: return state >> 3;
    }
}
void juvenal_require(int holds, int number) {
    if (!holds) { fprintf(stderr, "condition %d fails\n", number); fflush(stderr); abort(); }
    reached[number] = 1;
}
__attribute__((destructor)) static void tell(void) {
    for (int i = 0; i < 1 << 20; i++) if (reached[i]) printf("reached %d\n", i);
}
_Bool __VERIFIER_nondet_bool(void) { return next() & 1; }
char __VERIFIER_nondet_char(void) { return next(); }
signed char __VERIFIER_nondet_schar(void) { return next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return next(); }
short __VERIFIER_nondet_short(void) { return next(); }
unsigned short __VERIFIER_nondet_ushort(void) { return next(); }
int __VERIFIER_nondet_int(void) { return next(); }
unsigned __VERIFIER_nondet_uint(void) { return next(); }
long __VERIFIER_nondet_long(void) { return next(); }
unsigned long __VERIFIER_nondet_ulong(void) { return next(); }
long long __VERIFIER_nondet_longlong(void) { return next(); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return next(); }
float __VERIFIER_nondet_float(void) { union { unsigned i; float f; } u; u.i = next() >> 7; return next() & 1 ? u.f : (float)(int)next(); }
double __VERIFIER_nondet_double(void) { union { unsigned long long i; double d; } u; u.i = next(); return next() & 1 ? u.d : (double)(int)next(); }
