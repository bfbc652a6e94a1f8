//! A live process tree: its guardian, its pipes and its meter.

use crate::barrier::Confiner;
use crate::command::Command;
use crate::disk::DiskWatch;
use crate::group::Pool;
use crate::guardian::{self, Guardian, Isolation, Launch, Report, Stage, read_failure};
use crate::meter::Meter;
use crate::run_error::RunError;
use crate::sampler::{Sampler, descendants, first_child};
use crate::signal_scope::SignalScope;
use crate::system::{self, Interest};
use crate::transfer::{Stream, Transfer};
use model::{Cost, Ending, KillMode, LimitKind, Limits};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

const READ_BYTES: usize = 64 * 1024;
/// How often a guardian is woken while juvenal waits for it: the program may have stopped it.
const WAKE_INTERVAL: Duration = Duration::from_millis(100);
/// After this many intervals the init of a namespace is killed, which ends everything in it.
const INTERVALS_BEFORE_KILL: u32 = 20;
/// After this many intervals juvenal gives up: what is left waits inside the kernel, and no signal ends it.
const INTERVALS_BEFORE_ABANDON: u32 = 600;
/// The polling interval of `stop`.
const STOP_INTERVAL: Duration = Duration::from_millis(100);

/// A program with everything it has started.
pub(crate) struct Tree {
    guardian: Guardian,
    isolation: Isolation,
    /// Closing it makes the guardian end everything; so does our death.
    lifetime: Option<PipeWriter>,
    status: PipeReader,
    stdin: Option<PipeWriter>,
    stdout: Option<PipeReader>,
    stderr: Option<PipeReader>,
    meter: Option<Meter>,
    /// None if the program is not confined.
    disk: Option<DiskWatch>,
    pool: Option<Arc<Pool>>,
    buffer: Vec<u8>,
    cpu_before: u64,
    ended: Option<Ended>,
    /// The processes that were left when juvenal gave up killing them.
    survivors: Option<Vec<i32>>,
}

/// What is known once the tree has ended.
#[derive(Clone, Copy)]
struct Ended {
    ending: Ending,
    report: Report,
}

impl Tree {
    /// Starts a command and waits until its program is executed.
    pub(crate) fn start(
        isolation: Isolation,
        pool: Option<&Arc<Pool>>,
        confiner: &Confiner,
        signal_scope: Option<&SignalScope>,
        command: &Command,
        limits: &Limits,
    ) -> Result<Tree, RunError> {
        let prepared = command.prepare()?;
        let barrier = confiner.prepare(command, &prepared.program)?;
        confiner.hand_over(command, &barrier)?;
        let is_confined = barrier.identity().is_some();
        let group = match pool {
            Some(pool) => Some(
                pool.take(memory_bytes(limits))
                    .map_err(|error| RunError::system(command, "making its control group", error))?,
            ),
            None => None,
        };
        let pipes = Pipes::new()
            .map_err(|error| RunError::system(command, "connecting its standard input and output", error))?;
        let cpu_before = group.as_ref().map_or(0, |group| group.cpu_microseconds());
        let launched = guardian::launch(Launch {
            prepared,
            isolation,
            barrier,
            user_and_group: system::user_and_group(),
            stdin: pipes.stdin.0.as_fd(),
            stdout: pipes.stdout.1.as_fd(),
            stderr: pipes.stderr.1.as_fd(),
            lifetime: pipes.lifetime.0.as_fd(),
            status: pipes.status.1.as_fd(),
            failure: pipes.failure.1.as_fd(),
            joins: group.as_ref().map(|group| group.joins()).unwrap_or_default(),
            birthplace: group.as_ref().and_then(|group| group.birthplace()),
            signal_scope: signal_scope.map(AsFd::as_fd),
        });
        let guardian = launched.map_err(|error| RunError::at_stage(command, Stage::Clone, error))?;
        let meter = match group {
            Some(group) => Meter::Group(Box::new(group)),
            None => Meter::Sampler(Sampler::new(guardian.process, now())),
        };
        let (mut tree, mut failure) = pipes.into_tree(guardian, isolation, meter, pool.cloned());
        tree.cpu_before = cpu_before;
        tree.disk = is_confined.then(|| DiskWatch::new(command.own_directory(), now()));
        match tree.wait_for_start(&mut failure, limits) {
            Some((stage, error)) => Err(RunError::at_stage(command, stage, error)),
            None => {
                tree.find_inner_guardian();
                Ok(tree)
            }
        }
    }

