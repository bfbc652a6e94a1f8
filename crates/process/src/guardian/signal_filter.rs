//! The system call filter of programs that share the process ids of juvenal, where the system has no scope for signals.
//!
//! It refuses `kill(-1, …)`, and every call that would signal, trace or limit juvenal or its guardians by their ids.
//! That stops accidents, not an adversary, who can send signals in ways that a filter cannot see, as through the owner
//! of a file descriptor.
//!
//! The list is made on the stack of the new process, which may not allocate.

use libc::{c_int, c_long, sock_filter, sock_fprog};
use std::ptr;

/// Offsets in the data that a filter sees: `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;
const SECOND_ARGUMENT: u32 = 24;

#[cfg(target_arch = "x86_64")]
const NATIVE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const NATIVE: u32 = 0xc000_00b7;
/// No call has this architecture, so the filter allows all of them.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const NATIVE: u32 = 0;

/// Calls whose first argument is a process.
const CALLS: [c_long; 9] = [
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_open,
    libc::SYS_prlimit64,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
];

/// How many processes are protected: juvenal, the leader of its process group, and two guardians.
pub(super) const PROTECTED: usize = 4;
/// All processes, and each protected one by its own id and as a process group.
const REFUSED_VALUES: usize = 1 + 2 * PROTECTED;
/// The statements before the calls, one for each call, those that load, those that compare, and the two results.
const LENGTH: usize = 3 + CALLS.len() + 2 + 3 + REFUSED_VALUES + 2;

/// Calls `install` with the filter that protects these processes.
pub(super) fn with_signal_filter<T>(
    protected: [c_int; PROTECTED],
    install: impl FnOnce(&sock_fprog) -> T,
) -> T {
    let filter = filter(protected);
    install(&sock_fprog { len: LENGTH as u16, filter: ptr::from_ref(&filter).cast_mut().cast() })
}

fn filter(protected: [c_int; PROTECTED]) -> [sock_filter; LENGTH] {
    const FIRST_CALL: usize = 3;
    const TRACE: usize = FIRST_CALL + CALLS.len();
    const LOAD_FIRST: usize = TRACE + 2;
    const LOAD_SECOND: usize = LOAD_FIRST + 2;
    const COMPARE: usize = LOAD_SECOND + 1;
    const ALLOW: usize = COMPARE + REFUSED_VALUES;
    const REFUSE: usize = ALLOW + 1;
    let mut list = [answer(libc::SECCOMP_RET_ALLOW); LENGTH];
    let mut place = 0;
    let mut add = |statement| {
        if let Some(slot) = list.get_mut(place) {
            *slot = statement;
        }
        place += 1;
    };
    add(load(ARCHITECTURE));
    add(if_equal(1, NATIVE, 2, ALLOW));
    add(load(NUMBER));
    for (index, call) in CALLS.iter().enumerate() {
        let own = FIRST_CALL + index;
        add(if_equal(own, *call as u32, LOAD_FIRST, own + 1));
    }
    add(if_equal(TRACE, libc::SYS_ptrace as u32, LOAD_SECOND, TRACE + 1));
    add(answer(libc::SECCOMP_RET_ALLOW));
    add(load(FIRST_ARGUMENT));
    add(go_to(LOAD_FIRST + 1, COMPARE));
    add(load(SECOND_ARGUMENT));
    let ids = protected.into_iter().flat_map(|id| [id, -id]);
    for (index, value) in std::iter::once(-1).chain(ids).enumerate() {
        let own = COMPARE + index;
        add(if_equal(own, value as u32, REFUSE, own + 1));
    }
    add(answer(libc::SECCOMP_RET_ALLOW));
    add(answer(libc::SECCOMP_RET_ERRNO | libc::EPERM as u32));
    list
}

fn load(offset: u32) -> sock_filter {
    statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset)
}

fn answer(action: u32) -> sock_filter {
    statement(libc::BPF_RET | libc::BPF_K, action)
}

/// Goes on at another place of the list; `own` is the place of this statement.
fn go_to(own: usize, target: usize) -> sock_filter {
    statement(libc::BPF_JMP | libc::BPF_JA, (target - own - 1) as u32)
}

fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

/// Goes on at one of two places of the list; `own` is the place of this statement.
fn if_equal(own: usize, value: u32, then: usize, otherwise: usize) -> sock_filter {
    let code = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    sock_filter { code, jt: (then - own - 1) as u8, jf: (otherwise - own - 1) as u8, k: value }
}

#[cfg(test)]
#[cfg(target_arch = "x86_64")]
mod tests {
    use super::{FIRST_ARGUMENT, NATIVE, SECOND_ARGUMENT, filter};

    /// Interprets the filter as the system does, and returns whether the call is refused.
    fn refuses(architecture: u32, number: i64, arguments: [i32; 2]) -> bool {
        let list = filter([10, 20, 30, 40]);
        let (mut place, mut value) = (0, 0);
        loop {
            let one = list[place];
            place += 1;
            match u32::from(one.code) {
                code if code & 7 == libc::BPF_LD => {
                    value = match one.k {
                        0 => number as u32,
                        4 => architecture,
                        FIRST_ARGUMENT => arguments[0] as u32,
                        SECOND_ARGUMENT => arguments[1] as u32,
                        offset => panic!("offset {offset}"),
                    }
                }
                code if code & 7 == libc::BPF_RET => return one.k != libc::SECCOMP_RET_ALLOW,
                code if code & 0xf0 == libc::BPF_JEQ => {
                    place += usize::from(if value == one.k { one.jt } else { one.jf });
                }
                _ => place += one.k as usize,
            }
        }
    }

    #[test]
    fn only_calls_about_protected_processes_are_refused() {
        let rows = [
            (libc::SYS_kill, [-1, 9], true),
            (libc::SYS_kill, [10, 9], true),
            (libc::SYS_kill, [-40, 19], true),
            (libc::SYS_kill, [0, 9], false),
            (libc::SYS_kill, [11, 9], false),
            (libc::SYS_kill, [-11, 9], false),
            (libc::SYS_tkill, [20, 9], true),
            (libc::SYS_tgkill, [30, 30], true),
            (libc::SYS_tgkill, [31, 30], false),
            (libc::SYS_rt_sigqueueinfo, [40, 9], true),
            (libc::SYS_rt_tgsigqueueinfo, [10, 10], true),
            (libc::SYS_pidfd_open, [10, 0], true),
            (libc::SYS_prlimit64, [0, 7], false),
            (libc::SYS_prlimit64, [10, 7], true),
            (libc::SYS_process_vm_writev, [20, 0], true),
            (libc::SYS_ptrace, [16, 10], true),
            (libc::SYS_ptrace, [10, 16], false),
            (libc::SYS_read, [10, 10], false),
        ];
        for (number, arguments, expected) in rows {
            assert_eq!(refuses(NATIVE, number, arguments), expected, "{number} {arguments:?}");
            assert!(!refuses(0, number, arguments), "{number} of another architecture");
        }
    }
}
