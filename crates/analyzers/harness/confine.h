/* The calls of the kernel that a worker may still make once the program runs.
 *
 * A program that is free of undefined behaviour makes none but through the library
 * functions that the harness allows. This filter is for the others: it leaves memory,
 * threads of the same process, clocks, writing to descriptors that lead nowhere, and
 * opening files to read them, which sanitizers do for their reports. Any other call
 * fails: there is no signal, process, file or message that could come from a worker.
 * Where the kernel refuses the filter, a worker runs without.
 */
#ifndef JUVENAL_CONFINE_H
#define JUVENAL_CONFINE_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "kernel.h"

enum { NO_NEW_PRIVILEGES = 38, SECCOMP = 22, CLONE_OF_A_THREAD = 0x00010000, NOT_PERMITTED = 1, NO_SUCH_CALL = 38 };

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(answer) BPF_STMT(BPF_RET | BPF_K, answer)
#define ALLOW_CALL(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), ANSWER(SECCOMP_RET_ALLOW)
/* Looks at an argument of a call, and allows it if none of the bits is set in it. */
#define ALLOW_CALL_WITHOUT(number, argument, bits)                              \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), LOAD(args[argument]),    \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0), ANSWER(SECCOMP_RET_ALLOW), \
    ANSWER(SECCOMP_RET_ERRNO | NOT_PERMITTED)
#define ALLOW_CALL_WITH(number, argument, bits)                                 \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), LOAD(args[argument]),    \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), ANSWER(SECCOMP_RET_ALLOW), \
    ANSWER(SECCOMP_RET_ERRNO | NOT_PERMITTED)

enum { WRITING_CREATING_OR_TRUNCATING = 01 | 02 | 0100 | 01000 | 020000000 };

#ifdef __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#define CALLS_OF_THE_MACHINE ALLOW_CALL(SYS_mmap), ALLOW_CALL(SYS_newfstatat)
#else
#define MACHINE AUDIT_ARCH_I386
#define CALLS_OF_THE_MACHINE                                                                          \
    ALLOW_CALL(SYS_mmap2), ALLOW_CALL(SYS_set_thread_area), ALLOW_CALL(SYS_clock_gettime64),          \
    ALLOW_CALL(SYS_futex_time64), ALLOW_CALL(SYS_fstat64), ALLOW_CALL(SYS_time), ALLOW_CALL(SYS_statx), \
    ALLOW_CALL(SYS_fstatat64), ALLOW_CALL(SYS__llseek)
#endif

static void confine_worker(void) {
    static const struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
        ANSWER(SECCOMP_RET_ERRNO | NOT_PERMITTED),
        LOAD(nr),
        CALLS_OF_THE_MACHINE,
        ALLOW_CALL(SYS_exit_group), ALLOW_CALL(SYS_exit), ALLOW_CALL(SYS_munmap), ALLOW_CALL(SYS_mremap),
        ALLOW_CALL(SYS_mprotect), ALLOW_CALL(SYS_madvise), ALLOW_CALL(SYS_brk), ALLOW_CALL(SYS_futex),
        ALLOW_CALL(SYS_sched_yield), ALLOW_CALL(SYS_clock_gettime), ALLOW_CALL(SYS_gettimeofday),
        ALLOW_CALL(SYS_getpid), ALLOW_CALL(SYS_gettid), ALLOW_CALL(SYS_rt_sigprocmask), ALLOW_CALL(SYS_sigaltstack),
        ALLOW_CALL(SYS_set_robust_list), ALLOW_CALL(SYS_rseq), ALLOW_CALL(SYS_write), ALLOW_CALL(SYS_writev),
        ALLOW_CALL(SYS_fstat), ALLOW_CALL(SYS_lseek), ALLOW_CALL(SYS_getrandom), ALLOW_CALL(SYS_sched_getaffinity),
        ALLOW_CALL(SYS_read), ALLOW_CALL(SYS_close), ALLOW_CALL(SYS_readlink),
        ALLOW_CALL_WITHOUT(SYS_open, 1, WRITING_CREATING_OR_TRUNCATING),
        ALLOW_CALL_WITHOUT(SYS_openat, 2, WRITING_CREATING_OR_TRUNCATING),
        ALLOW_CALL_WITH(SYS_clone, 0, CLONE_OF_A_THREAD),
        /* The C library then makes threads with the older call, whose flags can be seen. */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        ANSWER(SECCOMP_RET_ERRNO | NO_SUCH_CALL),
        ANSWER(SECCOMP_RET_ERRNO | NOT_PERMITTED),
    };
    static const struct sock_fprog program = {sizeof filter / sizeof filter[0], (struct sock_filter *)filter};
    if (__real_syscall(SYS_prctl, NO_NEW_PRIVILEGES, 1L, 0L, 0L, 0L) != 0) return;
    __real_syscall(SYS_prctl, SECCOMP, 2L /* SECCOMP_MODE_FILTER */, &program);
}

#endif
