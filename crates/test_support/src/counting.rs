//! Counts the work of a thread: its allocations and its CPU time.
#![allow(unsafe_code, reason = "an allocator is unsafe code")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;
use std::sync::Once;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator, which counts the bytes of each thread. A binary declares it as its `#[global_allocator]`.
pub struct CountingAllocator;

fn count(change: isize) {
    // A thread that ends still frees memory, when its counters are gone.
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + change);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
    });
}

// SAFETY: every call goes to the system's allocator unchanged; counting does not allocate.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Counts what parsers of `tree-sitter` allocate, too, which is C and has an allocator of its own. Scanners of some grammars
/// call the one of the system directly, for some bytes for each level of nesting.
pub fn count_syntax_trees() {
    static ONCE: Once = Once::new();
    // SAFETY: the functions keep the contracts of those that they take the place of; nothing was allocated by others that
    // they would free differently, since both are those of the C library.
    ONCE.call_once(|| unsafe {
        tree_sitter::set_allocator(
            Some(counted_malloc),
            Some(counted_calloc),
            Some(counted_realloc),
            Some(counted_free),
        );
    });
}

/// Notes an allocation of the C library, or with -1 that it ends.
unsafe fn count_usable(pointer: *mut libc::c_void, sign: isize) {
    // SAFETY: the caller gives a live allocation of the C library, or null, which has no size.
    count(sign * unsafe { libc::malloc_usable_size(pointer) } as isize);
}

unsafe extern "C" fn counted_malloc(size: usize) -> *mut libc::c_void {
    // SAFETY: the C library takes any size, and its result is live or null.
    unsafe {
        let pointer = libc::malloc(size);
        count_usable(pointer, 1);
        pointer
    }
}

unsafe extern "C" fn counted_calloc(count: usize, size: usize) -> *mut libc::c_void {
    // SAFETY: the C library takes any sizes, and its result is live or null.
    unsafe {
        let pointer = libc::calloc(count, size);
        count_usable(pointer, 1);
        pointer
    }
}

unsafe extern "C" fn counted_realloc(pointer: *mut libc::c_void, size: usize) -> *mut libc::c_void {
    // SAFETY: the caller gives a live allocation or null. If no memory is left, the old one stays; then the parser ends the
    // process.
    unsafe {
        count_usable(pointer, -1);
        let pointer = libc::realloc(pointer, size);
        count_usable(pointer, 1);
        pointer
    }
}

unsafe extern "C" fn counted_free(pointer: *mut libc::c_void) {
    // SAFETY: the caller gives a live allocation or null.
    unsafe {
        count_usable(pointer, -1);
        libc::free(pointer);
    }
}

/// The most bytes that this thread had allocated at once during a call, beyond what it had before; zero in a binary
/// without the [`CountingAllocator`].
pub fn peak_memory_of<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    let result = work();
    (result, (PEAK.with(Cell::get) - before).max(0) as usize)
}

/// The number of this thread, for [`thread_cpu_nanoseconds`]; zero where there is no `/proc`.
pub fn thread_number() -> u64 {
    let link = fs::read_link("/proc/thread-self").unwrap_or_default();
    link.file_name().and_then(|name| name.to_str()?.parse().ok()).unwrap_or(0)
}

/// The CPU time that a thread of this process has taken; none where there is no `/proc`.
pub fn thread_cpu_nanoseconds(thread: u64) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/self/task/{thread}/schedstat")).ok()?;
    text.split(' ').next()?.parse().ok()
}

/// The CPU time that this thread has taken, exactly: `/proc` is only brought up to date every few milliseconds.
pub fn own_cpu_nanoseconds() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to `time`, which outlives it.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
