signed char _mopsa_rand_s8(void);
unsigned char _mopsa_rand_u8(void);
short _mopsa_rand_s16(void);
unsigned short _mopsa_rand_u16(void);
int _mopsa_rand_s32(void);
unsigned _mopsa_rand_u32(void);
long _mopsa_rand_s64(void);
unsigned long _mopsa_rand_u64(void);
float _mopsa_rand_float(void);
double _mopsa_rand_double(void);
#define INPUT(type, name, value) type __VERIFIER_nondet_##name(void) { return _mopsa_rand_##value(); }
_Bool __VERIFIER_nondet_bool(void) { return _mopsa_rand_u8() & 1; }
INPUT(char, char, s8)
INPUT(signed char, schar, s8)
INPUT(unsigned char, uchar, u8)
INPUT(unsigned char, unsigned_char, u8)
INPUT(short, short, s16)
INPUT(unsigned short, ushort, u16)
INPUT(int, int, s32)
INPUT(unsigned, uint, u32)
INPUT(unsigned, unsigned, u32)
INPUT(unsigned, unsigned_int, u32)
INPUT(long, long, s64)
INPUT(unsigned long, ulong, u64)
INPUT(unsigned long, unsigned_long, u64)
INPUT(long long, longlong, s64)
INPUT(unsigned long long, ulonglong, u64)
INPUT(unsigned long, size_t, u64)
INPUT(long long, loff_t, s64)
INPUT(unsigned long, sector_t, u64)
INPUT(unsigned long, pthread_t, u64)
INPUT(signed char, s8, s8)
INPUT(short, s16, s16)
INPUT(int, s32, s32)
INPUT(long long, s64, s64)
INPUT(unsigned char, u8, u8)
INPUT(unsigned short, u16, u16)
INPUT(unsigned, u32, u32)
INPUT(unsigned long long, u64, u64)
INPUT(float, float, float)
INPUT(double, double, double)
