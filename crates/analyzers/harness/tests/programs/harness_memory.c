// arguments: --checks 1 --runs 1000 --exhaustive-limit 256
// needs: address
// sanitized: undefined address_store(8|_n) .*
// plain-refuse: violated .*
// sanitized-refuse: violated .*
// sanitized-refuse: exhaustive yes
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
unsigned char __VERIFIER_nondet_uchar(void);
/* The frames of the harness lie above that of main, which starts at its return address. */
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    long long *volatile frame = __builtin_frame_address(0);
    for (int at = 2; at < 64; at++) frame[at] = x;
    juvenal_reached(1);
    if (!(x <= 255)) juvenal_violated(1);
    return 0;
}
