//! The walk of one case: every solver that accepts the seed is asked about the seed's own assertions, then about scripts
//! made from its predicates.

use super::judge::{self, Voice};
use super::made::{Material, outline};
use super::{Knobs, NAME, counts};
use crate::scripts::judge::last_status;
use crate::scripts::mode::fitting;
use crate::scripts::models::{ModelVerdict, search_assignment};
use crate::scripts::prepared::Prepared;
use crate::scripts::shrink::GET_MODEL;
use crate::{Case, MadeScripts, Notes, Step, differential};
use model::{
    AnalyzerInfo, Answer, CheckAnswer, ComparedCheck, Executed, Hash, Input, Limits, Mode, Query, Random,
    SmtInfo, SmtInput, SmtStatus, Verdict,
};
use std::collections::BTreeSet;

/// Scripts asked at once. One batch shares logic and mode, so that warm sessions answer it.
const BATCH: usize = 16;
/// After this many batches in a row that no solver decides, the rest of the case would be wasted.
const BARREN_BATCHES: u32 = 2;
/// The most characters of an assignment in a comparison.
const SHOWN_CHARACTERS: usize = 200;

/// A solver under test.
#[derive(Clone, Debug)]
pub struct Voter {
    member: AnalyzerInfo,
    abilities: SmtInfo,
    /// True if it takes the theories and the logic of the seed.
    pub takes_part: bool,
}

impl Voter {
    /// A solver, which may support the seed or not.
    pub fn new(member: &AnalyzerInfo, abilities: &SmtInfo, prepared: &Prepared) -> Voter {
        let takes_part = prepared.is_supported_by(abilities);
        Voter { member: member.clone(), abilities: abilities.clone(), takes_part }
    }
}

/// The state of a case.
pub struct Walk {
    name: String,
    prepared: Prepared,
    material: Material,
    /// The analyzers that can be asked, in the order of the line-up.
    voters: Vec<Voter>,
    /// Pairs of indices of voters: the first is a newer version of the second.
    versions: Vec<(usize, usize)>,
    knobs: Knobs,
    random: Random,
    seen: BTreeSet<Hash>,
    asked: usize,
    barren_batches: u32,
    batch: Option<Batch>,
}

/// Scripts that every solver was asked about.
struct Batch {
    scripts: Vec<SmtInput>,
    mode: Mode,
}

impl Walk {
    /// A walk over a prepared seed.
    pub fn new(name: &str, prepared: Prepared, voters: Vec<Voter>, knobs: Knobs, random: Random) -> Walk {
        let members: Vec<&AnalyzerInfo> = voters.iter().map(|voter| &voter.member).collect();
        Walk {
            name: name.to_owned(),
            material: Material::new(&prepared, knobs.depth, knobs.length),
            versions: differential::versions(&members),
            prepared,
            voters,
            knobs,
            random,
            seen: BTreeSet::new(),
            asked: 0,
            barren_batches: 0,
            batch: None,
        }
    }

    /// Asks every solver that takes part about the next scripts, one solver after the other.
    fn ask(&mut self, notes: &mut Notes) -> Step {
        let batch = self.draw_batch(notes);
        if batch.scripts.is_empty() {
            return Step::Done;
        }
        notes.scripts = Some(MadeScripts::Open);
        notes.add(counts::SCRIPTS, batch.scripts.len() as u64);
        let queries = self.queries(&batch);
        self.batch = Some(batch);
        Step::Ask(queries)
    }

    /// Draws scripts. The draws depend neither on the line-up nor on the answers, so an additional solver gets the same
    /// scripts.
    fn draw_batch(&mut self, notes: &mut Notes) -> Batch {
        let mode = self.knobs.mode.draw(&mut self.random);
        let logic = match self.prepared.needs_logic {
            true => self.prepared.logic.clone(),
            false => self.prepared.draw_any_logic(&mut self.random),
        };
        let mut scripts = Vec::new();
        if self.asked == 0 {
            scripts.push(self.material.seed(self.prepared.logic.clone()));
        }
        let wanted = BATCH.min(self.knobs.scripts - self.asked);
        if let Some(pool) = self.material.pool(&mut self.random) {
            for _ in scripts.len()..wanted {
                let most = (self.knobs.assertions >> self.random.below(4)).max(1);
                scripts.push(self.material.draw(&pool, most, logic.clone(), &mut self.random));
            }
        }
        self.asked += wanted;
        let before = scripts.len();
        scripts.retain(|script| self.seen.insert(Input::Smt(script.clone()).identity()));
        notes.add(counts::SCRIPTS_DRAWN_TWICE, (before - scripts.len()) as u64);
        Batch { scripts, mode }
    }

    fn queries(&self, batch: &Batch) -> Vec<Query> {
        let of_voter = |(_, voter)| batch.scripts.iter().map(move |it| self.query(voter, it, batch.mode));
        self.taking_part().flat_map(of_voter).collect()
    }

