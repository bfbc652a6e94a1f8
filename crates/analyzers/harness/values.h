/* The types of inputs a program can ask for, and values of these types as text. */
#ifndef JUVENAL_VALUES_H
#define JUVENAL_VALUES_H

#include <float.h>
#include <limits.h>

#include "kernel.h"

/* Bits of the value, zero above the width of its type. */
struct value { uint64_t low, high; };

enum kind { KIND_UNSIGNED, KIND_SIGNED, KIND_FLOATING };

#define CHAR_KIND (CHAR_MIN < 0 ? KIND_SIGNED : KIND_UNSIGNED)
#ifdef __SIZEOF_INT128__
#define WIDE_TYPES(X) \
    X(int128, __int128, 128, KIND_SIGNED) X(uint128, unsigned __int128, 128, KIND_UNSIGNED)
#else
#define WIDE_TYPES(X)
#endif
#define BITS(type) (sizeof(type) * CHAR_BIT)
/* X(name after __VERIFIER_nondet_, C type, bits that differ, kind) */
#define INPUT_TYPES(X)                                             \
    X(bool, _Bool, 1, KIND_UNSIGNED)                               \
    X(char, char, 8, CHAR_KIND)                                    \
    X(schar, signed char, 8, KIND_SIGNED)                          \
    X(uchar, unsigned char, 8, KIND_UNSIGNED)                      \
    X(unsigned_char, unsigned char, 8, KIND_UNSIGNED)              \
    X(short, short, 16, KIND_SIGNED)                               \
    X(ushort, unsigned short, 16, KIND_UNSIGNED)                   \
    X(int, int, 32, KIND_SIGNED)                                   \
    X(uint, unsigned, 32, KIND_UNSIGNED)                           \
    X(unsigned, unsigned, 32, KIND_UNSIGNED)                       \
    X(unsigned_int, unsigned, 32, KIND_UNSIGNED)                   \
    X(long, long, BITS(long), KIND_SIGNED)                         \
    X(ulong, unsigned long, BITS(long), KIND_UNSIGNED)             \
    X(unsigned_long, unsigned long, BITS(long), KIND_UNSIGNED)     \
    X(longlong, long long, 64, KIND_SIGNED)                        \
    X(ulonglong, unsigned long long, 64, KIND_UNSIGNED)            \
    X(size_t, size_t, BITS(size_t), KIND_UNSIGNED)                 \
    X(loff_t, long long, 64, KIND_SIGNED)                          \
    X(sector_t, unsigned long, BITS(long), KIND_UNSIGNED)          \
    X(pthread_t, unsigned long, BITS(long), KIND_UNSIGNED)         \
    X(s8, int8_t, 8, KIND_SIGNED)                                  \
    X(s16, int16_t, 16, KIND_SIGNED)                               \
    X(s32, int32_t, 32, KIND_SIGNED)                               \
    X(s64, int64_t, 64, KIND_SIGNED)                               \
    X(u8, uint8_t, 8, KIND_UNSIGNED)                               \
    X(u16, uint16_t, 16, KIND_UNSIGNED)                            \
    X(u32, uint32_t, 32, KIND_UNSIGNED)                            \
    X(u64, uint64_t, 64, KIND_UNSIGNED)                            \
    X(float, float, 32, KIND_FLOATING)                             \
    X(double, double, 64, KIND_FLOATING)                           \
    X(long_double, long double, 80, KIND_FLOATING)                 \
    WIDE_TYPES(X)

_Static_assert(LDBL_MANT_DIG == 64, "long double inputs are known for the x87 format only");

#define TYPE_NUMBER(name, c_type, bits, kind) TYPE_##name,
enum type { INPUT_TYPES(TYPE_NUMBER) TYPE_COUNT };

struct type_facts { const char *name; uint16_t bits; uint16_t kind; };
#define TYPE_FACTS(name, c_type, bits, kind) {#name, bits, kind},
static const struct type_facts type_facts[] = {INPUT_TYPES(TYPE_FACTS)};

