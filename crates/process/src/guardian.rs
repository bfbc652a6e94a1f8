//! The process between juvenal and the program: it starts the program and ends everything the program started.
//!
//! The init of a namespace takes everything with it when it is killed. A subreaper does not, so there are two of them,
//! an outer and an inner guardian: whichever is killed, the other one ends the tree.
//!
//! The guardian shares the memory of a multi-threaded process without being one of its threads, so it may only
//! make system calls: it never allocates, locks or panics, and never touches what belongs to a thread.
//! Everything it needs is prepared in a [`Plan`] before the clone.

#![allow(unsafe_code, reason = "clone and what runs between it and execve cannot be safe Rust")]

mod call;
mod copied_memory;
mod enclosure;
mod filter;
mod message;
mod signal_filter;
mod stack;

use crate::barrier::Barrier;
use crate::command::Prepared;
use crate::system;
use libc::{c_char, c_int, c_void, pid_t};
use message::encode_failure;
pub(crate) use message::{Report, Stage, read_failure};
use stack::Stack;
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

const MAXIMUM_JOINS: usize = 3;
const MAXIMUM_KEPT: usize = 9 + MAXIMUM_JOINS;
/// Sharing juvenal's memory needs system calls that bypass the C library.
const SHARED_MEMORY: c_int = if cfg!(target_arch = "x86_64") { libc::CLONE_VM } else { 0 };
const CHILDREN_FILE: &CStr = c"/proc/thread-self/children";
/// How often the outer guardian wakes the inner one, which the program may have stopped, while it ends the tree.
const WAKE_INTERVAL: libc::timespec = libc::timespec { tv_sec: 0, tv_nsec: 100_000_000 };
/// After this many intervals the outer guardian does the work itself.
const INTERVALS_BEFORE_TAKING_OVER: u32 = 20;

/// How the guardian holds the tree together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isolation {
    /// It is the init of a new process-id namespace.
    Namespace,
    /// The same, inside a new user namespace, for users who may not make the other alone.
    UserNamespace,
    /// Orphans of the tree become children of one of two guardians.
    Subreaper,
}

/// What a guardian is started with.
pub(crate) struct Launch<'a> {
    pub(crate) prepared: Prepared,
    pub(crate) isolation: Isolation,
    pub(crate) barrier: Barrier,
    /// The user and the group to keep in a new user namespace.
    pub(crate) user_and_group: (u32, u32),
    pub(crate) stdin: BorrowedFd<'a>,
    pub(crate) stdout: BorrowedFd<'a>,
    pub(crate) stderr: BorrowedFd<'a>,
    /// The read end of the pipe whose write end only juvenal holds.
    pub(crate) lifetime: BorrowedFd<'a>,
    /// Where the report goes.
    pub(crate) status: BorrowedFd<'a>,
    /// Where a failure to start goes; closed by a successful execve.
    pub(crate) failure: BorrowedFd<'a>,
    /// The program enters its control groups by writing "0" to these files.
    pub(crate) joins: Vec<BorrowedFd<'a>>,
    /// A version 2 control group in which the program can be made directly, which is much faster.
    pub(crate) birthplace: Option<BorrowedFd<'a>>,
    /// What keeps the signals of the program inside its tree, where the system has it.
    pub(crate) signal_scope: Option<BorrowedFd<'a>>,
}

/// A guardian that was started.
pub(crate) struct Guardian {
    /// Its process id.
    pub(crate) process: i32,
    /// What it works with. It must stay until the guardian has been reaped, and forever if it never is.
    memory: Option<Memory>,
}

impl Guardian {
    /// Leaves a guardian alone that has not ended. It goes on using its memory, so the memory is never freed.
    pub(crate) fn abandon(&mut self) {
        std::mem::forget(self.memory.take());
    }
}

