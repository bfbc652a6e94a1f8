/* Searches for inputs on which a C program violates one of its checks.
 *
 * This executable contains no code of the program under test. It starts `run`, which
 * does (execute.c), and alone has the descriptor to which the results go.
 *
 *   cc -O2 -ffreestanding -fno-builtin -fno-stack-protector supervise.c -o supervise -Wl,--wrap=syscall
 *
 *   ./supervise --mode search|exhaustive|replay --checks N --convention t|n
 *         [--program ./run] [--runs N] [--milliseconds M] [--run-milliseconds R] [--run-steps N]
 *         [--exhaustive-limit N] [--seed S] [--isolation persistent|fork]
 *         [--constants FILE] [--input INPUTS ...]
 *
 * Workers search in memory that they share with the supervisor, which counts their runs
 * by sealed records (tally.h). A violation is reported only after another process, started
 * again with another nonce and at other addresses, has repeated it. The result lines come
 * at the end (report.h), and the last is `done`.
 */
#include "kernel.h"
#include "values.h"
#include "parse.h"
#include "session.h"
#include "record.h"
#include "draw.h"
#include "search.h"
#include "tally.h"
#include "options.h"
#include "report.h"
#include "start.h"

#include <sys/wait.h>

enum {
    FIRST_BATCH = 16,
    LAST_BATCH = 4096,
    LOST_WORKER_LIMIT = 100,
    DEADLINE_GRACE = 200,
    CHECKED_WORKERS = 16,
    OBSERVATION_TRIES = 3
};

static struct options own_options;
static uint64_t start_of_search;
/* The process that makes workers. */
static long maker;

/* ---- waiting for a worker ---- */

/* How the run in progress stands, seen from outside. */
struct progress { uint64_t runs, processor, wall; };

enum verdict { GO_ON, RUN_IS_ENDLESS, TIME_IS_UP };

/* A run has its limit in processor time, since the machine may be busy, and ten
 * times that in time on the wall, since it may wait for something. */
