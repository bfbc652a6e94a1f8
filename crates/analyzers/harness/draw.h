/* Single input values: boundaries, constants of the program, random ones. */
#ifndef JUVENAL_DRAW_H
#define JUVENAL_DRAW_H

#include "session.h"

static const double special_doubles[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 10.0, 0.1, -0.1, 1e10, 1e-10, 3.0,
    __builtin_inf(), -__builtin_inf(), __builtin_nan(""),
    FLT_MIN, FLT_MAX, -FLT_MAX, FLT_EPSILON, 1.0 + FLT_EPSILON, 0x1p-149, -0x1p-149,
    DBL_MIN, DBL_MAX, -DBL_MAX, DBL_EPSILON, 1.0 + DBL_EPSILON, 0x1p-1074, -0x1p-1074,
    127.0, 128.0, 255.0, 256.0, 32767.0, 32768.0, 65535.0, 65536.0,
    0x1p24, 0x1p24 + 1, 0x1p31, 0x1p31 - 1, -0x1p31, -0x1p31 - 1, 0x1p32, 0x1p32 - 1,
    0x1p53, 0x1p53 - 1, 0x1p62, 0x1p63, -0x1p63, 0x1p64,
};
enum { SPECIAL_DOUBLES = sizeof special_doubles / sizeof special_doubles[0] };

static struct value all_ones(enum type type) {
    struct value value = {~(uint64_t)0, ~(uint64_t)0};
    return cut_to_type(value, type);
}

/* All ones below the sign bit of a signed type, that is, its largest value. */
static struct value largest(enum type type) {
    struct value value = all_ones(type);
    unsigned top = type_facts[type].bits - 1u;
    if (type_facts[type].kind != KIND_SIGNED) return value;
    if (top < 64) value.low ^= (uint64_t)1 << top;
    else value.high ^= (uint64_t)1 << (top - 64);
    return value;
}

static struct value smallest(enum type type) {
    struct value high = largest(type), inverted = {~high.low, ~high.high};
    return cut_to_type(inverted, type);
}

static struct value shifted_by(struct value value, int64_t offset, enum type type) {
    struct value sum = {value.low + (uint64_t)offset, value.high};
    if (offset < 0 && sum.low > value.low) sum.high--;
    if (offset > 0 && sum.low < value.low) sum.high++;
    return cut_to_type(sum, type);
}

static struct value power_of_two(unsigned exponent, enum type type) {
    struct value value = {0, 0};
    if (exponent < 64) value.low = (uint64_t)1 << exponent;
    else value.high = (uint64_t)1 << (exponent - 64);
    return cut_to_type(value, type);
}

static int is_floating(enum type type) { return type_facts[type].kind == KIND_FLOATING; }

/* The neighbour of a floating value is the next bit pattern; the format of
 * long double has patterns that mean nothing, which are stepped around. */
static struct value neighbour(struct value value, int offset, enum type type) {
    struct value next = shifted_by(value, offset, type);
    if (type == TYPE_long_double && next.low >> 63 == 0 && (next.high & 0x7fff) != 0) return value;
    return next;
}

static struct value value_of_constant(const struct constant *constant, int offset, enum type type) {
    if (is_floating(type)) {
        double number = constant->is_floating ? constant->floating : (double)constant->integer;
        return neighbour(value_of_double(number, type), offset, type);
    }
    int64_t number = constant->integer;
    if (constant->is_floating) {
        if (!(constant->floating > -0x1p63 && constant->floating < 0x1p63)) return largest(type);
        number = (int64_t)constant->floating;
    }
    return shifted_by(value_of_integer(number, type), offset, type);
}

/* The values that PHASE_UNIFORM gives to all inputs of a run, in order: a few
 * fixed ones, then each constant and its neighbours. */
enum { FIXED_CANDIDATES = 14 };

static uint32_t candidate_count(void) { return FIXED_CANDIDATES + 3 * session->constants; }

static struct value candidate_value(uint32_t number, enum type type) {
    static const int8_t small[] = {0, 1, -1, 2, -2, 10};
    static const double floats[] = {__builtin_nan(""), __builtin_inf(), -__builtin_inf(), -0.0,
                                    0.5, DBL_MAX, 0x1p-1074, 0x1p31};
    if (number >= FIXED_CANDIDATES) {
        uint32_t rest = number - FIXED_CANDIDATES;
        return value_of_constant(&session->constant[rest / 3], (int)(rest % 3 == 2) - (int)(rest % 3 == 1), type);
    }
    if (number < 6) return is_floating(type) ? value_of_double(small[number], type) : value_of_integer(small[number], type);
    if (is_floating(type)) return value_of_double(floats[number - 6], type);
    switch (number) {
    case 6: return smallest(type);
    case 7: return largest(type);
    case 8: return all_ones(type);
    case 9: return shifted_by(smallest(type), 1, type);
    case 10: return shifted_by(largest(type), -1, type);
    case 11: return power_of_two(7, type);
    case 12: return power_of_two(15, type);
    default: return power_of_two(31, type);
    }
}