/// Starts a guardian, which starts the program.
///
/// The guardian lives in juvenal's own memory, like a thread: copying page tables of a juvenal that uses 500 MB
/// took 13 ms of CPU time for each run.
pub(crate) fn launch(launch: Launch<'_>) -> io::Result<Guardian> {
    let (user, group) = launch.user_and_group;
    let mut joins = [-1; MAXIMUM_JOINS];
    for (slot, join) in joins.iter_mut().zip(&launch.joins) {
        *slot = join.as_raw_fd();
    }
    let mut plan = Plan {
        isolation: launch.isolation,
        ruleset: match &launch.barrier {
            Barrier::Landlock(ruleset, _) => ruleset.as_fd().as_raw_fd(),
            _ => -1,
        },
        barrier: launch.barrier,
        program: launch.prepared.program,
        arguments: pointers(&launch.prepared.arguments),
        environment: pointers(&launch.prepared.environment),
        _argument_texts: launch.prepared.arguments,
        _environment_texts: launch.prepared.environment,
        directory: launch.prepared.directory,
        user_map: format!("{user} {user} 1\n"),
        group_map: format!("{group} {group} 1\n"),
        stdin: launch.stdin.as_raw_fd(),
        stdout: launch.stdout.as_raw_fd(),
        stderr: launch.stderr.as_raw_fd(),
        lifetime: launch.lifetime.as_raw_fd(),
        status: launch.status.as_raw_fd(),
        failure: launch.failure.as_raw_fd(),
        joins,
        birthplace: launch.birthplace.map_or(-1, |birthplace| birthplace.as_raw_fd()),
        signal_scope: launch.signal_scope.map_or(-1, |scope| scope.as_raw_fd()),
        juvenal: system::own_process_and_group(),
        outer: AtomicI32::new(0),
        kept: [-1; MAXIMUM_KEPT],
        program_stack: Stack::new()?,
    };
    plan.kept = plan.sorted_descriptors();
    let memory = Memory { plan: Box::new(plan), stack: Stack::new()? };
    let namespaces = memory.plan.namespaces();
    let process = clone_with_signals_blocked(&memory, namespaces | SHARED_MEMORY | libc::SIGCHLD)?;
    Ok(Guardian { process, memory: Some(memory) })
}

/// What the guardian works with while it lives.
struct Memory {
    plan: Box<Plan>,
    stack: Stack,
}

// SAFETY: after the start nothing but the guardian uses this memory, whichever thread owns it.
unsafe impl Send for Memory {}

/// Everything a guardian and a program need, made before the clone.
struct Plan {
    isolation: Isolation,
    barrier: Barrier,
    program: CString,
    /// Null-terminated pointers into the texts below.
    arguments: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    _argument_texts: Vec<CString>,
    _environment_texts: Vec<CString>,
    directory: CString,
    user_map: String,
    group_map: String,
    stdin: RawFd,
    stdout: RawFd,
    stderr: RawFd,
    lifetime: RawFd,
    status: RawFd,
    failure: RawFd,
    joins: [RawFd; MAXIMUM_JOINS],
    birthplace: RawFd,
    ruleset: RawFd,
    signal_scope: RawFd,
    /// The ids of juvenal and of its process group.
    juvenal: (pid_t, pid_t),
    /// The id of the outer guardian, which the inner one writes into its own copy.
    outer: AtomicI32,
    /// All descriptors above in ascending order; everything between them is closed.
    kept: [RawFd; MAXIMUM_KEPT],
    program_stack: Stack,
}

impl Plan {
    /// The namespaces that the guardian is born into.
    fn namespaces(&self) -> c_int {
        let for_killing = match self.isolation {
            Isolation::Namespace => libc::CLONE_NEWPID,
            Isolation::UserNamespace => libc::CLONE_NEWPID | libc::CLONE_NEWUSER,
            Isolation::Subreaper => 0,
        };
        match self.barrier {
            Barrier::Namespaces(_, identity) => for_killing | enclosure::namespaces(identity),
            Barrier::None | Barrier::Landlock(..) | Barrier::SocketFilter(_) => for_killing,
        }
    }

    fn ends(&self) -> Ends {
        Ends { isolation: self.isolation, lifetime: self.lifetime, status: self.status }
    }

    /// Where the program runs. In a view of its own the directory is at its real path.
    fn directory(&self) -> &CStr {
        match &self.barrier {
            Barrier::Namespaces(view, _) => &view.directory,
            Barrier::None | Barrier::Landlock(..) | Barrier::SocketFilter(_) => &self.directory,
        }
    }

