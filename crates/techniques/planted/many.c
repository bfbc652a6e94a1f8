unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char byte = __VERIFIER_nondet_uchar();
    int many = byte | 16;
    if (many == 48)
        many = many + 1;
    int more = many + 17;
    return more;
}
