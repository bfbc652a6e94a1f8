/* A machine written with goto that reads up to nine bits and accepts those with the right number of ones. */
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int read = 0;
    unsigned char ones = 0;
    unsigned char runs = 0;
    unsigned value = 0;
    _Bool bit = 0;
    _Bool accepted = 0;

idle:
    if (read == 9) goto end;
    bit = __VERIFIER_nondet_bool();
    read++;
    value = value * 2u + bit;
    if (!bit) goto idle;
    runs++;
busy:
    ones++;
    if (ones >= 5) goto full;
    if (read == 9) goto end;
    bit = __VERIFIER_nondet_bool();
    read++;
    value = value << 1 | bit;
    if (bit) goto busy;
    goto idle;
full:
    if (runs > 2) goto end;
    accepted = 1;
    value |= 0x8000u;
end:
    if (accepted && value > 511u) {
        value -= 0x8000u;
    }
    int zeroes = read - ones;
    return accepted ? (int)value : zeroes - runs;
}
