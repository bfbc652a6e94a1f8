/* Searches for inputs on which a C program violates one of its checks.
 *
 * Linked with the program under test into one executable:
 *
 *   cc -O2 -ffreestanding -fno-builtin -fno-stack-protector -c execute.c -o execute.o
 *   cc -O1 [-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all]
 *      [-fsanitize-coverage=trace-pc,trace-cmp]
 *      -ffp-contract=off -Dmain=juvenal_program_main -c program.c -o program.o
 *   cc [-fsanitize=address,undefined] execute.o program.o -o run @link.options -lm
 *
 * (with Clang also -fsanitize=memory -fno-sanitize-memory-param-retval instead of the
 * address and undefined sanitizers). execute.o itself has no sanitizers and comes
 * before program.o; snapshot.h says why.
 *
 *   ./run --mode search|exhaustive|replay --checks N --convention t|n
 *         [--runs N] [--milliseconds M] [--run-milliseconds R] [--run-steps N]
 *         [--exhaustive-limit N] [--seed S] [--isolation persistent|fork]
 *         [--constants FILE] [--input INPUTS ...]
 *
 * The parent forks workers, each of which makes many runs of the program and
 * undoes them; what a run does is written to memory that both share. A run that
 * crashes or does not end takes its worker with it, and the search goes on in
 * the next. The result lines come at the end, and the last is `done`.
 */
#include "kernel.h"
#include "values.h"
#include "parse.h"
#include "session.h"
#include "draw.h"
#include "search.h"
#include "hooks.h"
#include "escape.h"
#include "sanitizers.h"
#include "snapshot.h"
#include "report.h"
#include "options.h"

#include <fcntl.h>
#include <sys/wait.h>

/* The program's main; one with fewer parameters does not look at the others. */
int juvenal_program_main(int argument_count, char **arguments, char **environment);

enum {
    FIRST_BATCH = 16,
    LAST_BATCH = 4096,
    WORKER_MEMORY_LIMIT = 1 << 26,
    STACK_LIMIT = 8 << 20,
    LOST_WORKER_LIMIT = 100,
    DEADLINE_GRACE = 200,
    CHECKED_WORKERS = 16
};

/* ---- before the program can do anything ---- */

/* Starts again with the same addresses in every process, because a program may
 * compare or print them; where that is not allowed, the search does without. */
static void fix_addresses(char **arguments, char **environment) {
    enum { NO_RANDOM_ADDRESSES = 0x0040000 };
    static char started_again[] = "run-with-fixed-addresses";
    if (arguments[0] && same_text(arguments[0], started_again)) return;
    long personality = __real_syscall(SYS_personality, 0xffffffffL);
    if (personality < 0 || personality & NO_RANDOM_ADDRESSES) return;
    if (__real_syscall(SYS_personality, personality | NO_RANDOM_ADDRESSES) < 0) return;
    /* A confined process may lose it when it starts again, and would do so for ever. */
    arguments[0] = started_again;
    __real_syscall(SYS_execve, "/proc/self/exe", arguments, environment);
}

/* Moves the result descriptor out of reach and leaves nothing to read or write. */
static void keep_descriptors(void) {
    __real_syscall(SYS_dup3, 1, RESULT_DESCRIPTOR, O_CLOEXEC);
    long nothing = __real_syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0);
    for (int descriptor = 0; descriptor < 3; descriptor++)
        if (nothing != descriptor) __real_syscall(SYS_dup3, nothing, descriptor, 0);
    if (nothing > 2) __real_syscall(SYS_close, nothing);
}

static void prepare_process(int argument_count, char **arguments, char **environment) {
    (void)argument_count;
    fix_addresses(arguments, environment);
    keep_descriptors();
}

/* Earlier than any constructor of the program. */
__attribute__((section(".preinit_array"), used))
static void (*const prepare_process_first)(int, char **, char **) = prepare_process;

/* ---- the worker ---- */

static void limit_resource(int resource, uint64_t limit) {
    uint64_t both[2] = {limit, limit};
    __real_syscall(SYS_prlimit64, 0, resource, both, NULL);
}

static void prepare_worker(void) {
    uint64_t no_signals = 0;
    __real_syscall(SYS_close, RESULT_DESCRIPTOR);
    __real_syscall(SYS_setpgid, 0, 0);
    __real_syscall(SYS_prctl, 1 /* PR_SET_PDEATHSIG */, SIGKILL);
    __real_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, NULL, KERNEL_SIGNAL_SET_BYTES);
    limit_resource(RLIMIT_CORE, 0);
    limit_resource(RLIMIT_FSIZE, 0);
    limit_resource(RLIMIT_STACK, STACK_LIMIT);
}

