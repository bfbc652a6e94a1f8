/* The command line of the supervisor. */
#ifndef JUVENAL_OPTIONS_H
#define JUVENAL_OPTIONS_H

#include <fcntl.h>

#include "parse.h"
#include "search.h"

/* The position of a word in a list that ends with NULL. */
static unsigned parse_choice(const char *option, const char *word, const char *const *choices) {
    for (unsigned number = 0; choices[number]; number++) {
        if (same_text(word, choices[number])) return number;
    }
    give_up("unknown value of ", option);
}

static const char *const modes[] = {"search", "exhaustive", "replay", NULL};
static const char *const conventions[] = {"n", "t", NULL};
static const char *const isolations[] = {"persistent", "fork", NULL};

static void parse_option(struct options *options, const char *option, const char *value) {
    if (same_text(option, "--mode")) options->mode = parse_choice(option, value, modes);
    else if (same_text(option, "--convention")) options->check_ends_run = (int)parse_choice(option, value, conventions);
    else if (same_text(option, "--isolation")) options->isolation = parse_choice(option, value, isolations);
    else if (same_text(option, "--checks")) options->checks = (uint32_t)parse_number(option, value);
    else if (same_text(option, "--runs")) options->runs = parse_number(option, value);
    else if (same_text(option, "--milliseconds")) options->milliseconds = parse_number(option, value);
    else if (same_text(option, "--run-milliseconds")) options->run_milliseconds = parse_number(option, value);
    else if (same_text(option, "--run-steps")) options->run_steps = parse_number(option, value);
    else if (same_text(option, "--exhaustive-limit")) options->exhaustive_limit = parse_number(option, value);
    else if (same_text(option, "--seed")) options->seed = parse_number(option, value);
    else if (!same_text(option, "--constants") && !same_text(option, "--input") && !same_text(option, "--program")) give_up("unknown option ", option);
}

static struct options parse_options(int count, char **arguments) {
    struct options options = {
        .mode = MODE_SEARCH, .isolation = ISOLATION_PERSISTENT, .checks = 0, .check_ends_run = 1,
        .runs = (uint64_t)1 << 21, .milliseconds = 10000, .run_milliseconds = 100,
        .run_steps = 10000000, .exhaustive_limit = (uint64_t)1 << 20, .seed = 1};
    if (count % 2 == 0) give_up("a value is missing after ", arguments[count - 1]);
    for (int at = 1; at < count; at += 2) parse_option(&options, arguments[at], arguments[at + 1]);
    if (options.checks > 1000000) give_up("too many checks", "");
    return options;
}

static int take_constant(const char **at, struct constant *constant) {
    const char *start = *at;
    struct value value;
    long double number;
    int negative = take_word(at, "-");
    if (take_natural(at, &value) && (**at == '\n' || **at == '\0')) {
        constant->is_floating = 0;
        constant->integer = (int64_t)(negative ? negated(value).low : value.low);
        return 1;
    }
    *at = start;
    if (!take_long_double(at, &number)) return 0;
    constant->is_floating = 1;
    constant->floating = (double)number;
    return 1;
}

/* One constant in each line: an integer, or a hexadecimal floating constant. */
static void parse_constants(const char *text) {
    for (;;) {
        while (*text == '\n') text++;
        if (*text == '\0' || session->constants == CONSTANT_LIMIT) return;
        if (!take_constant(&text, &session->constant[session->constants]) || (*text != '\n' && *text != '\0'))
            give_up("cannot read a line of the constants, from here on: ", text);
        session->constants++;
    }
}

static void read_constants(const char *path) {
    enum { FILE_LIMIT = 1 << 20 };
    char *text = map_memory(FILE_LIMIT + 1, MAP_PRIVATE);
    size_t size = 0;
    long file = __real_syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0) give_up("cannot open the constants in ", path);
    while (size < FILE_LIMIT) {
        long got = __real_syscall(SYS_read, file, text + size, FILE_LIMIT - size);
        if (got <= 0) break;
        size += (size_t)got;
    }
    __real_syscall(SYS_close, file);
    parse_constants(text);
}

/* The value of an option that may be given more than once: that with this number, or NULL. */
static const char *value_of_option(int count, char **arguments, const char *option, uint64_t number) {
    for (int at = 1; at + 1 < count; at += 2) {
        if (same_text(arguments[at], option) && number-- == 0) return arguments[at + 1];
    }
    return NULL;
}

#endif
