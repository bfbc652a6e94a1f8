//! Choices behind an analyzer's name are tried before a campaign begins: a misspelled one would spoil all of it.

use super::check::questions;
use anyhow::{Result, bail};
use engine::{Asker, Engine, Journal, Resolved};
use model::{Query, Verdict};

/// Refuses analyzers with choices that make them refuse the simplest input.
pub fn refuse_bad_choices(analyzers: &[Resolved]) -> Result<()> {
    for resolved in analyzers.iter().filter(|it| !it.member.id.choices().is_empty()) {
        let engine = Engine::new(vec![resolved.clone()])?;
        let mut asker = Asker::new(&engine, None, Journal::Off);
        let mut queries: Vec<Query> = questions(&resolved.member).into_iter().map(|it| it.query).collect();
        // The first question of each role is enough.
        queries.dedup_by_key(|query| query.role);
        for answer in asker.ask(&queries)? {
            if let Verdict::Rejected(message) = &answer.verdict {
                bail!(
                    "{} refuses every input: {message}; `juvenal explain {}` lists what can be chosen behind its name",
                    resolved.member.id,
                    resolved.member.id.name()
                );
            }
        }
    }
    Ok(())
}
