//! The job of `juvenal hunt`: walk every case, examine what it finds, record findings in order.

use crate::commit::Committer;
use crate::sampling::SamplingQueue;
use crate::{Campaign, Cases};
use anyhow::{Result, bail};
use engine::{Journal, SeedProblem, is_interruption};
use findings::{Examination, Examined, ReduceBudget, Stops};
use model::{Answer, Exhibit, Kind, Mode, Query, Verdict};
use parking_lot::Mutex;
use schedule::{End, Job, Progress, Readiness, Recorder, Walker, Watcher, Worker, drive};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use store::{CaseRecord, SkipReason, WalkCounts};
use techniques::{Notes, Technique};

/// The maximum number of similar exhibits of one case that are kept; one bug can cause hundreds.
const CONFIRMED_ALIKE: u32 = 2;
/// After this many similar exhibits of one case that could not be confirmed, no more of them are examined.
const FLEETING_ALIKE: u32 = 6;

/// Hunts until the budget is used up or the user interrupts. Continues after what is already recorded.
pub fn hunt(campaign: &Campaign<'_>) -> Result<Progress> {
    hunt_by(campaign, &Hunt::new(campaign))
}

/// Like [`hunt`], with a job that runs its units elsewhere.
pub fn hunt_by(campaign: &Campaign<'_>, job: &impl Job<Outcome = CaseOutcome>) -> Result<Progress> {
    let store = campaign.store;
    let recorded = store.ledger.cases()?;
    let mut recorder = HuntRecorder::new(campaign, &recorded)?;
    let before = Progress::resumed(&recorded, store.answers.count()?);
    let mut progress = campaign.pool(Journal::ReadAndWrite).run(job, &mut recorder, before)?;
    progress.answers = store.answers.count()?;
    progress.count_again(&store.ledger.cases()?);
    campaign.store.directory.append_statistics(&progress.statistics_line())?;
    Ok(progress)
}

/// The outcome of a case.
#[derive(Serialize, Deserialize)]
pub struct CaseOutcome {
    /// The name of the seed.
    pub(crate) seed_name: String,
    /// The record of the case; `None` if it was interrupted and must run again.
    pub(crate) record: Option<CaseRecord>,
    /// The confirmed exhibits, in order.
    pub(crate) examined: Vec<Examined>,
    /// Common exhibits, of which the campaign examines only the first few.
    pub(crate) sampled: Vec<Exhibit>,
}

/// The hunt as a job; a unit is a case.
pub struct Hunt<'a> {
    cases: Cases<'a>,
    reduce_candidates: usize,
}

impl<'a> Hunt<'a> {
    /// The job of a campaign.
    pub fn new(campaign: &'a Campaign<'a>) -> Hunt<'a> {
        Hunt { cases: campaign.cases(), reduce_candidates: campaign.reduce_candidates }
    }
}

