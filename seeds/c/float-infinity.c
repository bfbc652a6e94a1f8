/* A float doubled until it overflows to infinity and halved until it underflows to zero, each at most as often as an
   input says; infinity minus itself is no number. */
extern float __VERIFIER_nondet_float(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    float in = __VERIFIER_nondet_float();
    unsigned char limit = __VERIFIER_nondet_uchar();
    float most = 0x1.fffffep127f;
    float up = in;
    float down = in;
    int doubled = 0;
    int halved = 0;
    while (doubled < limit && up <= most && up >= -most) {
        up = up * 2.0f;
        doubled++;
    }
    while (halved < limit && down != 0.0f) {
        down = down * 0.5f;
        halved++;
    }
    _Bool infinite = up > most || up < -most;
    _Bool vanished = down == 0.0f;
    float difference = up - up;
    _Bool none = difference != difference;
    double wide = (double)up * 2.0;
    double product = (double)down * wide;
    _Bool lost = product != product;
    if (infinite && !none) {
        doubled = -1;
    }
    return infinite + vanished * 2 + none * 4 + lost * 8 + (doubled < 0) * 16;
}
