//! Confirming an exhibit: the same questions, to processes of their own, more than once.

use anyhow::Result;
use engine::Asker;
use model::{Answer, Exhibit, Query};
use techniques::Technique;

/// How often the relation must break again before an exhibit is believed.
const ATTEMPTS: u32 = 2;

/// What asking again showed.
pub enum Confirmation {
    /// The relation broke each time; these are the last answers.
    Confirmed(Vec<Answer>),
    /// At least once it did not: the analyzer or its session is not deterministic. Counted, never a finding.
    Fleeting,
}

/// Asks the exhibit's queries again in fresh processes, each in its own mode.
pub fn confirm(asker: &mut Asker<'_>, technique: &dyn Technique, exhibit: &Exhibit) -> Result<Confirmation> {
    // Nothing breaks this off, so there always is a confirmation.
    Ok(confirm_until(asker, technique, exhibit, &|| false)?.unwrap_or(Confirmation::Fleeting))
}

/// The same; none if `stop` broke it off.
pub(crate) fn confirm_until(
    asker: &mut Asker<'_>,
    technique: &dyn Technique,
    exhibit: &Exhibit,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Confirmation>> {
    let mut answers = Vec::new();
    for attempt in 1..=ATTEMPTS {
        let queries: Vec<Query> = exhibit.queries.iter().map(|query| query.fresh(attempt)).collect();
        let Some(given) = asker.ask_until(&queries, stop)? else { return Ok(None) };
        if !technique.broken(exhibit, &given) {
            return Ok(Some(Confirmation::Fleeting));
        }
        answers = given;
    }
    Ok(Some(Confirmation::Confirmed(answers)))
}