    fn sorted_descriptors(&self) -> [RawFd; MAXIMUM_KEPT] {
        let [first, second, third] = self.joins;
        let mut descriptors = [
            self.stdin,
            self.stdout,
            self.stderr,
            self.lifetime,
            self.status,
            self.failure,
            self.birthplace,
            self.ruleset,
            self.signal_scope,
            first,
            second,
            third,
        ];
        descriptors.sort_unstable();
        descriptors
    }
}

/// What the program's side is called with before execve.
struct Birth<'a> {
    plan: &'a Plan,
    /// False if the process was made inside its control group.
    must_join: bool,
}

/// A handler of juvenal must never run in the guardian, so the guardian is born with all signals blocked.
fn clone_with_signals_blocked(memory: &Memory, flags: c_int) -> io::Result<i32> {
    let argument = ptr::from_ref::<Plan>(&memory.plan).cast_mut().cast();
    // SAFETY: the signal sets are locals; the plan and the stack live as long as the `Guardian`, which the tree
    // keeps until the guardian was reaped.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let process = libc::clone(guard, memory.stack.top(), flags, argument);
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
        if process < 0 { Err(error) } else { Ok(process) }
    }
}

/// The guardian's life.
extern "C" fn guard(argument: *mut c_void) -> c_int {
    // SAFETY: the argument is the plan given to clone, which outlives the guardian and which does not change.
    let plan = unsafe { &*argument.cast_const().cast::<Plan>() };
    close_all_but(&plan.kept);
    if let Err((stage, error)) = settle_in(plan) {
        fail(plan, stage, error);
    }
    if plan.isolation == Isolation::Subreaper {
        split_in_two(plan);
    }
    let signals = match become_guardian(plan) {
        Ok(signals) => signals,
        Err((stage, error)) => fail(plan, stage, error),
    };
    let program = start_program(plan);
    if program < 0 {
        fail(plan, Stage::Clone, program);
    }
    release_program_side(plan);
    let Ends { isolation, lifetime, status } = plan.ends();
    if isolation == Isolation::Subreaper {
        copied_memory::give_back();
    }
    let program_status = watch(lifetime, signals, program);
    end_everything(isolation);
    send_report(status, program_status);
    call::exit(0)
}

/// What a guardian needs after the start. The inner guardian then has nothing else of the plan.
struct Ends {
    isolation: Isolation,
    lifetime: RawFd,
    status: RawFd,
}

/// Makes the inner guardian, in which this returns. The outer one stays behind until the inner one has ended, and then
/// ends what is left, which is nothing unless the inner one was killed.
///
/// The inner guardian has memory of its own: when memory is short, the system kills all processes that share it.
fn split_in_two(plan: &Plan) {
    let signals = match become_guardian(plan) {
        Ok(signals) => signals,
        Err((stage, error)) => fail(plan, stage, error),
    };
    let inner = call::fork();
    if inner < 0 {
        fail(plan, Stage::Clone, inner);
    }
    if inner == 0 {
        call::close(signals);
        plan.outer.store(call::parent_process() as pid_t, Ordering::Relaxed);
        return;
    }
    release_program_side(plan);
    if watch(plan.lifetime, signals, inner).is_none() {
        let _ = await_inner(signals, inner);
    }
    end_everything(plan.isolation);
    // The report is the inner guardian's. Without one, juvenal sees the end of the pipe, and knows that it was killed.
    call::exit(0)
}

/// Waits until the inner guardian has ended the tree, and ends the inner guardian if it does not.
/// Its status is returned but means nothing.
fn await_inner(signals: RawFd, inner: isize) -> Option<c_int> {
    for _ in 0..INTERVALS_BEFORE_TAKING_OVER {
        let mut entries = [libc::pollfd { fd: signals, events: libc::POLLIN, revents: 0 }];
        call::poll(&mut entries, Some(WAKE_INTERVAL));
        call::read(signals, &mut [0; size_of::<libc::signalfd_siginfo>()]);
        if let Some(status) = reap_ended(inner) {
            return Some(status);
        }
        call::kill(inner as pid_t, libc::SIGCONT);
    }
    call::kill(inner as pid_t, libc::SIGKILL);
    None
}

/// Finishes the namespaces that the guardian was born into.
fn settle_in(plan: &Plan) -> Result<(), (Stage, isize)> {
    if plan.namespaces() & libc::CLONE_NEWUSER != 0 {
        map_user(plan).map_err(|error| (Stage::UserMap, error))?;
    }
    if let Barrier::Namespaces(view, _) = &plan.barrier {
        let has_own_processes = plan.namespaces() & libc::CLONE_NEWPID != 0;
        enclosure::change_view(view, has_own_processes).map_err(|error| (Stage::View, error))?;
    }
    Ok(())
}

