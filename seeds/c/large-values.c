/* Two bytes are spread over values of every length up to 32 bits, and compared at the bounds of the types. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char low = __VERIFIER_nondet_uchar();
    _Bool top = __VERIFIER_nondet_bool();
    unsigned int wide = (unsigned int)low * 16843009u;
    unsigned int shifted = top ? wide ^ 2147483648u : wide;
    int half = (int)(shifted / 2u);
    long long sum = (long long)wide + shifted;
    unsigned short cut = (unsigned short)(wide >> 8);
    int distance = 0;
    if (wide > 65535u && shifted >= wide) {
        distance = half - (int)(wide / 2u);
    }
    if (sum > 4294967295LL) {
        cut = (unsigned short)(sum >> 32);
    }
    unsigned long long square = (unsigned long long)shifted * shifted;
    int digits = 0;
    while (square > 0ULL) {
        square /= 100000ULL;
        digits++;
    }
    return digits + cut % 2 + (distance > 0);
}