/* `call` numbers the call in the program's text that asked for the input; 0 when that is not known. */
struct item { struct value value; uint32_t type, call; };

/* A program that asks for more inputs than this in one run counts as endless. */
enum { SEQUENCE_LIMIT = 2048 };
struct sequence { uint32_t count; struct item items[SEQUENCE_LIMIT]; };

static void copy_sequence(struct sequence *to, const struct sequence *from, uint32_t count) {
    to->count = count;
    copy_bytes(to->items, from->items, count * sizeof from->items[0]);
}

static struct value cut_to_type(struct value value, enum type type) {
    unsigned bits = type_facts[type].bits;
    if (bits <= 64) value.high = 0;
    if (bits < 64) value.low &= ((uint64_t)1 << bits) - 1;
    return value;
}

static struct value value_of_integer(int64_t number, enum type type) {
    struct value value = {(uint64_t)number, number < 0 ? ~(uint64_t)0 : 0};
    return cut_to_type(value, type);
}

static struct value value_of_double(double number, enum type type) {
    struct value value = {0, 0};
    float single = (float)number;
    long double extended = number;
    if (type == TYPE_float) copy_bytes(&value, &single, sizeof single);
    else if (type == TYPE_double) copy_bytes(&value, &number, sizeof number);
    else copy_bytes(&value, &extended, 10);
    return value;
}

static int is_negative(struct value value, enum type type) {
    unsigned top = type_facts[type].bits - 1u;
    if (type_facts[type].kind == KIND_UNSIGNED) return 0;
    return (int)((top < 64 ? value.low >> top : value.high >> (top - 64)) & 1);
}

static struct value negated(struct value value) {
    struct value result = {~value.low + 1, ~value.high + (value.low == 0)};
    return result;
}

/* The number without its sign, for integer types. */
static struct value magnitude(struct value value, enum type type) {
    return is_negative(value, type) ? cut_to_type(negated(value), type) : value;
}

/* How complicated an input looks to a reader: zero is simplest. */
static unsigned weight_of(const struct item *item) {
    struct value value = item->value;
    if (type_facts[item->type].kind == KIND_FLOATING)
        return value.low | value.high ? 65u - (unsigned)__builtin_ctzll(value.low | (uint64_t)1 << 63) : 0;
    unsigned sign = (unsigned)is_negative(value, item->type);
    value = magnitude(value, item->type);
    if (value.high) return 128u + sign - (unsigned)__builtin_clzll(value.high);
    return value.low ? 64u + sign - (unsigned)__builtin_clzll(value.low) : 0;
}

/* ---- text ---- */

/* Text that goes to the result descriptor when the buffer is full. */
struct text { size_t used; char bytes[1 << 16]; };

static void flush_text(struct text *text) {
    write_all(RESULT_DESCRIPTOR, text->bytes, text->used);
    text->used = 0;
}

static void put_character(struct text *text, char character) {
    if (text->used == sizeof text->bytes) flush_text(text);
    text->bytes[text->used++] = character;
}

static void put_text(struct text *text, const char *string) {
    while (*string) put_character(text, *string++);
}

/* Divides four 32-bit limbs by ten and returns the remainder. */
static unsigned divide_by_ten(uint32_t limbs[4]) {
    uint64_t rest = 0;
    for (int at = 3; at >= 0; at--) {
        uint64_t part = rest << 32 | limbs[at];
        limbs[at] = (uint32_t)(part / 10);
        rest = part % 10;
    }
    return (unsigned)rest;
}

static void put_decimal(struct text *text, struct value value) {
    uint32_t limbs[4] = {(uint32_t)value.low, (uint32_t)(value.low >> 32),
                         (uint32_t)value.high, (uint32_t)(value.high >> 32)};
    char digits[40];
    unsigned count = 0;
    do digits[count++] = (char)('0' + divide_by_ten(limbs));
    while (limbs[0] | limbs[1] | limbs[2] | limbs[3]);
    while (count > 0) put_character(text, digits[--count]);
}

