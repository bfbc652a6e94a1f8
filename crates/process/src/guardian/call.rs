//! System calls that touch nothing but their arguments. They return a negative error number on failure.
//!
//! The functions of the C library write the error number and the cancellation state of the thread whose
//! memory we share, so they are not for the guardian.

use super::{Birth, Plan, c_char, c_int, ptr};
use libc::c_long;
use std::ffi::CStr;
use std::os::fd::RawFd;

const SIGNAL_SET_BYTES: usize = 8;

#[cfg(target_arch = "x86_64")]
fn raw(number: c_long, arguments: [usize; 5]) -> isize {
    let [first, second, third, fourth, fifth] = arguments;
    let result;
    // SAFETY: each caller passes what its system call takes.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") first,
            in("rsi") second,
            in("rdx") third,
            in("r10") fourth,
            in("r8") fifth,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// On other processors the guardian has a copy of the memory, so it may use the C library's error number.
#[cfg(not(target_arch = "x86_64"))]
fn raw(number: c_long, arguments: [usize; 5]) -> isize {
    let [first, second, third, fourth, fifth] = arguments;
    // SAFETY: each caller passes what its system call takes.
    unsafe {
        let result = libc::syscall(number, first, second, third, fourth, fifth) as isize;
        if result < 0 { -(*libc::__errno_location() as isize) } else { result }
    }
}

pub(super) fn exit(code: c_int) -> ! {
    loop {
        raw(libc::SYS_exit_group, [code as usize, 0, 0, 0, 0]);
    }
}

pub(super) fn setsid() {
    raw(libc::SYS_setsid, [0; 5]);
}

pub(super) fn own_process() -> isize {
    raw(libc::SYS_getpid, [0; 5])
}

pub(super) fn parent_process() -> isize {
    raw(libc::SYS_getppid, [0; 5])
}

/// Makes a process with a copy of our memory, in which this returns 0.
pub(super) fn fork() -> isize {
    raw(libc::SYS_clone, [libc::SIGCHLD as usize, 0, 0, 0, 0])
}

/// Empties pages of private memory, which then read as zeros.
pub(super) fn empty_pages(start: usize, bytes: usize) {
    raw(libc::SYS_madvise, [start, bytes, libc::MADV_DONTNEED as usize, 0, 0]);
}

pub(super) fn prctl(option: c_int, value: usize) -> isize {
    raw(libc::SYS_prctl, [option as usize, value, 0, 0, 0])
}

/// Gives up the groups and the user. The C library would do so for every thread of juvenal.
pub(super) fn become_user(user: u32, group: u32) -> isize {
    let (user, group) = (user as usize, group as usize);
    for (number, arguments) in [
        (libc::SYS_setgroups, [0; 5]),
        (libc::SYS_setresgid, [group, group, group, 0, 0]),
        (libc::SYS_setresuid, [user, user, user, 0, 0]),
    ] {
        let result = raw(number, arguments);
        if result < 0 {
            return result;
        }
    }
    0
}

/// Leaves the keys of the session for an empty keyring.
pub(super) fn join_new_keyring() {
    raw(libc::SYS_keyctl, [libc::KEYCTL_JOIN_SESSION_KEYRING as usize, 0, 0, 0, 0]);
}

pub(super) fn kill(process: c_int, signal: c_int) {
    raw(libc::SYS_kill, [process as isize as usize, signal as usize, 0, 0, 0]);
}

pub(super) fn open(path: &CStr, flags: c_int) -> isize {
    let flags = (flags | libc::O_CLOEXEC) as usize;
    raw(libc::SYS_openat, [libc::AT_FDCWD as isize as usize, path.as_ptr() as usize, flags, 0, 0])
}

pub(super) fn read(file: RawFd, buffer: &mut [u8]) -> isize {
    raw(libc::SYS_read, [file as usize, buffer.as_mut_ptr() as usize, buffer.len(), 0, 0])
}

pub(super) fn write(file: RawFd, bytes: &[u8]) -> isize {
    raw(libc::SYS_write, [file as usize, bytes.as_ptr() as usize, bytes.len(), 0, 0])
}

pub(super) fn close(file: RawFd) {
    if file >= 0 {
        raw(libc::SYS_close, [file as usize, 0, 0, 0, 0]);
    }
}

pub(super) fn close_range(first: u32, last: u32) {
    if raw(libc::SYS_close_range, [first as usize, last as usize, 0, 0, 0]) == 0 {
        return;
    }
    // Before Linux 5.9 there is no such call. More files than this are open nowhere.
    for descriptor in first..=last.min(1 << 16) {
        close(descriptor as RawFd);
    }
}

pub(super) fn duplicate(file: RawFd, number: RawFd) -> isize {
    raw(libc::SYS_dup3, [file as usize, number as usize, 0, 0, 0])
}

pub(super) fn chdir(path: &CStr) -> isize {
    raw(libc::SYS_chdir, [path.as_ptr() as usize, 0, 0, 0, 0])
}

pub(super) fn poll(entries: &mut [libc::pollfd], timeout: Option<libc::timespec>) {
    let mut timeout = timeout;
    let time = timeout.as_mut().map_or(0, |time| ptr::from_mut(time) as usize);
    raw(libc::SYS_ppoll, [entries.as_mut_ptr() as usize, entries.len(), time, 0, 0]);
}

pub(super) fn wait_for_any(status: &mut c_int, options: c_int) -> isize {
    let options = (options | libc::__WALL) as usize;
    raw(libc::SYS_wait4, [-1isize as usize, ptr::from_mut(status) as usize, options, 0, 0])
}

pub(super) fn resource_usage(whose: c_int) -> libc::rusage {
    // SAFETY: all-zero bytes are a valid rusage.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    raw(libc::SYS_getrusage, [whose as isize as usize, ptr::from_mut(&mut usage) as usize, 0, 0, 0]);
    usage
}

pub(super) fn limit_resource(resource: usize, maximum: u64) {
    let limit = [maximum, maximum];
    raw(libc::SYS_prlimit64, [0, resource, limit.as_ptr() as usize, 0, 0]);
}

pub(super) fn reset_signal(signal: c_int) {
    // Zeros are the default action.
    let action = [0u64; 8];
    let arguments = [signal as usize, action.as_ptr() as usize, 0, SIGNAL_SET_BYTES, 0];
    raw(libc::SYS_rt_sigaction, arguments);
}

pub(super) fn unblock_signals() {
    let none = 0u64;
    let set = ptr::from_ref(&none) as usize;
    raw(libc::SYS_rt_sigprocmask, [libc::SIG_SETMASK as usize, set, 0, SIGNAL_SET_BYTES, 0]);
}

/// A descriptor that can be read when this signal, which is blocked, has come.
pub(super) fn signal_descriptor(signal: c_int) -> isize {
    let set = 1u64 << (signal - 1);
    let flags = (libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) as usize;
    let set = ptr::from_ref(&set) as usize;
    raw(libc::SYS_signalfd4, [-1isize as usize, set, SIGNAL_SET_BYTES, flags, 0])
}

/// Both lists end with a null pointer.
pub(super) fn execute(program: &CStr, arguments: &[*const c_char], environment: &[*const c_char]) -> isize {
    let lists = (arguments.as_ptr() as usize, environment.as_ptr() as usize);
    raw(libc::SYS_execve, [program.as_ptr() as usize, lists.0, lists.1, 0, 0])
}

/// Makes a process that starts in a version 2 control group, and calls `run_birth` there.
#[cfg(target_arch = "x86_64")]
pub(super) fn clone_into_group(plan: &Plan, flags: c_int, birth: &Birth<'_>) -> isize {
    /// The constant of libc has too few bits.
    const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;
    // SAFETY: all-zero bytes are valid arguments. The new process starts after the instruction with an empty
    // stack of its own, from which it calls a function that never returns; we go on as after any call.
    unsafe {
        let mut arguments: libc::clone_args = std::mem::zeroed();
        arguments.flags = flags as u64 | CLONE_INTO_CGROUP;
        arguments.exit_signal = libc::SIGCHLD as u64;
        arguments.cgroup = plan.birthplace as u64;
        arguments.stack = plan.program_stack.lowest() as u64;
        arguments.stack_size = plan.program_stack.bytes() as u64;
        let result;
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r12",
            "call r13",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone3 as isize => result,
            in("rdi") ptr::from_ref(&arguments),
            in("rsi") size_of::<libc::clone_args>(),
            in("r12") ptr::from_ref(birth),
            in("r13") super::run_birth as *const (),
            lateout("rcx") _,
            lateout("r11") _,
        );
        result
    }
}

