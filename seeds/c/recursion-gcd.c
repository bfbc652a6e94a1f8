/* Greatest common divisor by recursion and by subtraction, and the multiple that follows from it. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

static unsigned gcd(unsigned a, unsigned b, int depth) {
    if (b == 0 || depth >= 12) {
        return a;
    }
    unsigned rest = a % b;
    return gcd(b, rest, depth + 1);
}

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool first = __VERIFIER_nondet_bool();
    _Bool second = __VERIFIER_nondet_bool();
    unsigned a = in + 1u;
    unsigned b = 36u + 24u * first + 9u * second;
    unsigned divisor = gcd(a, b, 0);
    unsigned x = a;
    unsigned y = b;
    while (x != y) {
        if (x > y) {
            x -= y;
        } else {
            y -= x;
        }
    }
    unsigned multiple = 0;
    if (divisor != 0) {
        multiple = a / divisor * b;
    }
    _Bool agreed = x == divisor;
    _Bool divides = b != 0 && multiple % b == 0;
    return agreed + divides * 2;
}
