/* Division that rounds to zero and to minus infinity, with both signs, and the identity that ties quotient to rest. */
extern int __VERIFIER_nondet_int(void);
extern short __VERIFIER_nondet_short(void);

int main(void) {
    int dividend = __VERIFIER_nondet_int();
    short divisor = __VERIFIER_nondet_short();
    if (divisor == 0) {
        divisor = -10;
    }
    if (divisor == -1 && dividend < -2147483647) {
        dividend = 0;
    }
    int quotient = dividend / divisor;
    int rest = dividend % divisor;
    int floored = quotient;
    int modulo = rest;
    if (rest != 0 && (rest < 0) != (divisor < 0)) {
        floored--;
        modulo += divisor;
    }
    long long rebuilt = (long long)quotient * divisor + rest;
    unsigned size = divisor < 0 ? 0u - (unsigned)divisor : (unsigned)divisor;
    unsigned positive = (unsigned)dividend / size;
    int half = dividend / 2;
    int eighth = dividend < 0 ? -(-(dividend + 1) / 8) : dividend / 8;
    _Bool proper = divisor > 0 ? modulo >= 0 : modulo <= 0;
    _Bool huge = positive > 0x7fffffffu / size;
    if (half < eighth && dividend >= 0) {
        proper = 0;
    }
    return (rebuilt != dividend) + !proper * 2 + huge * 4 + (floored > quotient) * 8;
}
