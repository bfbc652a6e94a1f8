//! Running one case: ask what it wants, examine what it puts up.

use crate::known_seeds::KnownSeeds;
use crate::progress::CLAIMS;
use crate::routine::RoutineExhibit;
use crate::{Campaign, Progress};
use anyhow::Result;
use engine::{Asker, SeedProblem};
use findings::{Examination, Examined, ReduceBudget, Stops};
use model::{Answer, Exhibit, Kind, Mode, Seed, Verdict};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use store::CaseRecord;
use techniques::{Notes, Step, Technique};

/// Exhibits of one case that look alike before reduction and are kept; one bug can put up hundreds.
const CONFIRMED_ALIKE: u32 = 2;
/// After so many that did not hold when asked again, others that look alike are not examined.
const FLEETING_ALIKE: u32 = 6;

/// The count of exhibits that look like others that were examined.
pub(crate) const NOT_EXAMINED: &str = "exhibits not examined";
/// The count of exhibits that did not hold when asked again.
const FLEETING: &str = "fleeting exhibits";

/// Why a case is skipped on which juvenal itself failed; its seed may be as good as any.
pub(crate) const OWN_FAULT: &str = "juvenal itself failed; please report it";

/// What became of a case.
pub(crate) struct CaseOutcome {
    /// The seed's name.
    pub seed_name: String,
    /// What is recorded; none if the case was broken off and must be run again.
    pub record: Option<CaseRecord>,
    /// What it found, in order.
    pub examined: Vec<Examined>,
    /// What it put up besides and was not yet examined.
    pub routine: Vec<RoutineExhibit>,
}

pub(crate) struct Worker<'a> {
    pub campaign: &'a Campaign<'a>,
    pub seeds: &'a KnownSeeds,
    pub progress: &'a Mutex<Progress>,
}

/// What gathers while a case runs.
#[derive(Default)]
struct Gathered {
    record: CaseRecord,
    examined: Vec<Examined>,
    routine: Vec<RoutineExhibit>,
    alike: BTreeMap<(Kind, String, Vec<Mode>), Alike>,
}

/// Exhibits of one case that look alike.
#[derive(Default)]
struct Alike {
    confirmed: u32,
    fleeting: u32,
}

/// Counts an examination while it lasts, in whatever way it ends.
struct Examining<'a>(&'a Mutex<Progress>);

impl<'a> Examining<'a> {
    fn begin(progress: &'a Mutex<Progress>) -> Examining<'a> {
        progress.lock().unwrap_or_else(PoisonError::into_inner).examining += 1;
        Examining(progress)
    }
}

impl Drop for Examining<'_> {
    fn drop(&mut self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).examining -= 1;
    }
}

