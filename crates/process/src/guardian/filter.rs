//! The system call filter of confined programs: they cannot make sockets, and cannot reach what no namespace hides.
//!
//! A network namespace has no interface, but sockets between virtual machines ignore it, and sockets in the file
//! system can be connected to where they can be seen. Programs under test need no sockets at all.
//! Pairs of connected sockets are harmless, unless each datagram can be sent elsewhere.
//!
//! Keys, shared memory and message queues of System V, and POSIX message queues would outlive the program or be those of
//! others; new namespaces would give it the privileges that mounting takes. Nothing that a compiler, a sanitizer or
//! an interpreter needs is refused: `ptrace`, with which the leak sanitizer stops threads, and `personality` are allowed.
//!
//! The filter is a constant, since a child that shares the memory of a multi-threaded process may not build one; the
//! crate `seccompiler` allocates.

#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "other processors have one convention, or no filter at all")
)]

use libc::{sock_filter, sock_fprog};
use std::ptr;

/// Offsets in the data that a filter sees: `struct seccomp_data`. The lower half of an argument is enough, since
/// the system looks at no more of these; it comes first on the processors below.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;
const SECOND_ARGUMENT: u32 = 24;

/// As if the system did not have the call. Programs that can do without it try something else.
const MISSING: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
/// As if the user did not have the right.
const FORBIDDEN: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
/// As for sockets that a security module refuses.
const REFUSED: u32 = libc::SECCOMP_RET_ERRNO | libc::EACCES as u32;
const ALLOWED: u32 = libc::SECCOMP_RET_ALLOW;

/// The type of a socket without its flags.
const TYPE_MASK: u32 = 0xf;
/// What `socketcall` can do: 1 makes a socket, 8 a pair. The type of the pair is in memory, out of reach.
const CALL_SOCKET: u32 = 1;
const CALL_SOCKETPAIR: u32 = 8;
/// The flags that make namespaces, for `clone` and `unshare`.
const NEW_NAMESPACES: u32 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWCGROUP) as u32;
/// The flag for a namespace of clocks, for `unshare` alone: for `clone`, it is part of a signal's number.
const NEW_TIME: u32 = 0x80;
/// Types into a terminal as if the user did.
const TERMINAL_INPUT: u32 = 0x5412;
/// The same, and more, for the console.
const CONSOLE_INPUT: u32 = 0x541c;

/// What the filter does with one system call.
#[derive(Clone, Copy)]
enum Treatment {
    /// It fails.
    Fails(u32),
    /// It makes a pair of sockets, and fails unless these are connected for ever.
    Pair,
    /// It makes or enters what the first argument says, and fails if that has one of these bits.
    WithoutBits(u32),
    /// It fails if the first argument is one of these.
    ExceptFirst(u32, u32),
    /// It fails if the second argument is one of these.
    ExceptSecond(u32, u32),
    /// It is about the process that the first argument names, and fails unless that is 0, the caller.
    OnCaller,
}

use Treatment::{ExceptFirst, ExceptSecond, Fails, OnCaller, Pair, WithoutBits};

/// The system calls of one convention that are not simply allowed.
type Rules = [(u32, Treatment)];

impl Treatment {
    /// The number of instructions after the comparison of the number.
    const fn length(self) -> usize {
        match self {
            Fails(_) => 1,
            WithoutBits(_) | OnCaller => 4,
            ExceptFirst(..) | ExceptSecond(..) => 5,
            Pair => 6,
        }
    }
}

/// A filter that is being written.
struct Writer<const LENGTH: usize> {
    code: [sock_filter; LENGTH],
    next: usize,
}

impl<const LENGTH: usize> Writer<LENGTH> {
    const fn new() -> Writer<LENGTH> {
        Writer { code: [statement(0, 0); LENGTH], next: 0 }
    }

    #[allow(clippy::indexing_slicing, reason = "a filter that does not fit is an error of compilation")]
    const fn put(&mut self, instruction: sock_filter) {
        self.code[self.next] = instruction;
        self.next += 1;
    }