/// Sets up session and subreaper, and the descriptor that reports ended children.
fn become_guardian(plan: &Plan) -> Result<RawFd, (Stage, isize)> {
    // A terminal's Ctrl-C goes to juvenal's session only: running queries are to finish.
    call::setsid();
    // The death of juvenal wakes a stopped guardian. So does the end of the thread that made it, which does no harm.
    call::prctl(libc::PR_SET_PDEATHSIG, libc::SIGCONT as usize);
    if plan.isolation == Isolation::Subreaper {
        let result = call::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        if result < 0 {
            return Err((Stage::Guard, result));
        }
    }
    // No core dumps, neither files nor, which only the value 1 prevents, through a pipe to a handler.
    call::limit_resource(libc::RLIMIT_CORE as usize, 1);
    // With SIGCHLD ignored, as juvenal may inherit it, the system would reap the children itself.
    call::reset_signal(libc::SIGCHLD);
    let signals = call::signal_descriptor(libc::SIGCHLD);
    if signals < 0 { Err((Stage::Guard, signals)) } else { Ok(signals as RawFd) }
}

/// Maps the user and the group to themselves, and no others.
fn map_user(plan: &Plan) -> Result<(), isize> {
    // Needed before the group map may be written without privilege; missing on old kernels.
    let _ = write_file(c"/proc/self/setgroups", b"deny");
    write_file(c"/proc/self/uid_map", plan.user_map.as_bytes())?;
    write_file(c"/proc/self/gid_map", plan.group_map.as_bytes())
}

fn write_file(path: &CStr, content: &[u8]) -> Result<(), isize> {
    let file = call::open(path, libc::O_WRONLY);
    if file < 0 {
        return Err(file);
    }
    let written = call::write(file as RawFd, content);
    call::close(file as RawFd);
    if written < 0 { Err(written) } else { Ok(()) }
}

/// Makes the program's process, inside its control group where the system can do that.
/// Returns its process id or a negative error number.
fn start_program(plan: &Plan) -> isize {
    // The memory is lent to the new process, and we are suspended, until it executes the program.
    let flags = libc::CLONE_VM | libc::CLONE_VFORK;
    if plan.birthplace >= 0 {
        let birth = Birth { plan, must_join: false };
        let born = call::clone_into_group(plan, flags, &birth);
        if born > 0 {
            return born;
        }
    }
    let birth = Birth { plan, must_join: true };
    let argument = ptr::from_ref(&birth).cast_mut().cast();
    // SAFETY: `birth` and the stack live until the new process executes or exits. A failure writes the error
    // number of juvenal's thread, which now waits for the failure pipe and does not look at it.
    unsafe {
        let process = libc::clone(run_birth, plan.program_stack.top(), flags | libc::SIGCHLD, argument);
        if process < 0 { -(*libc::__errno_location() as isize) } else { process as isize }
    }
}