static void begin_run(void) {
    struct run *run = &session->run;
    run->outcome = OUTCOME_RUNNING;
    run->differs_from_plan = run->novel = 0;
    run->exit_handlers = run->call = 0;
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

static __attribute__((noinline)) void run_program(void) {
    char name[] = "program";
    char *arguments[] = {name, NULL}, *environment[] = {NULL};
    if (__builtin_setjmp(session->end_of_run)) return;
    if (__msan_unpoison) {
        __msan_unpoison(name, sizeof name);
        __msan_unpoison(arguments, sizeof arguments);
        __msan_unpoison(environment, sizeof environment);
    }
    if (__msan_unpoison_param) __msan_unpoison_param(3);
    juvenal_program_main(1, arguments, environment);
    end_run_normally();
}

static __attribute__((noreturn)) void work(uint64_t batch) {
    prepare_worker();
    for (uint64_t made = 0; made < batch && plan_next_run(); made++) {
        begin_run();
        run_program();
        settle_run();
        if (session->worker_is_stale || session->worker_allocated > WORKER_MEMORY_LIMIT) break;
        restore_snapshot();
    }
    end_process(0);
}

/* ---- the parent ---- */

static uint64_t start_of_search;

/* How the run in progress stands, seen from outside. */
struct progress { uint64_t runs, processor, wall; };

enum verdict { GO_ON, RUN_IS_ENDLESS, TIME_IS_UP };

/* A run has its limit in processor time, since the machine may be busy, and ten
 * times that in time on the wall, since it may wait for something. */
static enum verdict judge_progress(struct progress *seen, long worker) {
    uint64_t wall = milliseconds_of(CLOCK_OF_THE_WALL), processor = milliseconds_of(clock_of_process(worker));
    uint64_t limit = session->options.run_milliseconds, deadline = start_of_search + session->options.milliseconds;
    if (wall >= deadline) session->time_is_up = 1;
    /* What was found is confirmed even if the time is up. */
    if (wall >= deadline + DEADLINE_GRACE && session->phase != PHASE_OBSERVE) return TIME_IS_UP;
    if (seen->runs != session->runs) {
        seen->runs = session->runs;
        seen->processor = processor;
        seen->wall = wall;
        return GO_ON;
    }
    return processor - seen->processor >= limit || wall - seen->wall >= 10 * limit ? RUN_IS_ENDLESS : GO_ON;
}

static enum verdict await_worker(long worker) {
    uint64_t child_signal = (uint64_t)1 << (SIGCHLD - 1);
    uint64_t slice = session->options.run_milliseconds / 4 + 1;
    struct kernel_time patience = {0, (long)(slice > 50 ? 50 : slice) * 1000000};
    struct progress seen = {session->runs, 0, milliseconds_of(CLOCK_OF_THE_WALL)};
    enum verdict verdict = GO_ON;
    int status;
    while (__real_syscall(SYS_wait4, worker, &status, verdict == GO_ON ? WNOHANG : 0, NULL) == 0) {
        __real_syscall(SYS_rt_sigtimedwait, &child_signal, NULL, &patience, KERNEL_SIGNAL_SET_BYTES);
        verdict = judge_progress(&seen, worker);
        /* Its group too, in case the program found a way to make processes. */
        if (verdict != GO_ON && __real_syscall(SYS_kill, -worker, SIGKILL) != 0) __real_syscall(SYS_kill, worker, SIGKILL);
    }
    return verdict;
}

/* Accounts for the run during which the worker ended. */
static void settle_last_run(enum verdict verdict) {
    struct run *run = &session->run;
    if (!run->active) return;
    if (run->outcome == OUTCOME_RUNNING) {
        if (verdict == TIME_IS_UP) {
            run->active = 0;
            return;
        }
        run->outcome = verdict == RUN_IS_ENDLESS ? OUTCOME_ENDLESS : OUTCOME_CRASHED;
    }
    settle_run();
}

static void run_worker(uint64_t batch) {
    uint64_t runs = session->runs;
    session->worker_allocated = 0;
    session->worker_is_stale = 0;
    session->lock = 0;
    long worker = __fork();
    if (worker == 0) work(batch);
    if (worker < 0) give_up("cannot fork a worker", "");
    settle_last_run(await_worker(worker));
    /* Something that ends each worker before a run would go on for ever. */
    if (session->runs != runs || session->phase == PHASE_OBSERVE || session->phase == PHASE_FINISHED) session->worker_lost = 0;
    else if (++session->worker_lost > LOST_WORKER_LIMIT) give_up("the workers end before their first run", "");
}

/* Repeats one run in a fresh worker and returns its fingerprint. */
static uint64_t observe(const struct sequence *inputs, uint32_t check) {
    enum phase phase = session->phase;
    uint64_t step = session->phase_step;
    copy_sequence(&session->saved_plan.given, &session->plan.given, session->plan.given.count);
    session->saved_plan.filling = session->plan.filling;
    copy_sequence(&session->plan.given, inputs, inputs->count);
    session->plan.filling = FILL_ZERO;
    session->phase = PHASE_OBSERVE;
    session->phase_step = 0;
    session->observed_check = check;
    session->observed_violation = 0;
    session->run.fingerprint = 0;
    run_worker(1);
    session->phase = phase;
    session->phase_step = step;
    session->plan.filling = session->saved_plan.filling;
    copy_sequence(&session->plan.given, &session->saved_plan.given, session->saved_plan.given.count);
    return session->run.fingerprint;
}

/* 1 when the last run of a worker does the same in a worker of its own: then what
 * the runs before it left behind did not matter. */
static int last_run_repeats(void) {
    struct run *run = &session->run;
    uint64_t fingerprint = run->fingerprint;
    if (run->outcome == OUTCOME_ENDLESS || run->outcome == OUTCOME_CRASHED) return 1;
    copy_sequence(&session->observed, &run->consumed, run->consumed.count);
    return observe(&session->observed, 0) == fingerprint;
}

/* 0 when runs influence each other, so that all of them must be made again, apart. */
static int search_is_sound(void) {
    uint64_t batch = FIRST_BATCH;
    for (uint64_t workers = 0; session->phase != PHASE_FINISHED; workers++) {
        uint64_t runs = session->runs;
        run_worker(session->options.isolation == ISOLATION_FORK ? 1 : batch);
        if (batch < LAST_BATCH) batch *= 2;
        if (session->nondeterministic && session->options.isolation == ISOLATION_PERSISTENT) return 0;
        if (session->runs == runs || session->options.mode == MODE_REPLAY) continue;
        if ((workers >= CHECKED_WORKERS && workers % CHECKED_WORKERS != 0) || session->time_is_up) continue;
        if (last_run_repeats() || session->time_is_up) continue;
        if (session->options.isolation == ISOLATION_PERSISTENT) return 0;
        session->nondeterministic = 1;
    }
    return 1;
}

/* Prints a violation if it happens again in a fresh worker. */
static void put_confirmed(const char *word, uint32_t number, const struct sequence *inputs) {
    observe(inputs, number);
    put_violation(session->observed_violation ? word : "unconfirmed", number, inputs);
}

static void put_check(uint32_t number) {
    struct check *check = &session->check[number];
    if (check->reached) {
        put_count("reached", number);
        put_line_end();
    }
    if (check->notes.has_values || check->notes.has_nan) put_values(number, &check->notes);
    if (check->notes.holds || check->notes.fails) put_counts(number, &check->notes);
    if (!check->violated) return;
    put_confirmed("violated", number, &check->first);
    if (is_simpler(&check->shortest, check->shortest.count, &check->first))
        put_confirmed("shortest", number, &check->shortest);
}

static void put_results(void) {
    put_text(report, __asan_init ? "build address\n" : __msan_unpoison ? "build memory\n" : "build plain\n");
    put_text(report, session->options.isolation == ISOLATION_FORK ? "isolation fork\n" : "isolation persistent\n");
    put_count("runs", session->runs);
    put_line_end();
    put_exhaustive();
    put_outcomes();
    for (uint32_t number = 0; number <= session->options.checks; number++) put_check(number);
    put_text(report, "done\n");
    flush_text(report);
}

int main(int argument_count, char **arguments) {
    uint64_t child_signal = (uint64_t)1 << (SIGCHLD - 1);
    __real_syscall(SYS_rt_sigprocmask, SIG_BLOCK, &child_signal, NULL, KERNEL_SIGNAL_SET_BYTES);
    start_of_search = milliseconds_of(CLOCK_OF_THE_WALL);
    report = map_memory(sizeof *report, MAP_PRIVATE);
    watch_sanitizers();
    open_session(argument_count, arguments);
    if (!search_is_sound()) {
        open_session(argument_count, arguments);
        session->options.isolation = ISOLATION_FORK;
        search_is_sound();
    }
    put_results();
    end_process(0);
}
