// reproduce: no
// arguments: --mode exhaustive --checks 1
// expect: violated 1 uchar:12
// expect: exhaustive yes
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
unsigned char __VERIFIER_nondet_uchar(void);
static int calls;
/* Names of the library with another meaning must not disturb the harness. */
int read(void) { return ++calls; }
int write(void) { return ++calls; }
int waitpid(void) { return ++calls; }
int fork(void) { return ++calls; }
int kill(void) { return ++calls; }
int error(void) { return read() + write() + waitpid() + fork() + kill(); }
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (error() != 15) return 1;
    if (!(x != 12)) juvenal_violated(1);
    return 0;
}
