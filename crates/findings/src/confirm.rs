//! Confirms exhibits: asks their queries again, more than once, in fresh processes.

use anyhow::{Context, Result};
use engine::{Asker, unless_stopped};
use model::{Answer, Exhibit, Query};
use techniques::{Judgement, Technique};

/// The number of times that the relation must break again before an exhibit counts as confirmed.
const ATTEMPTS: u32 = 2;

/// The result of asking again.
pub enum Confirmation {
    /// The relation broke each time; these are the last answers.
    Confirmed(Vec<Answer>),
    /// It did not break each time, because the analyzer or its session is not deterministic. Such exhibits are counted and
    /// never become findings.
    Fleeting,
}

/// Asks the exhibit's queries again in fresh processes, each in its own mode.
pub fn confirm(asker: &mut Asker<'_>, technique: &Technique, exhibit: &Exhibit) -> Result<Confirmation> {
    confirm_until(asker, technique, exhibit, &|| false)?
        .context("interrupted before the finding was confirmed")
}

/// Like [`confirm`]; `None` if `stop` interrupted it.
pub(crate) fn confirm_until(
    asker: &mut Asker<'_>,
    technique: &Technique,
    exhibit: &Exhibit,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Confirmation>> {
    let mut answers = Vec::new();
    for attempt in 1..=ATTEMPTS {
        let queries: Vec<Query> = exhibit.queries.iter().map(|query| query.fresh(attempt)).collect();
        let Some(given) = asker.ask_with_outputs(&queries, stop)? else { return Ok(None) };
        match judge_until(technique, exhibit, &given, stop)? {
            Some(Judgement::Broken) => {}
            Some(Judgement::Intact | Judgement::NeedMore) => return Ok(Some(Confirmation::Fleeting)),
            None => return Ok(None),
        }
        answers = given;
    }
    Ok(Some(Confirmation::Confirmed(answers)))
}

/// Judges an exhibit by the answers to its first queries; `None` if `stop` interrupted it.
pub(crate) fn judge_until(
    technique: &Technique,
    exhibit: &Exhibit,
    answers: &[Answer],
    stop: &dyn Fn() -> bool,
) -> Result<Option<Judgement>> {
    let decide = technique.judge.judge;
    let (exhibit, answers) = (exhibit.clone(), answers.to_vec());
    unless_stopped(stop, move || decide(&exhibit, &answers))
}
