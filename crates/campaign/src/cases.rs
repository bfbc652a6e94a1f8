//! The numbered cases of a campaign.

use crate::Turns;
use anyhow::Result;
use engine::{Engine, SeedFiles, SeedProblem};
use model::{Lineup, Random, Seed, Settings};
use store::SeedLog;
use techniques::{Case, Opening, Seeds, Technique};

/// Everything that determines the cases of a campaign.
///
/// A case is a deterministic function of these values, its number, and the answers so far. Continuing after a crash
/// therefore means running unfinished cases again on the recorded answers.
pub struct Cases<'a> {
    /// Loads seeds.
    pub engine: &'a Engine,
    /// Keeps seeds as they were first read; `None` if the cases do not belong to a campaign.
    pub seed_log: Option<&'a dyn SeedLog>,
    /// The techniques, which take turns.
    pub techniques: Vec<&'a Technique>,
    /// The analyzers under test and the witnesses.
    pub lineup: &'a Lineup,
    /// The seeds; those in the language of a technique take turns with it.
    pub seeds: &'a SeedFiles,
    /// The knobs of the techniques.
    pub settings: &'a Settings,
    /// The number from which all random choices derive.
    pub random_seed: u64,
}

/// A case that can be opened.
pub struct ReadyCase<'a> {
    /// Its technique.
    pub technique: &'a Technique,
    /// Its seed.
    pub seed: Seed,
}

impl Cases<'_> {
    /// Finds the technique of a case and loads or makes its seed.
    pub fn prepare(&self, number: u64) -> Result<Result<ReadyCase<'_>, SeedProblem>> {
        let (technique, seed_index) = self.turn(number);
        let seed = match seed_index {
            Some(index) => self.seed_at(index)?,
            None => self.make_seed(number, technique)?,
        };
        Ok(seed.and_then(|seed| match SeedProblem::of_file_access(&seed) {
            Some(problem) => Err(problem),
            None => Ok(ReadyCase { technique, seed }),
        }))
    }

    /// Returns what starts the walk of a case. It borrows nothing, so that it can be left while it runs.
    pub fn opener(
        &self,
        number: u64,
        ready: &ReadyCase<'_>,
    ) -> impl FnOnce() -> Result<Box<dyn Case>> + Send + 'static {
        let (open, random) = (ready.technique.open, self.random(number));
        let (seed, lineup, settings) = (ready.seed.clone(), self.lineup.clone(), self.settings.clone());
        move || Ok(open(Opening { seed: &seed, lineup: &lineup, settings: &settings, random })?)
    }

    /// The technique of a case.
    pub fn technique(&self, number: u64) -> &Technique {
        self.turn(number).0
    }

    /// The order in which techniques take turns.
    pub fn turns(&self) -> Turns {
        Turns::new(&self.techniques)
    }

    /// The number of cases after which every technique has used every seed of its language.
    pub fn cases_per_round(&self) -> u64 {
        let seeds =
            self.techniques.iter().map(|technique| self.seeds.count_of(technique.seed_language) as u64);
        self.turns().cases_for(seeds)
    }

    /// The technique of a case and the index of its seed. Techniques take turns, and so do the seeds of each. There is no
    /// index if the technique makes its own seed, which it does unless the user gave some.
    fn turn(&self, number: u64) -> (&Technique, Option<usize>) {
        let (index, before) = self.turns().turn_of(number);
        let technique = self.techniques[index];
        let makes_its_own = matches!(technique.seeds, Seeds::Made(_)) && self.seeds.are_shipped();
        let seed_index = self.seeds.at_turn(technique.seed_language, before).filter(|_| !makes_its_own);
        (technique, seed_index)
    }

    /// The seed with this index, as the campaign first read it. Later changes of the file are ignored, because they would
    /// change the cases.
    fn seed_at(&self, index: usize) -> Result<Result<Seed, SeedProblem>> {
        let Some(log) = self.seed_log else { return self.engine.seed_loader().load(self.seeds, index) };
        if let Some(seed) = log.seed(index)? {
            return Ok(Ok(seed));
        }
        Ok(match self.engine.seed_loader().load(self.seeds, index)? {
            Ok(seed) => Ok(log.keep_seed(index, seed)?),
            Err(problem) => Err(problem),
        })
    }

    fn make_seed(&self, number: u64, technique: &Technique) -> Result<Result<Seed, SeedProblem>> {
        let Seeds::Made(make_seed) = technique.seeds else {
            let reason = "there is no seed in the language of the technique";
            return Ok(Err(SeedProblem { reason, detail: technique.name.to_owned() }));
        };
        let made = make_seed(self.settings, self.random(number).split())?;
        let from_csmith =
            made.csmith.map(|number| self.engine.seed_loader().csmith_program(number)).transpose()?.flatten();
        Ok(from_csmith.unwrap_or(Ok(made.program)))
    }

    fn random(&self, number: u64) -> Random {
        Random::for_case(self.random_seed, number)
    }
}
