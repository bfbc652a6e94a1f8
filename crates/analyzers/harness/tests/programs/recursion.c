// arguments: --mode exhaustive --checks 2
// expect: crashed [1-9]\d* uchar:77|crashed [1-9]\d* uchar:77.*
// expect: exhaustive no crashed
// expect: violated 1 uchar:78
// refuse: violated 2
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
unsigned char __VERIFIER_nondet_uchar(void);
static int deep(volatile int depth) {
    volatile char room[64];
    room[0] = (char)depth;
    return depth == -1 ? room[0] : deep(depth + (depth < 1000000000)) + room[0];
}
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (x == 77) deep(0);
    if (!(x != 78)) juvenal_violated(1);
    if (!(x != 77)) juvenal_violated(2);
    return 0;
}
