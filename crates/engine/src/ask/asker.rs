//! Asking: the recorded answers first, then a warm session or a new process, then the record again.

use super::question::{Asked, Reply};
use super::warm::WarmSessions;
use crate::{Engine, Tally, is_interruption};
use analyzers::Question;
use anyhow::{Result, bail};
use model::{Answer, Cost, Hash, Query, RunRecord, Transcript, Verdict};
use std::collections::BTreeMap;
use store::{AnswerLog, StoredAnswer};

/// Answers are recorded at the latest after this much time of asking, and always at the end of a step.
const RECORD_AFTER_MICROSECONDS: u64 = 100_000;
/// This much of each stream and file is recorded.
const LARGEST_STREAM: usize = 256 << 10;

/// How recorded answers are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Journal {
    /// Recorded answers are used, new ones are recorded.
    ReadAndWrite,
    /// Only recorded answers are used; no analyzer runs.
    ReadOnly,
    /// The same, but every transcript is read again with today's reader.
    Reread,
    /// Every query runs the analyzer, and nothing is recorded.
    Off,
}

/// Asks on behalf of one worker.
pub struct Asker<'a> {
    engine: &'a Engine,
    log: Option<&'a dyn AnswerLog>,
    journal: Journal,
    sessions: WarmSessions,
    tally: Tally,
    /// New answers that are not on disk yet.
    unrecorded: Vec<(Hash, StoredAnswer)>,
    /// Recorded answers that were read again.
    read_again: Vec<(Hash, StoredAnswer)>,
}

