//! Executes the program of a confirmed exhibit and weighs the results.

use super::judge::{self, CHECK};
use super::relation::{Deviation, DifferentialRelation};
use crate::Hearing;
use crate::checks::{Unsettled, statuses};
use crate::execution::{self, CheckOutcome, Executions};
use crate::failures;
use c::analyze::is_deterministic;
use model::{
    AnalyzerInfo, Answer, CInput, CheckAnswer, CheckStatus, Evidence, Exhibit, FailingCheck, Kind, Limits,
    Lineup, NamedFile, Query, Weighed,
};

/// Wall time for executing a program once more, longer than during a walk.
const EXECUTION_MILLISECONDS: u64 = 10_000;

/// Why a check that others verify is only a suspicion.
const UNEQUAL_PRECISION: &str = "An analyzer need not verify everything that others verify.";

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

/// Weighs the answers.
pub fn weigh(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    let Hearing { answers, lineup, asked, witnesses } = *hearing;
    if DifferentialRelation::of(exhibit) == Some(DifferentialRelation::Analyzed) {
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
            vec!["The accused analyzer is not in the line-up.".to_owned()],
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
                        "The analyzer drops paths by design, so this may be a known limitation.".to_owned(),
                    );
                }
                let confirmation = execution::confirm(self.program, CHECK, inputs);
                let is_proved = is_held && confirmation.is_proof;
                reasons.push(confirmation.reason);
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
                let confirmation = execution::confirm_absence(self.program, CHECK);
                reasons.push(confirmation.reason);
                let evidence = if confirmation.is_proof { Evidence::Proved } else { Evidence::Suspicion };
                Some(weighed(Kind::Precision, evidence, reasons, Vec::new()))
            }
            _ => None,
        }
    }

    /// Weighs an exhibit that executions do not settle.
    fn open(&self) -> Weighed {
        let (evidence, reason) = match DifferentialRelation::of(self.exhibit) {
            Some(DifferentialRelation::Agrees { deviation, .. }) => self.open_deviation(deviation),
            Some(
                DifferentialRelation::NoVerifiedCheckFails { .. }
                | DifferentialRelation::NeverViolatedIsVerified { .. },
            ) => (Evidence::Suspicion, "Weighing was interrupted before the program was executed again."),
            Some(DifferentialRelation::Analyzed) | None => (Evidence::Suspicion, UNEQUAL_PRECISION),
        };
        let reasons = self.others().into_iter().chain([reason.to_owned()]).collect();
        weighed(self.exhibit.kind, evidence, reasons, Vec::new())
    }

    fn open_deviation(&self, deviation: Deviation) -> (Evidence, &'static str) {
        match deviation {
            Deviation::AloneSafe => (
                Evidence::Suspicion,
                "Executions did not settle which answer is right: the others may be imprecise.",
            ),
            Deviation::MorePrecise | Deviation::Newer if self.is_violated_by_the_accused() => (
                Evidence::Contradiction,
                "One of them calls the check verified and the other violated: one is wrong.",
            ),
            Deviation::MorePrecise => (
                Evidence::Suspicion,
                "Widening and other heuristics can lose precision in this way without being wrong.",
            ),
            Deviation::AloneUnsafe | Deviation::Newer => (Evidence::Suspicion, UNEQUAL_PRECISION),
        }
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

    /// The answer of each analyzer of the exhibit, as a sentence.
    fn others(&self) -> Vec<String> {
        let analyzers = DifferentialRelation::of(self.exhibit).map_or(1, |relation| relation.analyzers());
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
