/* The functions that the program under test calls: inputs, checks, assumptions, coverage. */
#ifndef JUVENAL_HOOKS_H
#define JUVENAL_HOOKS_H

#include "hidden.h"
#include "search.h"

/* Where the executable and its code begin and end. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _etext[];

/* Sanitizers must forget the frames that are left at once. */
void __real___asan_handle_no_return(void) __attribute__((weak));
/* The memory sanitizer does not see what the harness writes. */
void __msan_unpoison(const volatile void *memory, size_t size) __attribute__((weak));
void __msan_unpoison_param(size_t count) __attribute__((weak));

/* ---- messages to the supervisor ---- */

static void add_word(uint64_t word) {
    session->record_word[session->record_words++] = word;
    add_to_seal(own.anchor.seal, word);
}

/* Writes the record of the run that was just settled. `work` saw that it fits. */
static void record_run(void) {
    const struct run *run = &session->run;
    int is_observed = session->phase == PHASE_OBSERVE, has_items = run->is_enumerated;
    if (!record_fits()) return;
    add_word((uint64_t)run->outcome | (has_items ? RECORD_HAS_ITEMS : 0) | (worker_state->escaped ? RECORD_ESCAPED : 0) |
             (is_observed ? RECORD_OBSERVED : 0) | (is_observed && worker_state->saw_observed_violation ? RECORD_VIOLATED : 0) |
             (has_items ? (uint64_t)run->consumed.count << RECORD_COUNT_SHIFT : 0));
    for (uint32_t at = 0; has_items && at < run->consumed.count; at++) add_word(word_of_item(&run->consumed.items[at]));
    if (is_observed) add_word(digest_of(&run->consumed));
    session->record_word[session->record_words++] = mark_of(own.anchor.seal);
}

static __attribute__((noreturn)) void end_worker(void) {
    end_process(session->is_observation ? status_of(own.anchor.seal) : 0);
}

/* Leaves the run from wherever the program is. */
static __attribute__((noreturn)) void end_run(enum outcome outcome) {
    session->run.outcome = outcome;
    session->lock = 0;
    if (settings->isolation == ISOLATION_FORK) {
        settle_run();
        record_run();
        end_worker();
    }
    if (__real___asan_handle_no_return) __real___asan_handle_no_return();
    __builtin_longjmp(worker_state->end_of_run, 1);
}

static __attribute__((noreturn)) void end_run_undefined(const char *what) {
    size_t length = text_length(what);
    if (!in_run()) end_process(3);
    if (length >= WHAT_LIMIT) length = WHAT_LIMIT - 1;
    copy_bytes(session->run.what, what, length);
    session->run.what[length] = '\0';
    end_run(OUTCOME_UNDEFINED);
}

/* Programs with threads (one fork per run) may call the hooks at the same time. */
static void enter_session(void) {
    while (__atomic_exchange_n(&session->lock, 1, __ATOMIC_ACQUIRE)) __real_syscall(SYS_sched_yield);
}

static void leave_session(void) { __atomic_store_n(&session->lock, 0, __ATOMIC_RELEASE); }

/* Says which call of the program's text asks for the next input. Forgotten with that input, so that one that
 * is asked for in another way, as through a pointer, is not ascribed to it. */
void juvenal_call(unsigned number) { session->run.call = number; }

static struct value take_input(enum type type) {
    struct run *run = &session->run;
    enter_session();
    if (run->consumed.count == SEQUENCE_LIMIT) {
        session->sequence_too_long = 1;
        end_run(OUTCOME_ENDLESS);
    }
    struct value value = planned_value(type);
    struct item *item = &run->consumed.items[run->consumed.count];
    item->type = (uint32_t)type;
    item->value = value;
    item->call = run->call;
    run->call = 0;
    run->consumed.count++;
    run->fingerprint = mixed(mixed(run->fingerprint, value.low), value.high + (uint64_t)type);
    note_domain(type);
    leave_session();
    return value;
}

#define DEFINE_INPUT(name, c_type, bits, kind)                                  \
    __attribute__((weak)) c_type __VERIFIER_nondet_##name(void) {               \
        struct value value = take_input(TYPE_##name);                           \
        c_type result;                                                          \
        copy_bytes(&result, &value, sizeof result < sizeof value ? sizeof result : sizeof value); \
        return result;                                                          \
    }
INPUT_TYPES(DEFINE_INPUT)

/* Something happened that the harness does not model, so that the runs made are
 * not all the behaviours there are. The name is printed, and voids exhaustiveness. */