    /// Writes what holds for one convention. Numbers from `limit` on belong to another one, which nothing uses.
    #[allow(clippy::indexing_slicing, reason = "an index out of bounds is an error of compilation")]
    const fn put_convention(&mut self, architecture: u32, limit: u32, rules: &Rules) {
        self.put(load(ARCHITECTURE));
        self.put(if_equal(architecture, 1, 0));
        self.put(skip(convention_length(rules) - 3));
        self.put(load(NUMBER));
        self.put(if_at_least(limit, 0, 1));
        self.put(answer(MISSING));
        let mut index = 0;
        while index < rules.len() {
            let (number, treatment) = rules[index];
            self.put(if_equal(number, 0, treatment.length() as u8));
            self.put_treatment(treatment);
            index += 1;
        }
        self.put(answer(ALLOWED));
    }

    const fn put_treatment(&mut self, treatment: Treatment) {
        match treatment {
            Fails(result) => self.put(answer(result)),
            Pair => {
                self.put(load(SECOND_ARGUMENT));
                self.put(mask(TYPE_MASK));
                self.put_choice(libc::SOCK_STREAM as u32, libc::SOCK_SEQPACKET as u32, ALLOWED, REFUSED);
            }
            WithoutBits(bits) => {
                self.put(load(FIRST_ARGUMENT));
                self.put(if_any_bit(bits, 0, 1));
                self.put(answer(FORBIDDEN));
                self.put(answer(ALLOWED));
            }
            ExceptFirst(one, other) => {
                self.put(load(FIRST_ARGUMENT));
                self.put_choice(one, other, REFUSED, ALLOWED);
            }
            OnCaller => {
                self.put(load(FIRST_ARGUMENT));
                self.put(if_equal(0, 0, 1));
                self.put(answer(ALLOWED));
                self.put(answer(FORBIDDEN));
            }
            ExceptSecond(one, other) => {
                self.put(load(SECOND_ARGUMENT));
                self.put_choice(one, other, FORBIDDEN, ALLOWED);
            }
        }
    }

    /// Answers one way for two values, and another way for all others.
    const fn put_choice(&mut self, one: u32, other: u32, then: u32, otherwise: u32) {
        self.put(if_equal(one, 1, 0));
        self.put(if_equal(other, 0, 1));
        self.put(answer(then));
        self.put(answer(otherwise));
    }
}

/// The number of instructions that `put_convention` writes.
#[allow(clippy::indexing_slicing, reason = "an index out of bounds is an error of compilation")]
const fn convention_length(rules: &Rules) -> usize {
    let mut length = 7;
    let mut index = 0;
    while index < rules.len() {
        length += 1 + rules[index].1.length();
        index += 1;
    }
    length
}

/// Calls that have these numbers with every convention, because they are new.
const IO_URING_SETUP: u32 = 425;
const OPEN_TREE_ATTR: u32 = 467;