    /// The memory of the inner guardian is not the program's.
    fn find_inner_guardian(&mut self) {
        if let (Isolation::Subreaper, Some(Meter::Sampler(sampler))) = (self.isolation, &mut self.meter) {
            sampler.leave_out(first_child(self.guardian.process));
        }
    }

    /// Waits until the program is executed, which closes the pipe, and returns the failure if there is one.
    /// A start that takes longer than the time limit is left to `pump`, which ends it.
    fn wait_for_start(&self, failure: &mut PipeReader, limits: &Limits) -> Option<(Stage, io::Error)> {
        let deadline = now() + Duration::from_millis(limits.wall_milliseconds);
        while now() < deadline {
            let ready = system::wait_ready([Some((failure.as_raw_fd(), Interest::Read))], WAKE_INTERVAL);
            if !matches!(ready, Ok([false])) {
                let mut message = [0; 8];
                return failure.read_exact(&mut message).ok().and_then(|()| read_failure(&message));
            }
            self.wake_guardian();
        }
        None
    }

    /// Carries bytes in both directions until the transfer is answered, or the tree has ended.
    /// The tree is ended when a limit is reached, and when `stop` returns true, as if its time were over. Returns the
    /// ending if there was one.
    pub(crate) fn pump_until(
        &mut self,
        transfer: &mut Transfer<'_>,
        limits: &Limits,
        started: Instant,
        stop: &dyn Fn() -> bool,
    ) -> Option<Ending> {
        if let Some(ended) = self.ended {
            return Some(ended.ending);
        }
        let deadline = started + Duration::from_millis(limits.wall_milliseconds);
        loop {
            self.close_stdin_if_done(transfer);
            let time = now();
            if time >= deadline || stop() {
                return Some(self.end_by(LimitKind::Time, transfer));
            }
            let look = self.meter.as_ref().and_then(Meter::next_look).unwrap_or(deadline);
            let look = look.min(time + STOP_INTERVAL);
            let look = self.disk.as_ref().map_or(look, |disk| look.min(disk.next()));
            let timeout = deadline.min(look).saturating_duration_since(time);
            let ready = system::wait_ready(self.interests(transfer), timeout).unwrap_or([true; 4]);
            let [stdin_ready, stdout_ready, stderr_ready, status_ready] = ready;
            if stdin_ready {
                self.send(transfer);
            }
            let mut fits = true;
            if stdout_ready {
                fits &= self.receive(Stream::Output, transfer);
            }
            // A program writes its complaints before the end of its answer, but the pipes may show them later.
            if stderr_ready || transfer.is_complete() {
                fits &= self.receive(Stream::Error, transfer);
            }
            if !fits {
                return Some(self.end_by(LimitKind::Output, transfer));
            }
            if transfer.is_complete() {
                return None;
            }
            if status_ready {
                return Some(self.finish(None, transfer));
            }
            if self.writes_too_much() {
                return Some(self.end_by(LimitKind::Output, transfer));
            }
            if self.is_too_large(limits) {
                return Some(self.end_by(LimitKind::Memory, transfer));
            }
        }
    }

    /// Sets the limits of the next transfer.
    pub(crate) fn begin_transfer(&mut self, limits: &Limits) {
        let Some(meter) = &mut self.meter else { return };
        meter.reset_peak();
        if let Meter::Group(group) = meter {
            // If the tree already uses more than a lower limit, the old one stays.
            let _ = group.set_memory_limit(memory_bytes(limits));
        }
    }

