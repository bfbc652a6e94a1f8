/* Runs a C program many times, as its supervisor plans with it (supervise.c).
 *
 * Linked with the program under test into the executable `run`:
 *
 *   cc -O2 -ffreestanding -fno-builtin -fno-stack-protector -c execute.c -o execute.o
 *   cc -O1 [-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all]
 *      [-fsanitize-coverage=trace-pc,trace-cmp] -fno-optimize-sibling-calls
 *      -ffp-contract=off -Dmain=juvenal_program_main -c program.c -o program.o
 *   cc [-fsanitize=address,undefined] execute.o program.o -o run @link.options -lm
 *
 * (with Clang also -fsanitize=memory -fno-sanitize-memory-param-retval instead of the
 * address and undefined sanitizers). execute.o itself has no sanitizers and comes
 * before program.o; snapshot.h says why.
 *
 * The supervisor starts `run` with one descriptor, for the memory that they share. The
 * process maps it, closes it, and from then on has no way to the outside but this memory.
 * It never runs the program itself: for each request of the supervisor it makes a worker,
 * whose parent is the supervisor, and which makes some runs and undoes them. A run that
 * crashes or does not end takes its worker with it, and the search goes on in the next.
 * Only an observation, one run that shows whether another one is repeated, has the
 * process to itself.
 */
#include "kernel.h"
#include "values.h"
#include "parse.h"
#include "session.h"
#include "record.h"
#include "hidden.h"
#include "confine.h"
#include "draw.h"
#include "search.h"
#include "hooks.h"
#include "escape.h"
#include "sanitizers.h"
#include "snapshot.h"

/* The program's main; one with fewer parameters does not look at the others. */
int juvenal_program_main(int argument_count, char **arguments, char **environment);

enum { WORKER_MEMORY_LIMIT = 1 << 26 };

/* Earlier than any constructor of the program. */
static void prepare_process(int argument_count, char **arguments, char **environment) {
    (void)argument_count, (void)arguments, (void)environment;
    hide_harness();
}

__attribute__((section(".preinit_array"), used))
static void (*const prepare_process_first)(int, char **, char **) = prepare_process;

/* What the program's main is given, away from the frames of the harness. */
static char program_name[8], *program_arguments[2], *program_environment[1];

static void prepare_worker(void) {
    uint64_t no_signals = 0;
    __real_syscall(SYS_setpgid, 0, 0);
    __real_syscall(SYS_prctl, 1 /* PR_SET_PDEATHSIG */, SIGKILL);
    __real_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, NULL, KERNEL_SIGNAL_SET_BYTES);
    limit_resource(RLIMIT_FSIZE, 0);
    confine_worker();
}

static void begin_run(void) {
    struct run *run = &session->run;
    worker_state->exit_handlers = 0;
    worker_state->saw_observed_violation = 0;
    copy_bytes(program_name, "program", sizeof program_name);
    program_arguments[0] = program_name;
    program_arguments[1] = program_environment[0] = NULL;
    run->outcome = OUTCOME_RUNNING;
    run->differs_from_plan = run->novel = 0;
    run->call = 0;
    run->steps = run->allocated = run->last_block = 0;
    run->fingerprint = run->equal_sites = 0;
    run->consumed.count = 0;
    *__errno_location() = 0;
#if defined(__x86_64__) || defined(__i386__)
    unsigned control = 0x1f80;
    __asm__ volatile("fninit");
#ifdef __SSE__
    __asm__ volatile("ldmxcsr %0" : : "m"(control));
#else
    (void)control;
#endif
#endif
    run->active = 1;
}

/* The end of the frame of the function that asks. */
static inline __attribute__((always_inline)) char *stack_pointer(void) {
    char *pointer;
#ifdef __x86_64__
    __asm__ volatile("mov %%rsp, %0" : "=r"(pointer));
#else
    __asm__ volatile("mov %%esp, %0" : "=r"(pointer));
#endif
    return (char *)(((uintptr_t)pointer + 7) / 8 * 8);
}

static __attribute__((noinline)) void run_program(void) {
    if (__builtin_setjmp(worker_state->end_of_run)) return;
    if (__msan_unpoison_param) __msan_unpoison_param(3);
    worker_state->stack_begin = stack_pointer();
    hide_stack();
    juvenal_program_main(1, program_arguments, program_environment);
    end_run_normally();
}

static __attribute__((noreturn)) void work(uint64_t batch) {
    prepare_worker();
    for (uint64_t made = 0; made < batch && record_fits() && plan_next_run(); made++) {
        begin_run();
        run_program();
        settle_run();
        record_run();
        if (session->worker_is_stale || session->worker_allocated > WORKER_MEMORY_LIMIT) break;
        restore_snapshot();
    }
    end_worker();
}

/* Makes a worker that is a child of the supervisor, which lets it begin. */
static void make_worker(uint32_t request) {
    struct door *door = &session->door;
    uint64_t batch = door->batch;
    take_nonce();
    long child = __real_syscall(SYS_clone, (long)(0x00008000 /* CLONE_PARENT */ | SIGCHLD), 0L, 0L, 0L, 0L);
    if (child == 0) {
        while (__atomic_load_n(&door->permission, __ATOMIC_ACQUIRE) != request) await_change(&door->permission, request - 1);
        work(batch);
    }
    door->process = (int32_t)child;
    announce(&door->answer, request);
}

int main(int argument_count, char **arguments, char **environment) {
    (void)argument_count, (void)arguments;
    /* What the kernel put on the stack ends a little after the environment. */
    worker_state->stack_end = (char *)((uintptr_t)environment / 8 * 8);
    session->build = __asan_init ? 1 : __msan_unpoison ? 2 : 0;
    watch_sanitizers();
    take_snapshot();
    if (session->is_observation) work(1);
    for (uint32_t done = 0;; done++) {
        while (__atomic_load_n(&session->door.request, __ATOMIC_ACQUIRE) == done) await_change(&session->door.request, done);
        make_worker(done + 1);
    }
}
