/* Reads inputs and constants from text in the form in which values.h writes them. */
#ifndef JUVENAL_PARSE_H
#define JUVENAL_PARSE_H

#include "values.h"

static int digit_of(char character) {
    if (character >= '0' && character <= '9') return character - '0';
    if (character >= 'a' && character <= 'f') return character - 'a' + 10;
    if (character >= 'A' && character <= 'F') return character - 'A' + 10;
    return 99;
}

static int take_word(const char **at, const char *word) {
    const char *here = *at;
    while (*word) {
        if (*here++ != *word++) return 0;
    }
    *at = here;
    return 1;
}

static struct value times_plus(struct value value, unsigned factor, unsigned digit) {
    uint32_t limbs[4] = {(uint32_t)value.low, (uint32_t)(value.low >> 32),
                         (uint32_t)value.high, (uint32_t)(value.high >> 32)};
    uint64_t carry = digit;
    for (int at = 0; at < 4; at++) {
        carry += (uint64_t)limbs[at] * factor;
        limbs[at] = (uint32_t)carry;
        carry >>= 32;
    }
    struct value result = {limbs[0] | (uint64_t)limbs[1] << 32, limbs[2] | (uint64_t)limbs[3] << 32};
    return result;
}

/* A natural number, decimal or with 0x; 0 when there is none. */
static int take_natural(const char **at, struct value *value) {
    unsigned base = take_word(at, "0x") ? 16 : 10;
    struct value result = {0, 0};
    const char *start = *at;
    while (digit_of(**at) < (int)base) result = times_plus(result, base, (unsigned)digit_of(*(*at)++));
    *value = result;
    return *at > start;
}

/* Two to the exponent without the mathematical library; exact steps, so that
 * only the last one can round. */
static long double scaled(long double number, int exponent) {
    for (; exponent > 0; exponent--) number *= 2;
    for (; exponent < 0; exponent++) number /= 2;
    return number;
}

static int take_exponent(const char **at, int *exponent) {
    struct value digits = {0, 0};
    *exponent = 0;
    if (!take_word(at, "p")) return 1;
    int negative = take_word(at, "-");
    if (!negative) take_word(at, "+");
    if (!take_natural(at, &digits) || digits.low > 40000) return 0;
    *exponent = negative ? -(int)digits.low : (int)digits.low;
    return 1;
}

/* `0x1.8p-3`, `12`, `inf`, each with an optional sign; decimal fractions are refused. */
static int take_long_double(const char **at, long double *number) {
    struct value mantissa;
    int negative = take_word(at, "-"), exponent = 0, shift = 0;
    if (take_word(at, "inf")) {
        *number = negative ? -__builtin_infl() : __builtin_infl();
        return 1;
    }
    int hexadecimal = (*at)[0] == '0' && (*at)[1] == 'x';
    if (!take_natural(at, &mantissa) || mantissa.high) return 0;
    if (hexadecimal && take_word(at, ".")) {
        for (; digit_of(**at) < 16; shift += 4) mantissa = times_plus(mantissa, 16, (unsigned)digit_of(*(*at)++));
        if (mantissa.high) return 0;
    }
    if (!take_exponent(at, &exponent)) return 0;
    *number = scaled((long double)mantissa.low, exponent - shift);
    if (negative) *number = -*number;
    return 1;
}

static int take_nan(const char **at, enum type type, struct value *value) {
    struct value first = {0, 0}, second = {0, 0};
    if (!take_natural(at, &first)) return 0;
    if (type == TYPE_long_double) {
        if (!take_word(at, ":") || !take_natural(at, &second)) return 0;
        value->high = first.low;
        value->low = second.low;
    } else {
        *value = first;
    }
    return take_word(at, ")");
}

static int take_floating(const char **at, enum type type, struct value *value) {
    long double number;
    if (take_word(at, "nan(")) return take_nan(at, type, value);
    if (!take_long_double(at, &number)) return 0;
    struct value result = {0, 0};
    if (type == TYPE_long_double) copy_bytes(&result, &number, 10);
    else result = value_of_double((double)number, type);
    *value = result;
    return 1;
}

static int take_type(const char **at, uint32_t *type) {
    for (uint32_t number = 0; number < TYPE_COUNT; number++) {
        const char *here = *at;
        if (take_word(&here, type_facts[number].name) && *here == ':') {
            *at = here + 1;
            *type = number;
            return 1;
        }
    }
    return 0;
}

static int take_integer(const char **at, enum type type, struct value *value) {
    int negative = take_word(at, "-");
    if (!take_natural(at, value)) return 0;
    *value = cut_to_type(negative ? negated(*value) : *value, type);
    return 1;
}

/* The number of the call is read over: it is noted anew when the input is asked for. */
static int take_item(const char **at, struct item *item) {
    struct value call;
    item->call = 0;
    if (!take_type(at, &item->type)) return 0;
    int is_read = type_facts[item->type].kind == KIND_FLOATING ? take_floating(at, item->type, &item->value)
                                                               : take_integer(at, item->type, &item->value);
    return is_read && (!take_word(at, "@") || take_natural(at, &call));
}

static void parse_sequence(const char *text, struct sequence *sequence) {
    const char *at = text;
    sequence->count = 0;
    if (same_text(text, "-")) return;
    for (;;) {
        if (sequence->count == SEQUENCE_LIMIT) give_up("too many inputs in ", text);
        if (!take_item(&at, &sequence->items[sequence->count])) give_up("cannot read the inputs ", text);
        sequence->count++;
        if (*at == '\0') return;
        if (*at++ != ',') give_up("a comma is missing in the inputs ", text);
    }
}

static uint64_t parse_number(const char *option, const char *text) {
    struct value value;
    const char *at = text;
    if (!take_natural(&at, &value) || *at || value.high) give_up("a natural number is needed after ", option);
    return value.low;
}

#endif
