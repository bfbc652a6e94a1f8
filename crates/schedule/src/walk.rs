//! The only loop around a walk.

use anyhow::{Result, bail};
use engine::unless_stopped;
use model::{Answer, Query};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use techniques::{Case, Notes, Step};

/// How a walk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The case is complete.
    Done,
    /// The technique cannot use the seed.
    Skipped {
        /// The reason; cases are counted by it.
        reason: String,
        /// Details, such as the position of a syntax error.
        detail: String,
    },
    /// The walker stopped it.
    Stopped,
    /// juvenal itself panicked. One bad case must not end a whole job.
    Panicked,
}

/// What a job does at each step of a walk.
pub trait Walker {
    /// Takes the notes of a step, before its queries are asked.
    fn see(&mut self, notes: Notes) -> Result<ControlFlow<()>>;

    /// Answers the queries of a step, in order; none stops the walk.
    fn ask(&mut self, queries: &[Query]) -> Result<Option<Vec<Answer>>>;

    /// True once the walk must end. It is tested before each step and while a step is computed.
    fn is_over(&self) -> bool;
}

/// Opens a case and walks it until it ends or the walker stops it, also in the middle of a step.
pub fn drive(
    open: impl FnOnce() -> Result<Box<dyn Case>> + Send + 'static,
    walker: &mut dyn Walker,
) -> Result<End> {
    catch_unwind(AssertUnwindSafe(|| steps(open, walker))).unwrap_or(Ok(End::Panicked))
}

fn steps(
    open: impl FnOnce() -> Result<Box<dyn Case>> + Send + 'static,
    walker: &mut dyn Walker,
) -> Result<End> {
    let Some(case) = unless_stopped(&|| walker.is_over(), open)? else { return Ok(End::Stopped) };
    let (mut case, mut answers) = (case?, Vec::new());
    while !walker.is_over() {
        let work = move || {
            let mut notes = Notes::default();
            let step = case.next(&answers, &mut notes);
            (case, step, notes)
        };
        let Some((same_case, step, notes)) = unless_stopped(&|| walker.is_over(), work)? else { break };
        case = same_case;
        if walker.see(notes)?.is_break() {
            break;
        }
        answers = match step {
            Step::Done => return Ok(End::Done),
            Step::Fault(detail) => bail!(detail),
            Step::Skip { reason, detail } => return Ok(End::Skipped { reason, detail }),
            Step::Ask(queries) => match walker.ask(&queries)? {
                Some(answers) => answers,
                None => break,
            },
        };
    }
    Ok(End::Stopped)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A case that asks nothing for a number of steps, then ends in some way.
    struct Countdown {
        steps: u32,
        end: fn() -> Step,
    }

    impl Case for Countdown {
        fn next(&mut self, _answers: &[Answer], _notes: &mut Notes) -> Step {
            match self.steps.checked_sub(1) {
                Some(left) => {
                    self.steps = left;
                    Step::Ask(Vec::new())
                }
                None => (self.end)(),
            }
        }
    }

    /// The number of steps that it takes.
    struct Patience(u32);

    impl Walker for Patience {
        fn see(&mut self, _notes: Notes) -> Result<ControlFlow<()>> {
            Ok(ControlFlow::Continue(()))
        }

        fn ask(&mut self, _queries: &[Query]) -> Result<Option<Vec<Answer>>> {
            self.0 = self.0.saturating_sub(1);
            Ok((self.0 > 0).then(Vec::new))
        }

        fn is_over(&self) -> bool {
            false
        }
    }

    #[test]
    fn every_end_of_a_walk_is_distinguished() {
        let skip = || Step::Skip { reason: "empty".to_owned(), detail: "a.c".to_owned() };
        let skipped = End::Skipped { reason: "empty".to_owned(), detail: "a.c".to_owned() };
        type Row = (fn() -> Step, u32, End);
        let rows: [Row; 4] = [
            (|| Step::Done, 9, End::Done),
            (|| Step::Done, 2, End::Stopped),
            (skip, 9, skipped),
            (|| panic!("a bug of ours"), 9, End::Panicked),
        ];
        for (end, patience, expected) in rows {
            let reached =
                drive(move || Ok(Box::new(Countdown { steps: 3, end })), &mut Patience(patience)).unwrap();
            assert_eq!(reached, expected);
        }
    }
}