extern "C" fn run_birth(argument: *mut c_void) -> c_int {
    // SAFETY: the argument is the `Birth` of `start_program`, which is suspended until we execute or exit.
    be_program(unsafe { &*argument.cast_const().cast::<Birth<'_>>() })
}

/// Becomes the program, or reports why it cannot.
fn be_program(birth: &Birth<'_>) -> ! {
    let plan = birth.plan;
    // A guardian that is killed takes at least the program itself with it.
    call::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as usize);
    // juvenal could not kill programs that change the user.
    call::prctl(libc::PR_SET_NO_NEW_PRIVS, 1);
    call::setsid();
    if birth.must_join {
        join_groups(plan);
    }
    let result = call::chdir(plan.directory());
    if result < 0 {
        fail(plan, Stage::Directory, result);
    }
    for (descriptor, number) in [(plan.stdin, 0), (plan.stdout, 1), (plan.stderr, 2)] {
        let result = call::duplicate(descriptor, number);
        if result < 0 {
            fail(plan, Stage::Streams, result);
        }
    }
    for signal in 1..=64 {
        call::reset_signal(signal);
    }
    let result = keep_signals_inside(plan);
    if result < 0 {
        fail(plan, Stage::Signals, result);
    }
    if let Err(error) = enclosure::renounce(&plan.barrier) {
        fail(plan, Stage::Renounce, error);
    }
    call::unblock_signals();
    let result = call::execute(&plan.program, &plan.arguments, &plan.environment);
    fail(plan, Stage::Execute, result)
}

/// Keeps the program from signalling juvenal and its guardians. In a namespace it does not even see their ids.
fn keep_signals_inside(plan: &Plan) -> isize {
    // The rules for files of a confined program include the scope, and a second ruleset would keep the program from
    // moving files between directories.
    if plan.signal_scope >= 0 && plan.ruleset < 0 {
        return call::obey_ruleset(plan.signal_scope);
    }
    if plan.isolation != Isolation::Subreaper || plan.signal_scope >= 0 {
        return 0;
    }
    let (juvenal, group) = plan.juvenal;
    // The memory of the inner guardian, our parent, is lent to us, and so is what it knows.
    let protected = [juvenal, group, plan.outer.load(Ordering::Relaxed), call::parent_process() as pid_t];
    // A process outside of our namespace has the id 0, which would stand for the program itself.
    let protected = protected.map(|id| if id > 0 { id } else { juvenal });
    signal_filter::with_signal_filter(protected, |filter| call::install_filter(filter, 0))
}

fn join_groups(plan: &Plan) {
    for join in plan.joins {
        if join >= 0 {
            let written = call::write(join, b"0");
            if written < 0 {
                fail(plan, Stage::Join, written);
            }
        }
    }
}

/// Reports the stage and the error to juvenal, and exits.
fn fail(plan: &Plan, stage: Stage, error: isize) -> ! {
    call::write(plan.failure, &encode_failure(stage, error.wrapping_neg() as i32));
    call::exit(127)
}

fn release_program_side(plan: &Plan) {
    for descriptor in
        [plan.stdin, plan.stdout, plan.stderr, plan.failure, plan.birthplace, plan.ruleset, plan.signal_scope]
    {
        call::close(descriptor);
    }
    for join in plan.joins {
        call::close(join);
    }
}

/// Waits until the program ends or juvenal closes the lifetime pipe, and reaps orphans meanwhile.
/// Returns the program's wait status if it ended by itself.
fn watch(lifetime: RawFd, signals: RawFd, program: isize) -> Option<c_int> {
    loop {
        let mut entries = [
            libc::pollfd { fd: lifetime, events: libc::POLLIN, revents: 0 },
            libc::pollfd { fd: signals, events: libc::POLLIN, revents: 0 },
        ];
        call::poll(&mut entries, None);
        let [juvenal_ended, child_ended] = entries;
        if child_ended.revents != 0 {
            // One signal may stand for several ended children, so only waiting tells which have ended.
            call::read(signals, &mut [0; size_of::<libc::signalfd_siginfo>()]);
            if let Some(status) = reap_ended(program) {
                return Some(status);
            }
        }
        if juvenal_ended.revents != 0 {
            return None;
        }
    }
}

/// Reaps all ended children and returns the status of the program if it is among them.
fn reap_ended(program: isize) -> Option<c_int> {
    let mut program_status = None;
    loop {
        let mut status = 0;
        let process = call::wait_for_any(&mut status, libc::WNOHANG);
        if process <= 0 {
            return program_status;
        }
        if process == program {
            program_status = Some(status);
        }
    }
}

/// Kills and reaps every descendant.
fn end_everything(isolation: Isolation) {
    // Only the init of a namespace has the process id 1, and then -1 means this namespace. Anywhere else it
    // would mean every process of the user.
    if isolation != Isolation::Subreaper && call::own_process() == 1 {
        call::kill(-1, libc::SIGKILL);
        while call::wait_for_any(&mut 0, 0) > 0 {}
        return;
    }
    loop {
        kill_children();
        reap_ended(0);
        if call::wait_for_any(&mut 0, libc::WNOHANG) == -(libc::ECHILD as isize) {
            return;
        }
        // Killed processes need a moment to die; then their children become ours.
        call::poll(&mut [], Some(libc::timespec { tv_sec: 0, tv_nsec: 1_000_000 }));
    }
}

/// Sends SIGKILL to every child that the system lists.
fn kill_children() {
    let file = call::open(CHILDREN_FILE, libc::O_RDONLY);
    if file < 0 {
        return;
    }
    let mut buffer = [0u8; 2048];
    let mut process: pid_t = 0;
    loop {
        let count = call::read(file as RawFd, &mut buffer);
        if count <= 0 {
            break;
        }
        for byte in buffer.iter().take(count as usize) {
            if byte.is_ascii_digit() {
                process = process.wrapping_mul(10).wrapping_add((byte & 15) as pid_t);
            } else {
                kill_one(process);
                process = 0;
            }
        }
    }
    kill_one(process);
    call::close(file as RawFd);
}

fn kill_one(process: pid_t) {
    if process > 1 {
        call::kill(process, libc::SIGKILL);
    }
}

fn send_report(pipe: RawFd, status: Option<c_int>) {
    let children = call::resource_usage(libc::RUSAGE_CHILDREN);
    let own = call::resource_usage(libc::RUSAGE_SELF);
    // A process counts the memory it had before execve, which is juvenal's.
    let genuine = children.ru_maxrss > own.ru_maxrss;
    let peak = if genuine { (children.ru_maxrss as u64).wrapping_mul(1024) } else { 0 };
    let cpu = microseconds(children.ru_utime).wrapping_add(microseconds(children.ru_stime));
    let report = Report { status, cpu_microseconds: cpu, peak_bytes: peak };
    call::write(pipe, &report.encode());
}

fn microseconds(time: libc::timeval) -> u64 {
    (time.tv_sec as u64).wrapping_mul(1_000_000).wrapping_add(time.tv_usec as u64)
}

/// Closes everything that was inherited from juvenal: lifetime pipes of other runs above all.
fn close_all_but(kept: &[RawFd]) {
    let mut next: u32 = 0;
    for descriptor in kept {
        if *descriptor < 0 {
            continue;
        }
        let descriptor = *descriptor as u32;
        if descriptor > next {
            call::close_range(next, descriptor.wrapping_sub(1));
        }
        next = descriptor.wrapping_add(1);
    }
    call::close_range(next, u32::MAX);
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

#[cfg(test)]
#[cfg(target_arch = "x86_64")]
mod tests {
    use super::{Barrier, Isolation, Launch, launch};
    use crate::command::Command;
    use crate::confinement::Confinement;
    use crate::group::fresh_name;
    use crate::hierarchy::unified_parents;
    use std::ffi::OsString;
    use std::fs::{self, File};
    use std::io::{self, Read};
    use std::os::fd::AsFd;

    /// Version 2 groups without controllers can be made on many machines, and that is enough for this.
    #[test]
    fn programs_are_born_in_their_group() {
        let name = fresh_name();
        let made = unified_parents().into_iter().map(|parent| parent.join(&name));
        let Some(directory) = made.into_iter().find(|directory| fs::create_dir(directory).is_ok()) else {
            eprintln!("skipped: no version 2 control group can be made on this machine");
            return;
        };
        let group = File::open(&directory).unwrap();
        let mut command = Command::new("cat", "/", Confinement::None);
        command.arguments = vec![OsString::from("/proc/self/cgroup")];
        let output = output_in_group(&command, &group);
        assert!(output.contains(&name), "{output}");
        fs::remove_dir(&directory).unwrap();
    }

    fn output_in_group(command: &Command, group: &File) -> String {
        let [stdin, stdout, lifetime, status, failure] = [(); 5].map(|()| io::pipe().unwrap());
        let guardian = launch(Launch {
            prepared: command.prepare().unwrap(),
            isolation: Isolation::Subreaper,
            barrier: Barrier::None,
            user_and_group: crate::system::user_and_group(),
            stdin: stdin.0.as_fd(),
            stdout: stdout.1.as_fd(),
            stderr: stdout.1.as_fd(),
            lifetime: lifetime.0.as_fd(),
            status: status.1.as_fd(),
            failure: failure.1.as_fd(),
            joins: Vec::new(),
            birthplace: Some(group.as_fd()),
            signal_scope: None,
        })
        .unwrap();
        drop(stdout.1);
        let mut output = String::new();
        (&stdout.0).read_to_string(&mut output).unwrap();
        crate::system::reap(guardian.process);
        output
    }
}