impl<'a> Asker<'a> {
    /// An asker without warm sessions.
    pub fn new(engine: &'a Engine, log: Option<&'a dyn AnswerLog>, journal: Journal) -> Asker<'a> {
        let log = log.filter(|_| journal != Journal::Off);
        let sessions = WarmSessions::default();
        Asker {
            engine,
            log,
            journal,
            sessions,
            tally: Tally::default(),
            unrecorded: Vec::new(),
            read_again: Vec::new(),
        }
    }

    /// The answers, in order and without outputs. Each is on disk before this returns.
    pub fn ask(&mut self, queries: &[Query]) -> Result<Vec<Answer>> {
        let answers = self.ask_in_order(queries, &|| false, false)?;
        if answers.len() < queries.len() {
            bail!("interrupted while an analyzer ran");
        }
        Ok(answers)
    }

    /// The same, but `stop` is called before each query; none if it returned true, or if juvenal was interrupted. What
    /// was answered until then is on disk.
    pub fn ask_until(&mut self, queries: &[Query], stop: &dyn Fn() -> bool) -> Result<Option<Vec<Answer>>> {
        let answers = self.ask_in_order(queries, stop, false)?;
        Ok((answers.len() == queries.len()).then_some(answers))
    }

    /// The same, with what the analyzers printed.
    pub fn ask_with_outputs(
        &mut self,
        queries: &[Query],
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Answer>>> {
        let answers = self.ask_in_order(queries, stop, true)?;
        Ok((answers.len() == queries.len()).then_some(answers))
    }

    /// What was done since this was last called.
    pub fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }

    /// How to run a query by hand.
    pub fn describe_run(&self, query: &Query) -> Result<RunRecord> {
        self.engine.describe_run(query)
    }

    /// The answers to as many of the queries as were asked before `stop` or an interruption.
    fn ask_in_order(
        &mut self,
        queries: &[Query],
        stop: &dyn Fn() -> bool,
        with_outputs: bool,
    ) -> Result<Vec<Answer>> {
        let asked = queries
            .iter()
            .map(|query| self.engine.asked(query, self.log.is_some()))
            .collect::<Result<Vec<_>>>();
        let asked = match asked {
            Err(error) if is_interruption(&error) => return Ok(Vec::new()),
            asked => asked?,
        };
        let mut step = Step { recorded: self.look_up(&asked)?, early: BTreeMap::new(), asked: &asked };
        let mut answers: Vec<Answer> = Vec::with_capacity(queries.len());
        let mut spent = 0;
        for index in 0..queries.len() {
            if stop() {
                break;
            }
            // The same query twice in a step is one query: only the first answer is recorded, and a walk on the
            // recorded answers must see what this walk sees.
            let earlier =
                (0..index).find(|earlier| self.records() && asked[*earlier].key == asked[index].key);
            let answer = match (step.recorded[index].take(), earlier) {
                (Some(stored), _) => self.recall(&asked[index], stored, with_outputs)?,
                (None, Some(earlier)) => answers[earlier].clone(),
                // Computing what juvenal itself says asks no analyzer.
                (None, None) if self.is_read_only() && !asked[index].is_computed_here() => self.missing(),
                (None, None) => {
                    let reply = match self.put(&mut step, index, stop) {
                        Err(error) if is_interruption(&error) => break,
                        reply => reply?,
                    };
                    spent += reply.cost.wall_microseconds;
                    self.take(&asked[index], reply, with_outputs)
                }
            };
            answers.push(answer);
            if spent > RECORD_AFTER_MICROSECONDS {
                self.record(&asked, &mut answers, with_outputs)?;
                spent = 0;
            }
        }
        self.record(&asked, &mut answers, with_outputs)?;
        Ok(answers)
    }

    fn look_up(&self, asked: &[Asked<'_>]) -> Result<Vec<Option<StoredAnswer>>> {
        match self.log {
            Some(log) => log.get(&asked.iter().map(|asked| asked.key).collect::<Vec<_>>()),
            None => Ok(asked.iter().map(|_| None).collect()),
        }
    }

    /// The answer to the query at this index. Later ones that the same run can answer are answered as well and kept.
    fn put(&mut self, step: &mut Step<'_, '_>, index: usize, stop: &dyn Fn() -> bool) -> Result<Reply> {
        if let Some(reply) = step.early.remove(&index) {
            return Ok(reply);
        }
        let indices = step.indices_together(index);
        if indices.len() == 1 {
            return self.engine.put(&step.asked[index], &mut self.sessions, stop);
        }
        let together: Vec<&Question<'_>> = indices.iter().map(|index| &step.asked[*index].question).collect();
        let replies = self.engine.compute(&step.asked[index], &together)?;
        step.early.extend(indices.into_iter().zip(replies));
        match step.early.remove(&index) {
            Some(reply) => Ok(reply),
            None => anyhow::bail!("{} gave no answer", step.asked[index].query.analyzer),
        }
    }

    /// Counts and records a new answer.
    fn take(&mut self, asked: &Asked<'_>, reply: Reply, with_outputs: bool) -> Answer {
        let Reply { verdict, cost, transcript } = reply;
        let mut answer = Answer { verdict, cost, output: Vec::new() };
        self.tally.count(asked.query.mode, &answer);
        if self.records() {
            // What juvenal computes itself is never read again: another juvenal has another key. Only reports need its output.
            let is_kept = with_outputs || !asked.is_computed_here();
            let transcript = transcript.clone().filter(|_| is_kept);
            let transcript = transcript.map(|transcript| transcript.capped(LARGEST_STREAM));
            let stored = StoredAnswer { answer: answer.clone(), reader: asked.reader, transcript };
            self.unrecorded.push((asked.key, stored));
        }
        if with_outputs {
            answer.output = asked.question.shown(&answer.verdict, transcript.as_ref());
        }
        answer
    }

    /// A recorded answer, as today's reader understands it.
    fn recall(&mut self, asked: &Asked<'_>, stored: StoredAnswer, with_outputs: bool) -> Result<Answer> {
        self.tally.recalled += 1;
        self.understood(asked, stored, with_outputs)
    }

    /// The same without counting it.
    fn understood(&mut self, asked: &Asked<'_>, stored: StoredAnswer, with_outputs: bool) -> Result<Answer> {
        let is_other_reader = stored.reader != asked.reader || self.journal == Journal::Reread;
        let is_stale = is_other_reader && !asked.is_computed_here();
        let transcript = if is_stale || with_outputs { self.transcript(asked.key)? } else { None };
        let mut answer = stored.answer;
        if is_stale {
            match read_again(&asked.question, transcript.as_ref()) {
                Some(verdict) => {
                    self.tally.reread += 1;
                    self.tally.changed += u64::from(verdict != answer.verdict);
                    answer.verdict = verdict;
                    let (answer, reader) = (answer.clone(), asked.reader);
                    self.read_again.push((asked.key, StoredAnswer { answer, reader, transcript: None }));
                }
                None => self.tally.not_rereadable += 1,
            }
        }
        if with_outputs {
            answer.output = asked.question.shown(&answer.verdict, transcript.as_ref());
        }
        Ok(answer)
    }

    fn transcript(&self, key: Hash) -> Result<Option<Transcript>> {
        let Some(log) = self.log else { return Ok(None) };
        Ok(log.transcripts(&[key])?.pop().flatten())
    }

    /// The answer where none is recorded and no analyzer may run.
    fn missing(&mut self) -> Answer {
        self.tally.missing += 1;
        let verdict = Verdict::Unreadable("no answer is recorded".to_owned());
        Answer { verdict, cost: Cost::default(), output: Vec::new() }
    }

    fn is_read_only(&self) -> bool {
        self.log.is_some() && matches!(self.journal, Journal::ReadOnly | Journal::Reread)
    }

    fn records(&self) -> bool {
        self.log.is_some() && self.journal == Journal::ReadAndWrite
    }

    /// Puts what is new on disk. Where another worker has recorded an answer to the same question in the meantime, that
    /// answer takes the place of ours, or a walk on the recorded answers would not see what this walk saw.
    fn record(&mut self, asked: &[Asked<'_>], answers: &mut [Answer], with_outputs: bool) -> Result<()> {
        let new = std::mem::take(&mut self.unrecorded);
        let Some(log) = self.log.filter(|_| self.records()) else { return Ok(()) };
        if !new.is_empty() {
            let earlier = log.put(&new)?;
            for (asked, answer) in asked.iter().zip(answers) {
                if let Some(stored) = earlier.get(&asked.key) {
                    *answer = self.understood(asked, stored.clone(), with_outputs)?;
                }
            }
        }
        let read_again = std::mem::take(&mut self.read_again);
        if read_again.is_empty() { Ok(()) } else { log.replace(&read_again) }
    }
}

/// The verdict of today's reader; none if what is recorded is not enough.
fn read_again(question: &Question<'_>, transcript: Option<&Transcript>) -> Option<Verdict> {
    question.known_verdict().or_else(|| question.read(transcript.filter(|it| it.can_be_read_again)?))
}

/// The queries that are asked in one call.
struct Step<'a, 'q> {
    asked: &'a [Asked<'q>],
    /// The recorded answers that have not been used yet.
    recorded: Vec<Option<StoredAnswer>>,
    /// Replies that came with the reply to an earlier query, by index.
    early: BTreeMap<usize, Reply>,
}

impl Step<'_, '_> {
    /// The query at this index, and later ones that differ from it in nothing but the program and that one run can
    /// answer with it.
    fn indices_together(&self, first: usize) -> Vec<usize> {
        let mut indices = vec![first];
        let most = self.asked[first].programs_at_once();
        for index in first + 1..self.asked.len() {
            if indices.len() >= most {
                break;
            }
            let asked = &self.asked[index];
            let is_new = self.recorded[index].is_none() && !self.early.contains_key(&index);
            let is_other = indices.iter().all(|index| self.asked[*index].key != asked.key);
            if is_new && is_other && self.asked[first].can_share_a_run_with(asked) {
                indices.push(index);
            }
        }
        indices
    }
}