/// The calls by the numbers of the convention that this program is compiled for.
const NATIVE: &Rules = &[
    (IO_URING_SETUP, Fails(MISSING)),
    (libc::SYS_socket as u32, Fails(REFUSED)),
    (libc::SYS_add_key as u32, Fails(MISSING)),
    (libc::SYS_request_key as u32, Fails(MISSING)),
    (libc::SYS_keyctl as u32, Fails(MISSING)),
    (libc::SYS_shmget as u32, Fails(MISSING)),
    (libc::SYS_shmat as u32, Fails(MISSING)),
    (libc::SYS_shmctl as u32, Fails(MISSING)),
    (libc::SYS_semget as u32, Fails(MISSING)),
    (libc::SYS_semop as u32, Fails(MISSING)),
    (libc::SYS_semtimedop as u32, Fails(MISSING)),
    (libc::SYS_semctl as u32, Fails(MISSING)),
    (libc::SYS_msgget as u32, Fails(MISSING)),
    (libc::SYS_msgsnd as u32, Fails(MISSING)),
    (libc::SYS_msgrcv as u32, Fails(MISSING)),
    (libc::SYS_msgctl as u32, Fails(MISSING)),
    (libc::SYS_mq_open as u32, Fails(MISSING)),
    (libc::SYS_mq_unlink as u32, Fails(MISSING)),
    (libc::SYS_clone3 as u32, Fails(MISSING)),
    (libc::SYS_pidfd_open as u32, Fails(MISSING)),
    (libc::SYS_userfaultfd as u32, Fails(MISSING)),
    (libc::SYS_pidfd_getfd as u32, Fails(FORBIDDEN)),
    (libc::SYS_open_by_handle_at as u32, Fails(FORBIDDEN)),
    (libc::SYS_bpf as u32, Fails(FORBIDDEN)),
    (libc::SYS_perf_event_open as u32, Fails(FORBIDDEN)),
    (libc::SYS_syslog as u32, Fails(FORBIDDEN)),
    (libc::SYS_fanotify_init as u32, Fails(FORBIDDEN)),
    (libc::SYS_kexec_load as u32, Fails(FORBIDDEN)),
    (libc::SYS_kexec_file_load as u32, Fails(FORBIDDEN)),
    (libc::SYS_setns as u32, Fails(FORBIDDEN)),
    (libc::SYS_mount as u32, Fails(FORBIDDEN)),
    (libc::SYS_umount2 as u32, Fails(FORBIDDEN)),
    (libc::SYS_pivot_root as u32, Fails(FORBIDDEN)),
    (libc::SYS_chroot as u32, Fails(FORBIDDEN)),
    (libc::SYS_open_tree as u32, Fails(FORBIDDEN)),
    (libc::SYS_move_mount as u32, Fails(FORBIDDEN)),
    (libc::SYS_fsopen as u32, Fails(FORBIDDEN)),
    (libc::SYS_fsconfig as u32, Fails(FORBIDDEN)),
    (libc::SYS_fsmount as u32, Fails(FORBIDDEN)),
    (libc::SYS_fspick as u32, Fails(FORBIDDEN)),
    (libc::SYS_mount_setattr as u32, Fails(FORBIDDEN)),
    (OPEN_TREE_ATTR, Fails(FORBIDDEN)),
    (libc::SYS_socketpair as u32, Pair),
    (libc::SYS_prlimit64 as u32, OnCaller),
    (libc::SYS_clone as u32, WithoutBits(NEW_NAMESPACES)),
    (libc::SYS_unshare as u32, WithoutBits(NEW_NAMESPACES | NEW_TIME)),
    (libc::SYS_ioctl as u32, ExceptSecond(TERMINAL_INPUT, CONSOLE_INPUT)),
];

