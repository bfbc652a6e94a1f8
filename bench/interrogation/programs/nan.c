extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char scale = __VERIFIER_nondet_uchar();
    double large = 1e308 * scale;
    double difference = large - large;
    int result = 0;
    if (difference != difference) {
        result = 1;
        result += scale;
    }
    return result;
}
