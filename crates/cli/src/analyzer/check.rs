//! Checking that an analyzer is called and read as its description says, by tiny inputs with known answers.

use crate::lineup;
use crate::status::counted;
use crate::verdict_words::describe_verdict;
use analyzers::{Probe, probes};
use anyhow::Result;
use engine::{Asker, Engine, Journal, Resolved, Specification};
use model::{Answer, Verdict};
use std::io::{self, Write};

pub fn run(texts: &[String]) -> Result<u8> {
    let locator = lineup::locator()?;
    let mut out = io::stdout().lock();
    let mut all_failed = 0;
    for text in texts {
        let resolved = locator.resolve(&Specification::parse(text)?)?;
        writeln!(out, "{} at {}", resolved.member.id, resolved.origin)?;
        let (asked, failed) = check(&resolved, &mut out)?;
        match failed {
            0 => writeln!(out, "  {} answered as expected", counted(asked, "question"))?,
            _ => writeln!(out, "  {failed} of {} failed", counted(asked, "question"))?,
        }
        all_failed += failed;
    }
    Ok(u8::from(all_failed > 0))
}

/// Asks every probe; returns how many questions were asked and how many answers are wrong.
fn check(resolved: &Resolved, out: &mut dyn Write) -> Result<(u64, u64)> {
    let engine = Engine::new(vec![resolved.clone()])?;
    let mut asker = Asker::new(&engine, None, Journal::Off);
    let (mut asked, mut failed) = (0, 0);
    for probe in probes(&resolved.member) {
        for answer in asker.ask(std::slice::from_ref(&probe.query))? {
            let fault = fault(&probe, &answer);
            asked += 1;
            failed += u64::from(fault.is_some());
            match fault {
                None => writeln!(out, "  ok     {} ({})", probe.name, probe.query.mode)?,
                Some(fault) => writeln!(out, "  FAILED {} ({}): {fault}", probe.name, probe.query.mode)?,
            }
        }
    }
    Ok((asked, failed))
}

fn fault(probe: &Probe, answer: &Answer) -> Option<String> {
    match &answer.verdict {
        Verdict::Claim(claim) => probe.fault(claim),
        other => Some(format!("expected {}, but it {}", probe.expected, describe_verdict(other))),
    }
}