impl Job for Hunt<'_> {
    type Outcome = CaseOutcome;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<CaseOutcome> {
        let ready = match self.cases.prepare(unit) {
            Ok(Ok(ready)) => ready,
            Ok(Err(problem)) => return Ok(CaseOutcome::skipped(&problem)),
            Err(error) if is_interruption(&error) => return Ok(CaseOutcome::interrupted()),
            Err(error) => return Err(error),
        };
        let mut walk =
            HuntWalk { hunt: self, technique: ready.technique, worker, gathered: Gathered::default() };
        let end = drive(self.cases.opener(unit, &ready), &mut walk)?;
        walk.worker.report_tally();
        let mut gathered = walk.gathered;
        match &end {
            End::Skipped { reason, detail } => {
                gathered.record.skip(SkipReason::Unusable(reason.clone()), detail.clone());
            }
            // Findings from before the failure are as good as any other.
            End::Panicked => {
                gathered.record.skip(SkipReason::OwnFault, format!("{} (case {unit})", ready.seed.name));
            }
            End::Done | End::Stopped => {}
        }
        gathered.record.seed = Some(ready.seed.identity());
        Ok(CaseOutcome {
            seed_name: ready.seed.name.to_string(),
            record: (end != End::Stopped).then_some(gathered.record),
            examined: gathered.examined,
            sampled: gathered.sampled,
        })
    }

    /// Examines the sampled exhibits that were chosen. If the campaign ends before that, the case must run again.
    fn finish(&self, unit: u64, mut outcome: CaseOutcome, worker: &mut Worker<'_>) -> Result<CaseOutcome> {
        let technique = self.cases.technique(unit);
        for (index, exhibit) in std::mem::take(&mut outcome.sampled).iter().enumerate() {
            // When the time is up, one exhibit is still examined; a later run examines the others.
            if index > 0 && worker.stop.is_over() {
                break;
            }
            match catch_unwind(AssertUnwindSafe(|| self.examine(technique, exhibit, worker))) {
                Ok(examination) => match examination? {
                    Examination::Held(examined) => outcome.examined.push(*examined),
                    Examination::Fleeting => outcome.count(|walk| walk.fleeting += 1),
                    Examination::BrokenOff => outcome.record = None,
                },
                Err(_) => {
                    let detail = format!("{} (case {unit})", outcome.seed_name);
                    if let Some(record) = &mut outcome.record {
                        record.skip(SkipReason::OwnFault, detail);
                    }
                    break;
                }
            }
            worker.report_tally();
        }
        // An examination may have been cut short, so it must be repeated.
        if worker.stop.is_over() {
            outcome.record = None;
        }
        Ok(outcome)
    }

    /// If no seed could be used in the first round, another round would not help. The hunt waits for the end of the first
    /// round, so its result does not depend on the number of workers.
    fn readiness(&self, unit: u64, progress: &Progress) -> Readiness {
        let round = self.cases.cases_per_round();
        if unit < round || has_asked(progress) || !progress.all_seeds_unusable() {
            return Readiness::Ready;
        }
        if progress.cases >= round { Readiness::NoMore } else { Readiness::Wait }
    }
}

/// True if a walk has asked anything, in this run, in an earlier one or in another process.
fn has_asked(progress: &Progress) -> bool {
    // A case that is still running is not recorded, but other cases need not wait for its end.
    progress.walks.queries > 0 || progress.tally.asked + progress.tally.recalled > 0
}

impl Hunt<'_> {
    fn examine(
        &self,
        technique: &Technique,
        exhibit: &Exhibit,
        worker: &mut Worker<'_>,
    ) -> Result<Examination> {
        let budget = ReduceBudget { candidates: self.reduce_candidates };
        let stop = worker.stop;
        // Exhibits found just before the time is up are still proved or refuted; Ctrl-C ends that at once.
        let stops = Stops { search: &|| stop.is_over(), asking: &|| stop.is_requested() };
        let _examining = Examining::begin(worker.progress);
        let askers = std::slice::from_mut(&mut worker.asker);
        let examination = findings::examine(askers, technique, self.cases.lineup, exhibit, budget, &stops);
        let examination = match examination {
            Err(error) if is_interruption(&error) => Examination::BrokenOff,
            examination => examination?,
        };
        if let Examination::Fleeting = examination {
            worker.progress.lock().fleeting += 1;
        }
        Ok(examination)
    }
}

/// Counts an examination while it lasts, however it ends.
struct Examining<'a>(&'a Mutex<Progress>);

impl<'a> Examining<'a> {
    fn begin(progress: &'a Mutex<Progress>) -> Examining<'a> {
        progress.lock().examining += 1;
        Examining(progress)
    }
}

impl Drop for Examining<'_> {
    fn drop(&mut self) {
        self.0.lock().examining -= 1;
    }
}

/// The walk of one case.
struct HuntWalk<'a, 'w, 'p> {
    hunt: &'a Hunt<'a>,
    technique: &'a Technique,
    worker: &'w mut Worker<'p>,
    gathered: Gathered,
}

