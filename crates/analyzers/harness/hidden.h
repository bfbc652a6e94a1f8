/* Keeps the memory of the harness out of the program's reach.
 *
 * Everything that a worker must remember lies in mappings at random addresses. The
 * page with their addresses, `own`, cannot be written. In a build with the address
 * sanitizer the program also cannot read or write any of them, nor the stack above
 * its main function: they are poisoned, and the harness itself is not instrumented.
 * Other builds have the random addresses and the read-only page alone.
 */
#ifndef JUVENAL_HIDDEN_H
#define JUVENAL_HIDDEN_H

#include "record.h"

void __asan_init(void) __attribute__((weak));
void __msan_init(void) __attribute__((weak));
void __asan_poison_memory_region(const volatile void *memory, size_t size) __attribute__((weak));

/* The only descriptor that a worker is started with besides the standard ones. */
enum { SESSION_DESCRIPTOR = 3, EXIT_HANDLER_LIMIT = 64, REGION_LIMIT = 8 };

/* A part of the program's memory that every run must find as the first one did. */
struct region {
    char *begin, *copy;
    size_t size;
    size_t pages_begin, pages_size; /* the part that the kernel itself brings back */
};

/* What only the worker needs. */
struct worker {
    struct options options;
    struct seal seal;
    void *end_of_run[5]; /* for __builtin_longjmp */
    char *stack_begin, *stack_end; /* the frames of the harness */
    int escaped, saw_observed_violation;
    uint32_t exit_handlers, regions;
    void (*exit_handler[EXIT_HANDLER_LIMIT])(void);
    struct region region[REGION_LIMIT];
};
#define worker_state (own.anchor.worker)

/* Shadow memory is real memory: what is larger is protected by its address alone. */
enum { POISON_LIMIT = 1 << 28 };

static void poison(void *memory, size_t size) {
    if (__asan_poison_memory_region) __asan_poison_memory_region(memory, size < POISON_LIMIT ? size : POISON_LIMIT);
}

/* An address between the heaps and the libraries, or 0 to let the kernel choose: the
 * memory sanitizer has plans for that part of the memory. */
static uintptr_t random_address(void) {
#ifdef __x86_64__
    uint64_t bits = 0;
    if (__msan_init) return 0;
    __real_syscall(SYS_getrandom, &bits, sizeof bits, 0);
    return 0x700000000000 + bits % 0xe0000000 * PAGE_SIZE;
#else
    return 0;
#endif
}

/* Maps a file, or zeroed memory of this process when `file` is -1. */
static void *map_hidden(size_t size, long file) {
    enum { ONLY_WHERE_FREE = 0x100000, TRIES = 8 };
    long flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
    long address = -1;
    for (int attempt = 0; attempt < TRIES && address == -1; attempt++) {
        uintptr_t where = attempt + 1 < TRIES ? random_address() : 0;
        address = __real_syscall(KERNEL_MMAP, where, size, PROT_READ | PROT_WRITE, flags | (where ? ONLY_WHERE_FREE : 0), file, 0L);
    }
    if (address == -1) end_process(2);
    poison((void *)address, size);
    return (void *)address;
}

/* Takes the nonce for the coming runs; what the program could find of it is erased. */
static void take_nonce(void) {
    volatile uint64_t *nonce = session->door.nonce;
    worker_state->seal = (struct seal){nonce[0], nonce[1]};
    nonce[0] = nonce[1] = 0;
}

/* Finds the shared memory and closes the way to it. */
static void hide_harness(void) {
    if (__asan_init) __asan_init();
    long size = __real_syscall(SYS_lseek, SESSION_DESCRIPTOR, 0L, 2 /* SEEK_END */);
    if (size <= 0) end_process(2);
    session = map_hidden((size_t)size, SESSION_DESCRIPTOR);
    __real_syscall(SYS_close, SESSION_DESCRIPTOR);
    worker_state = map_hidden(sizeof *worker_state, -1);
    worker_state->options = session->options;
    settings = &worker_state->options;
    own.anchor.seal = &worker_state->seal;
    /* Otherwise each request brings its own. */
    if (session->is_observation) take_nonce();
    poison(&own, sizeof own);
    __real_syscall(SYS_mprotect, &own, sizeof own, PROT_READ);
}

/* The frames of the harness begin where it calls the program. */
static void hide_stack(void) {
    poison(worker_state->stack_begin, (size_t)(worker_state->stack_end - worker_state->stack_begin));
}

#endif
