/* The result lines. Only the supervisor writes them, and it contains no code of the program.
 *
 *   build plain|address|memory        which sanitizer runtime is linked in
 *   isolation persistent|fork         fork: asked for, or runs influenced each other
 *   runs N
 *   exhaustive yes | no REASON        REASON: replay, undefined, crashed, endless, escaped,
 *                                     nondeterministic, unconfirmed, time, too-large TYPE|N, runs
 *   assumption N                      runs that an assumption ended
 *   undefined WHAT INPUTS             the first run with undefined behaviour
 *   endless N [INPUTS]                runs over a limit, and the first
 *   crashed N [INPUTS]                runs ended by a signal, and the first
 *   escaped NAME                      a call that the harness does not model
 *   reached ID                        the check was evaluated at least once
 *   noted ID [LEAST GREATEST ANOTHER] [nan]   values that the program noted at the check, as
 *                                     hexadecimal numbers that are ordered as the values are
 *   counted ID HOLDS FAILS            how often a condition that the program noted held and failed
 *   violated ID INPUTS                as found first, and again in a fresh process
 *   shortest ID INPUTS                likewise, with fewer or simpler inputs
 *   unconfirmed ID INPUTS             violated once, but not in a fresh process
 *   error MESSAGE                     instead of results
 *   done                              always last; without it there is no answer
 *
 * INPUTS: `type:value` with commas between, in the order consumed, or `-` for none. Where the program calls
 * `juvenal_call(N)` right before the input function, `type:value@N`.
 */
#ifndef JUVENAL_REPORT_H
#define JUVENAL_REPORT_H

#include "tally.h"

static struct text *report;

static void put_count(const char *word, uint64_t count) {
    put_text(report, word);
    put_character(report, ' ');
    put_number(report, count);
}

static void put_line_end(void) { put_character(report, '\n'); }

static void put_inputs(const struct sequence *sequence) {
    put_character(report, ' ');
    put_sequence(report, sequence);
    put_line_end();
}

/* Why "never violated" would not be a proof; NULL when it is one. */
static const char *doubt(void) {
    const uint64_t *outcomes = tally.outcomes;
    if (settings->mode == MODE_REPLAY) return "replay";
    if (outcomes[OUTCOME_UNDEFINED]) return "undefined";
    if (outcomes[OUTCOME_CRASHED]) return "crashed";
    if (outcomes[OUTCOME_ENDLESS]) return "endless";
    if (tally.has_escaped || session->escapes) return "escaped";
    if (tally.is_nondeterministic || session->nondeterministic) return "nondeterministic";
    if (tally.unconfirmed) return "unconfirmed";
    if (tally.enumeration_is_complete && session->enumeration_complete) return NULL;
    if (tally.time_is_up) return "time";
    return space_is_too_large() ? "too-large" : "runs";
}

static void put_exhaustive(void) {
    const char *reason = doubt();
    put_text(report, reason ? "exhaustive no " : "exhaustive yes");
    if (reason) put_text(report, reason);
    if (reason && same_text(reason, "too-large")) {
        put_character(report, ' ');
        uint32_t type = session->too_large - 1;
        if (type < TYPE_COUNT) put_text(report, type_facts[type].name);
        else put_number(report, session->estimate_sum / PROBES);
    }
    put_line_end();
}

/* Text that a worker wrote: one word, whatever it says. */
static void put_shared_word(const char *word, size_t limit) {
    for (size_t at = 0; at < limit && word[at]; at++) {
        char lower = word[at] | 0x20;
        int is_plain = (lower >= 'a' && lower <= 'z') || digit_of(word[at]) < 10 || word[at] == '_' || word[at] == '-';
        put_character(report, is_plain ? word[at] : '?');
    }
}

static void put_shared_inputs(const struct sequence *sequence) {
    static struct sequence copy;
    copy_shared_sequence(&copy, sequence);
    put_inputs(&copy);
}

static void put_outcomes(void) {
    put_count("assumption", tally.outcomes[OUTCOME_ASSUMPTION_FAILED]);
    put_line_end();
    if (tally.outcomes[OUTCOME_UNDEFINED]) {
        put_text(report, "undefined ");
        put_shared_word(session->undefined_what, WHAT_LIMIT);
        put_shared_inputs(&session->undefined_first);
    }
    put_count("endless", tally.outcomes[OUTCOME_ENDLESS]);
    if (tally.outcomes[OUTCOME_ENDLESS]) put_shared_inputs(&session->endless_first);
    else put_line_end();
    put_count("crashed", tally.outcomes[OUTCOME_CRASHED]);
    if (tally.outcomes[OUTCOME_CRASHED]) put_shared_inputs(&session->crashed_first);
    else put_line_end();
    for (uint32_t at = 0; at < session->escapes && at < ESCAPE_LIMIT; at++) {
        put_text(report, "escaped ");
        put_shared_word(session->escaped[at], ESCAPE_NAME_LIMIT);
        put_line_end();
    }
}

static void put_counts(uint32_t number, const struct notes *notes) {
    put_count("counted", number);
    put_count("", notes->holds);
    put_count("", notes->fails);
    put_line_end();
}

static void put_values(uint32_t number, const struct notes *notes) {
    const uint64_t values[] = {notes->least, notes->greatest, notes->another};
    put_count("noted", number);
    for (int at = 0; notes->has_values && at < 3; at++) {
        put_character(report, ' ');
        put_hexadecimal(report, values[at]);
    }
    if (notes->has_nan) put_text(report, " nan");
    put_line_end();
}

static void put_violation(const char *word, uint32_t number, const struct sequence *sequence) {
    put_count(word, number);
    put_inputs(sequence);
}

#endif