static void put_number(struct text *text, uint64_t number) {
    struct value value = {number, 0};
    put_decimal(text, value);
}

static void put_hexadecimal(struct text *text, uint64_t bits) {
    put_text(text, "0x");
    int shift = bits ? (63 - __builtin_clzll(bits)) / 4 * 4 : 0;
    for (; shift >= 0; shift -= 4) put_character(text, "0123456789abcdef"[bits >> shift & 15]);
}

/* The three formats, taken apart: the value is mantissa times two to the exponent. */
struct parts { int negative, special; int exponent; uint64_t mantissa; };

static struct parts parts_of(struct value value, enum type type) {
    struct parts parts = {0, 0, 0, 0};
    int mantissa_bits = type == TYPE_float ? 23 : type == TYPE_double ? 52 : 63;
    int exponent_bits = type == TYPE_float ? 8 : type == TYPE_double ? 11 : 15;
    int all_ones = (1 << exponent_bits) - 1;
    uint64_t upper = type == TYPE_long_double ? value.high : value.low >> mantissa_bits;
    int field = (int)(upper & (uint64_t)all_ones);
    parts.negative = (int)(upper >> exponent_bits & 1);
    parts.special = field == all_ones;
    parts.mantissa = value.low;
    if (type != TYPE_long_double) {
        parts.mantissa &= ((uint64_t)1 << mantissa_bits) - 1;
        if (field != 0 && !parts.special) parts.mantissa |= (uint64_t)1 << mantissa_bits;
    }
    parts.exponent = (field ? field : 1) - all_ones / 2 - mantissa_bits;
    return parts;
}

/* Hexadecimal floating constants with an integer mantissa, which C and Rust
 * readers take without rounding; `inf`; and the bits of a NaN, for its payload. */
static void put_floating(struct text *text, struct value value, enum type type) {
    struct parts parts = parts_of(value, type);
    int is_infinite = type == TYPE_long_double ? parts.mantissa == (uint64_t)1 << 63 : parts.mantissa == 0;
    if (parts.special && !is_infinite) {
        put_text(text, "nan(");
        if (type == TYPE_long_double) {
            put_hexadecimal(text, value.high);
            put_character(text, ':');
        }
        put_hexadecimal(text, value.low);
        put_character(text, ')');
        return;
    }
    if (parts.negative) put_character(text, '-');
    if (parts.special) {
        put_text(text, "inf");
        return;
    }
    int zeros = parts.mantissa ? __builtin_ctzll(parts.mantissa) : 0;
    int exponent = parts.mantissa ? parts.exponent + zeros : 0;
    put_hexadecimal(text, parts.mantissa >> zeros);
    put_text(text, exponent < 0 ? "p-" : "p+");
    put_number(text, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

static void put_integer(struct text *text, struct value value, enum type type) {
    if (is_negative(value, type)) put_character(text, '-');
    put_decimal(text, magnitude(value, type));
}

static void put_item(struct text *text, const struct item *item) {
    put_text(text, type_facts[item->type].name);
    put_character(text, ':');
    if (type_facts[item->type].kind == KIND_FLOATING) put_floating(text, item->value, item->type);
    else put_integer(text, item->value, item->type);
    if (item->call == 0) return;
    put_character(text, '@');
    put_number(text, item->call);
}

static void put_sequence(struct text *text, const struct sequence *sequence) {
    uint32_t count = sequence->count < SEQUENCE_LIMIT ? sequence->count : SEQUENCE_LIMIT;
    if (count == 0) put_character(text, '-');
    for (uint32_t at = 0; at < count; at++) {
        if (at > 0) put_character(text, ',');
        if (sequence->items[at].type < TYPE_COUNT) put_item(text, &sequence->items[at]);
    }
}

#endif
