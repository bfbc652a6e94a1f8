//! Everything between an exhibit and a finding that needs asking: confirm, reduce, confirm again, weigh.

use crate::{Confirmation, ReduceBudget, confirm, reduce};
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

/// Examines a new exhibit; none if it could not be confirmed.
pub fn examine(
    askers: &mut [Asker<'_>],
    technique: &dyn Technique,
    lineup: &Lineup,
    exhibit: &Exhibit,
    budget: ReduceBudget,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Examined>> {
    let Some(asker) = askers.first_mut() else { return Ok(None) };
    let Confirmation::Confirmed(answers) = confirm(asker, technique, exhibit)? else { return Ok(None) };
    let small = reduce(askers, technique, exhibit, budget, stop)?;
    let Some(asker) = askers.first_mut() else { return Ok(None) };
    // A reduction that does not hold in two more fresh processes is thrown away, not the finding.
    let (reduced, fully_reduced, answers) = match confirm(asker, technique, &small.exhibit)? {
        Confirmation::Confirmed(answers) => (small.exhibit, small.fully_reduced, answers),
        Confirmation::Fleeting => (exhibit.clone(), false, answers),
    };
    let weighed = weigh(asker, technique, lineup, &reduced, &answers)?;
    let features = technique.features(&reduced, &answers);
    let runs = reduced.queries.iter().map(|query| asker.describe_run(query)).collect::<Result<Vec<_>>>()?;
    Ok(Some(Examined { exhibit: exhibit.clone(), reduced, fully_reduced, answers, runs, weighed, features }))
}

/// Examines a stored exhibit once more, going on from its reduced form.
pub fn examine_again(
    askers: &mut [Asker<'_>],
    technique: &dyn Technique,
    lineup: &Lineup,
    found: &Exhibit,
    reduced: &Exhibit,
    budget: ReduceBudget,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Examined>> {
    let examined = examine(askers, technique, lineup, reduced, budget, stop)?;
    Ok(examined.map(|examined| Examined { exhibit: found.clone(), ..examined }))
}

fn weigh(
    asker: &mut Asker<'_>,
    technique: &dyn Technique,
    lineup: &Lineup,
    exhibit: &Exhibit,
    answers: &[Answer],
) -> Result<Weighed> {
    let questions = technique.witness(exhibit, answers, lineup);
    let witnesses = asker.ask(&questions)?;
    Ok(technique.weigh(exhibit, answers, &questions, &witnesses))
}
