/* What a worker says about each of its runs, sealed with a nonce.
 *
 * The supervisor gives every worker two random words. The worker keeps them where
 * the program cannot reach, and erases them from the shared memory. Each record ends
 * in a mark that only they can produce, and that also depends on all records before
 * it. A record is
 *
 *   facts   the outcome, and the bits below
 *   items   with RECORD_HAS_ITEMS: one word for each input of the run; in an
 *           observation: one word, the digest of its inputs
 *   mark
 */
#ifndef JUVENAL_RECORD_H
#define JUVENAL_RECORD_H

#include "session.h"

enum {
    RECORD_OUTCOME = 0xff,
    RECORD_HAS_ITEMS = 1 << 8,     /* a run of the enumeration */
    RECORD_ESCAPED = 1 << 9,       /* the worker has met something that it does not model */
    RECORD_OBSERVED = 1 << 10,     /* a run that repeats another one */
    RECORD_VIOLATED = 1 << 11,     /* an observation that saw the violation it looked for */
    RECORD_COUNT_SHIFT = 32
};

struct seal { uint64_t state, secret; };

static void add_to_seal(struct seal *seal, uint64_t word) { seal->state = mixed(seal->state, word); }

static uint64_t mark_of(const struct seal *seal) { return mixed(mixed(seal->secret, seal->state), seal->secret >> 7); }

/* How an observing worker ends: no status that a program can choose, and
 * another one for each nonce, outcome and answer. */
static int status_of(const struct seal *seal) { return 16 + (int)((mixed(mark_of(seal), seal->secret) >> 32) % 224); }

/* An input of an enumeration; the values of such types have at most 40 bits. */
static uint64_t word_of_item(const struct item *item) { return (uint64_t)item->type << 48 | item->value.low; }

static uint64_t digest_of(const struct sequence *sequence) {
    uint64_t digest = mixed(11, sequence->count);
    for (uint32_t at = 0; at < sequence->count; at++) {
        const struct item *item = &sequence->items[at];
        digest = mixed(mixed(mixed(digest, item->value.low), item->value.high), item->type);
    }
    return digest;
}

/* 1 when another record of any length has its place. */
static int record_fits(void) { return session->record_words + SEQUENCE_LIMIT + 2 <= RECORD_WORD_LIMIT; }

#endif
