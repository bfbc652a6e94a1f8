//! The system call filter of confined programs: they cannot make sockets.
//!
//! A network namespace has no interface, but sockets between virtual machines ignore it, and sockets in the file
//! system can be connected to where they can be seen. Programs under test need no sockets at all.
//! Pairs of connected sockets are harmless, unless each datagram can be sent elsewhere.
//!
//! The filter is a constant, since a child that shares the memory of a multi-threaded process may not build one; the
//! crate `seccompiler` allocates.

use libc::{sock_filter, sock_fprog};
use std::ptr;

/// Offsets in the data that a filter sees: `struct seccomp_data`. The lower half of an argument is enough, since
/// the system looks at no more of these; it comes first on the processors below.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;
const SECOND_ARGUMENT: u32 = 24;

/// The type of a socket without its flags.
const TYPE_MASK: u32 = 0xf;

#[cfg(target_arch = "x86_64")]
static FILTER: [sock_filter; 23] = {
    const X86_64: u32 = 0xc000_003e;
    const I386: u32 = 0x4000_0003;
    /// Numbers from here on are those of the x32 convention, which nothing uses.
    const X32: u32 = 0x4000_0000;
    const I386_SOCKETCALL: u32 = 102;
    const I386_SOCKET: u32 = 359;
    const I386_SOCKETPAIR: u32 = 360;
    /// What `socketcall` can do: 1 makes a socket, 8 a pair. The type of the pair is in memory, out of reach.
    const CALL_SOCKET: u32 = 1;
    const CALL_SOCKETPAIR: u32 = 8;
    /// The places in the list that are jumped to.
    const NATIVE: u8 = 3;
    const OLD: u8 = 8;
    const PAIR: u8 = 16;
    const ALLOW: u8 = 20;
    const MISSING: u8 = 21;
    const REFUSE: u8 = 22;
    [
        load(ARCHITECTURE),
        if_equal(1, X86_64, NATIVE, 2),
        if_equal(2, I386, OLD, MISSING),
        load(NUMBER),
        if_at_least(4, X32, MISSING, 5),
        if_equal(5, libc::SYS_io_uring_setup as u32, MISSING, 6),
        if_equal(6, libc::SYS_socket as u32, REFUSE, 7),
        if_equal(7, libc::SYS_socketpair as u32, PAIR, ALLOW),
        load(NUMBER),
        if_equal(9, libc::SYS_io_uring_setup as u32, MISSING, 10),
        if_equal(10, I386_SOCKET, REFUSE, 11),
        if_equal(11, I386_SOCKETPAIR, PAIR, 12),
        if_equal(12, I386_SOCKETCALL, 13, ALLOW),
        load(FIRST_ARGUMENT),
        if_equal(14, CALL_SOCKET, REFUSE, 15),
        if_equal(15, CALL_SOCKETPAIR, REFUSE, ALLOW),
        load(SECOND_ARGUMENT),
        mask(TYPE_MASK),
        if_equal(18, libc::SOCK_STREAM as u32, ALLOW, 19),
        if_equal(19, libc::SOCK_SEQPACKET as u32, ALLOW, REFUSE),
        answer(libc::SECCOMP_RET_ALLOW),
        answer(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        answer(libc::SECCOMP_RET_ERRNO | libc::EACCES as u32),
    ]
};

#[cfg(target_arch = "aarch64")]
static FILTER: [sock_filter; 13] = {
    const AARCH64: u32 = 0xc000_00b7;
    /// The places in the list that are jumped to.
    const ALLOW: u8 = 10;
    const MISSING: u8 = 11;
    const REFUSE: u8 = 12;
    [
        load(ARCHITECTURE),
        if_equal(1, AARCH64, 2, MISSING),
        load(NUMBER),
        if_equal(3, libc::SYS_io_uring_setup as u32, MISSING, 4),
        if_equal(4, libc::SYS_socket as u32, REFUSE, 5),
        if_equal(5, libc::SYS_socketpair as u32, 6, ALLOW),
        load(SECOND_ARGUMENT),
        mask(TYPE_MASK),
        if_equal(8, libc::SOCK_STREAM as u32, ALLOW, 9),
        if_equal(9, libc::SOCK_SEQPACKET as u32, ALLOW, REFUSE),
        answer(libc::SECCOMP_RET_ALLOW),
        answer(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        answer(libc::SECCOMP_RET_ERRNO | libc::EACCES as u32),
    ]
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

const fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k }
}

/// Goes on at one of two places of the list; `own` is the place of this statement.
const fn if_equal(own: u8, value: u32, then: u8, otherwise: u8) -> sock_filter {
    jump(libc::BPF_JEQ, own, value, then, otherwise)
}

#[cfg(target_arch = "x86_64")]
const fn if_at_least(own: u8, value: u32, then: u8, otherwise: u8) -> sock_filter {
    jump(libc::BPF_JGE, own, value, then, otherwise)
}

/// Builds a jump. The system counts from the statement after it.
const fn jump(condition: u32, own: u8, value: u32, then: u8, otherwise: u8) -> sock_filter {
    let code = (libc::BPF_JMP | condition | libc::BPF_K) as u16;
    sock_filter { code, jt: then - own - 1, jf: otherwise - own - 1, k: value }
}

#[cfg(test)]
#[cfg(target_arch = "x86_64")]
mod tests {
    use super::{FILTER, jump, load, mask, statement};

    const X86_64: u32 = 0xc000_003e;
    const I386: u32 = 0x4000_0003;
    const ALLOWED: u32 = libc::SECCOMP_RET_ALLOW;
    const MISSING: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    const REFUSED: u32 = libc::SECCOMP_RET_ERRNO | libc::EACCES as u32;

    /// Interprets the filter as the system does.
    fn answer(architecture: u32, number: u32, arguments: [u32; 2]) -> u32 {
        let data = |offset| match offset {
            0 => number,
            4 => architecture,
            16 => arguments[0],
            24 => arguments[1],
            _ => panic!("offset {offset}"),
        };
        let (mut place, mut value) = (0, 0);
        loop {
            let one = FILTER[place];
            place += 1;
            let jump_code = |condition| jump(condition, 0, 0, 1, 1).code;
            let holds = match one.code {
                code if code == load(0).code => {
                    value = data(one.k);
                    continue;
                }
                code if code == mask(0).code => {
                    value &= one.k;
                    continue;
                }
                code if code == statement(libc::BPF_RET, 0).code => return one.k,
                code if code == jump_code(libc::BPF_JEQ) => value == one.k,
                code if code == jump_code(libc::BPF_JGE) => value >= one.k,
                code => panic!("code {code}"),
            };
            place += usize::from(if holds { one.jt } else { one.jf });
        }
    }

    #[test]
    fn sockets_are_refused_and_the_rest_is_not() {
        let (unix, stream, datagram, raw, packets) = (1, 1, 2, 3, 5);
        let close_on_exec = libc::SOCK_CLOEXEC as u32;
        let rows = [
            ("read", X86_64, 0, [0, 0], ALLOWED),
            ("execve", X86_64, 59, [0, 0], ALLOWED),
            ("102 is getuid here", X86_64, 102, [1, 0], ALLOWED),
            ("359 and 360 are nothing here", X86_64, 359, [2, 1], ALLOWED),
            ("socket", X86_64, 41, [2, stream], REFUSED),
            ("local socket", X86_64, 41, [unix, stream], REFUSED),
            ("pair of streams", X86_64, 53, [unix, stream | close_on_exec], ALLOWED),
            ("pair of packets", X86_64, 53, [unix, packets], ALLOWED),
            ("pair for datagrams", X86_64, 53, [unix, datagram | close_on_exec], REFUSED),
            ("raw pair", X86_64, 53, [unix, raw], REFUSED),
            ("io_uring_setup", X86_64, 425, [0, 0], MISSING),
            ("socket of x32", X86_64, 0x4000_0000 + 41, [2, stream], MISSING),
            ("getuid of i386", I386, 24, [0, 0], ALLOWED),
            ("41 is dup here", I386, 41, [1, 0], ALLOWED),
            ("socket of i386", I386, 359, [2, stream], REFUSED),
            ("pair of i386", I386, 360, [unix, stream], ALLOWED),
            ("pair for datagrams of i386", I386, 360, [unix, datagram], REFUSED),
            ("socketcall that makes a socket", I386, 102, [1, 0], REFUSED),
            ("socketcall that makes a pair", I386, 102, [8, 0], REFUSED),
            ("socketcall that sends", I386, 102, [9, 0], ALLOWED),
            ("io_uring_setup of i386", I386, 425, [0, 0], MISSING),
            ("another processor", 0xc000_00b7, 198, [2, stream], MISSING),
        ];
        for (what, architecture, number, arguments, expected) in rows {
            assert_eq!(answer(architecture, number, arguments), expected, "{what}");
        }
    }
}
