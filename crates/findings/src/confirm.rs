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
    let mut answers = Vec::new();
    for attempt in 1..=ATTEMPTS {
        let queries: Vec<Query> = exhibit.queries.iter().map(|query| query.fresh(attempt)).collect();
        answers = asker.ask(&queries)?;
        if !technique.broken(exhibit, &answers) {
            return Ok(Confirmation::Fleeting);
        }
    }
    Ok(Confirmation::Confirmed(answers))
}
