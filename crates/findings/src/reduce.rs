//! Reduction: delta debugging over the patches that a technique proposes.
//!
//! The technique lists patches and judges whether the result still shows the contradiction; this module searches.
//! Several candidates are tried in parallel, but the first good one in order wins, so the result does not depend on the
//! number of processes.

use crate::confirm::judge_until;
use anyhow::Result;
use engine::{Asker, unless_stopped};
use model::{Answer, Exhibit};
use std::thread;
use techniques::{Judgement, Pass, Patch, Technique};

/// The limit of a reduction.
#[derive(Clone, Copy, Debug)]
pub struct ReduceBudget {
    /// The maximum number of candidates.
    pub candidates: usize,
}

/// The result of a reduction.
pub struct Reduced {
    /// The smallest exhibit found.
    pub exhibit: Exhibit,
    /// True if no pass can make it smaller.
    pub fully_reduced: bool,
}

/// Makes an exhibit smaller as long as its relation stays broken. `stop` ends the search early.
pub fn reduce(
    askers: &mut [Asker<'_>],
    technique: &Technique,
    exhibit: &Exhibit,
    budget: ReduceBudget,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Reduced> {
    let mut search =
        Search { askers, technique, stop, candidates: 0, budget, queries: exhibit.queries.len() };
    let mut exhibit = exhibit.clone();
    loop {
        let mut progress = false;
        for pass in technique.passes {
            if let Some(smaller) = search.shrink(&exhibit, *pass)? {
                exhibit = smaller;
                progress = true;
            }
            if search.is_over() {
                return Ok(Reduced { exhibit, fully_reduced: false });
            }
        }
        if !progress {
            return Ok(Reduced { exhibit, fully_reduced: true });
        }
    }
}

struct Search<'s, 'e> {
    askers: &'s mut [Asker<'e>],
    technique: &'s Technique,
    stop: &'s (dyn Fn() -> bool + Sync),
    candidates: usize,
    budget: ReduceBudget,
    /// How many of a candidate's queries are asked, counted from the first.
    queries: usize,
}

impl Search<'_, '_> {
    fn is_over(&self) -> bool {
        self.candidates >= self.budget.candidates || (self.stop)()
    }

    /// Runs a pass with only the queries that nearly always decide. If the others refute its result, the pass runs again
    /// with all of them.
    fn shrink(&mut self, exhibit: &Exhibit, pass: &'static dyn Pass) -> Result<Option<Exhibit>> {
        self.queries = (self.technique.judge.deciding_prefix)(exhibit).min(exhibit.queries.len());
        let Some(smaller) = self.run_pass(exhibit, pass)? else { return Ok(None) };
        if self.queries == exhibit.queries.len() {
            return Ok(Some(smaller));
        }
        self.queries = exhibit.queries.len();
        self.candidates += 1;
        // The result of the pass must not be lost, even if the search was stopped.
        if still_broken(&mut self.askers[0], self.technique, &smaller, &|| false)? {
            return Ok(Some(smaller));
        }
        self.run_pass(exhibit, pass)
    }

    /// Tries all patches of a pass at once, then halves, quarters and so on down to single patches. After a success the
    /// patches are listed again, and the search continues at the same position with the same size.
    fn run_pass(&mut self, exhibit: &Exhibit, pass: &'static dyn Pass) -> Result<Option<Exhibit>> {
        let mut current = exhibit.clone();
        let mut patches = self.proposals(pass, &current)?;
        let mut size = patches.len();
        while size > 0 {
            let mut start = 0;
            while start < patches.len() && !self.is_over() {
                let (batch, next_start) = self.next_candidates(&current, pass, &patches, start, size)?;
                match self.first_broken(batch)? {
                    Some((winner_start, winner)) => {
                        current = winner;
                        patches = self.proposals(pass, &current)?;
                        start = winner_start;
                    }
                    None => start = next_start,
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        Ok((current != *exhibit).then_some(current))
    }

    /// Returns as many valid candidates as there are askers and the budget allows, each with the position of its first
    /// patch, and the position to continue at.
    fn next_candidates(
        &self,
        exhibit: &Exhibit,
        pass: &'static dyn Pass,
        patches: &[Patch],
        mut start: usize,
        size: usize,
    ) -> Result<(Vec<(usize, Exhibit)>, usize)> {
        let mut batch = Vec::new();
        let most = self.askers.len().min(self.budget.candidates.saturating_sub(self.candidates));
        while start < patches.len() && batch.len() < most && !self.is_over() {
            let end = patches.len().min(start + size);
            let (base, applied) = (exhibit.clone(), patches[start..end].to_vec());
            let candidate = unless_stopped(self.stop, move || pass.apply(&base, &applied))?.flatten();
            batch.extend(
                candidate.filter(|candidate| candidate != exhibit).map(|candidate| (start, candidate)),
            );
            start = end;
        }
        Ok((batch, start))
    }

    /// Lists the patches for an exhibit; none if the search is interrupted.
    fn proposals(&self, pass: &'static dyn Pass, exhibit: &Exhibit) -> Result<Vec<Patch>> {
        let exhibit = exhibit.clone();
        Ok(unless_stopped(self.stop, move || pass.proposals(&exhibit))?.unwrap_or_default())
    }

    /// Returns the first candidate, in order, whose relation is broken in fresh processes. Those after it do not count
    /// against the budget: a single process would not have reached them.
    fn first_broken(&mut self, candidates: Vec<(usize, Exhibit)>) -> Result<Option<(usize, Exhibit)>> {
        let (technique, queries, stop) = (self.technique, self.queries, self.stop);
        let verdicts: Vec<Result<bool>> = if let [(_, only)] = candidates.as_slice() {
            vec![may_still_break(&mut self.askers[0], technique, only, queries, stop)]
        } else {
            thread::scope(|scope| {
                let running: Vec<_> = candidates
                    .iter()
                    .zip(self.askers.iter_mut())
                    .map(|((_, candidate), asker)| {
                        scope.spawn(move || may_still_break(asker, technique, candidate, queries, stop))
                    })
                    .collect();
                running.into_iter().map(|handle| handle.join().unwrap_or_else(|_| Ok(false))).collect()
            })
        };
        for (candidate, verdict) in candidates.into_iter().zip(verdicts) {
            self.candidates += 1;
            if verdict? {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
    }
}

/// Returns whether fresh processes break the relation; false if `stop` interrupts them.
pub fn still_broken(
    asker: &mut Asker<'_>,
    technique: &Technique,
    exhibit: &Exhibit,
    stop: &dyn Fn() -> bool,
) -> Result<bool> {
    may_still_break(asker, technique, exhibit, exhibit.queries.len(), stop)
}

/// Like [`still_broken`], but asks only the first `queries`, and returns true if the others could still break the relation.
fn may_still_break(
    asker: &mut Asker<'_>,
    technique: &Technique,
    exhibit: &Exhibit,
    queries: usize,
    stop: &dyn Fn() -> bool,
) -> Result<bool> {
    let mut answers: Vec<Answer> = Vec::new();
    let mut judgement = Judgement::NeedMore;
    for query in exhibit.queries.iter().take(queries) {
        let Some(answer) = asker.ask_until(&[query.fresh(0)], stop)? else { return Ok(false) };
        answers.extend(answer);
        let Some(judged) = judge_until(technique, exhibit, &answers, stop)? else { return Ok(false) };
        judgement = judged;
        // Most candidates fail at the first query, and later ones often execute a program, which costs more.
        if judgement == Judgement::Intact {
            return Ok(false);
        }
    }
    Ok(queries < exhibit.queries.len() || judgement == Judgement::Broken)
}
