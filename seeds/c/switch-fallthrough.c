/* A switch with cases that fall through, a default in the middle and a loop around it. */
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    int cost = 0;
    unsigned seen = 0;
    signed char direction = 1;
    unsigned rest = in;
    while (rest != 0) {
        unsigned digit = rest % 7u;
        switch (digit) {
        case 0:
            cost += 1;
            /* fall through */
        case 1:
            cost += 10;
            direction = 1;
            break;
        case 2:
        case 3:
            cost -= 5;
            direction = (signed char)-direction;
            /* fall through */
        default:
            seen |= 1u << digit;
            break;
        case 5:
            cost = -cost;
            if (direction > 0) {
                break;
            }
            /* fall through */
        case 6:
            seen ^= 0x40u;
        }
        if (cost > 1000 || cost < -1000) {
            cost = 0;
        }
        rest /= 7u;
    }
    int result = cost * direction;
    return result < 0 ? (int)seen : result;
}
