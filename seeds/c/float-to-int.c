/* Conversions from floating to integer types behind tests that keep them in range, and the way back. */
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    int whole = 0;
    unsigned positive = 0;
    unsigned char byte = 255;
    long long wide = -1;
    if (f >= -2147483648.0f && f < 2147483648.0f) {
        whole = (int)f;
    }
    if (d > -1.0 && d < 4294967296.0) {
        positive = (unsigned)d;
    } else if (d >= 4294967296.0 && d <= 9007199254740992.0) {
        wide = (long long)d;
    }
    float back = (float)whole;
    double fraction = f >= -1000000.0f && f <= 1000000.0f ? (double)f - (double)back : 0.0;
    if (positive < 256u) {
        byte = (unsigned char)positive;
    }
    double exact = (double)wide;
    float rounded = (float)positive;
    _Bool grown = (double)rounded > (double)positive;
    _Bool outside = fraction <= -1.0 || fraction >= 1.0;
    if (wide >= 0 && wide < 4294967296ll) {
        outside = 1;
    }
    return outside + grown * 2 + (byte == 255) * 4 + (exact > d) * 8;
}