/// On other processors the program enters its group by itself.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn clone_into_group(_: &Plan, _: c_int, _: &Birth<'_>) -> isize {
    -(libc::ENOSYS as isize)
}

/// Restricts the mount at this path and all below it, or changes how they propagate.
pub(super) fn change_mounts(path: &CStr, restrictions: u64, propagation: u64) -> isize {
    mount_setattr(libc::AT_FDCWD, path, restrictions, 0, propagation)
}

/// Takes restrictions back from the mount at this path, which must be one that we have made.
pub(super) fn unrestrict_mount(path: &CStr, restrictions: u64) -> isize {
    mount_setattr(libc::AT_FDCWD, path, 0, restrictions, 0)
}

/// Restricts a tree that is attached nowhere.
pub(super) fn restrict_tree(tree: RawFd, restrictions: u64) -> isize {
    mount_setattr(tree, c"", restrictions, 0, 0)
}

fn mount_setattr(
    directory: RawFd,
    path: &CStr,
    restrictions: u64,
    permissions: u64,
    propagation: u64,
) -> isize {
    let attributes =
        libc::mount_attr { attr_set: restrictions, attr_clr: permissions, propagation, userns_fd: 0 };
    let flags = (libc::AT_RECURSIVE | libc::AT_EMPTY_PATH) as usize;
    let address = ptr::from_ref(&attributes) as usize;
    let arguments =
        [directory as isize as usize, path.as_ptr() as usize, flags, address, size_of::<libc::mount_attr>()];
    raw(libc::SYS_mount_setattr, arguments)
}

