/* What the harness needs from the system, without the C library.
 *
 * The program under test may define functions called `read`, `memset` or
 * `write` of its own, and these would take the place of the library's for the
 * harness too. So the harness calls the kernel through one function that
 * programs do not define, and has its own loops for copying.
 */
#ifndef JUVENAL_KERNEL_H
#define JUVENAL_KERNEL_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* `--wrap=syscall` keeps the program from using it; this is the real one. */
long __real_syscall(long number, ...);

struct kernel_time { long seconds, nanoseconds; };

/* The worker's standard output leads nowhere. */
enum { KERNEL_SIGNAL_SET_BYTES = 8, CLOCK_OF_THE_WALL = 1, RESULT_DESCRIPTOR = 1, PAGE_SIZE = 4096 };

#ifdef SYS_mmap2
#define KERNEL_MMAP SYS_mmap2
#else
#define KERNEL_MMAP SYS_mmap
#endif

/* A plain copy. The empty assembly keeps the compiler from turning the loop
 * into a call of memcpy, which a sanitizer or the program may have replaced. */
static void copy_bytes(void *to, const void *from, size_t size) {
    char *target = to;
    const char *source = from;
    size_t at = 0;
    for (; at + 16 <= size; at += 16) {
        typedef uint64_t word __attribute__((may_alias, aligned(1)));
        uint64_t low = *(const word *)(source + at), high = *(const word *)(source + at + 8);
        *(word *)(target + at) = low;
        *(word *)(target + at + 8) = high;
        __asm__ volatile("" ::: "memory");
    }
    for (; at < size; at++) {
        target[at] = source[at];
        __asm__ volatile("" ::: "memory");
    }
}

static size_t text_length(const char *text) {
    size_t length = 0;
    while (text[length]) {
        length++;
        __asm__ volatile("");
    }
    return length;
}

static int same_text(const char *left, const char *right) {
    while (*left && *left == *right) left++, right++;
    return *left == *right;
}

static __attribute__((noreturn)) void end_process(int status) {
    for (;;) __real_syscall(SYS_exit_group, status);
}

static void write_all(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        long written = __real_syscall(SYS_write, descriptor, bytes, size);
        if (written <= 0) return;
        bytes += written;
        size -= (size_t)written;
    }
}

/* Ends the whole run with a message; the missing `done` line tells the caller. */
static __attribute__((noreturn)) void give_up(const char *what, const char *detail) {
    static const char lead[] = "error ";
    write_all(RESULT_DESCRIPTOR, lead, sizeof lead - 1);
    write_all(RESULT_DESCRIPTOR, what, text_length(what));
    write_all(RESULT_DESCRIPTOR, detail, text_length(detail));
    write_all(RESULT_DESCRIPTOR, "\n", 1);
    end_process(2);
}

/* Zeroed memory outside of the heap, the data and the bss of the program. The last
 * arguments are long because the kernel looks at all of their bits. */
static void *map_memory(size_t size, int sharing) {
    long address = __real_syscall(KERNEL_MMAP, NULL, size, PROT_READ | PROT_WRITE,
                                  sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1L, 0L);
    if (address == -1) give_up("out of memory for the state of the search; ask for fewer checks", "");
    return (void *)address;
}

static uint64_t milliseconds_of(long clock) {
    struct kernel_time now = {0, 0};
    if (__real_syscall(SYS_clock_gettime, clock, &now) != 0) return 0;
    return (uint64_t)now.seconds * 1000 + (uint64_t)now.nanoseconds / 1000000;
}

enum { WAIT_ON_WORD = 0, WAKE_WORD = 1 };

/* Waits until the word is no longer `old`, for at most a twentieth of a second. */
static void await_change(volatile uint32_t *word, uint32_t old) {
    struct kernel_time patience = {0, 50000000};
    __real_syscall(SYS_futex, word, WAIT_ON_WORD, old, &patience, NULL, 0);
}

static void announce(volatile uint32_t *word, uint32_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    __real_syscall(SYS_futex, word, WAKE_WORD, 1 << 30, NULL, NULL, 0);
}

static void limit_resource(int resource, uint64_t limit) {
    uint64_t both[2] = {limit, limit};
    __real_syscall(SYS_prlimit64, 0, resource, both, NULL);
}

/* The kernel's number for "processor time of that process". */
static long clock_of_process(long process) { return (long)(int)((~(unsigned)process << 3) | 2); }

#endif
