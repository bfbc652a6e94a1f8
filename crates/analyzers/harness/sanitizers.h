/* Reports of the sanitizers become "undefined behaviour" of the run.
 *
 * The linker sends the calls that the compiler put into the program for a failed
 * test to the functions here (link.options lists them), so that no report is
 * written, no lock of the runtime is held, and the run can be left at once.
 * What the runtime finds on its own (a wrong free, memcpy past the end) takes
 * the worker down, after the death callback has noted it.
 */
#ifndef JUVENAL_SANITIZERS_H
#define JUVENAL_SANITIZERS_H

#include "hooks.h"

#define UNDEFINED(name) \
    __attribute__((noreturn)) void __wrap___ubsan_handle_##name(void) { end_run_undefined(#name); }
#define UNDEFINED_BOTH(name) \
    UNDEFINED(name)          \
    __attribute__((noreturn)) void __wrap___ubsan_handle_##name##_abort(void) { end_run_undefined(#name); }
UNDEFINED(builtin_unreachable)
UNDEFINED(missing_return)
UNDEFINED_BOTH(add_overflow)
UNDEFINED_BOTH(sub_overflow)
UNDEFINED_BOTH(mul_overflow)
UNDEFINED_BOTH(negate_overflow)
UNDEFINED_BOTH(divrem_overflow)
UNDEFINED_BOTH(shift_out_of_bounds)
UNDEFINED_BOTH(out_of_bounds)
UNDEFINED_BOTH(local_out_of_bounds)
UNDEFINED_BOTH(vla_bound_not_positive)
UNDEFINED_BOTH(float_cast_overflow)
UNDEFINED_BOTH(load_invalid_value)
UNDEFINED_BOTH(invalid_builtin)
UNDEFINED_BOTH(function_type_mismatch)
UNDEFINED_BOTH(function_type_mismatch_v1)
UNDEFINED_BOTH(nonnull_return_v1)
UNDEFINED_BOTH(nonnull_arg)
UNDEFINED_BOTH(nullability_return_v1)
UNDEFINED_BOTH(nullability_arg)
UNDEFINED_BOTH(pointer_overflow)
UNDEFINED_BOTH(type_mismatch_v1)
UNDEFINED_BOTH(alignment_assumption)

#define BAD_ACCESS(name) \
    __attribute__((noreturn)) void __wrap___asan_report_##name(void) { end_run_undefined("address_" #name); }
BAD_ACCESS(load1)
BAD_ACCESS(load2)
BAD_ACCESS(load4)
BAD_ACCESS(load8)
BAD_ACCESS(load16)
BAD_ACCESS(load_n)
BAD_ACCESS(store1)
BAD_ACCESS(store2)
BAD_ACCESS(store4)
BAD_ACCESS(store8)
BAD_ACCESS(store16)
BAD_ACCESS(store_n)

/* With -fsanitize=memory (Clang). */
#define UNINITIALIZED(name) \
    __attribute__((noreturn)) void __wrap___msan_##name(void) { end_run_undefined("uninitialized"); }
UNINITIALIZED(warning)
UNINITIALIZED(warning_noreturn)
UNINITIALIZED(warning_with_origin)
UNINITIALIZED(warning_with_origin_noreturn)

/* Signals keep their default effect: the parent sees them as crashes. Sanitizers
 * look for leaks at the end of a process, which is never the end of a run. Frames
 * that are kept to find uses after return are few: all are looked through after a jump. */
#define COMMON_SANITIZER_OPTIONS                                                      \
    "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:"   \
    "detect_leaks=0:symbolize=0:print_summary=0:allocator_may_return_null=1:"         \
    "allocator_release_to_os_interval_ms=-1:use_sigaltstack=0:"                 \
    "detect_stack_use_after_return=1:max_uar_stack_size_log=16"

const char *__asan_default_options(void) { return COMMON_SANITIZER_OPTIONS; }
const char *__msan_default_options(void) { return COMMON_SANITIZER_OPTIONS; }
const char *__ubsan_default_options(void) { return COMMON_SANITIZER_OPTIONS; }

const char *__asan_get_report_description(void) __attribute__((weak));
int __asan_report_present(void) __attribute__((weak));
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

/* Inside of the runtime, with its locks held: the worker cannot go on. */
static void note_death(void) {
    const char *what = "sanitizer";
    if (!in_run()) return;
    if (__asan_report_present && __asan_report_present()) what = __asan_get_report_description();
    size_t length = text_length(what);
    if (length >= WHAT_LIMIT) length = WHAT_LIMIT - 1;
    for (size_t at = 0; at < length; at++) session->run.what[at] = what[at] == ' ' ? '-' : what[at];
    session->run.what[length] = '\0';
    session->run.outcome = OUTCOME_UNDEFINED;
    settle_run();
    record_run();
    end_worker();
}

/* Forgets what is poisoned on the stack, but not the frames of the harness. */
void __wrap___asan_handle_no_return(void) {
    __real___asan_handle_no_return();
    if (in_run()) hide_stack();
}

static void watch_sanitizers(void) {
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(note_death);
}

#endif