impl Worker<'_> {
    /// Runs one case to its end, or until the campaign is over.
    pub fn run_case(&self, number: u64, asker: &mut Asker<'_>) -> Result<CaseOutcome> {
        let (technique, seed) = self.campaign.parts_of(number)?;
        let (_, place) = self.campaign.turn(number);
        let (seed, hash) = match seed.and_then(|seed| Ok((self.seeds.check(place, &seed)?, seed))) {
            Ok((hash, seed)) => (seed, hash),
            Err(problem) => return Ok(self.finished(CaseOutcome::skipped(problem))),
        };
        let mut gathered = Gathered::default();
        let walk = || self.walk(number, technique, &seed, asker, &mut gathered);
        // A fault of ours on one seed must not end the campaign; it is counted and shown, with the seed's name.
        // What was found before it is as good as any other finding.
        let complete = match catch_unwind(AssertUnwindSafe(walk)) {
            Ok(walked) => walked?,
            Err(_) => {
                let detail = format!("{} (case {number})", seed.name);
                gathered.skip(OWN_FAULT.to_owned(), detail);
                true
            }
        };
        self.add_tally(asker);
        gathered.record.seed = Some(hash);
        Ok(self.finished(CaseOutcome {
            seed_name: seed.name.to_string(),
            record: complete.then_some(gathered.record),
            examined: gathered.examined,
            routine: gathered.routine,
        }))
    }

    /// True if the walk came to its end; false if the campaign was over before.
    fn walk(
        &self,
        number: u64,
        technique: &Technique,
        seed: &Seed,
        asker: &mut Asker<'_>,
        gathered: &mut Gathered,
    ) -> Result<bool> {
        let mut case = self.campaign.open(number, technique, seed)?;
        let mut answers = Vec::new();
        while !self.campaign.is_over() {
            let mut notes = Notes::default();
            let step = case.next(&answers, &mut notes);
            gathered.add_counts(&notes);
            for (index, exhibit) in notes.exhibits.iter().enumerate() {
                // When the time is over one exhibit is still examined; the case is walked again for the others.
                if index > 0 && self.campaign.is_over() {
                    break;
                }
                self.examine(technique, exhibit, asker, gathered)?;
            }
            // An examination that was cut short must be done again, so the case is not complete.
            if !notes.exhibits.is_empty() && self.campaign.is_over() {
                break;
            }
            match step {
                Step::Ask(queries) => {
                    let Some(given) = asker.ask_until(&queries, &|| self.campaign.is_over())? else { break };
                    answers = given;
                    gathered.count_claims(&answers);
                }
                Step::Done => return Ok(true),
                Step::Skip { reason, detail } => {
                    gathered.skip(reason, detail);
                    return Ok(true);
                }
            }
            self.add_tally(asker);
        }
        Ok(false)
    }

    fn examine(
        &self,
        technique: &Technique,
        exhibit: &Exhibit,
        asker: &mut Asker<'_>,
        gathered: &mut Gathered,
    ) -> Result<()> {
        let alike = gathered.alike(exhibit);
        if alike.confirmed >= CONFIRMED_ALIKE || alike.fleeting >= FLEETING_ALIKE {
            gathered.count(NOT_EXAMINED);
            self.lock().not_examined += 1;
            return Ok(());
        }
        if let Some(word) = exhibit.sample_key.clone() {
            // Whether it holds is seen later; two that look alike are enough for a case.
            gathered.alike(exhibit).confirmed += 1;
            gathered.routine.push(RoutineExhibit { word, exhibit: exhibit.clone() });
            return Ok(());
        }
        match self.examination(technique, exhibit, asker)? {
            Examination::Held(examined) => {
                gathered.alike(exhibit).confirmed += 1;
                gathered.examined.push(*examined);
            }
            Examination::Fleeting => {
                gathered.alike(exhibit).fleeting += 1;
                gathered.count(FLEETING);
            }
            Examination::BrokenOff => {}
        }
        Ok(())
    }

    fn examination(
        &self,
        technique: &Technique,
        exhibit: &Exhibit,
        asker: &mut Asker<'_>,
    ) -> Result<Examination> {
        let budget = ReduceBudget { candidates: self.campaign.reduce_candidates };
        // What is found when the time is up is proved or refuted all the same; Ctrl-C ends it at once.
        let stops = Stops { search: &|| self.campaign.is_over(), asking: &|| self.campaign.is_stopped() };
        let askers = std::slice::from_mut(asker);
        let _examining = Examining::begin(self.progress);
        let examination =
            findings::examine(askers, technique, self.campaign.lineup, exhibit, budget, &stops)?;
        if let Examination::Fleeting = examination {
            self.lock().fleeting += 1;
        }
        Ok(examination)
    }

    /// Examines the routine exhibits of a case. If the campaign is over before, the case must be walked again.
    pub fn examine_routine(
        &self,
        number: u64,
        mut outcome: CaseOutcome,
        asker: &mut Asker<'_>,
    ) -> Result<CaseOutcome> {
        let (technique, _) = self.campaign.turn(number);
        for (index, it) in std::mem::take(&mut outcome.routine).iter().enumerate() {
            // When the time is over one exhibit is still examined; the case is walked again for the others.
            if index > 0 && self.campaign.is_over() {
                break;
            }
            let examination = || self.examination(technique, &it.exhibit, asker);
            let examination = match catch_unwind(AssertUnwindSafe(examination)) {
                Ok(examination) => examination?,
                Err(_) => {
                    outcome.blame_us(number);
                    break;
                }
            };
            match examination {
                Examination::Held(examined) => outcome.examined.push(*examined),
                Examination::Fleeting => outcome.count(FLEETING, 1),
                Examination::BrokenOff => outcome.record = None,
            }
            self.add_tally(asker);
        }
        // An examination that was cut short must be done again, so the case is not complete.
        if self.campaign.is_over() {
            outcome.record = None;
        }
        Ok(outcome)
    }

    fn finished(&self, outcome: CaseOutcome) -> CaseOutcome {
        if let Some(record) = &outcome.record {
            self.lock().add_case(record);
        }
        outcome
    }

    fn add_tally(&self, asker: &mut Asker<'_>) {
        let tally = asker.take_tally();
        self.lock().tally.add(&tally);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CaseOutcome {
    fn skipped(problem: SeedProblem) -> CaseOutcome {
        let record = CaseRecord {
            skipped: Some(problem.reason.to_owned()),
            detail: Some(problem.detail),
            ..CaseRecord::default()
        };
        let seed_name = String::new();
        CaseOutcome { seed_name, record: Some(record), examined: Vec::new(), routine: Vec::new() }
    }

    /// Counts some of a kind, if the case is recorded.
    pub fn count(&mut self, name: &str, how_many: u64) {
        if let Some(record) = self.record.as_mut().filter(|_| how_many > 0) {
            *record.counts.entry(name.to_owned()).or_default() += how_many;
        }
    }

    /// Notes that juvenal itself failed on the case.
    fn blame_us(&mut self, number: u64) {
        if let Some(record) = &mut self.record {
            record.skipped = Some(OWN_FAULT.to_owned());
            record.detail = Some(format!("{} (case {number})", self.seed_name));
        }
    }
}

impl Gathered {
    fn add_counts(&mut self, notes: &Notes) {
        for (name, count) in &notes.counts {
            *self.record.counts.entry(name.clone()).or_default() += count;
        }
    }

    fn skip(&mut self, reason: String, detail: String) {
        self.record.skipped = Some(reason);
        self.record.detail = Some(detail);
    }

    fn count_claims(&mut self, answers: &[Answer]) {
        let claims = answers.iter().filter(|answer| matches!(answer.verdict, Verdict::Claim(_))).count();
        *self.record.counts.entry(CLAIMS.to_owned()).or_default() += claims as u64;
    }

    fn count(&mut self, name: &str) {
        *self.record.counts.entry(name.to_owned()).or_default() += 1;
    }

    /// What became of the exhibits that look like this one before reduction.
    fn alike(&mut self, exhibit: &Exhibit) -> &mut Alike {
        let modes = exhibit.queries.iter().map(|query| query.mode).collect();
        self.alike.entry((exhibit.kind, exhibit.title.clone(), modes)).or_default()
    }
}
