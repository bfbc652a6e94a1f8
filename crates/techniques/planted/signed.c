extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned wide = __VERIFIER_nondet_uchar() * 16843009u;
    unsigned half = wide / 2u;
    return wide > half;
}
