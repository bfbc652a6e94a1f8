//! Asking those who run programs about a confirmed exhibit, and what their answers make of it.

use super::judge::{self, ALONE_SAFE, CHECK, EXECUTED, EXHAUSTED, NEWER, ORDERED};
use crate::Hearing;
use crate::checks::{Unsettled, statuses};
use crate::execution::{self, CheckOutcome, Executions};
use crate::failures::{self, ANSWERED};
use c::analyze::{is_deterministic, unchecked_ub};
use model::{
    AnalyzerInfo, Answer, CInput, CheckAnswer, CheckStatus, Evidence, Exhibit, FailingCheck, Kind, Limits,
    Lineup, NamedFile, Query, Weighed,
};

/// Wall time for executing a program once more, with more patience than during a walk.
const EXECUTION_MILLISECONDS: u64 = 10_000;

/// Executions of the program, but not by the accused.
pub fn witness_queries(exhibit: &Exhibit, _answers: &[Answer], lineup: &Lineup) -> Vec<Query> {
    let Some((accused, program)) = accused(exhibit) else { return Vec::new() };
    let limits = Limits { wall_milliseconds: EXECUTION_MILLISECONDS, ..Limits::default() };
    let queries = execution::questions(program, lineup, limits);
    queries
        .into_iter()
        .filter(|query| query.analyzer != accused.analyzer)
        .map(|query| query.fresh(0))
        .collect()
}

/// The judgement.
pub fn weigh(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    let Hearing { answers, lineup, asked, witnesses } = *hearing;
    if exhibit.relation.name == ANSWERED {
        return failures::weigh(exhibit, answers);
    }
    let Some((accused, program)) = accused(exhibit) else {
        return weighed(exhibit.kind, Evidence::Suspicion, Vec::new(), Vec::new());
    };
    let executions: Vec<(Query, Answer)> = asked.iter().cloned().zip(witnesses.iter().cloned()).collect();
    let summary = execution::summarize(program, &executions);
    if let Some(met) = &summary.undefined {
        let reason = format!(
            "Executing the program meets undefined behaviour ({met}), after which an analyzer may say anything."
        );
        return weighed(exhibit.kind, Evidence::Suspicion, vec![reason], Vec::new());
    }
    let Some(member) = lineup.member(&accused.analyzer) else {
        return weighed(
            exhibit.kind,
            Evidence::Suspicion,
            vec!["The accused is not in the line-up.".to_owned()],
            Vec::new(),
        );
    };
    let weighing = Weighing { exhibit, answers, lineup, member, program, summary };
    weighing.settled().unwrap_or_else(|| weighing.open())
}

fn accused(exhibit: &Exhibit) -> Option<(&Query, &CInput)> {
    let accused = exhibit.queries.first()?;
    Some((accused, accused.input.c()?))
}

struct Weighing<'a> {
    exhibit: &'a Exhibit,
    answers: &'a [Answer],
    lineup: &'a Lineup,
    member: &'a AnalyzerInfo,
    program: &'a CInput,
    summary: Executions,
}