static enum verdict judge_progress(struct progress *seen, long worker) {
    uint64_t wall = milliseconds_of(CLOCK_OF_THE_WALL), processor = milliseconds_of(clock_of_process(worker));
    uint64_t limit = settings->run_milliseconds, deadline = start_of_search + settings->milliseconds;
    if (wall >= deadline) session->time_is_up = tally.time_is_up = 1;
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

static void end_worker_process(long worker) {
    /* Its group too, in case the program found a way to make processes. */
    if (__real_syscall(SYS_kill, -worker, SIGKILL) != 0) __real_syscall(SYS_kill, worker, SIGKILL);
}

static enum verdict await_worker(long worker, int *status) {
    uint64_t child_signal = (uint64_t)1 << (SIGCHLD - 1);
    uint64_t slice = settings->run_milliseconds / 4 + 1;
    struct kernel_time patience = {0, (long)(slice > 50 ? 50 : slice) * 1000000};
    struct progress seen = {session->runs, 0, milliseconds_of(CLOCK_OF_THE_WALL)};
    enum verdict verdict = GO_ON;
    while (__real_syscall(SYS_wait4, worker, status, verdict == GO_ON ? WNOHANG : 0, NULL) == 0) {
        __real_syscall(SYS_rt_sigtimedwait, &child_signal, NULL, &patience, KERNEL_SIGNAL_SET_BYTES);
        verdict = judge_progress(&seen, worker);
        if (verdict != GO_ON) end_worker_process(worker);
    }
    return verdict;
}

/* ---- workers ---- */

/* Accounts for the run during which the worker ended. */
static void settle_last_run(enum verdict verdict) {
    struct run *run = &session->run;
    if (!run->active) return;
    if (verdict == TIME_IS_UP || session->phase == PHASE_OBSERVE) {
        run->active = 0;
        return;
    }
    run->outcome = verdict == RUN_IS_ENDLESS ? OUTCOME_ENDLESS : OUTCOME_CRASHED;
    tally.runs++;
    tally.outcomes[run->outcome]++;
    copy_shared_sequence(&run->consumed, &run->consumed);
    settle_run();
}

static struct seal new_seal(struct shared_session *shared) {
    __real_syscall(SYS_getrandom, shared->door.nonce, sizeof shared->door.nonce, 0);
    return (struct seal){shared->door.nonce[0], shared->door.nonce[1]};
}

/* The process of a new worker, which waits for the permission to begin. */
static long ask_for_worker(uint64_t batch) {
    struct door *door = &session->door;
    uint32_t request = door->request + 1;
    int status;
    door->batch = batch;
    announce(&door->request, request);
    while (__atomic_load_n(&door->answer, __ATOMIC_ACQUIRE) != request) {
        if (__real_syscall(SYS_wait4, maker, &status, WNOHANG, NULL) != 0) give_up("the program cannot be started", "");
        await_change(&door->answer, request - 1);
    }
    if (door->process <= 1) give_up("cannot make a worker", "");
    return door->process;
}

static void run_worker(uint64_t batch) {
    uint64_t runs = session->runs;
    int status = 0;
    session->worker_allocated = 0;
    session->worker_is_stale = 0;
    session->lock = 0;
    session->record_words = 0;
    struct seal seal = new_seal(session);
    long worker = ask_for_worker(batch);
    announce(&session->door.permission, session->door.request);
    enum verdict verdict = await_worker(worker, &status);
    count_records(seal);
    settle_last_run(verdict);
    /* On a busy machine the time may be up before a worker gets to its first run. */
    if (session->runs == runs && tally.time_is_up && session->phase != PHASE_OBSERVE) session->phase = PHASE_FINISHED;
    /* Something that ends each worker before a run would go on for ever. */
    if (session->runs != runs || session->phase == PHASE_OBSERVE || session->phase == PHASE_FINISHED) session->worker_lost = 0;
    else if (++session->worker_lost > LOST_WORKER_LIMIT) give_up("the workers end before their first run", "");
}

/* ---- runs that repeat others ---- */

/* Repeats one run in a fresh worker and returns its fingerprint. */
static uint64_t repeat(const struct sequence *inputs) {
    enum phase phase = session->phase;
    uint64_t step = session->phase_step;
    copy_sequence(&session->saved_plan.given, &session->plan.given, session->plan.given.count);
    session->saved_plan.filling = session->plan.filling;
    copy_sequence(&session->plan.given, inputs, inputs->count);
    session->plan.filling = FILL_ZERO;
    session->phase = PHASE_OBSERVE;
    session->phase_step = 0;
    session->observed_check = 0;
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
    copy_shared_sequence(&session->observed, &run->consumed);
    return repeat(&session->observed) == fingerprint;
}

/* 1 when a process of its own, with memory of its own, violates the check with these inputs. */
static int is_observed(uint32_t number, const struct sequence *inputs, enum addresses addresses, int *has_begun) {
    struct shared_session *search = session;
    int status = 0;
    long descriptor = open_shared_memory(session_size(settings->checks));
    session = map_shared_memory(descriptor, session_size(settings->checks));
    session->options = *settings;
    session->options.isolation = ISOLATION_FORK;
    session->is_observation = 1;
    session->phase = PHASE_OBSERVE;
    session->observed_check = number;
    copy_sequence(&session->plan.given, inputs, inputs->count);
    session->plan.filling = FILL_ZERO;
    struct seal seal = new_seal(session);
    long worker = start_program(descriptor, addresses);
    __real_syscall(SYS_close, descriptor);
    await_worker(worker, &status);
    *has_begun = session->run.outcome != OUTCOME_RUNNING || session->run.active;
    int answer = violation_is_observed(seal, inputs, status);
    __real_syscall(SYS_munmap, session, session_size(settings->checks));
    session = search;
    return answer;
}

/* Confirms a violation at addresses that nobody could know. Some machines place
 * libraries where a sanitizer cannot live with them; then the process ends before the
 * run, and others are started, the last at the usual addresses. */
static int is_confirmed(uint32_t number, const struct sequence *inputs) {
    for (int attempt = 0; attempt < OBSERVATION_TRIES; attempt++) {
        int has_begun = 0, is_last = attempt + 1 == OBSERVATION_TRIES;
        if (is_observed(number, inputs, is_last ? ADDRESSES_FIXED : ADDRESSES_RANDOM, &has_begun)) return 1;
        if (has_begun) return 0;
    }
    return 0;
}

/* ---- the search ---- */

/* Puts the next inputs of the command line into the plan. */
static int replay_goes_on(int count, char **arguments, uint64_t number) {
    const char *inputs = value_of_option(count, arguments, "--input", number);
    if (!inputs || tally.time_is_up) return 0;
    parse_sequence(inputs, &session->plan.given);
    session->phase_step = 0;
    return 1;
}

static void replay(int count, char **arguments) {
    for (uint64_t number = 0; replay_goes_on(count, arguments, number); number++) run_worker(1);
}

/* 0 when runs influence each other, so that all of them must be made again, apart. */
static int search_is_sound(void) {
    uint64_t batch = FIRST_BATCH;
    for (uint64_t workers = 0; session->phase != PHASE_FINISHED; workers++) {
        uint64_t runs = session->runs;
        run_worker(settings->isolation == ISOLATION_FORK ? 1 : batch);
        if (batch < LAST_BATCH) batch *= 2;
        if (session->nondeterministic && settings->isolation == ISOLATION_PERSISTENT) return 0;
        if (session->runs == runs) continue;
        if ((workers >= CHECKED_WORKERS && workers % CHECKED_WORKERS != 0) || tally.time_is_up) continue;
        if (last_run_repeats() || tally.time_is_up) continue;
        if (settings->isolation == ISOLATION_PERSISTENT) return 0;
        tally.is_nondeterministic = 1;
    }
    return 1;
}

static void open_session(int count, char **arguments) {
    size_t size = session_size(settings->checks);
    long descriptor = open_shared_memory(size);
    const char *constants = value_of_option(count, arguments, "--constants", 0);
    session = map_shared_memory(descriptor, size);
    session->options = *settings;
    session->phase = settings->mode == MODE_REPLAY ? PHASE_REPLAY : PHASE_PROBE;
    if (constants) read_constants(constants);
    for (uint64_t number = 0; value_of_option(count, arguments, "--input", number); number++)
        parse_sequence(value_of_option(count, arguments, "--input", number), &session->plan.given);
    session->plan.given.count = 0;
    forget_tally();
    maker = start_program(descriptor, ADDRESSES_FIXED);
    __real_syscall(SYS_close, descriptor);
}

static void end_maker(void) {
    int status;
    end_worker_process(maker);
    __real_syscall(SYS_wait4, maker, &status, 0, NULL);
}

static void search(int count, char **arguments) {
    open_session(count, arguments);
    if (settings->mode == MODE_REPLAY) replay(count, arguments);
    else if (!search_is_sound()) {
        end_maker();
        settings->isolation = ISOLATION_FORK;
        open_session(count, arguments);
        search_is_sound();
    }
    end_maker();
}

/* ---- results ---- */

/* Checks whose violation was repeated, by number; 2 for the simplest inputs, too. */
static char *confirmed;

static void confirm_check(uint32_t number) {
    static struct sequence first, shortest;
    if (!session->check[number].violated) return;
    copy_shared_sequence(&first, &session->check[number].first);
    copy_shared_sequence(&shortest, &session->check[number].shortest);
    if (!is_confirmed(number, &first)) tally.unconfirmed++;
    else confirmed[number] = 1;
    if (!is_simpler(&shortest, shortest.count, &first)) return;
    if (!is_confirmed(number, &shortest)) tally.unconfirmed++;
    else confirmed[number] |= 2;
}

static void put_violations(uint32_t number) {
    static struct sequence first, shortest;
    copy_shared_sequence(&first, &session->check[number].first);
    copy_shared_sequence(&shortest, &session->check[number].shortest);
    put_violation(confirmed[number] & 1 ? "violated" : "unconfirmed", number, &first);
    if (is_simpler(&shortest, shortest.count, &first))
        put_violation(confirmed[number] & 2 ? "shortest" : "unconfirmed", number, &shortest);
}

static void put_check(uint32_t number) {
    const struct check *check = &session->check[number];
    if (check->reached) {
        put_count("reached", number);
        put_line_end();
    }
    if (check->notes.has_values || check->notes.has_nan) put_values(number, &check->notes);
    if (check->notes.holds || check->notes.fails) put_counts(number, &check->notes);
    if (check->violated) put_violations(number);
}

static void put_results(void) {
    static const char *const builds[] = {"build plain\n", "build address\n", "build memory\n"};
    put_text(report, builds[session->build < 3 ? session->build : 0]);
    put_text(report, settings->isolation == ISOLATION_FORK ? "isolation fork\n" : "isolation persistent\n");
    put_count("runs", tally.runs);
    put_line_end();
    put_exhaustive();
    put_outcomes();
    for (uint32_t number = 0; number <= settings->checks; number++) put_check(number);
    put_text(report, "done\n");
    flush_text(report);
}

int main(int argument_count, char **arguments, char **environment) {
    uint64_t child_signal = (uint64_t)1 << (SIGCHLD - 1);
    __real_syscall(SYS_prctl, 4 /* PR_SET_DUMPABLE */, 0L);
    __real_syscall(SYS_rt_sigprocmask, SIG_BLOCK, &child_signal, NULL, KERNEL_SIGNAL_SET_BYTES);
    start_of_search = milliseconds_of(CLOCK_OF_THE_WALL);
    report = map_memory(sizeof *report, MAP_PRIVATE);
    own_options = parse_options(argument_count, arguments);
    settings = &own_options;
    choose_program(value_of_option(argument_count, arguments, "--program", 0), environment);
    confirmed = map_memory(settings->checks + (size_t)1, MAP_PRIVATE);
    search(argument_count, arguments);
    for (uint32_t number = 0; number <= settings->checks; number++) confirm_check(number);
    put_results();
    end_process(0);
}