/// The results of a walk so far.
#[derive(Default)]
struct Gathered {
    record: CaseRecord,
    examined: Vec<Examined>,
    sampled: Vec<Exhibit>,
    alike: BTreeMap<(Kind, String, Vec<Mode>), Alike>,
}

/// The results of examining similar exhibits of one case.
#[derive(Default)]
struct Alike {
    confirmed: u32,
    fleeting: u32,
}

impl Walker for HuntWalk<'_, '_, '_> {
    fn see(&mut self, notes: Notes) -> Result<ControlFlow<()>> {
        for (name, count) in notes.counts(self.technique.name) {
            self.gathered.record.count(&name, count);
        }
        self.gathered.record.profile.add(&notes.profile);
        for (index, exhibit) in notes.exhibits.iter().enumerate() {
            // When the time is up, one exhibit is still examined; a later run walks the case again for the others.
            if index > 0 && self.is_over() {
                break;
            }
            self.take(exhibit)?;
        }
        // An examination that was cut short must be repeated, so the case is not complete.
        let is_cut_short = !notes.exhibits.is_empty() && self.is_over();
        Ok(if is_cut_short { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn ask(&mut self, queries: &[Query]) -> Result<Option<Vec<Answer>>> {
        let stop = self.worker.stop;
        let Some(answers) = self.worker.asker.ask_until(queries, &|| stop.is_over())? else {
            return Ok(None);
        };
        let claims = answers.iter().filter(|answer| matches!(answer.verdict, Verdict::Claim(_))).count();
        let walk = &mut self.gathered.record.walk;
        walk.queries += answers.len() as u64;
        walk.claims += claims as u64;
        self.worker.report_tally();
        Ok(Some(answers))
    }

    fn is_over(&self) -> bool {
        self.worker.stop.is_over()
    }
}

impl HuntWalk<'_, '_, '_> {
    /// Examines an exhibit, leaves it to sampling, or drops it because there are enough similar ones.
    fn take(&mut self, exhibit: &Exhibit) -> Result<()> {
        if !(self.technique.judge.reads)(&exhibit.relation) {
            bail!("{} made an exhibit that it cannot read; please report it", self.technique.name);
        }
        let alike = self.gathered.alike(exhibit);
        if alike.confirmed >= CONFIRMED_ALIKE || alike.fleeting >= FLEETING_ALIKE {
            self.gathered.record.walk.not_examined += 1;
            self.worker.progress.lock().not_examined += 1;
            return Ok(());
        }
        if exhibit.sample_key.is_some() {
            // It is confirmed later, if at all; two similar ones are enough for a case.
            self.gathered.alike(exhibit).confirmed += 1;
            self.gathered.sampled.push(exhibit.clone());
            return Ok(());
        }
        match self.hunt.examine(self.technique, exhibit, self.worker)? {
            Examination::Held(examined) => {
                self.gathered.alike(exhibit).confirmed += 1;
                self.gathered.examined.push(*examined);
            }
            Examination::Fleeting => {
                self.gathered.alike(exhibit).fleeting += 1;
                self.gathered.record.walk.fleeting += 1;
            }
            Examination::BrokenOff => {}
        }
        Ok(())
    }
}

impl Gathered {
    fn alike(&mut self, exhibit: &Exhibit) -> &mut Alike {
        let modes = exhibit.queries.iter().map(|query| query.mode).collect();
        self.alike.entry((exhibit.kind, exhibit.title.clone(), modes)).or_default()
    }
}

impl CaseOutcome {
    /// The outcome of a case whose seed cannot be used.
    fn skipped(problem: &SeedProblem) -> CaseOutcome {
        let mut record = CaseRecord::default();
        record.skip(SkipReason::Unusable(problem.reason.to_owned()), problem.detail.clone());
        let seed_name = String::new();
        CaseOutcome { seed_name, record: Some(record), examined: Vec::new(), sampled: Vec::new() }
    }

    /// The outcome of a case that was interrupted before it found anything.
    fn interrupted() -> CaseOutcome {
        CaseOutcome { seed_name: String::new(), record: None, examined: Vec::new(), sampled: Vec::new() }
    }

    /// The number of sampled exhibits, by sample key.
    pub(crate) fn sampled_keys(&self) -> BTreeMap<String, u64> {
        let mut keys = BTreeMap::new();
        for key in self.sampled.iter().filter_map(|exhibit| exhibit.sample_key.clone()) {
            *keys.entry(key).or_default() += 1;
        }
        keys
    }

    /// Keeps the first `wanted` exhibits of each sample key. Returns the number of the others.
    pub(crate) fn keep_sampled(&mut self, wanted: &BTreeMap<String, u64>) -> u64 {
        let Some(record) = &mut self.record else { return 0 };
        let before = self.sampled.len();
        self.sampled.retain(|exhibit| {
            let key = exhibit.sample_key.clone().unwrap_or_default();
            let limit = wanted.get(&key).copied().unwrap_or(0);
            let kept = record.sampled.get(&key).copied().unwrap_or(0);
            if kept < limit {
                record.sampled.insert(key, kept + 1);
            }
            kept < limit
        });
        let dropped = (before - self.sampled.len()) as u64;
        self.count(|walk| walk.not_examined += dropped);
        dropped
    }

    /// Adds to the counts of the walk, if the case is recorded.
    pub(crate) fn count(&mut self, add: impl FnOnce(&mut WalkCounts)) {
        if let Some(record) = &mut self.record {
            add(&mut record.walk);
        }
    }
}

/// Records the outcomes of a hunt.
pub(crate) struct HuntRecorder<'a> {
    queue: SamplingQueue,
    committer: Committer<'a>,
    watcher: &'a dyn Watcher,
    recorded: BTreeSet<u64>,
}

