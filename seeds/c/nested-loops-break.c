/* Three nested loops that look for a sum of squares, left by break, continue and a flag. */
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    int target = in % 64;
    int a = -1;
    int b = -1;
    int c = -1;
    unsigned char tried = 0;
    _Bool found = 0;
    for (int i = 0; i <= 7 && !found; i++) {
        if (i * i > target) {
            break;
        }
        for (int j = i; j <= 7; j++) {
            int two = i * i + j * j;
            if (two > target) {
                break;
            }
            int k = 7;
            while (k > j && two + k * k > target) {
                k--;
            }
            tried++;
            if (two + k * k != target) {
                continue;
            }
            a = i;
            b = j;
            c = k;
            found = 1;
            break;
        }
    }
    int sum = found ? a * a + b * b + c * c : -1;
    if (sum >= 0 && (a > b || b > c)) {
        return 99;
    }
    return tried + (sum == target);
}
