/* A three by three matrix filled from an input, multiplied by itself; traces and the symmetric part. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool symmetric = __VERIFIER_nondet_bool();
    int m[3][3] = {{0}};
    int square[3][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int entry = (in >> (i + j)) % 8 - 4;
            m[i][j] = symmetric || i <= j ? entry : -entry;
        }
    }
    int trace = 0;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        trace = trace + m[i][i];
        for (int j = 0; j < 3; j++) {
            int cell = 0;
            for (int k = 0; k < 3; k++) {
                cell = (cell + m[i][k] * m[k][j]) % 1000;
            }
            square[i][j] = cell;
            if (i != j) {
                sum = sum + (m[i][j] - m[j][i]);
            }
        }
    }
    int second = square[0][0] + square[1][1] + square[2][2];
    _Bool positive = second >= 0;
    if (symmetric && !positive) {
        second = -1;
    }
    return (sum != 0) + positive * 2 + (trace > 0) * 4 + (second == -1) * 8;
}