    /// The cost since the last call.
    pub(crate) fn cost(&mut self, started: Instant) -> Cost {
        let (cpu, peak) = match (&self.meter, self.ended) {
            (Some(Meter::Sampler(sampler)), Some(ended)) => {
                (ended.report.cpu_microseconds, sampler.peak_bytes().max(ended.report.peak_bytes))
            }
            (Some(meter), _) => (meter.cpu_microseconds(), meter.peak_bytes()),
            (None, _) => (self.cpu_before, 0),
        };
        let used = cpu.saturating_sub(self.cpu_before);
        self.cpu_before = self.cpu_before.max(cpu);
        Cost {
            wall_microseconds: u64::try_from(now().saturating_duration_since(started).as_micros())
                .unwrap_or(u64::MAX),
            cpu_microseconds: used,
            peak_memory_bytes: peak,
            kill: kill_mode(self.isolation),
            measure: self.meter.as_ref().map(Meter::mode).unwrap_or_default(),
        }
    }

    /// Fails if juvenal had to give up ending the tree.
    pub(crate) fn require_ended(&self, program: &Path) -> Result<(), RunError> {
        match &self.survivors {
            Some(processes) => {
                Err(RunError::Survivors { program: program.to_owned(), processes: processes.clone() })
            }
            None => Ok(()),
        }
    }

    /// The program's process id, or the guardian's if the program is gone.
    pub(crate) fn process_id(&self) -> u32 {
        let inner = match self.isolation {
            Isolation::Subreaper => first_child(self.guardian.process),
            Isolation::Namespace | Isolation::UserNamespace => Some(self.guardian.process),
        };
        let process = inner.and_then(first_child).unwrap_or(self.guardian.process);
        u32::try_from(process).unwrap_or(0)
    }

    fn interests(&self, transfer: &Transfer<'_>) -> [Option<(RawFd, Interest)>; 4] {
        let stdin = self.stdin.as_ref().filter(|_| !transfer.pending().is_empty());
        [
            stdin.map(|pipe| (pipe.as_raw_fd(), Interest::Write)),
            self.stdout.as_ref().map(|pipe| (pipe.as_raw_fd(), Interest::Read)),
            self.stderr.as_ref().map(|pipe| (pipe.as_raw_fd(), Interest::Read)),
            Some((self.status.as_raw_fd(), Interest::Read)),
        ]
    }

    fn close_stdin_if_done(&mut self, transfer: &Transfer<'_>) {
        if transfer.pending().is_empty() && transfer.ends_with_process() {
            self.stdin = None;
        }
    }

    /// Writes what fits into the pipe. A closed pipe is not an error: the program may not read its input.
    fn send(&mut self, transfer: &mut Transfer<'_>) {
        let Some(pipe) = &mut self.stdin else { return };
        match pipe.write(transfer.pending()) {
            Ok(count) => transfer.sent(count),
            Err(error) if is_temporary(&error) => {}
            Err(_) => {
                self.stdin = None;
                transfer.stop_sending();
            }
        }
    }

    /// Reads once and returns whether the output limit still holds.
    fn receive(&mut self, stream: Stream, transfer: &mut Transfer<'_>) -> bool {
        self.read_once(stream, transfer).unwrap_or(true)
    }

    /// Reads once. Returns nothing if there is nothing to read, now or ever.
    fn read_once(&mut self, stream: Stream, transfer: &mut Transfer<'_>) -> Option<bool> {
        let pipe = match stream {
            Stream::Output => &mut self.stdout,
            Stream::Error => &mut self.stderr,
        };
        match pipe.as_mut()?.read(&mut self.buffer) {
            Ok(0) => *pipe = None,
            Ok(count) => {
                return Some(transfer.receive(stream, self.buffer.get(..count).unwrap_or_default()));
            }
            Err(error) if is_temporary(&error) => {}
            Err(_) => *pipe = None,
        }
        None
    }

    fn is_too_large(&mut self, limits: &Limits) -> bool {
        self.meter.as_mut().is_some_and(|meter| meter.finds_too_much(now(), memory_bytes(limits)))
    }

    fn writes_too_much(&mut self) -> bool {
        let guardian = self.guardian.process;
        self.disk.as_mut().is_some_and(|disk| disk.finds_too_much(guardian, now()))
    }

