//! Reduction: delta debugging over the edits that a technique proposes.
//!
//! The technique lists edits and says whether the result still shows the contradiction; the search is here.
//! Several candidates are asked at once, but the first good one in order wins, so that the result does not
//! depend on how many processes ran.

use anyhow::Result;
use engine::Asker;
use model::{Answer, Exhibit};
use std::thread;
use techniques::{Edit, Technique};

/// How much a reduction may ask.
#[derive(Clone, Copy, Debug)]
pub struct ReduceBudget {
    /// The largest number of candidates put to the analyzer.
    pub candidates: usize,
}

/// What a reduction came to.
pub struct Reduced {
    /// The smallest exhibit found.
    pub exhibit: Exhibit,
    /// True if no edit of any pass could be applied any more.
    pub fully_reduced: bool,
    /// How many candidates were put to the analyzer, without those that were asked ahead of their turn.
    pub candidates: usize,
}

/// Shrinks an exhibit as long as its relation stays broken. `stop` ends the search early.
pub fn reduce(
    askers: &mut [Asker<'_>],
    technique: &dyn Technique,
    exhibit: &Exhibit,
    budget: ReduceBudget,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Reduced> {
    let mut search =
        Search { askers, technique, stop, candidates: 0, budget, queries: exhibit.queries.len() };
    let mut exhibit = exhibit.clone();
    loop {
        let mut progress = false;
        for pass in technique.passes() {
            if let Some(smaller) = search.shrink(&exhibit, pass)? {
                exhibit = smaller;
                progress = true;
            }
            if search.is_over() {
                return Ok(Reduced { exhibit, fully_reduced: false, candidates: search.candidates });
            }
        }
        if !progress {
            return Ok(Reduced { exhibit, fully_reduced: true, candidates: search.candidates });
        }
    }
}

struct Search<'s, 'e> {
    askers: &'s mut [Asker<'e>],
    technique: &'s dyn Technique,
    stop: &'s (dyn Fn() -> bool + Sync),
    candidates: usize,
    budget: ReduceBudget,
    /// So many queries of a candidate are asked.
    queries: usize,
}

impl Search<'_, '_> {
    fn is_over(&self) -> bool {
        self.candidates >= self.budget.candidates || (self.stop)()
    }

    /// Runs a pass with the queries that nearly always decide. If the others object to what came of it, the pass is
    /// run again with all of them.
    fn shrink(&mut self, exhibit: &Exhibit, pass: &str) -> Result<Option<Exhibit>> {
        self.queries = self.technique.deciding_prefix(exhibit).min(exhibit.queries.len());
        let Some(smaller) = self.run_pass(exhibit, pass)? else { return Ok(None) };
        if self.queries == exhibit.queries.len() {
            return Ok(Some(smaller));
        }
        self.queries = exhibit.queries.len();
        self.candidates += 1;
        // What the pass has reached must not be lost, also if it was stopped.
        if still_broken(&mut self.askers[0], self.technique, &smaller, &|| false)? {
            return Ok(Some(smaller));
        }
        self.run_pass(exhibit, pass)
    }

    /// Tries all edits of a pass at once, then halves, quarters and so on down to single edits.
    /// After a success the edits are listed anew, and the search goes on at the same place with the same size.
    fn run_pass(&mut self, exhibit: &Exhibit, pass: &str) -> Result<Option<Exhibit>> {
        let mut current = exhibit.clone();
        let mut edits = self.technique.edits(&current, pass);
        let mut size = edits.len();
        while size > 0 {
            let mut start = 0;
            while start < edits.len() && !self.is_over() {
                let (batch, next_start) = self.next_candidates(&current, pass, &edits, start, size);
                match self.first_broken(batch)? {
                    Some((winner_start, winner)) => {
                        current = winner;
                        edits = self.technique.edits(&current, pass);
                        start = winner_start;
                    }
                    None => start = next_start,
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        Ok((current != *exhibit).then_some(current))
    }

    /// As many valid candidates as there are askers, or as the budget allows, each with the place where its edits
    /// begin; and where to go on.
    fn next_candidates(
        &self,
        exhibit: &Exhibit,
        pass: &str,
        edits: &[Edit],
        mut start: usize,
        size: usize,
    ) -> (Vec<(usize, Exhibit)>, usize) {
        let mut batch = Vec::new();
        let most = self.askers.len().min(self.budget.candidates.saturating_sub(self.candidates));
        while start < edits.len() && batch.len() < most {
            let end = edits.len().min(start + size);
            let candidate = self.technique.apply(exhibit, pass, &edits[start..end]);
            batch.extend(
                candidate.filter(|candidate| candidate != exhibit).map(|candidate| (start, candidate)),
            );
            start = end;
        }
        (batch, start)
    }

    /// The first candidate, in order, whose relation is broken in fresh processes. Those behind it do not count:
    /// one process alone would not have come to them.
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

/// True if fresh processes break the relation; false, too, if `stop` came before they could.
pub fn still_broken(
    asker: &mut Asker<'_>,
    technique: &dyn Technique,
    exhibit: &Exhibit,
    stop: &dyn Fn() -> bool,
) -> Result<bool> {
    may_still_break(asker, technique, exhibit, exhibit.queries.len(), stop)
}

/// The same, but only the first so many queries are asked, and whoever is not asked does not object.
fn may_still_break(
    asker: &mut Asker<'_>,
    technique: &dyn Technique,
    exhibit: &Exhibit,
    queries: usize,
    stop: &dyn Fn() -> bool,
) -> Result<bool> {
    let mut answers: Vec<Answer> = Vec::new();
    for query in exhibit.queries.iter().take(queries) {
        let Some(answer) = asker.ask_until(&[query.fresh(0)], stop)? else { return Ok(false) };
        answers.extend(answer);
        // Most candidates fail at once, and executing a program costs more than asking an analyzer.
        if !technique.may_break(exhibit, &answers) {
            return Ok(false);
        }
    }
    Ok(queries < exhibit.queries.len() || technique.broken(exhibit, &answers))
}
