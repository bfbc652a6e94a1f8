/* Starts the executable with the program under test, with nothing that leads out of it.
 *
 * The new process has a group of its own, ends with the supervisor, and gets no
 * arguments, no environment but the place of the compiler's libraries, no descriptors
 * but three that lead nowhere, and one for the shared memory, which it closes first.
 */
#ifndef JUVENAL_START_H
#define JUVENAL_START_H

#include <fcntl.h>

#include "session.h"

enum { STACK_LIMIT = 8 << 20, NO_RANDOM_ADDRESSES = 0x0040000, SHARED_DESCRIPTOR = 3 };

/* A search has the same addresses in every process, because a program may compare or
 * print them. What confirms a result must not depend on them. */
enum addresses { ADDRESSES_FIXED, ADDRESSES_RANDOM };

static const char *program_path = "./run";
static const char *program_environment[2];

static void choose_program(const char *path, char **environment) {
    if (path) program_path = path;
    for (; *environment; environment++) {
        const char *at = *environment;
        if (take_word(&at, "LD_LIBRARY_PATH=")) program_environment[0] = *environment;
    }
}

/* Memory of a fixed size: no holder of the descriptor can make it shorter. */
static long open_shared_memory(size_t size) {
    enum { ALLOW_SEALING = 2, ADD_SEALS = 1033, SEAL_SEAL_SHRINK_GROW = 1 | 2 | 4 };
    long descriptor = __real_syscall(SYS_memfd_create, "session", ALLOW_SEALING);
    if (descriptor < 0 || __real_syscall(SYS_ftruncate, descriptor, size) != 0)
        give_up("out of memory for the state of the search; ask for fewer checks", "");
    __real_syscall(SYS_fcntl, descriptor, ADD_SEALS, SEAL_SEAL_SHRINK_GROW);
    return descriptor;
}

static struct shared_session *map_shared_memory(long descriptor, size_t size) {
    long address = __real_syscall(KERNEL_MMAP, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0L);
    if (address == -1) give_up("out of memory for the state of the search; ask for fewer checks", "");
    return (struct shared_session *)address;
}

static void keep_descriptors(long shared) {
    long nothing = __real_syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0);
    long kept = __real_syscall(SYS_fcntl, shared, F_DUPFD, 10);
    for (int descriptor = 0; descriptor < 3; descriptor++) {
        if (nothing != descriptor) __real_syscall(SYS_dup3, nothing, descriptor, 0);
    }
    __real_syscall(SYS_dup3, kept, SHARED_DESCRIPTOR, 0);
    if (__real_syscall(SYS_close_range, SHARED_DESCRIPTOR + 1, ~0u, 0) == 0) return;
    for (int descriptor = SHARED_DESCRIPTOR + 1; descriptor < 1 << 16; descriptor++) __real_syscall(SYS_close, descriptor);
}

static __attribute__((noreturn)) void become_program(long shared, enum addresses addresses) {
    const char *arguments[] = {"run", NULL};
    uint64_t no_signals = 0;
    long personality = __real_syscall(SYS_personality, 0xffffffffL) & ~(long)NO_RANDOM_ADDRESSES;
    __real_syscall(SYS_personality, personality | (addresses == ADDRESSES_FIXED ? NO_RANDOM_ADDRESSES : 0));
    __real_syscall(SYS_setpgid, 0, 0);
    __real_syscall(SYS_prctl, 1 /* PR_SET_PDEATHSIG */, SIGKILL);
    __real_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, NULL, KERNEL_SIGNAL_SET_BYTES);
    limit_resource(RLIMIT_CORE, 0);
    limit_resource(RLIMIT_STACK, STACK_LIMIT);
    keep_descriptors(shared);
    __real_syscall(SYS_execve, program_path, arguments, program_environment);
    end_process(2);
}

static long start_program(long shared, enum addresses addresses) {
    long process = __real_syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
    if (process == 0) become_program(shared, addresses);
    if (process < 0) give_up("cannot start ", program_path);
    return process;
}

#endif