impl Weighing<'_> {
    /// An execution shows that the accused is wrong.
    fn settled(&self) -> Option<Weighed> {
        let said = self.answers.first().and_then(statuses)?.get(&CHECK).copied()?;
        match (self.summary.checks.get(&CHECK)?, said) {
            (CheckOutcome::Violated { inputs, by }, CheckStatus::Verified) => {
                let by: Vec<&str> = by.iter().map(|id| id.as_str()).collect();
                let mut reasons = vec![format!(
                    "{} calls the check `{}` verified, but executing the program violates it ({}; inputs: {inputs}).",
                    self.member.id,
                    self.condition(),
                    by.join(", "),
                )];
                reasons.extend(self.others());
                let is_held = self.role().is_some_and(|role| role.approximation.binds_exclusions());
                if !is_held {
                    reasons.push(
                        "The analyzer drops paths by design, so that this may be a known limit of it."
                            .to_owned(),
                    );
                }
                let doubt = unchecked_ub::why_possible(self.program);
                let is_proved = is_held && doubt.is_none();
                reasons.extend(doubt.map(|why| execution::no_proof(&why)));
                let evidence = if is_proved { Evidence::Proved } else { Evidence::Suspicion };
                let files = execution::files(self.program, CHECK, inputs, FailingCheck::Ends);
                Some(weighed(Kind::Soundness, evidence, reasons, files))
            }
            (CheckOutcome::Never, _) if self.accused_says_unsafe() && is_deterministic(self.program) => {
                let mut reasons = vec![format!(
                    "{} {} the check `{}`; the program was run on every input and never violated it.",
                    self.member.id,
                    if said == CheckStatus::Violated {
                        "says that an execution violates"
                    } else {
                        "does not verify"
                    },
                    self.condition(),
                )];
                reasons.extend(self.others());
                Some(weighed(Kind::Precision, Evidence::Proved, reasons, Vec::new()))
            }
            _ => None,
        }
    }

    /// Undecided.
    fn open(&self) -> Weighed {
        let mut reasons = self.others();
        let evidence = match self.exhibit.relation.name.as_str() {
            ALONE_SAFE => {
                reasons
                    .push("Executions did not settle who is right: the others may be imprecise.".to_owned());
                Evidence::Suspicion
            }
            ORDERED | NEWER if self.is_violated_by_the_accused() => {
                reasons.push(
                    "One of them calls verified what the other says is violated: one is wrong.".to_owned(),
                );
                Evidence::Contradiction
            }
            ORDERED => {
                reasons.push(
                    "Widening and other heuristics can lose precision in this way without being wrong."
                        .to_owned(),
                );
                Evidence::Suspicion
            }
            EXECUTED | EXHAUSTED => {
                reasons.push("This was broken off before executions were summary.".to_owned());
                Evidence::Suspicion
            }
            _ => {
                reasons.push("An analyzer need not verify all that others do.".to_owned());
                Evidence::Suspicion
            }
        };
        weighed(self.exhibit.kind, evidence, reasons, Vec::new())
    }

    fn accused_says_unsafe(&self) -> bool {
        let unsettled = self.role().map(Unsettled::of);
        let word =
            unsettled.zip(self.answers.first()).map(|(unsettled, answer)| judge::word(answer, unsettled));
        word == Some(CheckAnswer::Unsafe)
    }

    fn is_violated_by_the_accused(&self) -> bool {
        let said = self.answers.first().and_then(statuses);
        said.is_some_and(|said| said.get(&CHECK) == Some(&CheckStatus::Violated))
    }

    /// Who says what, in one sentence for each analyzer of the exhibit.
    fn others(&self) -> Vec<String> {
        let analyzers = judge::analyzers(self.exhibit);
        let said = self.exhibit.queries.iter().zip(self.answers).take(analyzers);
        let sentence = |(query, answer): (&Query, &Answer)| {
            let role = self.lineup.member(&query.analyzer)?.reachability()?;
            Some(match judge::word(answer, Unsettled::of(role)) {
                CheckAnswer::Safe => format!("{} verifies `{}`.", query.analyzer, self.condition()),
                CheckAnswer::Unsafe => format!("{} does not.", query.analyzer),
                CheckAnswer::Unknown => format!("{} does not know.", query.analyzer),
            })
        };
        if analyzers > 1 { said.filter_map(sentence).collect() } else { Vec::new() }
    }

    fn role(&self) -> Option<&model::ReachabilityInfo> {
        self.member.reachability()
    }

    fn condition(&self) -> String {
        self.exhibit.queries.first().and_then(judge::condition).unwrap_or_default()
    }
}

fn weighed(kind: Kind, evidence: Evidence, reasons: Vec<String>, files: Vec<NamedFile>) -> Weighed {
    Weighed { kind: Some(kind), evidence, reasons, files }
}
