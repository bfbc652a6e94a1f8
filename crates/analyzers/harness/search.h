/* Which inputs the next run gets, and what is learnt from a run that ended. */
#ifndef JUVENAL_SEARCH_H
#define JUVENAL_SEARCH_H

#include "draw.h"

enum { PROBES = 32, MINIMISING_TRIES = 6, MINIMISING_ITEMS = 64 };

/* ---- the input space ---- */

/* Values of the type, or 0 when there are more than any limit allows. */
static uint64_t domain_size(enum type type) {
    unsigned bits = type_facts[type].bits;
    return bits < 40 ? (uint64_t)1 << bits : 0;
}

/* Notes that an input has too many values for an enumeration, whatever follows. */
static void note_domain(enum type type) {
    uint64_t size = domain_size(type);
    if (size == 0 || size > settings->exhaustive_limit) session->too_large = 1 + (uint32_t)type;
}

/* The product of the domains along one random path is an unbiased estimate of
 * the number of paths (Knuth 1975); kept in whole numbers, with a ceiling. */
static void note_probe(void) {
    const struct sequence *consumed = &session->run.consumed;
    uint64_t product = 1, ceiling = (uint64_t)1 << 50;
    for (uint32_t at = 0; at < consumed->count && product < ceiling; at++) {
        uint64_t size = domain_size(consumed->items[at].type);
        product = size == 0 || product > ceiling / size ? ceiling : product * size;
    }
    session->estimate_sum += product;
}

/* A search does not spend its runs on an enumeration that will not end; who asks
 * for nothing else gets the benefit of the doubt. */
static int space_is_too_large(void) {
    const struct options *options = settings;
    uint64_t limit = options->exhaustive_limit < options->runs ? options->exhaustive_limit : options->runs;
    if (options->mode == MODE_EXHAUSTIVE) limit *= 4;
    return session->too_large || session->estimate_sum / PROBES > limit;
}

/* Steps to the next input sequence in depth-first order: the deepest input that
 * has a next value takes it, what came after it is forgotten and starts at zero
 * if it is asked for again. Returns 0 after the last one. */
static int step_odometer(struct sequence *next, const struct sequence *consumed) {
    for (uint32_t count = consumed->count; count > 0; count--) {
        const struct item *item = &consumed->items[count - 1];
        if (item->value.low + 1 < domain_size(item->type)) {
            copy_sequence(next, consumed, count);
            next->items[count - 1].value.low++;
            return 1;
        }
    }
    return 0;
}

static void advance_enumeration(void) {
    session->enumerated++;
    /* The same values must lead to the same questions, at least up to the last one. */
    if (session->run.differs_from_plan || session->run.consumed.count < session->plan.given.count)
        session->nondeterministic = 1;
    if (!step_odometer(&session->plan.given, &session->run.consumed)) session->enumeration_complete = 1;
}

/* ---- plans ---- */

static void enter_phase(enum phase phase) {
    session->phase = phase;
    session->phase_step = 0;
    session->plan.given.count = 0;
}

static struct value simplified(const struct item *item, uint32_t attempt) {
    struct value value = item->value;
    if (is_floating(item->type)) {
        static const double simple[MINIMISING_TRIES] = {0, 1, -1, 2, 0.5, 10};
        return value_of_double(simple[attempt], item->type);
    }
    switch (attempt) {
    case 0: return value_of_integer(0, item->type);
    case 1: return value_of_integer(1, item->type);
    case 2: return value_of_integer(-1, item->type);
    case 3: return value_of_integer((int64_t)(value.low >> 1), item->type);
    case 4: return shifted_by(value, is_negative(value, item->type) ? 1 : -1, item->type);
    default: return magnitude(value, item->type);
    }
}

/* Tries simpler values in the violations found; a success replaces `shortest`
 * as any other violation does. Every step is one run. */
static int plan_minimisation(void) {
    uint64_t per_check = MINIMISING_ITEMS * MINIMISING_TRIES;
    for (;; session->phase_step++) {
        uint64_t number = session->phase_step / per_check, rest = session->phase_step % per_check;
        uint32_t position = (uint32_t)(rest / MINIMISING_TRIES), attempt = (uint32_t)(rest % MINIMISING_TRIES);
        if (number > settings->checks) return 0;
        const struct check *check = &session->check[number];
        if (!check->violated || position >= check->shortest.count) {
            session->phase_step += per_check - rest - 1;
            continue;
        }
        struct item changed = check->shortest.items[position];
        unsigned weight = weight_of(&changed);
        changed.value = simplified(&changed, attempt);
        if (weight_of(&changed) >= weight) continue;
        copy_sequence(&session->plan.given, &check->shortest, check->shortest.count);
        session->plan.given.items[position].value = changed.value;
        session->plan.filling = FILL_ZERO;
        session->phase_step++;
        return 1;
    }
}

