/* Forms of GNU C that are rare or that other front ends refuse; gcc must agree on every expression in them. */
# 3 "syntax.c"
#pragma GCC diagnostic ignored "-Wattributes"
#ident "kept"
typedef int T;
typedef struct list { struct list *next, *prev; } list_t;
__extension__ typedef struct { long long quot, rem; } lldiv_t_;
extern __inline __attribute__((__gnu_inline__, __always_inline__)) int inlined(int a) { return a; }
int inlined(int a);
static int (*const dispatch[])(int) = { [0] = inlined, [1 ... 2] = &inlined };
struct __attribute__((packed, aligned(4))) attributed { char a; int b __attribute__((aligned(2))); } __attribute__((may_alias));
enum [[deprecated]] flags { F_A __attribute__((deprecated)) = 1, F_B [[maybe_unused]] = F_A << 1, F_ALL = F_A | F_B, };
union __attribute__((transparent_union)) argument { int *i; const char *c; };
int takes_union(union argument), takes_array(int [static 2][3]), takes_star(int n, int [*][n]);
int unnamed(int, char *[], int (*)(void), struct local_tag *, ...);
void (*signal_like(int, void (*)(int)))(int);
int (*(*function_returning_pointer(void))[3])(int);
char (*(*arrays_of_pointers[2])(void))[5];
const int *const volatile *restrict_like;
int x, *px = &x, ax[] = { 1, 2, 3, }, **ppx = &px;
struct bitfields { int : 4; unsigned a : 4, : 2, b : 2 __attribute__((packed)); int : 0; T T : 3; };
struct flexible { int n; struct { int k; } items[]; };
struct with_assert { int a; _Static_assert(sizeof(int) == 4, "int"); ; int b; };
_Static_assert(1, "one");
_Static_assert(sizeof(T) == 4);
__asm__(".globl something");
register unsigned long stack_pointer asm("rsp");
extern int renamed(void) __asm__("" "original") __attribute__((nothrow));
extern __thread int per_thread;
static _Thread_local int tls = 1;
_Alignas(32) char aligned_buffer[4]; _Alignas(double) _Alignas(16) int twice;
int __seg_gs *per_cpu; int __seg_fs in_fs;
_Atomic(int) a1; _Atomic int *a2; int *_Atomic a3;
typeof(x) same; __typeof__(int *[3]) pointers; typeof(inlined) *fp; __typeof(((struct attributed *)0)->b) field;
old(a, b, c) int a; register char *b; { return a + *b + c; }
static implicit_int = 3;
main_like() { return implicit_int; }
int digraphs<:2:> = <% 1, 2 %>;
int a$b, \u00e9t\u00e9, été2;
;

int f(int n, int m[n][n + 1], T t, int (T))
{
    __label__ local, other;
    void *targets[] = { &&local, &&other, &&global };
    int vla[n][m[0][1]];
    int (*pv)[n] = m == 0 ? 0 : (int (*)[n])m;
    typedef int row[n];
    row r;
    struct point { int x, y; } p = { .y = 1, .x = 2 }, q = { y: 1, x: 2 }, arr[] = { [1].x = 3, [0] = { 1, 2 }, };
    struct point copy = (struct point){ .x = p.x };
    int nested(int k) { int deeper(void) { return k + n; } if (k) goto local; return deeper(); }
    auto int forward(void);
    int forward(void) { return n; }
    __auto_type inferred = 1.5f;
    const __auto_type pointer = &n;
    __extension__ long long ll = __extension__ 3;
    static const char *names[] = { __func__, "a" "b", [3] = "c" };
    for (int i = 0, *j = &i; i < n; i++, --*j) { if (i) continue; break; }
    for (;;) { break; }
    for (n = 0; ; ) break;
    do { n--; } while (n > 0);
    while (n--) ;
    switch (n) { case 1: case 2 ... 5: n++; __attribute__((fallthrough)); default: ; int after_label; case 9: { } }
    switch (n) case 3: n = 4;
    if (n) if (t) n = 1; else n = 2;
    if (n) ; else if (t) ; else ;
    [[maybe_unused]] int unused;
    __attribute__((unused)) int unused_too, and_this __attribute__((unused));
    goto *targets[n];
    ({ int y = n; y + 1; }); ({ ; }); ({ n; }) + 1; ({ int z[2]; z[0] = 1; &z[0]; });
    asm volatile("nop"); asm goto("jmp %l[local]" : : "r"(n) : "cc", "memory" : local, other);
    asm inline("# %0 %[in]" : "=r"(n), [out] "+m"(x) : [in] "i"(3), "0"(n)); asm volatile goto("" : : : : global);
    __asm__ __volatile__("" ::: "memory"); asm("" : "=r"(n) : : );
    n ?: 3; n ? : 3; n ? n, 1 : 2; t = n ? 1 : 0; n = t = x; -n - -n; n - --n; n+++n; !~-+n; &*&n; *&*px; sizeof n + 1; sizeof(n) + 1;
    sizeof(int) * 2; sizeof (T) - 1; sizeof(int (*)[3]); sizeof *px; sizeof -n; sizeof (n)++; sizeof((n)); (T)n; (T)(n); (T)-n; (T)*px;
    (T)&n; (n)-1; (n)*1; (inlined)(n); (T)(n)+1; n * t; n & t; (int){ n }; (int[]){ 1, 2 }[1]; (struct point){ 1 }.x; ((struct point){ 1, 2 });
    __builtin_offsetof(struct attributed, b); __builtin_offsetof(struct flexible, items[2].k); __builtin_types_compatible_p(T, typeof(n));
    _Generic(n, int: 1, char *: "s", default: 0); _Generic((n), default: n, long: 2); __builtin_choose_expr(sizeof(int) == 4, n, "x");
    __real__ 1.0i; __imag__ (1.0 + 2.0i); __alignof__(n); __alignof__ (int); _Alignof(struct point); __alignof__ p.x; __alignof__(f(1, 0, 1, 0));
    p.x; (&p)->y; arr[1].x; (*arr).y; names[0][0]; *names[1]; dispatch[0](1); (*dispatch[0])(1); (**dispatch)(2); fp(1); (*fp)(2); (&inlined)(3);
    'a'; '\''; '"'; "\"\\\x41\101\0\e\u00e9"; L"w" "n"; u8"8"; L'\u00e9'; 0x1.8p3; .5; 1.; 1e5; 0x1p-2f; 0b11; 07; 1ull; per_cpu; *per_cpu; in_fs; &in_fs; a1 + 1; *a2; a3;
local:
    n = 1;
other: __attribute__((unused));
    { T T = 1; T * 2; T++; { typedef char T; (T)n; sizeof(T); } n = T * n; }
    { enum { inner = F_ALL, }; inner; struct list *l; l->next->prev; struct list { int own; } own; own.own; }
    { extern int x; x; } { int x = 3; x; }
    { int (n) = 1, (*(g)) = &n; T (h); n * *g; h; }
    return nested(3), n;
global: ;
}
