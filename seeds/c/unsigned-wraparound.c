/* Unsigned arithmetic past both ends of byte, short, int and long; the results come back when undone. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool up = __VERIFIER_nondet_bool();
    unsigned char byte = (unsigned char)(in - 200);
    unsigned short two = (unsigned short)(in * 300);
    unsigned four = (unsigned)in - 100u;
    unsigned long large = (unsigned long)in * 2ul - 1ul;
    if (up) {
        four += 0xffffff00u;
    } else {
        four -= 0xffffff00u;
    }
    unsigned turns = 0;
    while (byte > 3 && turns < 100) {
        byte = (unsigned char)(byte + 97);
        turns++;
    }
    unsigned undone = up ? four - 0xffffff00u : four + 0xffffff00u;
    _Bool restored = undone + 100u == in;
    _Bool below = four < undone;
    if (in == 0) {
        large = large / 3ul;
    }
    unsigned long odd = large & 1ul;
    return restored + 2 * below + (two < in) * 4 + (odd == 0) * 8;
}