/* Takes some values of another sequence at the same positions. */
static void cross_with(struct sequence *given, const struct sequence *other) {
    for (uint32_t at = 0; at < given->count && at < other->count; at++) {
        if (given->items[at].type == other->items[at].type && random_below(2)) given->items[at].value = other->items[at].value;
    }
}

/* Any kept sequence, or one of the last, which went furthest. */
static const struct sequence *pick_from_corpus(void) {
    uint32_t size = session->corpus_size;
    if (size <= 16 || random_below(2)) return &session->corpus[random_below(size)];
    return &session->corpus[(session->corpus_next - 1 - random_below(16)) % CORPUS_LIMIT];
}

/* One to four changes of an input sequence that did something new. */
static void plan_mutation(void) {
    struct sequence *given = &session->plan.given;
    const struct sequence *base = pick_from_corpus();
    copy_sequence(given, base, base->count);
    session->plan.filling = random_below(4) == 0 ? FILL_ZERO : FILL_DRAW;
    if (random_below(4) == 0) cross_with(given, pick_from_corpus());
    for (uint32_t changes = 1 + random_below(4); changes > 0 && given->count > 0; changes--) {
        uint32_t position = random_below(given->count);
        struct item *item = &given->items[position];
        switch (random_below(8)) {
        case 0: given->count = position; break;
        case 1: item->value = neighbour(item->value, (int)random_below(33) - 16, item->type); break;
        case 2: item->value = given->items[random_below(given->count)].value;
                item->value = is_floating(item->type) ? draw_value(item->type) : cut_to_type(item->value, item->type);
                break;
        case 3: if (!is_floating(item->type)) item->value.low ^= power_of_two(random_below(type_facts[item->type].bits), item->type).low;
                break;
        default: item->value = draw_value(item->type);
        }
    }
}

static void plan_random(void) {
    session->plan.given.count = 0;
    session->plan.filling = FILL_DRAW;
    if (session->corpus_size > 0 && random_below(8) < 5) plan_mutation();
}

static int budget_is_spent(void) {
    return session->time_is_up || session->runs >= settings->runs;
}

static void leave_probing(void) {
    if (!space_is_too_large()) enter_phase(PHASE_ENUMERATE);
    else enter_phase(settings->mode == MODE_SEARCH ? PHASE_UNIFORM : PHASE_MINIMISE);
}

static void leave_enumeration(void) {
    enter_phase(settings->mode == MODE_SEARCH && !session->enumeration_complete ? PHASE_UNIFORM : PHASE_MINIMISE);
}

static int enumeration_is_over(void) {
    return session->enumeration_complete || session->too_large || session->nondeterministic ||
           session->enumerated >= settings->exhaustive_limit;
}

/* Fills the plan of a phase that searches; 0 when the phase has no further run. */
static int plan_in_phase(void) {
    switch (session->phase) {
    case PHASE_PROBE:
        if (session->phase_step == PROBES || session->too_large) return leave_probing(), 0;
        session->plan.filling = FILL_EVEN;
        break;
    case PHASE_ENUMERATE:
        if (enumeration_is_over()) return leave_enumeration(), 0;
        session->plan.filling = FILL_ZERO;
        break;
    case PHASE_UNIFORM:
        if (session->phase_step == candidate_count()) return enter_phase(PHASE_RANDOM), 0;
        session->plan.candidate = (uint32_t)session->phase_step;
        session->plan.filling = FILL_CANDIDATE;
        break;
    default:
        plan_random();
    }
    session->phase_step++;
    return 1;
}

/* The next input sequence of the command line; 0 after the last. The supervisor
 * puts one into the plan before it asks for a worker. */
static int replay_is_planned(void) {
    session->plan.filling = FILL_ZERO;
    return session->phase_step++ == 0 && !session->time_is_up;
}

/* Decides on the next run; 0 when the search is over. */
static int plan_next_run(void) {
    session->run.random = mixed(settings->seed, session->runs);
    for (;;) {
        switch (session->phase) {
        case PHASE_FINISHED: return 0;
        case PHASE_OBSERVE: return session->phase_step++ == 0;
        case PHASE_REPLAY: return replay_is_planned();
        case PHASE_MINIMISE:
            if (!session->time_is_up && plan_minimisation()) return 1;
            enter_phase(PHASE_FINISHED);
            break;
        default:
            if (budget_is_spent()) enter_phase(PHASE_MINIMISE);
            else if (plan_in_phase()) return 1;
        }
    }
}

