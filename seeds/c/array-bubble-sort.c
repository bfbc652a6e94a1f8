/* Bubble sort of six bytes derived from one input, with an early exit when a pass swaps nothing. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char seed = __VERIFIER_nondet_uchar();
    _Bool descending = __VERIFIER_nondet_bool();
    unsigned char a[6] = {0, 0, 0, 0, 0, 0};
    unsigned value = seed;
    for (int i = 0; i < 6; i++) {
        value = (value * 41u + 7u) & 0xffu;
        a[i] = (unsigned char)value;
    }
    int swaps = 0;
    int passes = 0;
    _Bool changed = 1;
    while (changed && passes < 6) {
        changed = 0;
        for (int j = 0; j < 5; j++) {
            unsigned char left = a[j];
            unsigned char right = a[j + 1];
            if (descending ? left < right : left > right) {
                a[j] = right;
                a[j + 1] = left;
                changed = 1;
                if (swaps < 15) {
                    swaps++;
                }
            }
        }
        passes++;
    }
    unsigned char low = descending ? a[5] : a[0];
    unsigned char high = descending ? a[0] : a[5];
    int spread = high - low;
    return spread < 0 || passes > swaps + 1;
}
