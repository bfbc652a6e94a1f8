//! The steps from an exhibit to a finding that ask analyzers: confirm, reduce, confirm again, weigh.

use crate::confirm::confirm_until;
use crate::{Confirmation, ReduceBudget, Reduced, reduce};
use anyhow::Result;
use engine::{Asker, unless_stopped};
use model::{Answer, Exhibit, Lineup, RunRecord, Weighed};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use techniques::{Hearing, Technique};

/// A confirmed exhibit.
#[derive(Serialize, Deserialize)]
pub struct Examined {
    /// The exhibit as it was found.
    pub exhibit: Exhibit,
    /// The smallest exhibit that the reduction reached.
    pub reduced: Exhibit,
    /// True if no pass can make it smaller.
    pub fully_reduced: bool,
    /// The answers that broke the relation of the reduced exhibit.
    pub answers: Vec<Answer>,
    /// What the analyzers printed for each of them, as text.
    pub outputs: Vec<String>,
    /// The commands that gave these answers.
    pub runs: Vec<RunRecord>,
    /// The strength of the case.
    pub weighed: Weighed,
    /// The features of the reduced exhibit, by which findings are grouped.
    pub features: BTreeSet<String>,
}

/// The result of examining an exhibit.
pub enum Examination {
    /// It was confirmed, and reduced and weighed as far as there was time.
    Held(Box<Examined>),
    /// Asking again did not break the relation.
    Fleeting,
    /// The examination was interrupted before the exhibit was weighed.
    BrokenOff,
}

/// The conditions for ending early.
pub struct Stops<'a> {
    /// Ends the search for a smaller exhibit. The smallest one so far is still confirmed and weighed.
    pub search: &'a (dyn Fn() -> bool + Sync),
    /// Ends everything; tested before every query, and while the judge weighs. An exhibit that is confirmed but not weighed
    /// is interrupted, and examined again when the campaign is resumed.
    pub asking: &'a (dyn Fn() -> bool + Sync),
}

/// Examines a stored exhibit again, starting from its reduced form. Returns `None` if it no longer holds.
/// `stop` ends only the search: the smallest exhibit so far is still confirmed and weighed, or it would be lost.
pub fn examine_again(
    askers: &mut [Asker<'_>],
    technique: &Technique,
    lineup: &Lineup,
    found: &Exhibit,
    reduced: &Exhibit,
    budget: ReduceBudget,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Examined>> {
    let stops = Stops { search: stop, asking: &|| false };
    Ok(match examine(askers, technique, lineup, reduced, budget, &stops)? {
        Examination::Held(examined) => Some(Examined { exhibit: found.clone(), ..*examined }),
        Examination::Fleeting | Examination::BrokenOff => None,
    })
}

/// Examines a new exhibit.
pub fn examine(
    askers: &mut [Asker<'_>],
    technique: &Technique,
    lineup: &Lineup,
    exhibit: &Exhibit,
    budget: ReduceBudget,
    stops: &Stops<'_>,
) -> Result<Examination> {
    let Some(asker) = askers.first_mut() else { return Ok(Examination::BrokenOff) };
    let answers = match confirm_until(asker, technique, exhibit, stops.asking)? {
        Some(Confirmation::Confirmed(answers)) => answers,
        Some(Confirmation::Fleeting) => return Ok(Examination::Fleeting),
        None => return Ok(Examination::BrokenOff),
    };
    let small = reduce(askers, technique, exhibit, budget, stops.search)?;
    let Some(asker) = askers.first_mut() else { return Ok(Examination::BrokenOff) };
    // If the reduced exhibit is not confirmed, the reduction is discarded, not the finding.
    let (reduced, fully_reduced, answers) = match confirm_small(asker, technique, &small, stops)? {
        Some(answers) => (small.exhibit, small.fully_reduced, answers),
        None => (exhibit.clone(), false, answers),
    };
    let Some(weighed) = weigh(asker, technique, lineup, &reduced, &answers, stops)? else {
        return Ok(Examination::BrokenOff);
    };
    let features = (technique.judge.features)(&reduced, &answers);
    let runs = reduced.queries.iter().map(|query| asker.describe_run(query)).collect::<Result<Vec<_>>>()?;
    let outputs = answers.iter().map(|answer| String::from_utf8_lossy(&answer.output).into_owned()).collect();
    let exhibit = exhibit.clone();
    let examined = Examined { exhibit, reduced, fully_reduced, answers, outputs, runs, weighed, features };
    Ok(Examination::Held(Box::new(examined)))
}

/// The answers that confirm a reduced exhibit; `None` if it does not hold or there was no time to ask.
fn confirm_small(
    asker: &mut Asker<'_>,
    technique: &Technique,
    small: &Reduced,
    stops: &Stops<'_>,
) -> Result<Option<Vec<Answer>>> {
    Ok(match confirm_until(asker, technique, &small.exhibit, stops.asking)? {
        Some(Confirmation::Confirmed(answers)) => Some(answers),
        Some(Confirmation::Fleeting) | None => None,
    })
}

/// Asks the witnesses and weighs what they say; `None` if there was no time to weigh it.
fn weigh(
    asker: &mut Asker<'_>,
    technique: &Technique,
    lineup: &Lineup,
    exhibit: &Exhibit,
    answers: &[Answer],
    stops: &Stops<'_>,
) -> Result<Option<Weighed>> {
    let queries = (technique.judge.hearing)(exhibit, answers, lineup);
    let (asked, witnesses) = match asker.ask_until(&queries, stops.asking)? {
        Some(witnesses) => (queries, witnesses),
        None => (Vec::new(), Vec::new()),
    };
    let weigh = technique.judge.weigh;
    let (exhibit, answers, lineup) = (exhibit.clone(), answers.to_vec(), lineup.clone());
    unless_stopped(stops.asking, move || {
        let hearing = Hearing { answers: &answers, lineup: &lineup, asked: &asked, witnesses: &witnesses };
        weigh(&exhibit, &hearing)
    })
}
