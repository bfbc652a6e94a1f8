extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    int end = __VERIFIER_nondet_uchar() % 8;
    int sum = 0;
    for (int i = 0; i < end; i++) {
        sum += i;
    }
    int twice = 2 * sum;
    return twice;
}