    fn end_by(&mut self, limit: LimitKind, transfer: &mut Transfer<'_>) -> Ending {
        self.kill(INTERVALS_BEFORE_ABANDON);
        self.finish(Some(limit), transfer)
    }

    /// Makes the guardian end everything and waits until it has, but no longer than `intervals` intervals.
    ///
    /// A guardian that takes longer is left alone: it goes on killing, and ends when the last process has. Killing
    /// it would only set free what it holds together.
    fn kill(&mut self, intervals: u32) {
        if let (Isolation::Subreaper, Some(Meter::Group(group))) = (self.isolation, &mut self.meter) {
            group.forbid_new_processes();
        }
        self.lifetime = None;
        for interval in 0..intervals {
            match system::wait_ready([Some((self.status.as_raw_fd(), Interest::Read))], WAKE_INTERVAL) {
                Ok([false]) => {}
                Ok([true]) | Err(_) => return,
            }
            self.wake_guardian();
            if interval >= INTERVALS_BEFORE_KILL && self.isolation != Isolation::Subreaper {
                system::send_signal(self.guardian.process, libc::SIGKILL);
            }
        }
        self.survivors = Some(descendants(self.guardian.process));
        self.guardian.abandon();
    }

    /// A program may stop its guardian, but cannot keep it stopped.
    fn wake_guardian(&self) {
        system::send_signal(self.guardian.process, libc::SIGCONT);
    }

    /// Reads the guardian's report, reaps it, and reads the rest of the pipes.
    fn finish(&mut self, limit: Option<LimitKind>, transfer: &mut Transfer<'_>) -> Ending {
        let report = self.bury();
        let mut limit = limit;
        for stream in [Stream::Output, Stream::Error] {
            while let Some(fits) = self.read_once(stream, transfer) {
                if !fits {
                    limit = limit.or(Some(LimitKind::Output));
                    break;
                }
            }
        }
        if limit.is_none() && self.disk.as_ref().is_some_and(DiskWatch::is_full) {
            limit = Some(LimitKind::Output);
        }
        if self.meter.as_ref().is_some_and(Meter::was_over_memory) {
            limit = Some(LimitKind::Memory);
        }
        let mut ending = limit.map_or_else(|| natural_ending(&report), Ending::Limit);
        if self.disk.is_some() && ending == Ending::Signaled(libc::SIGXFSZ) {
            ending = Ending::Limit(LimitKind::Output);
        }
        self.ended = Some(Ended { ending, report });
        ending
    }

    /// Reads the report and reaps the guardian. Nothing of the tree is left after this, unless it was abandoned.
    fn bury(&mut self) -> Report {
        self.stdin = None;
        if self.survivors.is_some() {
            return Report { status: None, cpu_microseconds: 0, peak_bytes: 0 };
        }
        let mut message = [0; Report::BYTES];
        let report = self.status.read_exact(&mut message).ok().and_then(|()| Report::read(&message));
        self.lifetime = None;
        let cpu = system::reap(self.guardian.process);
        if let Some(Meter::Group(group)) = &mut self.meter {
            group.kill_members();
        }
        // A guardian without a report was killed.
        report.unwrap_or(Report {
            status: None,
            cpu_microseconds: u64::try_from(cpu.as_micros()).unwrap_or(u64::MAX),
            peak_bytes: 0,
        })
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.kill(INTERVALS_BEFORE_ABANDON);
            self.bury();
        }
        if let (Some(Meter::Group(group)), Some(pool)) = (self.meter.take(), &self.pool) {
            pool.give_back(*group);
        }
    }
}

/// The pipes of a new tree, each with its read end first.
struct Pipes {
    stdin: (PipeReader, PipeWriter),
    stdout: (PipeReader, PipeWriter),
    stderr: (PipeReader, PipeWriter),
    lifetime: (PipeReader, PipeWriter),
    status: (PipeReader, PipeWriter),
    failure: (PipeReader, PipeWriter),
}

