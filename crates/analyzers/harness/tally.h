/* What the supervisor itself counts, by the records that the workers seal (record.h).
 *
 * The search in the shared memory is only a proposal: which inputs to try next, and
 * which of them violate a check. Whether every input was tried is decided here, by
 * stepping through the input sequences a second time.
 */
#ifndef JUVENAL_TALLY_H
#define JUVENAL_TALLY_H

#include "record.h"
#include "search.h"

static struct {
    uint64_t runs, unconfirmed;
    uint64_t outcomes[OUTCOME_COUNT];
    int has_escaped, is_nondeterministic, time_is_up;
    int enumeration_is_complete;
    struct sequence expected; /* what the next run of the enumeration must begin with */
} tally;

static void forget_tally(void) {
    tally.runs = tally.unconfirmed = 0;
    for (int outcome = 0; outcome < OUTCOME_COUNT; outcome++) tally.outcomes[outcome] = 0;
    tally.has_escaped = tally.is_nondeterministic = tally.time_is_up = 0;
    tally.enumeration_is_complete = 0;
    tally.expected.count = 0;
}

/* Somebody other than the harness wrote records: nothing may be concluded. */
static void note_forgery(void) { tally.outcomes[OUTCOME_CRASHED]++; }

static int items_are_same(const struct item *left, const struct item *right) {
    return left->type == right->type && left->value.low == right->value.low && left->value.high == right->value.high;
}

/* Makes the step of the enumeration that the inputs of a run call for. They must be
 * the expected ones, followed by zeros. */
static void count_enumerated(const struct sequence *consumed) {
    int is_expected = !tally.enumeration_is_complete && consumed->count >= tally.expected.count;
    for (uint32_t at = 0; is_expected && at < consumed->count; at++) {
        const struct item *item = &consumed->items[at];
        if (item->type >= TYPE_COUNT || domain_size((enum type)item->type) == 0) is_expected = 0;
        else if (at < tally.expected.count) is_expected = items_are_same(item, &tally.expected.items[at]);
        else is_expected = item->value.low == 0;
    }
    if (!is_expected) tally.is_nondeterministic = 1;
    else if (!step_odometer(&tally.expected, consumed)) tally.enumeration_is_complete = 1;
}

/* Reads the record at a position. Returns its words, or 0 if its mark is not right. */
static uint32_t count_record(const uint64_t *word, uint32_t words, struct seal *seal) {
    static struct sequence consumed;
    uint64_t facts = word[0], outcome = facts & RECORD_OUTCOME;
    uint64_t items = facts & RECORD_HAS_ITEMS ? facts >> RECORD_COUNT_SHIFT : 0;
    uint64_t size = 2 + items + (facts & RECORD_OBSERVED ? 1 : 0);
    if (items > SEQUENCE_LIMIT || size > words || outcome <= OUTCOME_RUNNING || outcome >= OUTCOME_COUNT) return 0;
    for (uint64_t at = 0; at + 1 < size; at++) add_to_seal(seal, word[at]);
    if (word[size - 1] != mark_of(seal)) return 0;
    if (facts & RECORD_OBSERVED) return (uint32_t)size;
    tally.runs++;
    tally.outcomes[outcome]++;
    if (facts & RECORD_ESCAPED) tally.has_escaped = 1;
    if (!(facts & RECORD_HAS_ITEMS)) return (uint32_t)size;
    consumed.count = (uint32_t)items;
    for (uint32_t at = 0; at < items; at++) {
        uint64_t item = word[1 + at];
        consumed.items[at] = (struct item){.value = {item & (((uint64_t)1 << 48) - 1), 0}, .type = (uint32_t)(item >> 48)};
    }
    count_enumerated(&consumed);
    return (uint32_t)size;
}

/* Counts what a worker recorded, which must be all its runs. */
static void count_records(struct seal seal) {
    uint32_t words = session->record_words, at = 0;
    if (words > RECORD_WORD_LIMIT) {
        note_forgery();
        return;
    }
    while (at < words) {
        uint32_t size = count_record(&session->record_word[at], words - at, &seal);
        if (size == 0) {
            note_forgery();
            return;
        }
        at += size;
    }
}

/* 1 when the only record is an observation that saw the violation after these inputs,
 * and the process ended as only this record lets it end. */
static int violation_is_observed(struct seal seal, const struct sequence *inputs, int wait_status) {
    const uint64_t *word = session->record_word;
    if (session->record_words != 3) return 0;
    add_to_seal(&seal, word[0]);
    add_to_seal(&seal, word[1]);
    return word[2] == mark_of(&seal) && wait_status == status_of(&seal) << 8 && word[0] & RECORD_VIOLATED &&
           word[1] == digest_of(inputs);
}

#endif