/* The value for the next input of the run, as the plan says. */
static struct value planned_value(enum type type) {
    uint32_t position = session->run.consumed.count;
    if (position < session->plan.given.count) {
        const struct item *item = &session->plan.given.items[position];
        if (item->type == (uint32_t)type) return item->value;
        session->run.differs_from_plan = 1;
    }
    switch (session->plan.filling) {
    case FILL_CANDIDATE: return candidate_value(session->plan.candidate, type);
    case FILL_DRAW: return draw_value(type);
    case FILL_EVEN: return is_floating(type) ? random_floating(type) : random_bits(type);
    default: return value_of_integer(0, type);
    }
}

/* ---- what a run teaches ---- */

/* 1 when the first `count` inputs of the run are simpler than the sequence. */
static int is_simpler(const struct sequence *consumed, uint32_t count, const struct sequence *other) {
    uint64_t left = 0, right = 0;
    if (count != other->count) return count < other->count;
    for (uint32_t at = 0; at < count; at++) {
        left += weight_of(&consumed->items[at]);
        right += weight_of(&other->items[at]);
    }
    return left < right;
}

/* Blocks covered for the first time, or more often by a power of two. */
static int coverage_is_new(void) {
    int is_new = 0;
    if (session->run.equal_sites) session->run.covered[(mixed(5, session->run.equal_sites) >> 40) % COVERAGE_SIZE] |= 1;
    for (unsigned at = 0; at < COVERAGE_SIZE && session->has_coverage; at += 8) {
        typedef uint64_t word __attribute__((may_alias));
        if (*(word *)(session->run.covered + at) == 0) continue;
        for (unsigned part = at; part < at + 8; part++) {
            unsigned count = session->run.covered[part];
            uint8_t class = count ? (uint8_t)(1u << (31 - __builtin_clz(count))) : 0;
            if (class & ~session->covered_ever[part]) is_new = 1;
            session->covered_ever[part] |= class;
            session->run.covered[part] = 0;
        }
    }
    return is_new;
}

/* 1 when no run before had this outcome with these types of inputs; runs with
 * more than eight inputs are told apart by the order of magnitude only. */
static int signature_is_new(void) {
    const struct sequence *consumed = &session->run.consumed;
    uint64_t signature = mixed(1, (uint64_t)session->run.outcome);
    for (uint32_t at = 0; at < consumed->count && at < 8; at++) signature = mixed(signature, consumed->items[at].type);
    for (uint32_t count = consumed->count; count > 8; count /= 2) signature = mixed(signature, 77);
    uint64_t *slot = &session->signature[signature % SIGNATURE_LIMIT];
    if (*slot == signature) return 0;
    *slot = signature;
    return 1;
}

static void keep_in_corpus(void) {
    if (session->run.consumed.count == 0) return;
    uint32_t slot = session->corpus_next++ % CORPUS_LIMIT;
    copy_sequence(&session->corpus[slot], &session->run.consumed, session->run.consumed.count);
    if (session->corpus_size < CORPUS_LIMIT) session->corpus_size++;
}

static void keep_first(struct sequence *first, uint64_t earlier) {
    if (earlier == 0) copy_sequence(first, &session->run.consumed, session->run.consumed.count);
}

static void note_outcome(enum outcome outcome) {
    uint64_t earlier = session->outcomes[outcome]++;
    if (outcome == OUTCOME_ENDLESS) keep_first(&session->endless_first, earlier);
    if (outcome == OUTCOME_CRASHED) keep_first(&session->crashed_first, earlier);
    if (outcome == OUTCOME_UNDEFINED) {
        keep_first(&session->undefined_first, earlier);
        if (earlier == 0) copy_bytes(session->undefined_what, session->run.what, WHAT_LIMIT);
    }
}

/* Called once for every run, by the worker or, if the run took it down, by the supervisor. */
static void settle_run(void) {
    struct run *run = &session->run;
    /* A program gone wild may have written here. */
    if (run->outcome <= OUTCOME_RUNNING || run->outcome >= OUTCOME_COUNT) run->outcome = OUTCOME_CRASHED;
    if (run->consumed.count > SEQUENCE_LIMIT) run->consumed.count = SEQUENCE_LIMIT;
    run->fingerprint = mixed(run->fingerprint, (uint64_t)run->outcome);
    run->active = 0;
    run->is_enumerated = session->phase == PHASE_ENUMERATE;
    if (session->phase == PHASE_OBSERVE) return;
    session->runs++;
    note_outcome(run->outcome);
    int is_new = coverage_is_new();
    is_new |= signature_is_new();
    if (is_new || run->novel) keep_in_corpus();
    if (session->phase == PHASE_PROBE) note_probe();
    if (session->phase == PHASE_ENUMERATE) advance_enumeration();
}

#endif