static void note_escape(const char *name) {
    size_t length = text_length(name);
    worker_state->escaped = 1;
    for (uint32_t at = 0; at < session->escapes; at++) {
        if (same_text(session->escaped[at], name)) return;
    }
    if (session->escapes < ESCAPE_LIMIT && length < ESCAPE_NAME_LIMIT) copy_bytes(session->escaped[session->escapes++], name, length + 1);
}

/* Any pointer may come; the one that every program must expect is the null pointer. */
#define DEFINE_POINTER(name)                                        \
    __attribute__((weak)) void *__VERIFIER_nondet_##name(void) {    \
        note_escape("__VERIFIER_nondet_" #name);                    \
        return NULL;                                                \
    }
DEFINE_POINTER(pointer)
DEFINE_POINTER(pchar)
DEFINE_POINTER(charp)
DEFINE_POINTER(const_char_pointer)

__attribute__((weak)) void __VERIFIER_nondet_memory(void *memory, size_t size) {
    for (size_t at = 0; at < size; at++) ((unsigned char *)memory)[at] = (unsigned char)take_input(TYPE_uchar).low;
    if (__msan_unpoison) __msan_unpoison(memory, size);
}

void juvenal_reached(unsigned number) {
    if (number > settings->checks) return;
    if (session->phase != PHASE_OBSERVE) {
        session->run.novel |= !session->check[number].reached;
        session->check[number].reached = 1;
    }
    session->run.fingerprint = mixed(session->run.fingerprint, 2 * (uint64_t)number);
}

static void note_violation(uint32_t number) {
    struct run *run = &session->run;
    if (number > settings->checks) return;
    run->fingerprint = mixed(run->fingerprint, 2 * (uint64_t)number + 1);
    if (session->phase == PHASE_OBSERVE) {
        if (number != session->observed_check || !session->is_observation) return;
        worker_state->saw_observed_violation = 1;
        end_run(OUTCOME_CHECK_FAILED);
    }
    struct check *check = &session->check[number];
    if (!check->violated) {
        copy_sequence(&check->first, &run->consumed, run->consumed.count);
        copy_sequence(&check->shortest, &run->consumed, run->consumed.count);
        check->violated = 1;
        run->novel = 1;
    } else if (is_simpler(&run->consumed, run->consumed.count, &check->shortest)) {
        copy_sequence(&check->shortest, &run->consumed, run->consumed.count);
    }
}

static void violate(unsigned number) {
    juvenal_reached(number);
    enter_session();
    note_violation(number);
    if (settings->check_ends_run) end_run(OUTCOME_CHECK_FAILED);
    leave_session();
}

/* 1 when the instruction before the return address is a direct call of the function:
 * the compiler makes no other calls of the hooks, but a program that computes the
 * address of one, or of the middle of some function, does. */
static int is_called_directly(const void *return_address, const void *function) {
    const unsigned char *after = return_address;
    int32_t distance;
    if (after < (const unsigned char *)__ehdr_start + 5 || after > (const unsigned char *)_etext) return 0;
    copy_bytes(&distance, after - 4, sizeof distance);
    return after[-5] == 0xe8 && (uintptr_t)after + (uintptr_t)(intptr_t)distance == (uintptr_t)function;
}

void juvenal_violated(unsigned number) {
    if (!in_run() || !is_called_directly(__builtin_return_address(0), (const void *)juvenal_violated)) end_run_undefined("forged_call");
    violate(number);
}

static const uint64_t SIGN_BIT = (uint64_t)1 << 63;

static void note_value(unsigned number, uint64_t value) {
    if (number > settings->checks || session->phase == PHASE_OBSERVE) return;
    struct notes *notes = &session->check[number].notes;
    if (!notes->has_values) notes->least = notes->greatest = notes->another = value;
    notes->has_values = 1;
    if (value < notes->least) notes->least = value;
    else if (value > notes->greatest) notes->greatest = value;
    else if (!notes->has_another && value != notes->least && value != notes->greatest) {
        notes->another = value;
        notes->has_another = 1;
    }
}

/* The program says which value a variable has where a check stands, or whether a condition holds. */
void juvenal_note_unsigned(unsigned number, unsigned long long value) { note_value(number, value); }
void juvenal_note_signed(unsigned number, long long value) { note_value(number, (uint64_t)value ^ SIGN_BIT); }
void juvenal_note_real(unsigned number, double value) {
    uint64_t bits;
    copy_bytes(&bits, &value, sizeof bits);
    if (value == value) note_value(number, bits & SIGN_BIT ? ~bits : bits | SIGN_BIT);
    else if (number <= settings->checks && session->phase != PHASE_OBSERVE)
        session->check[number].notes.has_nan = 1;
}
void juvenal_note_condition(unsigned number, int holds) {
    if (number > settings->checks || session->phase == PHASE_OBSERVE) return;
    struct notes *notes = &session->check[number].notes;
    /* The first counts decide, so that it hardly matters how many runs the time allows. */
    if (notes->holds + notes->fails >= COUNT_LIMIT) return;
    if (holds) notes->holds++;
    else notes->fails++;
}

