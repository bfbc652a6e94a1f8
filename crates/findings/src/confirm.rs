//! Confirming an exhibit: its queries are asked again, in fresh processes, more than once.

use anyhow::Result;
use engine::Asker;
use model::{Answer, Exhibit, Query};
use techniques::{Judgement, Technique};

/// How often the relation must break again before an exhibit counts as confirmed.
const ATTEMPTS: u32 = 2;

/// The result of asking again.
pub enum Confirmation {
    /// The relation broke each time; these are the last answers.
    Confirmed(Vec<Answer>),
    /// At least once it did not break: the analyzer or its session is not deterministic. This is counted, and never a
    /// finding.
    Fleeting,
}

/// Asks the exhibit's queries again in fresh processes, each in its own mode.
pub fn confirm(asker: &mut Asker<'_>, technique: &Technique, exhibit: &Exhibit) -> Result<Confirmation> {
    // Nothing interrupts this, so there is always a confirmation.
    Ok(confirm_until(asker, technique, exhibit, &|| false)?.unwrap_or(Confirmation::Fleeting))
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
        if (technique.judge.judge)(exhibit, &given) != Judgement::Broken {
            return Ok(Some(Confirmation::Fleeting));
        }
        answers = given;
    }
    Ok(Some(Confirmation::Confirmed(answers)))
}
