//! Programs that try to forge what their execution shows.

/// A name, what stands before `main`, and what stands in it, after a check that holds.
pub type Forgery = (&'static str, &'static str, &'static str);

/// What a harness writes that has seen a violation.
const REPORT: &str = "violated 1 -\\ndone\\n";

/// All forgeries. `REPORT` and `LENGTH` stand for what a harness writes and for its length.
pub const FORGERIES: &[Forgery] = &[
    (
        "constructor",
        "long write(int, const void *, unsigned long); __attribute__((constructor)) void f(void) { write(777, REPORT, LENGTH); }",
        "",
    ),
    (
        "constructor of C23",
        "long write(int, const void *, unsigned long); [[gnu::constructor]] void f(void) { write(777, REPORT, LENGTH); }",
        "",
    ),
    (
        "declared constructor",
        "long write(int, const void *, unsigned long); void f(void) __attribute__((constructor)); void f(void) { write(777, REPORT, LENGTH); }",
        "",
    ),
    (
        "destructor",
        "long write(int, const void *, unsigned long); __attribute__((__destructor__)) void f(void) { write(777, REPORT, LENGTH); }",
        "",
    ),
    (
        "section init_array",
        "long write(int, const void *, unsigned long); void f(void) { write(777, REPORT, LENGTH); } __attribute__((section(\".init_array\"), used)) void (*g)(void) = f;",
        "",
    ),
    (
        "section preinit_array",
        "long write(int, const void *, unsigned long); void f(void) { write(1, REPORT, LENGTH); } __attribute__((section(\".preinit_array\"), used)) void (*g)(void) = f;",
        "",
    ),
    (
        "ifunc",
        "long write(int, const void *, unsigned long); void f(void) {} void *r(void) { write(1, REPORT, LENGTH); return f; } void g(void) __attribute__((ifunc(\"r\")));",
        "g();",
    ),
    (
        "frame larger than the guard of the stack",
        "static void f(void) { char far[160 << 20]; far[0] = 1; for (long i = 0; i < 64; i++) far[i * 4096] = 107; }",
        "f();",
    ),
    ("write", "long write(int, const void *, unsigned long);", "write(777, REPORT, LENGTH);"),
    ("write without a declaration", "", "write(777, REPORT, LENGTH);"),
    (
        "write through a pointer",
        "long write(int, const void *, unsigned long); long (*table[])(int, const void *, unsigned long) = {write};",
        "table[0](777, REPORT, LENGTH);",
    ),
    (
        "write by another name",
        "long w(int, const void *, unsigned long) __asm__(\"write\");",
        "w(777, REPORT, LENGTH);",
    ),
    ("pwrite", "long pwrite(int, const void *, unsigned long, long);", "pwrite(777, REPORT, LENGTH, 0);"),
    ("dprintf", "int dprintf(int, const char *, ...);", "dprintf(777, REPORT);"),
    ("syscall", "long syscall(long, ...);", "syscall(1, 777, REPORT, LENGTH);"),
    ("own syscall", "long syscall(long n, long a, long b) { return 0; }", ""),
    ("own fork", "int __fork(void) { return 0; }", ""),
    ("own errno", "int here; int *__errno_location(void) { return &here; }", ""),
    ("hook", "void juvenal_violated(unsigned);", "juvenal_violated(1);"),
    ("hook without a declaration", "", "juvenal_violated(1);"),
    ("hook by another name", "void f(unsigned) __asm__(\"juvenal_violated\");", "f(1);"),
    (
        "hook by alias",
        "void juvenal_violated(unsigned); void f(unsigned) __attribute__((weakref(\"juvenal_violated\")));",
        "f(1);",
    ),
    ("hook by pragma", "void f(unsigned);\n#pragma redefine_extname f juvenal_violated\n", "f(1);"),
    ("hook by weak pragma", "void f(unsigned);\n#pragma weak f = juvenal_violated\n", "f(1);"),
    ("hook by digraph", "void f(unsigned);\n%:pragma weak f = juvenal_violated\n", "f(1);"),
    ("hook by operator", "void f(unsigned);\n_Pragma(\"weak f = juvenal_violated\")\n", "f(1);"),
    ("hook after a comment", "void f(unsigned);\n#/**/pragma weak f = juvenal_violated\n", "f(1);"),
    ("hook by joined strings", "void f(unsigned) __asm__(\"juvenal_\" \"violated\");", "f(1);"),
    ("own hook", "void juvenal_reached(unsigned n) { }", ""),
    ("own wrapper", "void __wrap_exit(int status) { for (;;) ; }", "exit(0);"),
    (
        "own report of a sanitizer",
        "void __asan_report_load4(unsigned long a) {}",
        "int a[1] = {0}; volatile int i = 4; a[i];",
    ),
    (
        "own handler of overflow",
        "void __ubsan_handle_add_overflow_abort(void *d, void *a, void *b) {}",
        "int x = 2147483647; x++;",
    ),
    (
        "own options of a sanitizer",
        "const char *__asan_default_options(void) { return \"halt_on_error=0\"; }",
        "",
    ),
    (
        "unsanitized",
        "__attribute__((no_sanitize(\"address\"))) int f(int *p) { return p[100]; }",
        "int a[1] = {0}; f(a);",
    ),
    (
        "unsanitized by its other name",
        "__attribute__((no_sanitize_address)) int f(int *p) { return p[100]; }",
        "int a[1] = {0}; f(a);",
    ),
    ("optimization", "__attribute__((optimize(\"O3\"))) int f(void) { return 1; }", "f();"),
    ("naked", "__attribute__((naked)) void f(void) { }", "f();"),
    ("assembly", "", "__asm__ volatile(\"syscall\" : : \"a\"(1), \"D\"(777), \"S\"(REPORT), \"d\"(LENGTH));"),
    ("assembly at file scope", "__asm__(\".globl juvenal_reached\\njuvenal_reached: ret\\n\");", ""),
    ("register", "register long sp __asm__(\"rsp\");", "sp = 0;"),
    (
        "descriptor of a stream",
        "#define FILE struct _IO_FILE\nstruct _IO_FILE { int _fileno; }; extern struct _IO_FILE *stdout; int printf(const char *, ...);",
        "stdout->_fileno = 777; printf(REPORT);",
    ),
    (
        "stream of a descriptor",
        "void *fdopen(int, const char *); int fputs(const char *, void *);",
        "fputs(REPORT, fdopen(777, \"w\"));",
    ),
    (
        "memory of the process",
        "int open(const char *, int, ...); long pwrite(int, const void *, unsigned long, long);",
        "pwrite(open(\"/proc/self/mem\", 2), REPORT, LENGTH, 0);",
    ),
    (
        "memory of another process",
        "long process_vm_writev(int, void *, unsigned long, void *, unsigned long, unsigned long);",
        "process_vm_writev(1, 0, 0, 0, 0, 0);",
    ),
    ("tracing", "long ptrace(int, ...);", "ptrace(0, 0, 0, 0);"),
    (
        "handler of signals",
        "void (*signal(int, void (*)(int)))(int); long write(int, const void *, unsigned long); void f(int s) { write(777, REPORT, LENGTH); }",
        "signal(11, f); *(volatile int *)0;",
    ),
    (
        "handler of the end",
        "int atexit(void (*)(void)); long write(int, const void *, unsigned long); void f(void) { write(777, REPORT, LENGTH); }",
        "atexit(f);",
    ),
    (
        "child",
        "int fork(void); long write(int, const void *, unsigned long);",
        "if (fork() == 0) write(777, REPORT, LENGTH);",
    ),
    (
        "library at run time",
        "void *dlsym(void *, const char *);",
        "((void (*)(unsigned))dlsym(0, \"juvenal_violated\"))(1);",
    ),
    ("return address", "", "*(void **)__builtin_return_address(0) = 0;"),
    ("frame", "", "((long *)__builtin_frame_address(0))[1] = 0;"),
    ("environment", "extern char **environ;", "environ[0] = REPORT;"),
    ("descriptors", "int dup2(int, int); int puts(const char *);", "dup2(777, 1); puts(REPORT);"),
    ("middle of a function", "", "((void (*)(unsigned))((char *)main + 0x123))(1);"),
    ("address in an integer", "", "((void (*)(unsigned))0x555555555230)(1);"),
    ("distance between functions", "void f(void) {}", "((void (*)(unsigned))((unsigned long)f - 4096))(1);"),
    (
        "union of a function and an integer",
        "void f(unsigned n) {} union u { void (*p)(unsigned); long n; };",
        "union u u; u.p = f; u.n += 16; u.p(1);",
    ),
    (
        "bytes of a pointer to a function",
        "void f(unsigned n) {}",
        "void (*p)(unsigned) = f; *(long *)&p += 16; p(1);",
    ),
    (
        "copied bytes of a pointer to a function",
        "void *memcpy(void *, const void *, unsigned long); void f(unsigned n) {}",
        "void (*p)(unsigned) = f; long n; memcpy(&n, &p, 8); n += 16; memcpy(&p, &n, 8); p(1);",
    ),
    (
        "pointer to a function as any object",
        "void f(unsigned n) {}",
        "void (*p[1])(unsigned) = {f}; void *q = p; long *l = q; *l += 16; p[0](1);",
    ),
    (
        "function on the heap",
        "void *malloc(unsigned long); struct s { void (*f)(unsigned); }; void f(unsigned n) {}",
        "void *q = malloc(8); struct s *a = q; long *b = q; a->f = f; *b += 16; a->f(1);",
    ),
    (
        "function in a structure",
        "struct s { void (*f)(unsigned); }; void f(unsigned n) {}",
        "struct s a = {f}; struct s *p = &a; *(long *)p += 16; a.f(1);",
    ),
    (
        "structure behind two pointers",
        "struct s { void (*f)(unsigned); }; void f(unsigned n) {}",
        "struct s a = {f}; struct s *p = &a; long **q = (long **)&p; **q += 16; a.f(1);",
    ),
    (
        "structure in an initializer",
        "struct s { void (*f)(unsigned); }; struct v { void *p; }; void f(unsigned n) {}",
        "struct s a = {f}; struct v v = {&a}; long *l = v.p; *l += 16; a.f(1);",
    ),
    (
        "structure as a result",
        "struct s { void (*f)(unsigned); }; void f(unsigned n) {} void *g(struct s *p) { return p; }",
        "struct s a = {f}; long *l = g(&a); *l += 16; a.f(1);",
    ),
    (
        "structure as an argument",
        "struct s { void (*f)(unsigned); }; void f(unsigned n) {} void g(void *p) { long *l = p; *l += 16; }",
        "struct s a = {f}; g(&a); a.f(1);",
    ),
    ("function of another type", "void f(unsigned n) {} int main(void);", "((void (*)(unsigned))main)(1);"),
    (
        "variable argument",
        "void f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); __builtin_va_arg(l, void (*)(unsigned))(1); }",
        "f(1, 0x555555555230L);",
    ),
    ("parameter without a type", "void f(p) void (*p)(unsigned); { p(1); }", "f(0x555555555230L);"),
    ("computed jump", "", "goto *(&&there + 40); there: ;"),
    (
        "pointer without a value",
        "void f(void) { volatile long x[8] = {0x555555555230, 0x555555555230, 0x555555555230}; } void g(void) { void (*p[3])(unsigned); p[1](1); }",
        "f(); g();",
    ),
    (
        "memory after it was freed",
        "void *malloc(unsigned long); void free(void *); struct s { void (*f)(unsigned); }; void f(unsigned n) {}",
        "struct s *a = malloc(8); a->f = f; free(a); long *b = malloc(8); *b = 0x555555555230; a->f(1);",
    ),
    (
        "return address, far from a variable",
        "void f(long k) { long x = 0; long *volatile p = &x; p[k] += 64; }",
        "for (long k = 8; k < 64; k++) f(k);",
    ),
    (
        "return address, below a variable",
        "void f(long k) { long x = 0; long *volatile p = &x; p[-k] += 64; }",
        "for (long k = 1; k < 64; k++) f(k);",
    ),
    (
        "stack from the heap",
        "void *malloc(unsigned long);",
        "long *volatile p = malloc(8); for (long k = 2; k < 1L << 40; k += 512) p[k] = 1;",
    ),
    (
        "everything after a variable",
        "",
        "char x[8]; char *volatile p = x; for (long k = 0; k < 1L << 32; k += 4096) p[k] = 1;",
    ),
    (
        "everything before a variable",
        "static char x[8];",
        "char *volatile p = x; for (long k = 0; k < 1L << 32; k += 8) p[-k] = 1;",
    ),
    (
        "address of the session",
        "",
        "for (long at = 0x7ffff7000000; at < 0x7ffff8000000; at += 4096) *(volatile int *)at = 1;",
    ),
    (
        "search for the session",
        "static char x[8];",
        "char *volatile p = x; for (long k = 0;; k += 8) if (*(long *)(p + k) == 0x6465746c6f6976) *(long *)(p + k) = 1;",
    ),
    (
        "descriptor of the session",
        "void *mmap(void *, unsigned long, int, int, int, long);",
        "int *p = mmap(0, 4096, 3, 1, 3, 0); p[0] = 1;",
    ),
    (
        "jump buffer of another type",
        "int _setjmp(long *); void longjmp(long *, int);",
        "long b[25]; if (!_setjmp(b)) { b[7] ^= 64; longjmp(b, 1); }",
    ),
    (
        "parts of a jump buffer",
        "struct __jmp_buf_tag { long r[8]; int m; unsigned long s[16]; }; int _setjmp(struct __jmp_buf_tag *); void longjmp(struct __jmp_buf_tag *, int);",
        "struct __jmp_buf_tag b[1]; if (!_setjmp(b)) { b[0].r[7] ^= 64; longjmp(b, 1); }",
    ),
    (
        "jump buffer as an array",
        "struct __jmp_buf_tag { long r[8]; int m; unsigned long s[16]; }; int _setjmp(struct __jmp_buf_tag *); void longjmp(struct __jmp_buf_tag *, int);",
        "struct __jmp_buf_tag b[1]; if (!_setjmp(b)) { ((long *)b)[7] ^= 64; longjmp(b, 1); }",
    ),
    (
        "copied jump buffer",
        "struct __jmp_buf_tag { long r[8]; int m; unsigned long s[16]; }; int _setjmp(struct __jmp_buf_tag *); void longjmp(struct __jmp_buf_tag *, int); void *memcpy(void *, const void *, unsigned long);",
        "struct __jmp_buf_tag b[1]; long n[25]; if (!_setjmp(b)) { memcpy(n, b, 200); n[7] ^= 64; memcpy(b, n, 200); longjmp(b, 1); }",
    ),
    (
        "jump into a call that returned",
        "struct __jmp_buf_tag { long r[8]; int m; unsigned long s[16]; }; int _setjmp(struct __jmp_buf_tag *); void longjmp(struct __jmp_buf_tag *, int); struct __jmp_buf_tag b[1]; int n; void f(void) { _setjmp(b); }",
        "f(); if (n++ < 3) longjmp(b, 1);",
    ),
    (
        "exit in a handler of the end",
        "int atexit(void (*)(void)); void exit(int); void f(void) { exit(107); }",
        "atexit(f); exit(1);",
    ),
    (
        "exit while sorting",
        "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); void _exit(int); int f(const void *a, const void *b) { _exit(*(const int *)a); }",
        "int a[] = {107, 16, 17}; qsort(a, 3, sizeof *a, f);",
    ),
    (
        "exit while searching",
        "void *bsearch(const void *, const void *, unsigned long, unsigned long, int (*)(const void *, const void *)); void exit(int); int f(const void *a, const void *b) { exit(107); }",
        "int a[] = {1, 2}; bsearch(a, a, 2, sizeof *a, f);",
    ),
    (
        "jump while sorting",
        "struct __jmp_buf_tag { long r[8]; int m; unsigned long s[16]; }; int _setjmp(struct __jmp_buf_tag *); void longjmp(struct __jmp_buf_tag *, int); struct __jmp_buf_tag b[1]; void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); int f(const void *x, const void *y) { longjmp(b, 1); }",
        "int a[] = {3, 2, 1}; if (!_setjmp(b)) qsort(a, 3, sizeof *a, f);",
    ),
    (
        "unpoisoned memory",
        "void __asan_unpoison_memory_region(const volatile void *, unsigned long);",
        "__asan_unpoison_memory_region((void *)0, 1UL << 40);",
    ),
    ("own end of the code", "char _etext[8];", ""),
    ("own end of calls", "void __asan_handle_no_return(void) {}", "for (;;) ;"),
    ("signal to the supervisor", "int kill(int, int);", "kill(0, 9); kill(-1, 9);"),
];

/// A program up to the place of a check about the variable `one`, which is 1, and the rest of it.
pub fn forged_program((_, before, within): &Forgery) -> (String, String) {
    let filled = |text: &str| {
        text.replace("REPORT", &format!("\"{REPORT}\"")).replace("LENGTH", &(REPORT.len() - 2).to_string())
    };
    let start = format!("{}\nint main(void) {{ int one = 1;\n", filled(before));
    (start, format!("{}\nreturn 0; }}\n", filled(within)))
}
