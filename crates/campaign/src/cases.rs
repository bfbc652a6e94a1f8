//! The numbered cases of a campaign.

use crate::Turns;
use anyhow::Result;
use engine::{Engine, SeedFiles, SeedProblem};
use model::{Lineup, Random, Seed, Settings};
use store::Ledger;
use techniques::{Case, Opening, Seeds, Technique};

/// Everything that decides what the case of a number is.
///
/// A case is a deterministic function of these, its number, and the answers so far. Continuing after a crash therefore means
/// running unfinished cases again on the recorded answers.
pub struct Cases<'a> {
    /// Loads seeds.
    pub engine: &'a Engine,
    /// Keeps seeds as they were first read; none if the cases belong to no campaign.
    pub ledger: Option<&'a dyn Ledger>,
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
        let (technique, place) = self.turn(number);
        let seed = match place {
            Some(place) => self.seed_at(place)?,
            None => self.make_seed(number, technique)?,
        };
        Ok(seed.map(|seed| ReadyCase { technique, seed }))
    }

    /// Starts the walk of a case.
    pub fn open(&self, number: u64, ready: &ReadyCase<'_>) -> Result<Box<dyn Case>> {
        Ok((ready.technique.open)(Opening {
            seed: &ready.seed,
            lineup: self.lineup,
            settings: self.settings,
            random: self.random(number),
        })?)
    }

    /// The technique of a case.
    pub fn technique(&self, number: u64) -> &Technique {
        self.turn(number).0
    }

    /// The order in which techniques take turns.
    pub fn turns(&self) -> Turns {
        Turns::new(&self.techniques)
    }

    /// The number of cases after which every technique has met every seed of its language.
    pub fn cases_per_round(&self) -> u64 {
        let seeds = self.techniques.iter().map(|technique| self.seeds.count_of(technique.language) as u64);
        self.turns().cases_for(seeds)
    }

    /// The technique of a case and the place of its seed. Techniques take turns, and so do the seeds of each. There is no
    /// place if the technique makes its own seed, which it does unless the user gave some.
    fn turn(&self, number: u64) -> (&Technique, Option<usize>) {
        let (index, before) = self.turns().place(number);
        let technique = self.techniques[index];
        let makes_its_own = matches!(technique.seeds, Seeds::Made(_)) && self.seeds.are_shipped();
        let place = self.seeds.at_turn(technique.language, before).filter(|_| !makes_its_own);
        (technique, place)
    }

    /// The seed at a place as the campaign first read it. A file that changes later would make another campaign, so its
    /// new content is ignored.
    fn seed_at(&self, place: usize) -> Result<Result<Seed, SeedProblem>> {
        let Some(ledger) = self.ledger else { return self.engine.seed_loader().load(self.seeds, place) };
        if let Some(seed) = ledger.seed(place)? {
            return Ok(Ok(seed));
        }
        Ok(match self.engine.seed_loader().load(self.seeds, place)? {
            Ok(seed) => Ok(ledger.keep_seed(place, seed)?),
            Err(problem) => Err(problem),
        })
    }

    fn make_seed(&self, number: u64, technique: &Technique) -> Result<Result<Seed, SeedProblem>> {
        let Seeds::Made(make_seed) = technique.seeds else {
            let reason = "no seed is in the language of the technique";
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
