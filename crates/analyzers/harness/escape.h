/* The library functions through which a program could leave its run.
 *
 * The linker sends the program's calls of NAME to __wrap_NAME (link.options
 * lists the names). Ends of the program become ends of the run. Calls that
 * reach out of the process or change it for later runs are refused, with a
 * result that the function may have by its contract, and noted as escapes.
 */
#ifndef JUVENAL_ESCAPE_H
#define JUVENAL_ESCAPE_H

#include <errno.h>

#include "hooks.h"
#include "parse.h"

enum { RUN_MEMORY_LIMIT = 1 << 28 };

/* ---- ends ---- */

/* What exit(3) does: the handlers, last one first; they may call exit again. */
static __attribute__((noreturn)) void end_run_normally(void) {
    struct worker *worker = worker_state;
    while (worker->exit_handlers > 0) worker->exit_handler[--worker->exit_handlers]();
    end_run(OUTCOME_ENDED);
}

static __attribute__((noreturn)) void end_run_at_once(void) {
    if (!in_run()) end_process(3);
    end_run(OUTCOME_ENDED);
}

__attribute__((noreturn)) void __wrap_exit(int status) {
    (void)status;
    if (!in_run()) end_process(3);
    end_run_normally();
}

#define DEFINE_END(name, ...) __attribute__((noreturn)) void __wrap_##name(__VA_ARGS__) { end_run_at_once(); }
DEFINE_END(_exit, int status __attribute__((unused)))
DEFINE_END(_Exit, int status __attribute__((unused)))
DEFINE_END(quick_exit, int status __attribute__((unused)))
DEFINE_END(abort, void)

__attribute__((noreturn)) void __wrap___stack_chk_fail(void) { end_run_undefined("stack_smashed"); }

/* A program that defines reach_error as a failing assertion means check 0. Clang
 * gives the whole declaration of the function here, gcc its name. */
__attribute__((noreturn)) void __wrap___assert_fail(const char *condition, const char *file, unsigned line, const char *function) {
    (void)condition, (void)file, (void)line;
    if (!in_run()) end_process(3);
    for (; function && *function; function++) {
        const char *at = function;
        if (take_word(&at, "reach_error")) violate(0);
    }
    end_run_at_once();
}

int __real_atexit(void (*handler)(void));
int __wrap_atexit(void (*handler)(void)) {
    if (!in_run()) return __real_atexit(handler);
    if (worker_state->exit_handlers == EXIT_HANDLER_LIMIT) return 1;
    worker_state->exit_handler[worker_state->exit_handlers++] = handler;
    return 0;
}

/* ---- memory ---- */

/* Leaked memory stays with the worker, which is replaced when it has too much. */
static void note_allocation(size_t size) {
    if (!in_run()) return;
    session->run.allocated += size;
    session->worker_allocated += size + 32;
    if (session->run.allocated > RUN_MEMORY_LIMIT) end_run(OUTCOME_ENDLESS);
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size) {
    note_allocation(size);
    return __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size) {
    note_allocation(size && count > RUN_MEMORY_LIMIT / size ? 0 : count * size);
    return __real_calloc(count, size);
}

void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size) {
    note_allocation(size);
    return __real_realloc(memory, size);
}

/* ---- allowed, but with state outside of the snapshot or from outside of the program ---- */

static void note_stale(const char *name) {
    if (!in_run()) return;
    note_escape(name);
    session->worker_is_stale = 1;
}

#define DEFINE_STALE(result, name, parameters, arguments) \
    result __real_##name parameters;                      \
    result __wrap_##name parameters {                     \
        note_stale(#name);                                \
        return __real_##name arguments;                   \
    }
DEFINE_STALE(int, rand, (void), ())
DEFINE_STALE(void, srand, (unsigned seed), (seed))
DEFINE_STALE(long, random, (void), ())
DEFINE_STALE(void, srandom, (unsigned seed), (seed))
DEFINE_STALE(double, drand48, (void), ())
DEFINE_STALE(long, lrand48, (void), ())
DEFINE_STALE(void, srand48, (long seed), (seed))
DEFINE_STALE(char *, strtok, (char *string, const char *separators), (string, separators))
DEFINE_STALE(long, time, (long *result), (result))
DEFINE_STALE(long, clock, (void), ())
DEFINE_STALE(int, gettimeofday, (void *time, void *zone), (time, zone))
DEFINE_STALE(int, clock_gettime, (int clock, void *time), (clock, time))
DEFINE_STALE(int, getpid, (void), ())
DEFINE_STALE(int, setvbuf, (void *stream, char *buffer, int kind, size_t size), (stream, buffer, kind, size))
DEFINE_STALE(void, setbuf, (void *stream, char *buffer), (stream, buffer))
DEFINE_STALE(int, ungetc, (int character, void *stream), (character, stream))

/* A thread needs a process that ends with its run. */
int __real_pthread_create(void *thread, const void *attributes, void *(*start)(void *), void *argument) __attribute__((weak));
int __wrap_pthread_create(void *thread, const void *attributes, void *(*start)(void *), void *argument) {
    note_escape("pthread_create");
    if (settings->isolation != ISOLATION_FORK || !__real_pthread_create) return EAGAIN;
    return __real_pthread_create(thread, attributes, start, argument);
}

/* ---- refused ---- */

