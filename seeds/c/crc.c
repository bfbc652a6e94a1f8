/* A checksum of eight bits over up to three bytes, bit by bit, and once more over its own result, which gives zero. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

static unsigned char step(unsigned char crc, unsigned char byte) {
    unsigned value = crc ^ byte;
    for (int bit = 0; bit < 8; bit++) {
        _Bool top = value >> 7 & 1u;
        value = value << 1 & 0xffu;
        if (top) {
            value ^= 0x07u;
        }
    }
    return (unsigned char)value;
}

int main(void) {
    unsigned char in = __VERIFIER_nondet_uchar();
    _Bool longer = __VERIFIER_nondet_bool();
    unsigned char message[3] = {in, 0x5a, (unsigned char)(in ^ 0xff)};
    int size = longer ? 3 : 1;
    unsigned char crc = 0;
    for (int i = 0; i < size; i++) {
        crc = step(crc, message[i]);
    }
    unsigned char zero = step(crc, crc);
    unsigned char changed = step((unsigned char)(crc ^ 1u), crc);
    int difference = changed - zero;
    unsigned packed = (unsigned)crc << 24 | (unsigned)changed << 8 | zero;
    if (packed > 0x7fffffffu) {
        difference = -difference;
    }
    return zero != 0 || difference == 0;
}