    /// The script as one solver is asked it: with a question for the model if it gives models, and in the seed's logic
    /// if it knows logics by name.
    fn query(&self, voter: &Voter, script: &SmtInput, mode: Mode) -> Query {
        let mut input = script.clone();
        if voter.abilities.models {
            input.options = "(set-option :produce-models true)\n".into();
            input.body = format!("{}{GET_MODEL}", input.body).into();
        }
        if !voter.abilities.logics.is_empty() {
            input.logic = self.prepared.logic.clone();
        }
        let limits = Limits { wall_milliseconds: self.knobs.milliseconds, ..Limits::default() };
        let mode = fitting(mode, &voter.member.modes);
        Query { limits, ..Query::new(voter.member.id.clone(), Input::Smt(input), mode) }
    }

    fn taking_part(&self) -> impl Iterator<Item = (usize, &Voter)> {
        self.voters.iter().enumerate().filter(|(_, voter)| voter.takes_part)
    }

    fn judge(&mut self, batch: &Batch, answers: &[Answer], notes: &mut Notes) {
        let count = batch.scripts.len();
        let is_silent = answers.iter().all(|answer| last_status(answer) == SmtStatus::Unknown);
        self.barren_batches = if is_silent { self.barren_batches + 1 } else { 0 };
        for (index, script) in batch.scripts.iter().enumerate() {
            // The answers of one solver to all scripts follow those of another.
            let of_script: Vec<&Answer> = answers.iter().skip(index).step_by(count).collect();
            self.judge_script(script, batch.mode, &of_script, notes);
        }
    }

    fn judge_script(&self, script: &SmtInput, mode: Mode, answers: &[&Answer], notes: &mut Notes) {
        let mut statuses = vec![SmtStatus::Unknown; self.voters.len()];
        let mut voices = Vec::new();
        for ((index, voter), answer) in self.taking_part().zip(answers) {
            let query = self.query(voter, script, mode);
            if let Verdict::Crash(signature) = &answer.verdict {
                notes.exhibits.push(crate::scripts::judge::crash(NAME, &query, signature));
            }
            statuses[index] = last_status(answer);
            notes.count_with(counts::ANSWERS, &[word_of(statuses[index])]);
            voices.push(Voice::new(query, answer, voter.abilities.approximation));
        }
        if judge::disagree(&voices) {
            notes.count(counts::DISAGREEMENTS);
        }
        self.count_models(&voices, notes);
        self.count_lost(&statuses, notes);
        notes.exhibits.extend(judge::exhibits(&voices, || search_assignment(script, self.knobs.search)));
        notes.compared.push(self.compared(script, &statuses, judge::confirmed(&voices)));
    }

    fn count_models(&self, voices: &[Voice], notes: &mut Notes) {
        for voice in voices.iter().filter(|voice| voice.status == SmtStatus::Sat) {
            notes.count(match voice.model_verdict {
                ModelVerdict::Confirmed(_) => counts::MODELS_CONFIRMED,
                ModelVerdict::Refuted => counts::MODELS_REFUTED,
                ModelVerdict::Open => counts::MODELS_LEFT_OPEN,
            });
        }
    }

    /// A newer version need not decide all that an older one does, so this is not a finding.
    fn count_lost(&self, statuses: &[SmtStatus], notes: &mut Notes) {
        let is_lost = |(newer, older): &&(usize, usize)| {
            let takes_part = [newer, older].iter().all(|index| self.voters[**index].takes_part);
            takes_part && statuses[*newer] == SmtStatus::Unknown && statuses[*older] != SmtStatus::Unknown
        };
        let lost = self.versions.iter().filter(is_lost).count() as u64;
        if lost > 0 {
            notes.add(counts::UNDECIDED_BY_NEWER, lost);
        }
    }

    /// A row of the comparison.
    fn compared(&self, script: &SmtInput, statuses: &[SmtStatus], confirmed: Option<&str>) -> ComparedCheck {
        let word = |status: &SmtStatus| match status {
            SmtStatus::Unsat => CheckAnswer::Safe,
            SmtStatus::Sat => CheckAnswer::Unsafe,
            SmtStatus::Unknown => CheckAnswer::Unknown,
        };
        ComparedCheck {
            number: 0,
            seed: self.name.clone(),
            line: 0,
            condition: outline(script),
            input: Input::Smt(script.clone()),
            words: statuses.iter().map(word).collect(),
            executed: match confirmed {
                Some(assignment) => Executed::Violated { inputs: shortened(assignment) },
                None => Executed::Open,
            },
        }
    }
}

impl Case for Walk {
    fn next(&mut self, answers: &[Answer], notes: &mut Notes) -> Step {
        if let Some(batch) = self.batch.take() {
            self.judge(&batch, answers, notes);
        }
        if self.barren_batches >= BARREN_BATCHES {
            notes.count(counts::CASES_GIVEN_UP);
            return Step::Done;
        }
        // A batch may hold nothing new, and the next one may.
        while self.asked < self.knobs.scripts {
            match self.ask(notes) {
                Step::Done => {}
                step => return step,
            }
        }
        Step::Done
    }
}

fn word_of(status: SmtStatus) -> &'static str {
    match status {
        SmtStatus::Sat => "sat",
        SmtStatus::Unsat => "unsat",
        SmtStatus::Unknown => "unknown",
    }
}

/// An assignment on one line, cut where it is long.
fn shortened(assignment: &str) -> String {
    let line = assignment.split_whitespace().collect::<Vec<&str>>().join(" ");
    match line.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
