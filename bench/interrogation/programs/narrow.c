extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned wide = __VERIFIER_nondet_uchar() * 70000u;
    unsigned more = wide + 100000u;
    return wide < more;
}