int *__errno_location(void);

#define REFUSE(type, name, result)           \
    type __wrap_##name(void) {               \
        if (in_run()) note_escape(#name);    \
        *__errno_location() = EPERM;         \
        return (type)(result);               \
    }
/* Processes. */
REFUSE(int, fork, -1)
REFUSE(int, vfork, -1)
REFUSE(int, clone, -1)
REFUSE(int, system, -1)
REFUSE(void *, popen, 0)
REFUSE(int, posix_spawn, EPERM)
REFUSE(int, posix_spawnp, EPERM)
REFUSE(int, execl, -1)
REFUSE(int, execlp, -1)
REFUSE(int, execle, -1)
REFUSE(int, execv, -1)
REFUSE(int, execvp, -1)
REFUSE(int, execve, -1)
REFUSE(int, thrd_create, 2)
REFUSE(int, ptrace, -1)
REFUSE(int, prctl, -1)
REFUSE(int, setpgid, -1)
REFUSE(int, setsid, -1)
REFUSE(int, daemon, -1)
/* Signals and timers. */
REFUSE(int, kill, -1)
REFUSE(int, killpg, -1)
REFUSE(void *, signal, (intptr_t)-1)
REFUSE(int, sigprocmask, -1)
REFUSE(unsigned, alarm, 0)
REFUSE(unsigned, ualarm, 0)
REFUSE(int, setitimer, -1)
REFUSE(int, timer_create, -1)
REFUSE(int, pause, -1)
REFUSE(unsigned, sleep, 0)
REFUSE(int, usleep, 0)
REFUSE(int, nanosleep, 0)
REFUSE(int, at_quick_exit, 1)
REFUSE(int, on_exit, -1)
/* Files and the network: the program has no input but its nondeterministic values. */
REFUSE(int, open, -1)
REFUSE(int, open64, -1)
REFUSE(int, creat, -1)
REFUSE(int, close, 0)
REFUSE(int, closefrom, 0)
REFUSE(int, dup, -1)
REFUSE(int, dup2, -1)
REFUSE(int, dup3, -1)
REFUSE(int, socket, -1)
REFUSE(int, unlink, -1)
REFUSE(int, remove, -1)
REFUSE(int, rename, -1)
REFUSE(int, rmdir, -1)
REFUSE(int, chdir, -1)
REFUSE(void *, fopen, 0)
REFUSE(void *, fopen64, 0)
REFUSE(void *, fdopen, 0)
REFUSE(void *, freopen, 0)
REFUSE(void *, tmpfile, 0)
REFUSE(int, fclose, 0)
REFUSE(void *, dlopen, 0)
REFUSE(void *, mmap, -1)
REFUSE(void *, sbrk, -1)
REFUSE(long, read, 0)
REFUSE(size_t, fread, 0)
REFUSE(int, getchar, -1)
REFUSE(int, fgetc, -1)
REFUSE(int, getc, -1)
REFUSE(void *, fgets, 0)
REFUSE(void *, gets, 0)
REFUSE(long, getline, -1)
REFUSE(int, scanf, -1)
REFUSE(int, fscanf, -1)
REFUSE(int, __isoc99_scanf, -1)
REFUSE(int, __isoc99_fscanf, -1)
REFUSE(int, __isoc23_scanf, -1)
REFUSE(int, __isoc23_fscanf, -1)
/* The environment. */
REFUSE(char *, getenv, 0)
REFUSE(int, setenv, -1)
REFUSE(int, putenv, -1)
REFUSE(int, unsetenv, -1)
REFUSE(char *, setlocale, 0)

/* The runtimes of the sanitizers call these for themselves, outside of runs. */
#define REFUSE_IN_RUN(name, parameters, arguments)      \
    int __real_##name parameters;                       \
    int __wrap_##name parameters {                      \
        if (!in_run()) return __real_##name arguments;  \
        note_escape(#name);                             \
        *__errno_location() = EPERM;                    \
        return -1;                                      \
    }
REFUSE_IN_RUN(sigaction, (int signal, const void *action, void *old), (signal, action, old))
REFUSE_IN_RUN(setrlimit, (int resource, const void *limits), (resource, limits))
REFUSE_IN_RUN(pipe, (int *descriptors), (descriptors))
REFUSE_IN_RUN(mkdir, (const char *path, unsigned mode), (path, mode))

/* Calls of the kernel that end the process or make another. A 32-bit runtime of a
 * sanitizer makes all its calls through this function; these it does not need. */
static int kernel_call_is_refused(long number) {
    static const long refused[] = {SYS_exit, SYS_exit_group, SYS_fork, SYS_vfork, SYS_clone, SYS_execve, SYS_kill, SYS_tkill, SYS_tgkill};
    for (unsigned at = 0; at < sizeof refused / sizeof refused[0]; at++) {
        if (number == refused[at]) return 1;
    }
    return sizeof(long) == 8;
}

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f) {
    if (!in_run() || !kernel_call_is_refused(number)) return __real_syscall(number, a, b, c, d, e, f);
    note_escape("syscall");
    *__errno_location() = EPERM;
    return -1;
}

/* Without a handler, which is refused, most signals end the program. */
int __wrap_raise(int signal) {
    (void)signal;
    note_escape("raise");
    end_run_at_once();
}

#endif
