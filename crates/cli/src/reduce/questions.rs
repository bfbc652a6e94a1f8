//! Questions of a confined reducer: it puts candidates into a directory, and juvenal answers while it runs.
//!
//! A question is a directory with the candidate, `program.c`, and a named pipe for the answer, `answer`, moved into place
//! when it is complete. Whoever writes them is not trusted: nothing outside is read or written, whatever lies there.

use crate::screen;
use anyhow::Result;
use parking_lot::Mutex;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use store::Folder;

/// The file name of a candidate.
pub const PROGRAM: &str = "program.c";
/// The name of the pipe that takes the answer.
const ANSWER: &str = "answer";
/// How long nothing is done while there is no question.
const PAUSE: Duration = Duration::from_millis(5);

/// Decides whether a candidate still shows a finding; false if the function that it gets returns true before.
pub type Judge<'a> = dyn Fn(Vec<u8>, &dyn Fn() -> bool) -> Result<bool> + Sync + 'a;

/// What a reducer may do.
pub struct Terms {
    /// How many candidates are judged at the same time.
    pub workers: usize,
    /// The size of the largest candidate in bytes.
    pub largest: u64,
    /// How long it may work without asking anything. A reducer that hangs would otherwise never end.
    pub patience: Duration,
}

/// A candidate, and who waits for an answer.
struct Question {
    candidate: Vec<u8>,
    answer: File,
}

/// What the workers share.
struct Desk<'a> {
    folder: &'a Folder,
    judge: &'a Judge<'a>,
    terms: &'a Terms,
    is_over: AtomicBool,
    /// The first failure that is not the fault of a candidate.
    failure: Mutex<Option<anyhow::Error>>,
    /// Held while a question is taken, so that each is taken once.
    turn: Mutex<()>,
    silence: Mutex<Silence>,
}

/// How long the reducer has had no question.
struct Silence {
    /// How many questions are being judged.
    judged: usize,
    /// How often a worker has paused since the last answer. The clock is not read here.
    pauses: u128,
}

/// Ends the work and the workers, also if one of them panics.
struct OverAtEnd<'a>(&'a AtomicBool);

impl Drop for OverAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Answers questions while something else works, which must end when the function that it gets returns true.
pub fn answer_while<T>(
    folder: &Folder,
    terms: &Terms,
    judge: &Judge<'_>,
    work: impl FnOnce(&dyn Fn() -> bool) -> Result<T>,
) -> Result<T> {
    let desk = Desk::new(folder, terms, judge);
    let worked = thread::scope(|scope| {
        let _over = OverAtEnd(&desk.is_over);
        for _ in 0..terms.workers {
            scope.spawn(|| desk.serve());
        }
        work(&|| desk.is_over())
    });
    match desk.failure.into_inner() {
        Some(failure) => Err(failure),
        None => worked,
    }
}

impl<'a> Desk<'a> {
    fn new(folder: &'a Folder, terms: &'a Terms, judge: &'a Judge<'a>) -> Desk<'a> {
        Desk {
            folder,
            judge,
            terms,
            is_over: AtomicBool::new(false),
            failure: Mutex::new(None),
            turn: Mutex::new(()),
            silence: Mutex::new(Silence { judged: 0, pauses: 0 }),
        }
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// Answers questions until the work is over or something fails.
    fn serve(&self) {
        let _over = OverAtEnd(&self.is_over);
        while !self.is_over() {
            let served = match self.next_question() {
                Ok(Some(question)) => self.reply(question),
                Ok(None) => {
                    self.wait();
                    Ok(())
                }
                Err(failure) => Err(failure),
            };
            if let Err(failure) = served {
                self.failure.lock().get_or_insert(failure);
                return;
            }
        }
    }

    /// Waits for a question, but not longer than the patience.
    fn wait(&self) {
        thread::sleep(PAUSE);
        if self.hangs() && !self.is_over.swap(true, Ordering::SeqCst) {
            let seconds = self.terms.patience.as_secs();
            screen::complain(format_args!(
                "the reducer made no proposal for {seconds} seconds and was stopped"
            ));
        }
    }

    /// Counts a pause, and returns whether the reducer hangs. Each worker pauses on its own.
    fn hangs(&self) -> bool {
        let mut silence = self.silence.lock();
        silence.pauses += 1;
        let patience = self.terms.patience.as_millis() * self.terms.workers as u128;
        silence.judged == 0 && silence.pauses * PAUSE.as_millis() > patience
    }

    fn reply(&self, question: Question) -> Result<()> {
        let Question { candidate, mut answer } = question;
        self.silence.lock().judged += 1;
        let judged = (self.judge)(candidate, &|| self.is_over() || !has_reader(&answer));
        self.begin_silence();
        let shows = judged?;
        // Whoever asked may be gone: C-Vise ends the other tests when one has succeeded.
        let _ = answer.write_all(if shows { b"0\n" } else { b"1\n" });
        Ok(())
    }

