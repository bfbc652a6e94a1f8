//! A seed as a source of checks.

use super::budget::Budget;
use super::candidate::Candidates;
use super::check::{Conjunct, batch, draw};
use super::constant::Pool;
use super::strategy::{Chooser, Strategy};
use super::stripped::stripped;
use c::analyze::unchecked_ub;
use model::{CInput, DataModel, Random, Seed};
use std::sync::Arc;

/// A seed without its assertions, and the material of checks.
pub struct Synthesis {
    /// The name of the seed.
    pub name: String,
    /// The sizes of its types.
    pub data_model: DataModel,
    /// How many batches the seed is worth.
    pub budget: usize,
    base: Arc<str>,
    candidates: Candidates,
    pool: Pool,
    chooser: Chooser,
}

/// Checks at one place that are asked as one.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The byte before which they stand.
    pub place: u32,
    /// The checks.
    pub conjuncts: Vec<Conjunct>,
}

impl Synthesis {
    /// Prepares a seed; an error says in one sentence why it cannot be used.
    pub fn new(
        seed: &Seed,
        budget: &Budget,
        strategy: Strategy,
    ) -> Result<Synthesis, (&'static str, String)> {
        let input = CInput { base: seed.text.clone(), data_model: seed.data_model, annotations: Vec::new() };
        let stripped = stripped(&seed.name, &input)?;
        let program = &stripped.program;
        c::analyze::refuse_unsuitable(&seed.name, program)?;
        // A report of an error may have been all that kept a function from ending without its result.
        if stripped.removed > 0 && !unchecked_ub::is_surely_initialized(program) {
            let detail = format!("{}: a variable or a function may lack its value", seed.name);
            return Err(("values may be missing without the seed's assertions", detail));
        }
        let candidates = Candidates::of(program);
        if candidates.all.is_empty() {
            let detail = format!("{}: no statement that main can reach reads a variable first", seed.name);
            return Err(("the program has no place for a check", detail));
        }
        Ok(Synthesis {
            name: seed.name.to_string(),
            data_model: seed.data_model,
            budget: budget.checks(candidates.all.len(), candidates.statements()),
            base: stripped.text,
            pool: Pool::of(program),
            chooser: Chooser::new(strategy, &candidates),
            candidates,
        })
    }

    /// The program without a check.
    pub fn bare(&self) -> CInput {
        CInput { base: self.base.clone(), data_model: self.data_model, annotations: Vec::new() }
    }

    /// A place where a check may stand.
    pub fn first_place(&self) -> Option<u32> {
        self.candidates.all.first().map(|candidate| candidate.place)
    }

    /// The line of a place, counted from 1.
    pub fn line(&self, place: u32) -> u32 {
        let before = self.base.as_bytes().get(..place as usize).unwrap_or_default();
        1 + before.iter().filter(|byte| **byte == b'\n').count() as u32
    }

    /// Draws at most `size` checks of one statement.
    pub fn draw(&mut self, size: usize, random: &mut Random) -> Option<Batch> {
        let chosen = self.chooser.next(random)?;
        let place = self.candidates.all.get(chosen)?.place;
        let mut conjuncts: Vec<Conjunct> = Vec::new();
        for _ in 0..size {
            let drawn = draw(&self.candidates, &self.pool, chosen, random)?;
            if conjuncts.iter().all(|known| known.text != drawn.text) {
                conjuncts.push(drawn);
            }
        }
        Some(Batch { place, conjuncts })
    }

    /// Tells how far the running times of the analyzers lay apart on the last batch.
    pub fn learn(&mut self, spread: u64) {
        self.chooser.learn(spread);
    }
}

impl Batch {
    /// The conjunction of all checks.
    pub fn condition(&self) -> String {
        batch(&self.conjuncts)
    }

    /// The two halves; `None` if there is one check.
    pub fn halves(&self) -> Option<(Batch, Batch)> {
        if self.conjuncts.len() < 2 {
            return None;
        }
        let (first, second) = self.conjuncts.split_at(self.conjuncts.len() / 2);
        let half = |conjuncts: &[Conjunct]| Batch { place: self.place, conjuncts: conjuncts.to_vec() };
        Some((half(first), half(second)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn synthesis(text: &str) -> Result<Synthesis, (&'static str, String)> {
        let seed = Seed::c("seed.c", text, DataModel::Lp64);
        Synthesis::new(&seed, &Budget::parse("candidates").unwrap(), Strategy::Uniform)
    }

    #[test]
    fn batches_stand_at_one_place_and_fall_into_halves() {
        let mut seed = synthesis("int main(void) { int x = 1;\n int y = x + 2;\n return y * x; }").unwrap();
        let mut random = Random::for_case(1, 1);
        let batch = seed.draw(5, &mut random).unwrap();
        let (first, second) = batch.halves().unwrap();
        assert_eq!(first.conjuncts.len() + second.conjuncts.len(), batch.conjuncts.len());
        assert_eq!((first.place, second.place), (batch.place, batch.place));
        assert_eq!(batch.condition(), format!("{} && {}", whole(&first), whole(&second)));
        let only = Batch { conjuncts: batch.conjuncts[..1].to_vec(), ..batch };
        assert!(only.halves().is_none());
    }

    fn whole(batch: &Batch) -> String {
        let condition = batch.condition();
        if batch.conjuncts.len() == 1 { format!("({condition})") } else { condition }
    }

    #[test]
    fn useless_seeds_are_refused_with_a_reason() {
        for (text, reason) in [
            ("int main(int count, char **words) { return count; }", "main has parameters"),
            ("int main(void) { return 0; }", "the program has no place for a check"),
            ("int main(void) { int x = 1 / 0; return x; }", "the seed has undefined behaviour"),
            ("int main(void) {", "juvenal cannot parse the program"),
        ] {
            assert_eq!(synthesis(text).err().map(|(reason, _)| reason), Some(reason), "{text}");
        }
    }
}