/// Mounts an empty directory over this one.
pub(super) fn mount_empty(path: &CStr, options: &CStr) -> isize {
    let kind = c"tmpfs".as_ptr() as usize;
    let flags = (libc::MS_NOSUID | libc::MS_NODEV) as usize;
    raw(libc::SYS_mount, [kind, path.as_ptr() as usize, kind, flags, options.as_ptr() as usize])
}

/// Mounts what shows the processes of our own namespace, but not those that a user may not inspect: the guardian shows
/// the command line of juvenal, whose memory it shares.
pub(super) fn mount_processes(path: &CStr) -> isize {
    let kind = c"proc".as_ptr() as usize;
    let flags = (libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC) as usize;
    let options = c"hidepid=2".as_ptr() as usize;
    raw(libc::SYS_mount, [kind, path.as_ptr() as usize, kind, flags, options])
}

/// A copy of the mounts at this path and below it, attached nowhere.
pub(super) fn copy_tree(path: &CStr) -> isize {
    let flags =
        libc::OPEN_TREE_CLONE as usize | libc::OPEN_TREE_CLOEXEC as usize | libc::AT_RECURSIVE as usize;
    raw(libc::SYS_open_tree, [libc::AT_FDCWD as isize as usize, path.as_ptr() as usize, flags, 0, 0])
}

/// Attaches a copied tree.
pub(super) fn attach_tree(tree: RawFd, path: &CStr) -> isize {
    let target = (libc::AT_FDCWD as isize as usize, path.as_ptr() as usize);
    let flags = libc::MOVE_MOUNT_F_EMPTY_PATH as usize;
    raw(libc::SYS_move_mount, [tree as usize, c"".as_ptr() as usize, target.0, target.1, flags])
}

pub(super) fn make_directory(path: &CStr) -> isize {
    raw(libc::SYS_mkdirat, [libc::AT_FDCWD as isize as usize, path.as_ptr() as usize, 0o755, 0, 0])
}

pub(super) fn make_file(path: &CStr) -> isize {
    let mode = (libc::S_IFREG | 0o644) as usize;
    raw(libc::SYS_mknodat, [libc::AT_FDCWD as isize as usize, path.as_ptr() as usize, mode, 0, 0])
}

pub(super) fn drop_capabilities() -> isize {
    /// The version of the call that takes two words for each of the three sets.
    const VERSION: u32 = 0x2008_0522;
    let header = [VERSION, 0];
    let sets = [0u32; 6];
    raw(libc::SYS_capset, [header.as_ptr() as usize, sets.as_ptr() as usize, 0, 0, 0])
}

pub(super) fn obey_ruleset(ruleset: RawFd) -> isize {
    raw(libc::SYS_landlock_restrict_self, [ruleset as usize, 0, 0, 0, 0])
}

pub(super) fn install_filter(filter: &libc::sock_fprog, flags: usize) -> isize {
    let address = ptr::from_ref(filter) as usize;
    raw(libc::SYS_seccomp, [libc::SECCOMP_SET_MODE_FILTER as usize, flags, address, 0, 0])
}
