/* Brings the program's variables back to what they were before the first run.
 *
 * The harness is linked in front of the program, so the variables of the program
 * lie between markers in the harness and the ends that the linker defines. The
 * runtimes of the sanitizers are linked before both and stay untouched.
 */
#ifndef JUVENAL_SNAPSHOT_H
#define JUVENAL_SNAPSHOT_H

#include <elf.h>
#include <link.h>

#include "hooks.h"

/* Larger regions are not copied: the kernel drops the pages that were written. */
enum { COPY_LIMIT = 1 << 17 };

static char marker_of_data[8] __attribute__((used, aligned(8))) = {1};
static char marker_of_bss[8] __attribute__((used, aligned(8)));
static __thread char marker_of_thread_data[8] __attribute__((used, aligned(8))) = {1};
static __thread char marker_of_thread_bss[8] __attribute__((used, aligned(8)));
extern char _edata[], _end[], __bss_start[];

/* Puts a private mapping of a file with the same bytes under the whole pages of
 * the region: forgetting them later brings the bytes of the file back. */
static void map_over_pages(struct region *region) {
    uintptr_t begin = ((uintptr_t)region->begin + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
    uintptr_t end = ((uintptr_t)region->begin + region->size) / PAGE_SIZE * PAGE_SIZE;
    size_t size = end - begin, at = 0;
    long file = __real_syscall(SYS_memfd_create, "snapshot", 0);
    if (file < 0) return;
    while (at < size) {
        long written = __real_syscall(SYS_write, file, (char *)begin + at, size - at);
        if (written <= 0) break;
        at += (size_t)written;
    }
    long mapped = at < size ? -1 : __real_syscall(KERNEL_MMAP, begin, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0L);
    if (mapped == (long)begin) {
        region->pages_begin = begin - (uintptr_t)region->begin;
        region->pages_size = size;
    }
    __real_syscall(SYS_close, file);
}

static void add_region(char *begin, char *end) {
    /* The page that only the harness uses cannot be written. */
    if (begin < own.page && own.page < end) {
        add_region(begin, own.page);
        add_region(own.page + PAGE_SIZE, end);
        return;
    }
    if (end <= begin || worker_state->regions == REGION_LIMIT) return;
    struct region *region = &worker_state->region[worker_state->regions++];
    region->begin = begin;
    region->size = (size_t)(end - begin);
    region->copy = map_hidden((region->size + 7) / 8 * 8, -1);
    if (region->size > COPY_LIMIT) map_over_pages(region);
    copy_bytes(region->copy, begin, region->pages_begin);
    size_t rest = region->pages_begin + region->pages_size;
    copy_bytes(region->copy + rest, begin + rest, region->size - rest);
}

/* The variables of the main thread end at the thread pointer (x86). */
static void add_thread_regions(void) {
    const ElfW(Ehdr) *file = (const void *)__ehdr_start;
    const ElfW(Phdr) *header = (const void *)(__ehdr_start + file->e_phoff);
    char *thread_pointer;
#ifdef __x86_64__
    __asm__("mov %%fs:0, %0" : "=r"(thread_pointer));
#else
    __asm__("mov %%gs:0, %0" : "=r"(thread_pointer));
#endif
    for (int number = 0; number < file->e_phnum; number++) {
        if (header[number].p_type != PT_TLS) continue;
        size_t size = (header[number].p_memsz + header[number].p_align - 1) / header[number].p_align * header[number].p_align;
        add_region(marker_of_thread_data, thread_pointer - size + header[number].p_filesz);
        add_region(marker_of_thread_bss, thread_pointer - size + header[number].p_memsz);
    }
}

static void take_snapshot(void) {
    add_region(marker_of_data, _edata);
    add_region(marker_of_bss, _end);
    add_thread_regions();
}

static void restore_region(const struct region *region) {
    size_t rest = region->pages_begin + region->pages_size;
    copy_bytes(region->begin, region->copy, region->pages_begin);
    if (region->pages_size) __real_syscall(SYS_madvise, region->begin + region->pages_begin, region->pages_size, MADV_DONTNEED);
    copy_bytes(region->begin + rest, region->copy + rest, region->size - rest);
    /* What was not initialized in the run before. */
    if (__msan_unpoison) __msan_unpoison(region->begin, region->size);
}

static void restore_snapshot(void) {
    for (uint32_t number = 0; number < worker_state->regions; number++) restore_region(&worker_state->region[number]);
}

#endif