impl<'a> HuntRecorder<'a> {
    /// A recorder that continues after the recorded cases.
    pub fn new(campaign: &'a Campaign<'a>, recorded: &BTreeMap<u64, CaseRecord>) -> Result<HuntRecorder<'a>> {
        Ok(HuntRecorder {
            queue: SamplingQueue::new(campaign.cases().turns(), recorded),
            committer: Committer::new(campaign.store, recorded)?,
            watcher: campaign.watcher,
            recorded: recorded.keys().copied().collect(),
        })
    }
}

impl Recorder<CaseOutcome> for HuntRecorder<'_> {
    fn is_recorded(&self, unit: u64) -> bool {
        self.recorded.contains(&unit)
    }

    fn receive(&mut self, unit: u64, outcome: CaseOutcome, progress: &mut Progress) -> Result<()> {
        if let Some(record) = &outcome.record {
            progress.add_case(record);
        }
        let (ready, dropped) = self.queue.receive(unit, outcome);
        progress.not_examined += dropped;
        ready.into_iter().try_for_each(|(unit, outcome)| self.committer.finish(unit, outcome, self.watcher))
    }

    fn take_unfinished(&mut self, is_over: bool) -> Option<(u64, CaseOutcome)> {
        if is_over { self.queue.take_provisional() } else { self.queue.take_chosen() }
    }

    fn receive_finished(&mut self, unit: u64, outcome: CaseOutcome, _progress: &mut Progress) -> Result<()> {
        self.committer.finish(unit, outcome, self.watcher)
    }

    fn close(&mut self, progress: &mut Progress) -> Result<()> {
        for (unit, outcome) in self.queue.take_rest() {
            self.committer.finish(unit, outcome, self.watcher)?;
        }
        progress.broken_off = self.committer.record_provisional(self.watcher)?;
        Ok(())
    }

    fn describe(&self, progress: &mut Progress) {
        self.committer.describe(progress);
    }
}
