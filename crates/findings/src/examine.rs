//! Everything between an exhibit and a finding that needs asking: confirm, reduce, confirm again, weigh.

use crate::confirm::confirm_until;
use crate::{Confirmation, ReduceBudget, Reduced, reduce};
use anyhow::Result;
use engine::Asker;
use model::{Answer, Exhibit, Lineup, RunRecord, Weighed};
use std::collections::BTreeSet;
use techniques::Technique;

/// An exhibit that stood every test.
pub struct Examined {
    /// As it was found.
    pub exhibit: Exhibit,
    /// As small as it got.
    pub reduced: Exhibit,
    /// True if nothing more can be taken away.
    pub fully_reduced: bool,
    /// The answers that broke the relation of the reduced exhibit.
    pub answers: Vec<Answer>,
    /// How these answers were got.
    pub runs: Vec<RunRecord>,
    /// The strength of the case.
    pub weighed: Weighed,
    /// What the reduced exhibit is made of.
    pub features: BTreeSet<String>,
}

/// What became of an exhibit.
pub enum Examination {
    /// It stood every test that there was time for.
    Held(Box<Examined>),
    /// It did not hold when asked again.
    Fleeting,
    /// It was broken off before it was confirmed.
    BrokenOff,
}

/// When to end early.
pub struct Stops<'a> {
    /// Looked at by the search for a smaller exhibit. What it has reached is still confirmed and weighed.
    pub search: &'a (dyn Fn() -> bool + Sync),
    /// Looked at before every query of confirming and weighing: after it nobody is asked any more, and what was
    /// confirmed until then is held as it was found, without witnesses.
    pub asking: &'a (dyn Fn() -> bool + Sync),
}

/// Examines a stored exhibit once more, going on from its reduced form; none if it does not hold any more.
/// `stop` ends the search alone: what it has reached is still confirmed and weighed, lest it be lost.
pub fn examine_again(
    askers: &mut [Asker<'_>],
    technique: &dyn Technique,
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
    technique: &dyn Technique,
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
    // A reduction that does not hold in two more fresh processes is thrown away, not the finding.
    let (reduced, fully_reduced, answers) = match confirm_small(asker, technique, &small, stops)? {
        Some(answers) => (small.exhibit, small.fully_reduced, answers),
        None => (exhibit.clone(), false, answers),
    };
    let weighed = weigh(asker, technique, lineup, &reduced, &answers, stops)?;
    let features = technique.features(&reduced, &answers);
    let runs = reduced.queries.iter().map(|query| asker.describe_run(query)).collect::<Result<Vec<_>>>()?;
    let exhibit = exhibit.clone();
    let examined = Examined { exhibit, reduced, fully_reduced, answers, runs, weighed, features };
    Ok(Examination::Held(Box::new(examined)))
}

/// The answers that confirm a reduced exhibit; none if it does not hold or there was no time to ask.
fn confirm_small(
    asker: &mut Asker<'_>,
    technique: &dyn Technique,
    small: &Reduced,
    stops: &Stops<'_>,
) -> Result<Option<Vec<Answer>>> {
    Ok(match confirm_until(asker, technique, &small.exhibit, stops.asking)? {
        Some(Confirmation::Confirmed(answers)) => Some(answers),
        Some(Confirmation::Fleeting) | None => None,
    })
}

fn weigh(
    asker: &mut Asker<'_>,
    technique: &dyn Technique,
    lineup: &Lineup,
    exhibit: &Exhibit,
    answers: &[Answer],
    stops: &Stops<'_>,
) -> Result<Weighed> {
    let questions = technique.witness(exhibit, answers, lineup);
    Ok(match asker.ask_until(&questions, stops.asking)? {
        Some(witnesses) => technique.weigh(exhibit, answers, lineup, &questions, &witnesses),
        None => technique.weigh(exhibit, answers, lineup, &[], &[]),
    })
}
