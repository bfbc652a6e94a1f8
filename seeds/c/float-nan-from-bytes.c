/* Infinities and NaN that arise from bytes: products overflow, and infinity minus infinity is no number. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar();
    _Bool negate = __VERIFIER_nondet_bool();
    double large = 1e307;
    double grown = large * a;
    double other = negate ? -grown : large * 20.0;
    double difference = grown - other;
    float small = (float)a / 16.0f;
    int ordered = 0;
    int unordered = 0;
    if (difference < 0.0) {
        ordered = -1;
    } else if (difference >= 0.0) {
        ordered = 1;
    } else {
        unordered = 1;
    }
    double scaled = difference * 0.0;
    if (scaled != scaled) {
        unordered = unordered + 1;
    }
    double mixed = scaled + (double)small;
    int sign = mixed > 1.0 ? 1 : mixed <= 1.0 ? 0 : -1;
    return ordered + unordered + sign;
}