__attribute__((noreturn)) void juvenal_assumption_failed(void) { end_run(OUTCOME_ASSUMPTION_FAILED); }

/* An error call ends the run under either convention: nothing is defined after it. */
__attribute__((weak)) void reach_error(void) {
    violate(0);
    end_run(OUTCOME_CHECK_FAILED);
}

__attribute__((weak)) void __VERIFIER_error(void) {
    violate(0);
    end_run(OUTCOME_CHECK_FAILED);
}

__attribute__((weak)) void __VERIFIER_assume(int condition) {
    if (!condition) juvenal_assumption_failed();
}

__attribute__((weak)) void __VERIFIER_assert(int condition) {
    if (condition) return;
    reach_error();
    end_run(OUTCOME_CHECK_FAILED);
}

__attribute__((weak)) void __VERIFIER_atomic_begin(void) {}
__attribute__((weak)) void __VERIFIER_atomic_end(void) {}

/* ---- with -fsanitize-coverage=trace-pc,trace-cmp ---- */

/* The place of a call, counted from the start of the executable, which may lie anywhere. */
#define PLACE_OF_CALL ((uintptr_t)__builtin_return_address(0) - (uintptr_t)__ehdr_start)

/* Once per block: guides the search, and bounds a run by steps instead of time. */
void __sanitizer_cov_trace_pc(void) {
    if (!in_run()) return;
    struct run *run = &session->run;
    uintptr_t block = PLACE_OF_CALL;
    unsigned slot = (unsigned)(mixed(run->last_block >> 1, block) >> 40) % COVERAGE_SIZE;
    run->last_block = block;
    session->has_coverage = 1;
    if (run->covered[slot] < 255 && session->phase != PHASE_OBSERVE) run->covered[slot]++;
    if (++run->steps > settings->run_steps) end_run(OUTCOME_ENDLESS);
}

static void note_operand(uint64_t operand, unsigned bits) {
    if (!in_run() || session->phase == PHASE_OBSERVE) return;
    int64_t widened = (int64_t)(operand << (64 - bits)) >> (64 - bits);
    if (widened >= -16 && widened <= 16) return;
    session->operand[mixed(7, (uint64_t)widened) % OPERAND_LIMIT] = (uint64_t)widened;
    session->operands = 1;
}

/* How near two operands are, in leading bits that agree, counts as coverage, so
 * that the search climbs towards equality one bit at a time. */
static void note_nearness(uint64_t left, uint64_t right, uintptr_t where) {
    if (!in_run() || session->phase == PHASE_OBSERVE) return;
    uint64_t difference = left > right ? left - right : right - left;
    unsigned length = difference ? 64u - (unsigned)__builtin_clzll(difference) : 0;
    session->run.covered[(mixed(mixed(9, where), length) >> 40) % COVERAGE_SIZE] |= 1;
    if (length == 0) session->run.equal_sites |= (uint64_t)1 << (mixed(3, where) >> 58);
}

#define DEFINE_COMPARISON(bytes, c_type)                                               \
    void __sanitizer_cov_trace_cmp##bytes(c_type left, c_type right) {                 \
        note_operand(left, 8 * bytes);                                                 \
        note_operand(right, 8 * bytes);                                                \
        note_nearness(left, right, PLACE_OF_CALL);                                     \
    }                                                                                  \
    void __sanitizer_cov_trace_const_cmp##bytes(c_type constant, c_type other) {       \
        note_operand(constant, 8 * bytes);                                             \
        note_nearness(constant, other, PLACE_OF_CALL);                                 \
    }
DEFINE_COMPARISON(1, uint8_t)
DEFINE_COMPARISON(2, uint16_t)
DEFINE_COMPARISON(4, uint32_t)
DEFINE_COMPARISON(8, uint64_t)

/* Cases: their number, the width in bits, the values. */
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) {
    (void)value;
    for (uint64_t at = 0; at < cases[0]; at++) note_operand(cases[2 + at], (unsigned)cases[1]);
}

void __sanitizer_cov_trace_cmpf(float left, float right) { (void)left, (void)right; }
void __sanitizer_cov_trace_cmpd(double left, double right) { (void)left, (void)right; }
void __sanitizer_cov_trace_div4(uint32_t divisor) { (void)divisor; }
void __sanitizer_cov_trace_div8(uint64_t divisor) { (void)divisor; }
void __sanitizer_cov_trace_gep(uintptr_t index) { (void)index; }

#endif
