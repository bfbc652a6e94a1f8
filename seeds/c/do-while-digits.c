/* Decimal digits by do-while: their number, sum and reversal, and the alternating sum that tells division by 11. */
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned number = __VERIFIER_nondet_uint();
    unsigned rest = number;
    unsigned long long reversed = 0;
    int digits = 0;
    short sum = 0;
    signed char alternating = 0;
    do {
        unsigned digit = rest % 10u;
        reversed = reversed * 10u + digit;
        sum = (short)(sum + (int)digit);
        if (digits % 2 == 0) {
            alternating = (signed char)(alternating + (int)digit);
        } else {
            alternating = (signed char)(alternating - (int)digit);
        }
        digits++;
        rest /= 10u;
    } while (rest != 0 && digits < 10);
    _Bool palindrome = reversed == number;
    _Bool nine = sum % 9 == 0;
    _Bool eleven = alternating % 11 == 0;
    _Bool large = reversed > 0xffffffffu;
    int claims = palindrome + 2 * nine + 4 * eleven + 8 * large;
    if (number % 11u == 0 && !eleven) {
        claims = -1;
    }
    return claims + 16 * (number % 9u == 0);
}
