/* What the micro corpus lacks: types that other front ends get wrong. Every expression statement is claimed to gcc. */
typedef unsigned char byte;
typedef int aligned_int __attribute__((aligned(16)));
typedef float vector4 __attribute__((vector_size(16)));
typedef int ivector4 __attribute__((vector_size(16)));
typedef unsigned int uvector4 __attribute__((vector_size(16)));
typedef long register_word __attribute__((__mode__(__word__)));
typedef unsigned quad __attribute__((mode(DI)));
enum small { SMALL_A, SMALL_B = 5, SMALL_C };
enum negative { NEGATIVE = -1, POSITIVE = 7 };
enum wide { WIDE_A = 1, WIDE_B = 0x100000000ull };
enum large_unsigned { LARGE = 0xFFFFFFFFu, OTHER = 1 };
enum __attribute__((packed)) tiny { TINY = 200 };
struct point { int x, y; };
struct bits { unsigned a : 3; signed b : 5; unsigned c : 32; _Bool d : 1; unsigned char e : 7; int : 0; char last; };
struct outer { const struct point *where; struct { int inner; union { long l; char bytes[8]; }; }; int flexible[]; };
struct __attribute__((packed)) dense { char c; long l; short s; };
union any { int i; double d; char c[3]; };
struct recursive { struct recursive *next; int (*compare)(const void *, const void *); aligned_int padded; };
#pragma pack(push, 2)
struct pragma_packed { char c; double d; int i; };
#pragma pack(pop)
struct after_pragma { char c; double d; int i; };
extern int incomplete[];
int incomplete[4];
int matrix[3][4];
int elided[][2] = { 1, 2, 3, 4, 5 };
int designated[] = { [3] = 1, 2, [1] = 4 };
int ranged[] = { [2 ... 6] = 1 };
char text[] = "abc" "def";
char braced[] = { "abcdef" };
struct point points[] = { { 1, 2 }, 3, 4, { 5 } };
struct point copied[] = { 1, 2, { .y = 3 } };
struct { struct point p; int q; } nested[] = { 1, 2, 3, { { 4, 5 }, 6 }, { .p.y = 1, 2 } };
union any anys[] = { 1, 2, { .d = 1 }, 3 };
__typeof__(L'x') wide_text[] = L"h\u00e9llo";
unsigned short text16[] = u"\U0001F600";
unsigned text32[] = U"\U0001F600";
int (*table[2])(int, char *);
int old_style();
int prototype(int, long), variadic(const char *, ...);
const volatile int qualified = 3;
_Atomic int atomic;
_Complex double z;
_Complex float zf;
register_word word;
quad quads;

