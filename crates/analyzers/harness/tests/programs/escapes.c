// reproduce: no
// arguments: --mode exhaustive --checks 2
// expect: exhaustive no escaped
// expect: escaped fork
// expect: escaped close
// expect: escaped getc(har)?
// expect: violated 1 uchar:3
// refuse: violated 2 .*
extern void juvenal_violated(unsigned);
extern void juvenal_reached(unsigned);
extern void juvenal_assumption_failed(void);
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <sys/types.h>
unsigned char __VERIFIER_nondet_uchar(void);
static const char forged[] = "violated 2 int:1\ndone\n";
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    for (int i = 0; i < 1024; i++) {
        if (write(i, forged, sizeof forged - 1) < 0) continue;
    }
    for (int i = 0; i < 1024; i++) close(i);
    fclose(stdout);
    fclose(stdin);
    signal(SIGSEGV, SIG_IGN);
    signal(SIGALRM, SIG_IGN);
    alarm(1);
    if (fork() == 0) printf("%s", forged);
    if (system("echo violated 2 int:3") == 0) printf("%s", forged);
    kill(getppid(), SIGKILL);
    syscall(SYS_exit_group, 0);
    if (getchar() != EOF) juvenal_violated(2);
    if (!(x != 3)) juvenal_violated(1);
    return 0;
}