impl Pipes {
    fn new() -> io::Result<Pipes> {
        let pipes = Pipes {
            stdin: pipe()?,
            stdout: pipe()?,
            stderr: pipe()?,
            lifetime: pipe()?,
            status: pipe()?,
            failure: pipe()?,
        };
        system::set_nonblocking(&pipes.stdin.1)?;
        system::set_nonblocking(&pipes.stdout.0)?;
        system::set_nonblocking(&pipes.stderr.0)?;
        Ok(pipes)
    }

    /// Keeps the ends of juvenal and closes those of the guardian and the program.
    fn into_tree(
        self,
        guardian: Guardian,
        isolation: Isolation,
        meter: Meter,
        pool: Option<Arc<Pool>>,
    ) -> (Tree, PipeReader) {
        let tree = Tree {
            guardian,
            isolation,
            lifetime: Some(self.lifetime.1),
            status: self.status.0,
            stdin: Some(self.stdin.1),
            stdout: Some(self.stdout.0),
            stderr: Some(self.stderr.0),
            meter: Some(meter),
            disk: None,
            pool,
            buffer: vec![0; READ_BYTES],
            cpu_before: 0,
            ended: None,
            survivors: None,
        };
        (tree, self.failure.0)
    }
}

/// Makes a pipe whose descriptors are not those of standard input, output and error, even if these are closed.
fn pipe() -> io::Result<(PipeReader, PipeWriter)> {
    let (mut reader, mut writer) = io::pipe()?;
    // A clone always gets a larger number.
    if reader.as_raw_fd() <= libc::STDERR_FILENO {
        reader = reader.try_clone()?;
    }
    if writer.as_raw_fd() <= libc::STDERR_FILENO {
        writer = writer.try_clone()?;
    }
    Ok((reader, writer))
}

/// How the tree of this isolation is killed.
pub(crate) fn kill_mode(isolation: Isolation) -> KillMode {
    match isolation {
        Isolation::Namespace | Isolation::UserNamespace => KillMode::Namespace,
        Isolation::Subreaper => KillMode::Subreaper,
    }
}

/// The one place where this crate reads the clock for runs.
#[allow(clippy::disallowed_methods, reason = "this crate measures and limits time")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

fn natural_ending(report: &Report) -> Ending {
    // A tree that ended without a limit and without a status was killed from outside.
    let Some(status) = report.status else { return Ending::Signaled(libc::SIGKILL) };
    let status = ExitStatus::from_raw(status);
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, signal) => Ending::Signaled(signal.unwrap_or(libc::SIGKILL)),
    }
}

fn memory_bytes(limits: &Limits) -> u64 {
    limits.memory_megabytes.max(1).saturating_mul(1024 * 1024)
}

fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::{Tree, pipe};
    use crate::barrier::{Confiner, Identity};
    use crate::command::Command;
    use crate::confinement::{Confinement, ConfinementMode};
    use crate::guardian::Isolation;
    use crate::run_error::RunError;
    use crate::transfer::Transfer;
    use model::{LimitKind, Limits};
    use std::path::Path;

    /// A guardian whose report never comes stands for one whose tree cannot be ended.
    #[test]
    fn a_tree_that_does_not_end_is_reported_and_not_waited_for() {
        let mut command = Command::new("sleep", "/", Confinement::None);
        command.arguments = vec!["1000".into()];
        let confiner = Confiner::new(ConfinementMode::Nothing, Identity::Kept);
        let mut tree =
            Tree::start(Isolation::Subreaper, None, &confiner, None, &command, &Limits::default()).unwrap();
        let (silent, _open_end) = pipe().unwrap();
        let guardian = tree.guardian.process;
        let status = std::mem::replace(&mut tree.status, silent);
        tree.kill(3);
        tree.finish(Some(LimitKind::Time), &mut Transfer::until_end(&[], 0));
        let error = tree.require_ended(Path::new("sleep")).unwrap_err();
        assert!(matches!(&error, RunError::Survivors { .. }), "{error}");
        assert!(error.to_string().contains("\"sleep\""), "{error}");
        drop(tree);
        drop(status);
        crate::system::reap(guardian);
    }
}
