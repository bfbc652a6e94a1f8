/* The state of one search, in memory that the supervisor and its workers share.
 *
 * It lies outside of the program's data, so that undoing a run leaves it alone,
 * and survives the worker, so that a crash can be attributed to its input.
 *
 * A worker also runs the program, so the supervisor takes nothing here on trust:
 * it copies sequences with `copy_shared_sequence`, follows no pointer, indexes
 * nothing by a number that it has not compared with its own options, and counts
 * the runs itself by their records (record.h).
 */
#ifndef JUVENAL_SESSION_H
#define JUVENAL_SESSION_H

#include "values.h"

enum mode { MODE_SEARCH, MODE_EXHAUSTIVE, MODE_REPLAY };

enum isolation { ISOLATION_PERSISTENT, ISOLATION_FORK };

struct options {
    enum mode mode;
    enum isolation isolation;
    uint32_t checks;
    int check_ends_run;
    uint64_t runs, milliseconds, run_milliseconds, run_steps, exhaustive_limit, seed;
};

/* What the next run is for. */
enum phase {
    PHASE_PROBE,     /* random runs that estimate the size of the input space */
    PHASE_ENUMERATE, /* every input sequence, in order */
    PHASE_UNIFORM,   /* one interesting value for all inputs of the run */
    PHASE_RANDOM,    /* draws and mutations */
    PHASE_MINIMISE,  /* simpler values for the violations found */
    PHASE_REPLAY,    /* the inputs of the command line */
    PHASE_OBSERVE,   /* repeats one run in a fresh worker; changes no result */
    PHASE_FINISHED
};

enum outcome {
    OUTCOME_RUNNING,
    OUTCOME_ENDED,
    OUTCOME_CHECK_FAILED,
    OUTCOME_ASSUMPTION_FAILED,
    OUTCOME_UNDEFINED,
    OUTCOME_ENDLESS,
    OUTCOME_CRASHED,
    OUTCOME_COUNT
};

/* How inputs past those of the plan are chosen. */
enum filling { FILL_ZERO, FILL_CANDIDATE, FILL_DRAW, FILL_EVEN };

struct plan {
    enum filling filling;
    uint32_t candidate;
    struct sequence given;
};

enum { WHAT_LIMIT = 48, COVERAGE_SIZE = 1 << 14 };

struct run {
    volatile int active;
    volatile enum outcome outcome;
    int differs_from_plan; /* an input was asked for with another type than planned */
    int is_enumerated;     /* one of the runs that together are all there are */
    int novel;             /* worth keeping as a base for mutations */
    uint32_t call; /* the call of an input function that is about to be made; 0 for none */
    uint64_t steps, allocated, fingerprint, random;
    uint64_t equal_sites; /* which comparisons found equal operands, by hash */
    uintptr_t last_block;
    char what[WHAT_LIMIT];
    struct sequence consumed;
    uint8_t covered[COVERAGE_SIZE];
};

/* Values that runs had where a check stands, as numbers that are ordered as the values are,
 * and how often a condition held and failed there. */
struct notes {
    uint8_t has_values, has_another, has_nan;
    uint64_t least, greatest, another;
    uint64_t holds, fails;
};

enum { COUNT_LIMIT = 1 << 12 };

struct check {
    uint8_t reached, violated;
    struct notes notes;
    struct sequence first, shortest;
};

/* Integers and floating constants alike; each is converted to the type asked for. */
struct constant { int is_floating; int64_t integer; double floating; };

enum {
    CONSTANT_LIMIT = 4096,
    OPERAND_LIMIT = 512,
    CORPUS_LIMIT = 256,
    SIGNATURE_LIMIT = 4096,
    ESCAPE_LIMIT = 32,
    ESCAPE_NAME_LIMIT = 48,
    RECORD_WORD_LIMIT = 1 << 18
};

/* How the supervisor asks for a worker: it writes what the worker needs, raises
 * `request`, reads the number of the process when `answer` has followed, and lets
 * the worker begin with `permission`. */
struct door {
    volatile uint32_t request, answer, permission;
    volatile int32_t process;
    uint64_t batch;
    uint64_t nonce[2]; /* erased by the worker before the program's first instruction */
};

struct shared_session {
    struct options options; /* as the supervisor set them; each side uses a copy of its own */
    int is_observation;     /* the process makes the one run of the plan, and ends with it */
    uint32_t build;         /* which sanitizer is linked in: none, address, memory */
    struct door door;
    enum phase phase;
    volatile int time_is_up;
    int nondeterministic, sequence_too_long;
    uint64_t runs, enumerated, phase_step, estimate_sum;
    uint64_t outcomes[OUTCOME_COUNT];
    uint32_t too_large; /* 1 + the type whose values alone are too many */
    int enumeration_complete;

    uint64_t worker_allocated;
    int worker_is_stale;
    long worker_lost;

    uint32_t observed_check;

    volatile int lock;

    uint32_t escapes;
    char escaped[ESCAPE_LIMIT][ESCAPE_NAME_LIMIT];

    uint32_t constants, corpus_size, corpus_next;
    int has_coverage;
    int operands; /* 1 when `operand`, a table by hash, holds at least one */
    struct constant constant[CONSTANT_LIMIT];
    uint64_t operand[OPERAND_LIMIT];
    uint64_t signature[SIGNATURE_LIMIT];
    uint8_t covered_ever[COVERAGE_SIZE];

    char undefined_what[WHAT_LIMIT];
    struct sequence undefined_first, endless_first, crashed_first;
    struct plan plan, saved_plan;
    struct sequence observed;
    struct run run;
    struct sequence corpus[CORPUS_LIMIT];
    uint32_t record_words;
    uint64_t record_word[RECORD_WORD_LIMIT];
    struct check check[];
};

/* What each side knows for itself. In a worker, these lie in memory that the
 * program cannot reach (hidden.h). */
struct anchor {
    struct shared_session *session;
    struct options *options;
    struct seal *seal;
    struct worker *worker;
};
static union { struct anchor anchor; char page[PAGE_SIZE]; } own __attribute__((aligned(PAGE_SIZE)));
#define session (own.anchor.session)
#define settings (own.anchor.options)

static size_t session_size(uint32_t checks) {
    size_t size = sizeof *session + (checks + (size_t)1) * sizeof session->check[0];
    return (size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
}

/* Copies a sequence that a worker wrote, without what no honest worker writes. */
static void copy_shared_sequence(struct sequence *to, const struct sequence *from) {
    uint32_t count = from->count;
    copy_sequence(to, from, count < SEQUENCE_LIMIT ? count : SEQUENCE_LIMIT);
    for (uint32_t at = 0; at < to->count; at++) {
        if (to->items[at].type >= TYPE_COUNT) to->count = at;
    }
}

static uint64_t mixed(uint64_t hash, uint64_t number) {
    hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* The splitmix64 generator, written from its published recurrence. */
static uint64_t random_number(void) {
    uint64_t bits = session->run.random += 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

static uint32_t random_below(uint32_t bound) { return (uint32_t)((random_number() >> 32) * bound >> 32); }

static int in_run(void) { return session != NULL && session->run.active; }

#endif