/// The same calls by the numbers of 32-bit programs, which have more ways to make sockets and shared memory.
#[cfg(target_arch = "x86_64")]
const I386: &Rules = &[
    // socket, socketcall, socketpair
    (359, Fails(REFUSED)),
    (102, ExceptFirst(CALL_SOCKET, CALL_SOCKETPAIR)),
    (360, Pair),
    (IO_URING_SETUP, Fails(MISSING)),
    // add_key, request_key, keyctl
    (286, Fails(MISSING)),
    (287, Fails(MISSING)),
    (288, Fails(MISSING)),
    // ipc
    (117, Fails(MISSING)),
    // shmget, shmat, shmctl
    (395, Fails(MISSING)),
    (397, Fails(MISSING)),
    (396, Fails(MISSING)),
    // semget, semctl, semtimedop
    (393, Fails(MISSING)),
    (394, Fails(MISSING)),
    (420, Fails(MISSING)),
    // msgget, msgsnd, msgrcv, msgctl
    (399, Fails(MISSING)),
    (400, Fails(MISSING)),
    (401, Fails(MISSING)),
    (402, Fails(MISSING)),
    // mq_open, mq_unlink
    (277, Fails(MISSING)),
    (278, Fails(MISSING)),
    // clone3, pidfd_open, userfaultfd
    (435, Fails(MISSING)),
    (434, Fails(MISSING)),
    (374, Fails(MISSING)),
    // pidfd_getfd, open_by_handle_at
    (438, Fails(FORBIDDEN)),
    (342, Fails(FORBIDDEN)),
    // bpf, perf_event_open, syslog, fanotify_init, kexec_load
    (357, Fails(FORBIDDEN)),
    (336, Fails(FORBIDDEN)),
    (103, Fails(FORBIDDEN)),
    (338, Fails(FORBIDDEN)),
    (283, Fails(FORBIDDEN)),
    // setns, mount, umount, umount2, pivot_root, chroot
    (346, Fails(FORBIDDEN)),
    (21, Fails(FORBIDDEN)),
    (22, Fails(FORBIDDEN)),
    (52, Fails(FORBIDDEN)),
    (217, Fails(FORBIDDEN)),
    (61, Fails(FORBIDDEN)),
    // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
    (428, Fails(FORBIDDEN)),
    (429, Fails(FORBIDDEN)),
    (430, Fails(FORBIDDEN)),
    (431, Fails(FORBIDDEN)),
    (432, Fails(FORBIDDEN)),
    (433, Fails(FORBIDDEN)),
    (442, Fails(FORBIDDEN)),
    (OPEN_TREE_ATTR, Fails(FORBIDDEN)),
    // prlimit64, clone, unshare, ioctl
    (340, OnCaller),
    (120, WithoutBits(NEW_NAMESPACES)),
    (310, WithoutBits(NEW_NAMESPACES | NEW_TIME)),
    (54, ExceptSecond(TERMINAL_INPUT, CONSOLE_INPUT)),
];

#[cfg(target_arch = "x86_64")]
static FILTER: [sock_filter; convention_length(NATIVE) + convention_length(I386) + 1] = {
    const ARCHITECTURE_X86_64: u32 = 0xc000_003e;
    const ARCHITECTURE_I386: u32 = 0x4000_0003;
    /// Numbers from here on are those of the x32 convention, which nothing uses.
    const X32: u32 = 0x4000_0000;
    let mut writer = Writer::new();
    writer.put_convention(ARCHITECTURE_X86_64, X32, NATIVE);
    writer.put_convention(ARCHITECTURE_I386, X32, I386);
    writer.put(answer(MISSING));
    writer.code
};

#[cfg(target_arch = "aarch64")]
static FILTER: [sock_filter; convention_length(NATIVE) + 1] = {
    const ARCHITECTURE_AARCH64: u32 = 0xc000_00b7;
    let mut writer = Writer::new();
    // There is no other convention with the same architecture.
    writer.put_convention(ARCHITECTURE_AARCH64, u32::MAX, NATIVE);
    writer.put(answer(MISSING));
    writer.code
};

/// On other processors there is no filter, so the system refuses to install it, and nothing can be confined.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
static FILTER: [sock_filter; 0] = [];

/// Calls `install` with the filter in the form that the system takes.
pub(super) fn with_filter<T>(install: impl FnOnce(&sock_fprog) -> T) -> T {
    install(&sock_fprog { len: FILTER.len() as u16, filter: ptr::from_ref(&FILTER).cast_mut().cast() })
}

const fn load(offset: u32) -> sock_filter {
    statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset)
}

const fn mask(bits: u32) -> sock_filter {
    statement(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, bits)
}

const fn answer(action: u32) -> sock_filter {
    statement(libc::BPF_RET | libc::BPF_K, action)
}

/// Skips a number of instructions.
const fn skip(instructions: usize) -> sock_filter {
    statement(libc::BPF_JMP | libc::BPF_JA, instructions as u32)
}

const fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

/// Skips `then` instructions if the loaded value is this one, and `otherwise` if it is another.
const fn if_equal(value: u32, then: u8, otherwise: u8) -> sock_filter {
    jump(libc::BPF_JEQ, value, then, otherwise)
}

const fn if_at_least(value: u32, then: u8, otherwise: u8) -> sock_filter {
    jump(libc::BPF_JGE, value, then, otherwise)
}