static struct value random_bits(enum type type) {
    struct value value = {random_number(), random_number()};
    return cut_to_type(value, type);
}

/* Random with a random number of significant bits, so that small numbers are as
 * likely as large ones; negative half of the time. */
static struct value random_of_any_length(enum type type) {
    struct value value = {random_number(), random_number()};
    unsigned length = random_below(type_facts[type].bits) + 1;
    if (length <= 64) value.high = 0;
    if (length < 64) value.low &= ((uint64_t)1 << length) - 1;
    if (length > 64 && length < 128) value.high &= ((uint64_t)1 << (length - 64)) - 1;
    if (random_number() & 1) value = negated(value);
    return cut_to_type(value, type);
}

static struct value draw_boundary(enum type type) {
    int offset = (int)random_below(3) - 1;
    switch (random_below(4)) {
    case 0: return shifted_by(smallest(type), offset, type);
    case 1: return shifted_by(largest(type), offset, type);
    case 2: return shifted_by(negated(power_of_two(random_below(type_facts[type].bits), type)), offset, type);
    default: return shifted_by(power_of_two(random_below(type_facts[type].bits), type), offset, type);
    }
}

/* An earlier value of the run or a neighbour: programs compare inputs with each other. */
static struct value draw_earlier(enum type type) {
    const struct sequence *consumed = &session->run.consumed;
    if (consumed->count == 0) return value_of_integer(0, type);
    const struct item *item = &consumed->items[random_below(consumed->count)];
    if (is_floating(type) != is_floating(item->type)) return value_of_integer(0, type);
    if (is_floating(type) && item->type != type) return value_of_integer(0, type);
    return neighbour(cut_to_type(item->value, type), (int)random_below(3) - 1, type);
}

static struct value draw_constant(enum type type) {
    if (session->constants == 0) return is_floating(type) ? value_of_double(random_below(8), type) : draw_boundary(type);
    return value_of_constant(&session->constant[random_below(session->constants)], (int)random_below(3) - 1, type);
}

/* A value that the program compared something with in an earlier run. */
static struct value draw_operand(enum type type) {
    if (session->operands == 0) return draw_constant(type);
    uint32_t slot = random_below(OPERAND_LIMIT), last = slot + 64;
    while (slot < last && session->operand[slot % OPERAND_LIMIT] == 0) slot++;
    int64_t operand = (int64_t)session->operand[slot % OPERAND_LIMIT];
    if (is_floating(type)) return value_of_double((double)operand, type);
    return shifted_by(value_of_integer(operand, type), (int)random_below(3) - 1, type);
}

static struct value draw_integer(enum type type) {
    switch (random_below(16)) {
    case 0: case 1: case 2: return draw_boundary(type);
    case 3: case 4: case 5: return draw_constant(type);
    case 6: case 7: return draw_operand(type);
    case 8: case 9: case 10: return value_of_integer((int64_t)random_below(33) - 16, type);
    case 11: return draw_earlier(type);
    case 12: return random_bits(type);
    default: return random_of_any_length(type);
    }
}

/* Any encoding that the processor knows: the long double format has invalid ones. */
static struct value random_floating(enum type type) {
    struct value bits = random_bits(TYPE_double);
    double number;
    copy_bytes(&number, &bits, sizeof number);
    return type == TYPE_double ? bits : value_of_double(number, type);
}

static struct value draw_floating(enum type type) {
    switch (random_below(12)) {
    case 0: case 1: case 2: return value_of_double(special_doubles[random_below(SPECIAL_DOUBLES)], type);
    case 3: case 4: return draw_constant(type);
    case 5: return draw_operand(type);
    case 6: case 7: return value_of_double((double)random_below(2001) / 8 - 125, type);
    case 8: return value_of_double((double)(int64_t)random_of_any_length(TYPE_longlong).low, type);
    case 9: return draw_earlier(type);
    default: return random_floating(type);
    }
}

static struct value draw_value(enum type type) { return is_floating(type) ? draw_floating(type) : draw_integer(type); }

#endif