int expressions(int n, char c, unsigned char uc, short s, unsigned short us, unsigned u, long l, unsigned long ul,
                long long ll, unsigned long long ull, float f, double d, long double ld, __int128 i128,
                unsigned __int128 u128, char *p, const char *cp, void *vp, const void *cvp, int *ip, struct point *sp,
                struct bits *bp, _Bool b, enum small es, enum negative en, enum wide ew, enum large_unsigned el,
                enum tiny et, vector4 v, ivector4 iv, uvector4 uv, int array[n], int function(int))
{
    int vla[n];
    int (*vla_pointer)[n] = &vla;
    struct outer *o = (struct outer *)vp;
    const struct point constant_point = { 1, 2 };
    es; en; ew; el; et;
    SMALL_A; WIDE_A; WIDE_B; LARGE; OTHER; TINY; NEGATIVE;
    es + 1; en + 1; ew + 1; el + 1; et + 1; es + en; +es; -en; ~et; !ew; es << 1; en < es;
    es ? en : es; es == SMALL_A; es = SMALL_B; es++; es += 2;
    b + b; b ? b : b; !b; ~b; b++; -b; b << 1; b & b;
    c + c; uc + uc; s * us; us - us; -us; +c; ~uc; c << l; l << c; uc << ull;
    u + l; ul + l; ull + l; ll + ul; u - ll; ll * ull; n % u; i128 + u128; i128 + ull; u128 - 1; i128 << 3;
    f + n; f + d; ld * f; d / ull; f + f; f * 2; d ? f : n; f += d; n += d; c *= 2; us -= 1;
    z + n; z * f; zf + d; zf + zf; zf * 2; ~z; -zf; __real__ z; __imag__ zf; __real__ n; z == zf; n ? z : f;
    1.0i; 2.0fi; 3i; 1.0 + 2.0i; 1.5f; 1.5l; 1e3; 0x1p3; 0x1p3f; 2.5f64; 2.5f128; 2.5q; 1.5w; 2.5f32x; 1.0df; 2.0dd;
    0; 2147483647; 2147483648; 4294967295; 4294967296; 9223372036854775807; 0x7fffffff; 0x80000000; 0xffffffff;
    0x100000000; 0x8000000000000000; 0xffffffffffffffff; 017777777777; 037777777777; 1u; 1l; 1ul; 1ll; 1ull; 1llu;
    4294967295u; 4294967296u; 0b101; 0b11111111111111111111111111111111; 1LU; 10uLL;
    'a'; '\377'; '\xff'; 'ab'; 'abcd'; L'x'; u'x'; U'x'; '\0'; '\e'; L'\u00e9'; '\n' + 0;
    "abc"; L"abc"; u8"abc"; u"abc"; U"abc"; "a" L"b"; *"abc"; "abc"[1]; &"abc"; sizeof "abc"; __func__; "\xff\0377";
    p + 1; 1 + p; p - 1; p - p; p[1]; 1[p]; *p; &*p; &p[2]; &p; *&p; p++; --p; p == cp; p < p; !p; p && p; p += 2;
    vp; *ip; ip[n]; matrix; matrix[1]; matrix[1][2]; *matrix; **matrix; &matrix; &matrix[1]; matrix + 1; matrix[1] + 1;
    *(matrix + 1); sizeof matrix; sizeof matrix[0]; incomplete; incomplete + 1; elided; designated; ranged; text; braced;
    points; copied; nested; anys; wide_text; text16; text32; points[1].x; (points + 1)->y; &points[1]; *points;
    sp->x; (*sp).y; &sp->x; sp->x++; *sp; sp[1]; sp + 1; &*sp; constant_point.x; &constant_point; &constant_point.x;
    o->where->x; &o->where->x; o->inner; o->l; o->bytes; o->bytes[1]; &o->bytes; o->flexible; o->flexible[1]; &o->inner;
    bp->a + 1; bp->b + 1; bp->c + 1; bp->d + 1; bp->e + 1; -bp->a; ~bp->c; bp->a << 1; bp->c << 1; bp->a ? bp->a : bp->b;
    n ? bp->c : bp->c; bp->a == bp->b; !bp->a; bp->a + bp->c; (bp->a = 1) + 0; (bp->c = 1) + 0; bp->a++ + 1; (0, bp->e) + 1;
    n ? p : 0; n ? 0 : p; n ? p : (void *)0; n ? p : vp; n ? p : cp; n ? cp : vp; n ? cvp : p; n ? p : cvp; n ? ip : vp;
    n ? matrix : matrix; n ? *matrix : ip; n ? function : 0; n ? &n : ip; n ? "a" : "bc"; n ?: l; p ?: cp; n ? sp : (void *)0;
    n ? &qualified : ip; n ? 1 : 2l; n ? c : c; n ? c : us; n ? (void)0 : (void)1; n ? constant_point : *sp;
    n ? table[0] : 0; n, p; p, n; n, matrix; (n, d); n = 3, f;
    old_style; prototype; variadic; &prototype; *prototype; **prototype; table; table[1]; *table[1]; table[0](1, p);
    old_style(); old_style(1, 2.0); prototype(1, 2); variadic("x", 1); (*prototype)(1, 2); function; function(1); *function;
    expressions; &expressions; (char)n; (unsigned char)n; (const int)n; (byte)n; (long *)p; (void)n; (struct point *)vp;
    (_Bool)n; (enum small)n; (float)n; (int (*)(int))vp; ((int (*)(int))vp)(1); (int *const)ip; (_Complex double)n;
    (union any)n; (int[]){ 1, 2, 3 }; (struct point){ 1, 2 }; (struct point){ 1, 2 }.x; &(struct point){ 1, 2 };
    (const char[]){ "abc" }; (int){ 3 }; &(int){ 3 }; (char *[]){ "a", "b" };
    sizeof n; sizeof(int); sizeof(struct bits); _Alignof(int); __alignof__(n); sizeof(int[3]); sizeof(int (*)[3]);
    __builtin_offsetof(struct outer, bytes[2]); __builtin_offsetof(struct dense, s); sizeof vla; sizeof *vla_pointer;
    qualified; qualified + 1; atomic; atomic + 1; atomic = 1; atomic++; word; word + 1; quads; quads + n; *vla_pointer;
    vla; vla[1]; &vla[1]; array; array[1]; *array;
    v + v; v * 2.0f; v == v; iv < iv; iv & iv; -v; ~iv; v[0]; iv[n]; uv + uv; uv < uv; iv << 1;
    n && p; n || d; n == d; n != c; l > u; p == 0; p != vp; !d; !n;
    &&target; *&n; &n; &*&n; __extension__ n; __builtin_expect(n, 1); __builtin_expect(!!p, 0);
    __builtin_constant_p(n); __builtin_types_compatible_p(int, long); __builtin_choose_expr(1, n, p);
    __builtin_choose_expr(0, n, p); _Generic(n, int: p, default: n); _Generic(cp, char *: 1, const char *: 2l);
    _Generic("a", char *: 1, default: 2l); _Generic(qualified, int: 1, default: 2l); _Generic(prototype, int (*)(int, long): d);
    _Generic(es, unsigned: 1, default: 2l); __builtin_add_overflow(n, n, &n); __builtin_mul_overflow_p(n, n, l);
    __sync_fetch_and_add(&l, 1); __sync_bool_compare_and_swap(&n, 1, 2); __atomic_load_n(&atomic, 5); __atomic_add_fetch(&ull, 1, 0);
    __atomic_exchange_n(&p, 0, 0); __builtin_popcount(u); __builtin_bswap64(ul); __builtin_bswap16(us); __builtin_clzll(ull);
    __builtin_strlen(p); __builtin_memcpy(p, cp, 3); __builtin_malloc(3); __builtin_fabs(d); __builtin_sqrtf(f); __builtin_inf();
    __builtin_isnan(d); __builtin_object_size(p, 0); __builtin_alloca(8); __builtin_frame_address(0); __builtin_nanf("");
    __builtin_complex(1.0, 2.0); __builtin_convertvector(iv, vector4); __builtin_shuffle(v, iv); strlen(p); malloc(3); abs(n);
    1 << 31; -1 << 3; 1u << 31; -1 >> 1; -7 / 2; -7 % 2; 7 % -2; ~0; ~0u; !0; -0x80000000; 0x7fffffff + 0u; 1 ? 2 : 3l;
    (char)200; (unsigned char)300; (_Bool)5; (int)3.7; (unsigned)-1; (long)-1; (unsigned long)-1; (short)0x12345; -1 < 0u; -1 < 0;
    -1l < 0u; 5 > 3 && 2 > 1; 0 || 0; 3 == 3; 'a' + 1; (int)sizeof(int) - 5; -(int)sizeof(int); 2147483647 * 2ll; 1ull - 2;
    (unsigned __int128)-1 >> 64; (__int128)1 << 100; (__int128)-1 / 3; SMALL_C * 2; sizeof(struct point) * 3 % 7; +'\377';
    0x7fffffffffffffff / -1; (signed char)-128 / -1; 1 ? -1 : 0u; 0xffffffff + 1; 0xffffffffu + 1; -2147483648; 10 ^ 3 | 4 & 6;
    ((unsigned)1 << 31) >> 31; (char)'\x80' >> 1; 0 ? 1 / 0 : 4; 1 || 1 / 0; (enum small)7; (unsigned char)~0; 3 ? : 4;
target:
    return 0;
}
