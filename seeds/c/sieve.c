/* The sieve of Eratosthenes up to an input below 64, with the number, the sum and the widest gap of the primes. */
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    unsigned limit = in & 63u;
    _Bool composite[64] = {1, 1};
    for (unsigned i = 2; i * i <= limit; i++) {
        if (composite[i]) {
            continue;
        }
        for (unsigned j = i * i; j <= limit; j += i) {
            composite[j] = 1;
        }
    }
    unsigned char primes = 0;
    unsigned sum = 0;
    int gap = 0;
    int last = 2;
    for (int i = 2; i <= (int)limit; i++) {
        if (!composite[i]) {
            int step = i - last;
            gap = step > gap ? step : gap;
            last = i;
            sum += (unsigned)i;
            primes = (unsigned char)(primes + 1);
        }
    }
    _Bool prime = limit > 1u && !composite[limit];
    unsigned average = primes ? sum / primes : 0u;
    return (prime && last != (int)limit) + (average > limit) * 2 + (gap > 6) * 4;
}
