//! Tries the configuration of each analyzer before a campaign begins, because a misspelled option would waste all of it.

use analyzers::probes;
use anyhow::{Result, bail};
use engine::{Asker, Engine, Journal, Resolved};
use model::{Query, Verdict};

/// Refuses analyzers that reject even the simplest input under their configuration.
pub fn refuse_bad_choices(analyzers: &[Resolved]) -> Result<()> {
    for resolved in analyzers.iter().filter(|it| !it.member.id.choices().is_empty()) {
        let engine = Engine::new(vec![resolved.clone()])?;
        let mut asker = Asker::new(&engine, None, Journal::Off);
        let mut queries: Vec<Query> = probes(&resolved.member).into_iter().map(|probe| probe.query).collect();
        // The first probe of each role is enough.
        queries.dedup_by_key(|query| query.role);
        for answer in asker.ask(&queries)? {
            if let Verdict::Rejected(message) = &answer.verdict {
                bail!(
                    "{} rejects every input: {message}; `juvenal explain {}` lists the options that can follow its name",
                    resolved.member.id,
                    resolved.member.id.name()
                );
            }
        }
    }
    Ok(())
}