    /// Notes the end of a judgement.
    fn begin_silence(&self) {
        let mut silence = self.silence.lock();
        silence.judged -= 1;
        silence.pauses = 0;
    }

    /// Takes a question out of the directory. What is no question, or has no reader, is removed.
    fn next_question(&self) -> Result<Option<Question>> {
        let _turn = self.turn.lock();
        for name in self.folder.names()? {
            let question = self.read_question(&name);
            self.folder.remove(&name)?;
            if question.is_some() {
                return Ok(question);
            }
        }
        Ok(None)
    }

    fn read_question(&self, name: &str) -> Option<Question> {
        let place = self.folder.subfolder(name).ok()?;
        let answer = place.open_pipe(ANSWER).ok()?;
        let candidate = place.read(PROGRAM, self.terms.largest).ok()?;
        Some(Question { candidate, answer })
    }
}

/// False once the other end of a pipe is closed.
fn has_reader(pipe: &File) -> bool {
    let mut ends = [PollFd::new(pipe, PollFlags::empty())];
    let no_time = Timespec { tv_sec: 0, tv_nsec: 0 };
    let _ = poll(&mut ends, Some(&no_time));
    !ends[0].revents().contains(PollFlags::ERR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;
    use std::fs;
    use std::path::Path;
    use store::Permissions;

    const TERMS: Terms = Terms { workers: 2, largest: 100, patience: Duration::from_secs(60) };
    const PATIENCE: Duration = Duration::from_millis(50);

    /// Puts a question, and returns the end of the pipe where the answer comes.
    fn ask(directory: &Path, folder: &Folder, name: &str) -> File {
        let question = directory.join(name);
        fs::create_dir(&question).unwrap();
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, question.join(ANSWER), rustix::fs::FileType::Fifo, mode, 0)
            .unwrap();
        let pipe = File::options().read(true).write(true).open(question.join(ANSWER)).unwrap();
        folder.subfolder(name).unwrap().write(Path::new(PROGRAM), b"text", Permissions::Plain).unwrap();
        pipe
    }

    /// Does nothing until it must end.
    fn hang(must_end: &dyn Fn() -> bool) -> Result<()> {
        while !must_end() {
            thread::sleep(PAUSE);
        }
        Ok(())
    }

    #[test]
    fn a_silent_reducer_is_ended() {
        let directory = tempfile::tempdir().unwrap();
        let folder = Folder::open(directory.path()).unwrap();
        let terms = Terms { patience: PATIENCE, ..TERMS };
        answer_while(&folder, &terms, &|_, _| Ok(true), hang).unwrap();
    }

    #[test]
    fn a_long_judgement_is_no_silence() {
        let directory = tempfile::tempdir().unwrap();
        let folder = Folder::open(directory.path()).unwrap();
        // Complete before anyone looks, since it is not moved into place.
        let _pipe = ask(directory.path(), &folder, "question");
        let terms = Terms { patience: PATIENCE, ..TERMS };
        let was_ended = AtomicBool::new(false);
        let judge = |_, stop: &dyn Fn() -> bool| {
            thread::sleep(PATIENCE * 4);
            was_ended.store(stop(), Ordering::SeqCst);
            Ok(true)
        };
        answer_while(&folder, &terms, &judge, hang).unwrap();
        assert!(!was_ended.into_inner());
    }

    #[test]
    fn a_failure_of_the_judge_ends_the_work() {
        let directory = tempfile::tempdir().unwrap();
        let folder = Folder::open(directory.path()).unwrap();
        let _pipe = ask(directory.path(), &folder, "question");
        let failure = answer_while(&folder, &TERMS, &|_, _| bail!("no judge"), hang).unwrap_err();
        assert_eq!(failure.to_string(), "no judge");
    }

    #[test]
    fn judging_stops_once_no_caller_waits() {
        let directory = tempfile::tempdir().unwrap();
        let folder = Folder::open(directory.path()).unwrap();
        let pipe = Mutex::new(Some(ask(directory.path(), &folder, "question")));
        let (has_stopped, patience) = (AtomicBool::new(false), PATIENCE);
        let judge = |_, stop: &dyn Fn() -> bool| {
            drop(pipe.lock().take());
            has_stopped.store(stop(), Ordering::SeqCst);
            Ok(true)
        };
        answer_while(&folder, &Terms { patience, ..TERMS }, &judge, hang).unwrap();
        assert!(has_stopped.into_inner());
        assert_eq!(folder.names().unwrap(), Vec::<String>::new(), "a question is removed");
    }
}
