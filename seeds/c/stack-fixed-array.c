/* A stack in a fixed array that pushes, adds and drops as the inputs say; it never leaves its bounds. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    short stack[3] = {0, 0, 0};
    unsigned char in = __VERIFIER_nondet_uchar();
    int depth = 0;
    unsigned char pushed = 0;
    unsigned char popped = 0;
    unsigned refused = 0;
    for (int turn = 0; turn < 4; turn++) {
        if (__VERIFIER_nondet_bool()) {
            if (depth < 3) {
                stack[depth] = (short)(in >> turn);
                depth++;
                pushed++;
            }
        } else if (depth >= 2) {
            int sum = stack[depth - 1] + stack[depth - 2];
            depth--;
            popped++;
            stack[depth - 1] = (short)sum;
        } else {
            refused++;
        }
    }
    short top = -1;
    if (depth > 0 && depth <= 3) {
        top = stack[depth - 1];
    }
    int balance = pushed - popped - depth;
    return balance != 0 || top > 2 * in || refused > 4u;
}
