//! Checks, with tiny inputs whose answers are known, that an analyzer is called and read as its description says.

use crate::option_values::cores;
use crate::status::counted;
use crate::verdict_words::describe_verdict;
use crate::{lineup, screen};
use analyzers::{Probe, probes};
use anyhow::Result;
use engine::{Engine, Resolved};
use model::{Answer, Query, Verdict};
use std::io::Write;

pub fn run(texts: &[String]) -> Result<u8> {
    let locator = lineup::locator()?;
    let mut out = screen::out();
    let mut all_failed = 0;
    for text in texts {
        let resolved = lineup::resolve_given(&locator, text)?;
        writeln!(out, "{} at {}", resolved.member.id, resolved.origin)?;
        let (asked, failed) = check(&resolved, &mut out)?;
        match failed {
            0 => writeln!(out, "  {} answered as expected", counted(asked, "query"))?,
            _ => writeln!(out, "  {failed} of {} failed", counted(asked, "query"))?,
        }
        all_failed += failed;
    }
    Ok(u8::from(all_failed > 0))
}

/// Asks every probe; returns the number of queries and the number of wrong answers.
fn check(resolved: &Resolved, out: &mut (dyn Write + Send)) -> Result<(u64, u64)> {
    let engine = Engine::new(vec![resolved.clone()])?;
    let probes = probes(&resolved.member);
    let queries: Vec<Query> = probes.iter().map(|probe| probe.query.clone()).collect();
    let (mut asked, mut failed) = (0, 0);
    campaign::probe(&engine, &queries, cores(), &mut |number, answer| {
        let Some(probe) = probes.get(number) else { return Ok(()) };
        let fault = fault(probe, &answer);
        asked += 1;
        failed += u64::from(fault.is_some());
        match fault {
            None => writeln!(out, "  ok     {} ({})", probe.name, probe.query.mode)?,
            Some(fault) => writeln!(out, "  FAILED {} ({}): {fault}", probe.name, probe.query.mode)?,
        }
        Ok(())
    })?;
    Ok((asked, failed))
}

fn fault(probe: &Probe, answer: &Answer) -> Option<String> {
    match &answer.verdict {
        Verdict::Claim(claim) => probe.fault(claim),
        other => Some(format!("expected {}, but it {}", probe.expected, describe_verdict(other))),
    }
}