const fn if_any_bit(bits: u32, then: u8, otherwise: u8) -> sock_filter {
    jump(libc::BPF_JSET, bits, then, otherwise)
}

const fn jump(condition: u32, value: u32, then: u8, otherwise: u8) -> sock_filter {
    sock_filter { code: (libc::BPF_JMP | condition | libc::BPF_K) as u16, jt: then, jf: otherwise, k: value }
}

#[cfg(test)]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod tests {
    use super::*;

    const X86_64: u32 = 0xc000_003e;
    const OLD: u32 = 0x4000_0003;
    const AARCH64: u32 = 0xc000_00b7;
    const USER: u32 = libc::CLONE_NEWUSER as u32;

    /// Interprets a filter as the system does.
    fn run(filter: &[sock_filter], architecture: u32, number: u32, arguments: [u32; 2]) -> u32 {
        let data = |offset| match offset {
            NUMBER => number,
            ARCHITECTURE => architecture,
            FIRST_ARGUMENT => arguments[0],
            SECOND_ARGUMENT => arguments[1],
            _ => panic!("offset {offset}"),
        };
        let (mut place, mut value) = (0, 0);
        loop {
            let one = filter[place];
            place += 1;
            let jump_code = |condition| jump(condition, 0, 1, 1).code;
            let holds = match one.code {
                code if code == load(0).code => {
                    value = data(one.k);
                    continue;
                }
                code if code == mask(0).code => {
                    value &= one.k;
                    continue;
                }
                code if code == skip(0).code => {
                    place += one.k as usize;
                    continue;
                }
                code if code == answer(0).code => return one.k,
                code if code == jump_code(libc::BPF_JEQ) => value == one.k,
                code if code == jump_code(libc::BPF_JGE) => value >= one.k,
                code if code == jump_code(libc::BPF_JSET) => value & one.k != 0,
                code => panic!("code {code}"),
            };
            place += usize::from(if holds { one.jt } else { one.jf });
        }
    }

    /// What a processor with this architecture, the rules of which have these numbers, answers.
    type Row = (&'static str, u32, u32, [u32; 2], u32);

    fn check(rows: &[Row]) {
        for (what, architecture, number, arguments, expected) in rows {
            assert_eq!(run(&FILTER, *architecture, *number, *arguments), *expected, "{what}");
        }
    }

    const STREAM: u32 = 1;
    const DATAGRAM: u32 = 2;
    const RAW: u32 = 3;
    const PACKETS: u32 = 5;
    const CLOSE_ON_EXEC: u32 = libc::SOCK_CLOEXEC as u32;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn calls_of_x86_64() {
        check(&[
            ("read", X86_64, 0, [0, 0], ALLOWED),
            ("execve", X86_64, 59, [0, 0], ALLOWED),
            ("ptrace", X86_64, 101, [0, 0], ALLOWED),
            ("personality", X86_64, 135, [0x0040_0000, 0], ALLOWED),
            ("102 is getuid here", X86_64, 102, [1, 0], ALLOWED),
            ("359 and 360 are nothing here", X86_64, 359, [2, 1], ALLOWED),
            ("socket", X86_64, 41, [2, STREAM], REFUSED),
            ("local socket", X86_64, 41, [1, STREAM], REFUSED),
            ("socket between virtual machines", X86_64, 41, [40, STREAM], REFUSED),
            ("pair of streams", X86_64, 53, [1, STREAM | CLOSE_ON_EXEC], ALLOWED),
            ("pair of packets", X86_64, 53, [1, PACKETS], ALLOWED),
            ("pair for datagrams", X86_64, 53, [1, DATAGRAM | CLOSE_ON_EXEC], REFUSED),
            ("raw pair", X86_64, 53, [1, RAW], REFUSED),
            ("io_uring_setup", X86_64, 425, [0, 0], MISSING),
            ("socket of x32", X86_64, 0x4000_0000 + 41, [2, STREAM], MISSING),
            ("keyctl of x32", X86_64, 0x4000_0000 + 250, [0, 0], MISSING),
            ("add_key", X86_64, 248, [0, 0], MISSING),
            ("request_key", X86_64, 249, [0, 0], MISSING),
            ("keyctl", X86_64, 250, [0, 0], MISSING),
            ("shmget", X86_64, 29, [0, 0], MISSING),
            ("shmat", X86_64, 30, [0, 0], MISSING),
            ("semget", X86_64, 64, [0, 0], MISSING),
            ("msgget", X86_64, 68, [0, 0], MISSING),
            ("mq_open", X86_64, 240, [0, 0], MISSING),
            ("fork by clone", X86_64, 56, [libc::SIGCHLD as u32, 0], ALLOWED),
            ("a thread by clone", X86_64, 56, [0x003d_0f00, 0], ALLOWED),
            ("clone with a user namespace", X86_64, 56, [USER | libc::SIGCHLD as u32, 0], FORBIDDEN),
            ("clone3", X86_64, 435, [0, 0], MISSING),
            ("unshare of files", X86_64, 272, [libc::CLONE_FILES as u32, 0], ALLOWED),
            ("unshare of users", X86_64, 272, [USER, 0], FORBIDDEN),
            ("unshare of mounts", X86_64, 272, [libc::CLONE_NEWNS as u32, 0], FORBIDDEN),
            ("unshare of clocks", X86_64, 272, [NEW_TIME, 0], FORBIDDEN),
            ("setns", X86_64, 308, [3, 0], FORBIDDEN),
            ("mount", X86_64, 165, [0, 0], FORBIDDEN),
            ("umount2", X86_64, 166, [0, 0], FORBIDDEN),
            ("pivot_root", X86_64, 155, [0, 0], FORBIDDEN),
            ("chroot", X86_64, 161, [0, 0], FORBIDDEN),
            ("open_tree", X86_64, 428, [0, 0], FORBIDDEN),
            ("move_mount", X86_64, 429, [0, 0], FORBIDDEN),
            ("fsopen", X86_64, 430, [0, 0], FORBIDDEN),
            ("mount_setattr", X86_64, 442, [0, 0], FORBIDDEN),
            ("open_tree_attr", X86_64, 467, [0, 0], FORBIDDEN),
            ("open_by_handle_at", X86_64, 304, [0, 0], FORBIDDEN),
            ("pidfd_open", X86_64, 434, [1, 0], MISSING),
            ("pidfd_getfd", X86_64, 438, [1, 0], FORBIDDEN),
            ("userfaultfd", X86_64, 323, [0, 0], MISSING),
            ("bpf", X86_64, 321, [0, 0], FORBIDDEN),
            ("perf_event_open", X86_64, 298, [0, 0], FORBIDDEN),
            ("kexec_load", X86_64, 246, [0, 0], FORBIDDEN),
            ("kexec_file_load", X86_64, 320, [0, 0], FORBIDDEN),
            ("syslog", X86_64, 103, [3, 0], FORBIDDEN),
            ("ioctl for the size of a terminal", X86_64, 16, [0, 0x5413], ALLOWED),
            ("ioctl that types", X86_64, 16, [0, 0x5412], FORBIDDEN),
            ("prlimit64 of the caller", X86_64, 302, [0, 7], ALLOWED),
            ("prlimit64 of another process", X86_64, 302, [10, 7], FORBIDDEN),
            ("another processor", AARCH64, 198, [2, STREAM], MISSING),
        ]);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn calls_of_i386() {
        check(&[
            ("getuid", OLD, 24, [0, 0], ALLOWED),
            ("41 is dup here", OLD, 41, [1, 0], ALLOWED),
            ("ptrace", OLD, 26, [0, 0], ALLOWED),
            ("personality", OLD, 136, [0, 0], ALLOWED),
            ("socket", OLD, 359, [2, STREAM], REFUSED),
            ("pair", OLD, 360, [1, STREAM], ALLOWED),
            ("pair for datagrams", OLD, 360, [1, DATAGRAM], REFUSED),
            ("socketcall that makes a socket", OLD, 102, [1, 0], REFUSED),
            ("socketcall that makes a pair", OLD, 102, [8, 0], REFUSED),
            ("socketcall that sends", OLD, 102, [9, 0], ALLOWED),
            ("io_uring_setup", OLD, 425, [0, 0], MISSING),
            ("add_key", OLD, 286, [0, 0], MISSING),
            ("keyctl", OLD, 288, [0, 0], MISSING),
            ("ipc, which does all of System V", OLD, 117, [23, 0], MISSING),
            ("shmget", OLD, 395, [0, 0], MISSING),
            ("semtimedop", OLD, 420, [0, 0], MISSING),
            ("mq_open", OLD, 277, [0, 0], MISSING),
            ("fork by clone", OLD, 120, [libc::SIGCHLD as u32, 0], ALLOWED),
            ("clone with a user namespace", OLD, 120, [USER, 0], FORBIDDEN),
            ("clone3", OLD, 435, [0, 0], MISSING),
            ("unshare of users", OLD, 310, [USER, 0], FORBIDDEN),
            ("setns", OLD, 346, [0, 0], FORBIDDEN),
            ("mount", OLD, 21, [0, 0], FORBIDDEN),
            ("the first umount", OLD, 22, [0, 0], FORBIDDEN),
            ("umount2", OLD, 52, [0, 0], FORBIDDEN),
            ("open_by_handle_at", OLD, 342, [0, 0], FORBIDDEN),
            ("pidfd_open", OLD, 434, [0, 0], MISSING),
            ("userfaultfd", OLD, 374, [0, 0], MISSING),
            ("bpf", OLD, 357, [0, 0], FORBIDDEN),
            ("perf_event_open", OLD, 336, [0, 0], FORBIDDEN),
            ("kexec_load", OLD, 283, [0, 0], FORBIDDEN),
            ("prlimit64 of the caller", OLD, 340, [0, 7], ALLOWED),
            ("prlimit64 of another process", OLD, 340, [10, 7], FORBIDDEN),
            ("ioctl that types", OLD, 54, [0, 0x5412], FORBIDDEN),
            ("ioctl for the size of a terminal", OLD, 54, [0, 0x5413], ALLOWED),
        ]);
    }

    #[test]
    #[cfg(target_arch = "aarch64")]
    fn calls_of_aarch64() {
        check(&[
            ("read", AARCH64, 63, [0, 0], ALLOWED),
            ("ptrace", AARCH64, 117, [0, 0], ALLOWED),
            ("personality", AARCH64, 92, [0, 0], ALLOWED),
            ("socket", AARCH64, 198, [2, STREAM], REFUSED),
            ("pair", AARCH64, 199, [1, STREAM | CLOSE_ON_EXEC], ALLOWED),
            ("pair of packets", AARCH64, 199, [1, PACKETS], ALLOWED),
            ("raw pair", AARCH64, 199, [1, RAW], REFUSED),
            ("pair for datagrams", AARCH64, 199, [1, DATAGRAM], REFUSED),
            ("keyctl", AARCH64, 219, [0, 0], MISSING),
            ("shmget", AARCH64, 194, [0, 0], MISSING),
            ("clone with a user namespace", AARCH64, 220, [USER, 0], FORBIDDEN),
            ("unshare of users", AARCH64, 97, [USER, 0], FORBIDDEN),
            ("mount", AARCH64, 40, [0, 0], FORBIDDEN),
            ("prlimit64 of the caller", AARCH64, 261, [0, 7], ALLOWED),
            ("prlimit64 of another process", AARCH64, 261, [10, 7], FORBIDDEN),
            ("bpf", AARCH64, 280, [0, 0], FORBIDDEN),
            ("another processor", X86_64, 41, [2, STREAM], MISSING),
            ("a 32-bit program", OLD, 359, [2, STREAM], MISSING),
        ]);
    }
}
