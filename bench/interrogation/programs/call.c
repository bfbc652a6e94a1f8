extern unsigned char __VERIFIER_nondet_uchar(void);
static int twice(int x) { return 2 * x; }
int main(void) {
    int once = __VERIFIER_nondet_uchar();
    int more = twice(once);
    return more > once;
}
