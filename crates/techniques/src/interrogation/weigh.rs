//! Asking the witnesses about a confirmed exhibit: executions first, then other analyzers.

use super::judge::{self, Dispute};
use super::relation::InterrogationRelation;
use crate::Hearing;
use crate::checks;
use crate::execution::{self, CheckOutcome, Executions};
use crate::failures;
use c::analyze::is_deterministic;
use model::{
    AnalyzerInfo, AnnotationKind, Answer, Approximation, CInput, CheckStatus, Evidence, Exhibit,
    FailingCheck, Input, Kind, Limits, Lineup, Mode, NamedFile, Query, ReachabilityInfo, Weighed,
};

/// Wall time for executing a program once more, longer than during a walk.
const EXECUTION_MILLISECONDS: u64 = 10_000;

/// Executes every program of the exhibit, exhaustively where a failing check may be a false alarm, and asks other
/// analyzers that treat failing checks in the same way.
pub fn witness_queries(exhibit: &Exhibit, answers: &[Answer], lineup: &Lineup) -> Vec<Query> {
    let Some(accused) = exhibit.queries.first() else { return Vec::new() };
    let convention = convention(lineup, accused);
    let limits = Limits { wall_milliseconds: EXECUTION_MILLISECONDS, ..Limits::default() };
    let mut queries: Vec<Query> = Vec::new();
    for (index, program) in programs(exhibit).into_iter().enumerate() {
        let claimed = claimed(program, answers.get(index), convention);
        queries.extend(execution::questions(&claimed, lineup, limits));
        let failing = disputes(exhibit, answers).into_iter().filter(|dispute| failing_side(dispute) == index);
        for dispute in failing {
            queries.extend(execution::questions(&alone(program, dispute.check, convention), lineup, limits));
        }
        let others = others(lineup, accused, program, convention);
        queries.extend(others.map(|member| Query { limits: accused.limits, ..question(member, program) }));
    }
    queries.retain(|query| query.analyzer != accused.analyzer);
    let mut asked: Vec<Query> = Vec::new();
    for query in queries {
        let query = query.fresh(0);
        if !asked.contains(&query) {
            asked.push(query);
        }
    }
    asked
}

/// Weighs the answers.
pub fn weigh(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    let Hearing { answers, lineup, asked, witnesses } = *hearing;
    if InterrogationRelation::of(exhibit) == Some(InterrogationRelation::Analyzed) {
        return failures::weigh(exhibit, answers);
    }
    let weighing = Weighing { exhibit, answers, lineup, asked, witnesses };
    let weighed = weighing.undefined().or_else(|| weighing.refuted()).or_else(|| weighing.false_alarm());
    weighed.or_else(|| weighing.second_opinion()).unwrap_or_else(|| weighing.open())
}

struct Weighing<'a> {
    exhibit: &'a Exhibit,
    answers: &'a [Answer],
    lineup: &'a Lineup,
    asked: &'a [Query],
    witnesses: &'a [Answer],
}

impl Weighing<'_> {
    /// A check that the accused calls verified and an execution violates.
    fn refuted(&self) -> Option<Weighed> {
        let (accused, role) = self.accused()?;
        for (index, program) in programs(self.exhibit).into_iter().enumerate() {
            let said = checks::statuses(self.answers.get(index)?)?;
            let executed = claimed(program, self.answers.get(index), Some(role.failing_check));
            let summary = self.summary(&executed);
            let refutes = |(check, shown): (&u32, &CheckOutcome)| match shown {
                CheckOutcome::Violated { inputs, by } if said.get(check) == Some(&CheckStatus::Verified) => {
                    Some((*check, inputs.clone(), by.clone()))
                }
                _ => None,
            };
            let Some((check, inputs, by)) = summary.checks.iter().find_map(refutes) else { continue };
            let by: Vec<&str> = by.iter().map(|id| id.as_str()).collect();
            let mut reasons = vec![format!(
                "{} calls check {check}, `{}`, verified{}, but executing the program violates it ({}; inputs: {inputs}).",
                accused.id,
                condition(program, check),
                which(index, self.exhibit),
                by.join(", "),
            )];
            let bound = role.approximation.binds_exclusions();
            if !bound {
                reasons.push(
                    "The analyzer drops paths by design, so this may be a known limitation.".to_owned(),
                );
            }
            let confirmation = execution::confirm(&executed, check, &inputs);
            let is_proved = bound && confirmation.is_proof;
            let evidence = if is_proved { Evidence::Proved } else { Evidence::Suspicion };
            reasons.push(confirmation.reason);
            let files = execution::files(program, check, &inputs, role.failing_check);
            return Some(weighed(Kind::Soundness, evidence, reasons, files));
        }
        None
    }

    /// Undefined behaviour excuses every answer.
    fn undefined(&self) -> Option<Weighed> {
        let mut executions = self.testimony().filter(|(member, _, _)| executes(member));
        let met = executions.find_map(|(_, _, answer)| answer.checks()?.undefined.clone())?;
        let reason = format!(
            "Executing the program meets undefined behaviour ({met}), after which an analyzer may say anything."
        );
        Some(weighed(self.exhibit.kind, Evidence::Suspicion, vec![reason], Vec::new()))
    }

    /// A check that fails for the accused and that no execution at all violates.
    fn false_alarm(&self) -> Option<Weighed> {
        let (accused, role) = self.accused()?;
        let programs = programs(self.exhibit);
        for dispute in disputes(self.exhibit, self.answers) {
            let index = failing_side(&dispute);
            let program = programs.get(index)?;
            let executed = alone(program, dispute.check, Some(role.failing_check));
            let summary = self.summary(&executed);
            if summary.checks.get(&dispute.check) != Some(&CheckOutcome::Never) || !is_deterministic(program)
            {
                continue;
            }
            let reason = format!(
                "{} verifies check {}, `{}`, in the other program and not{}, where it must hold as well: \
                 that program was run on every input and never violated it.",
                accused.id,
                dispute.check,
                condition(program, dispute.check),
                which(index, self.exhibit),
            );
            let confirmation = execution::confirm_absence(&executed, dispute.check);
            let evidence = if confirmation.is_proof { Evidence::Proved } else { Evidence::Suspicion };
            return Some(weighed(Kind::Precision, evidence, vec![reason, confirmation.reason], Vec::new()));
        }
        None
    }

    /// Another analyzer that shows a violation of what the accused calls verified.
    fn second_opinion(&self) -> Option<Weighed> {
        let (accused, _) = self.accused()?;
        for (index, program) in programs(self.exhibit).iter().enumerate() {
            let said = checks::statuses(self.answers.get(index)?)?;
            for (member, input, answer) in self.testimony() {
                let Some(claim) = answer.checks().filter(|_| *input == **program && shows(member)) else {
                    continue;
                };
                let contradicts = |claim: &&model::CheckClaim| {
                    claim.status == CheckStatus::Violated
                        && said.get(&claim.check) == Some(&CheckStatus::Verified)
                };
                let Some(found) = claim.checks.iter().find(contradicts) else { continue };
                let reason = format!(
                    "{} calls check {}, `{}`, verified{}; {} says that it is violated.",
                    accused.id,
                    found.check,
                    condition(program, found.check),
                    which(index, self.exhibit),
                    member.id,
                );
                return Some(weighed(Kind::Soundness, Evidence::Contradiction, vec![reason], Vec::new()));
            }
        }
        None
    }

    /// Weighs an exhibit that nothing settles.
    fn open(&self) -> Weighed {
        let kind = self.exhibit.kind;
        let accused = self.accused();
        let name = accused.map_or("The analyzer".to_owned(), |(member, _)| member.id.to_string());
        let binding = accused.is_some_and(|(_, role)| role.approximation != Approximation::Neither);
        let disputes = disputes(self.exhibit, self.answers);
        let law = InterrogationRelation::of_pair(self.exhibit).map_or("", |pair| pair.law.sentence());
        let mut reasons: Vec<String> = disputes
            .iter()
            .take(3)
            .map(|dispute| {
                let (verified, other) = match dispute.verified_first {
                    true => ("first", "second"),
                    false => ("second", "first"),
                };
                format!(
                    "{name} calls check {} verified in the {verified} program and {} in the {other}; {law}.",
                    dispute.check,
                    word(dispute.other),
                )
            })
            .collect();
        let has_no_witness = witness_queries(self.exhibit, self.answers, self.lineup).is_empty();
        reasons.push(
            match (self.asked.is_empty(), has_no_witness) {
                (true, true) => "No analyzer in the line-up could execute the programs.",
                (true, false) => {
                    "Weighing was interrupted before the programs were executed and other analyzers asked."
                }
                (false, _) => "Executions did not settle which answer is wrong.",
            }
            .to_owned(),
        );
        let evidence = match kind {
            Kind::Soundness if binding => Evidence::Contradiction,
            _ => Evidence::Suspicion,
        };
        if kind == Kind::Precision {
            reasons.push(
                "An analyzer that joins and widens may lose precision in this way without being wrong."
                    .to_owned(),
            );
        }
        weighed(kind, evidence, reasons, Vec::new())
    }

    /// What executions of a program have shown.
    fn summary(&self, program: &CInput) -> Executions {
        let executed = execution::traced(program).unwrap_or_else(|| program.clone());
        let about =
            |(member, input, _): &(&AnalyzerInfo, &CInput, &Answer)| executes(member) && **input == executed;
        let answers: Vec<(Query, Answer)> = self
            .testimony()
            .filter(about)
            .map(|(member, input, answer)| (question(member, input), answer.clone()))
            .collect();
        execution::summarize(program, &answers)
    }

    /// The answers of the witnesses, each with its analyzer and program.
    fn testimony(&self) -> impl Iterator<Item = (&AnalyzerInfo, &CInput, &Answer)> {
        self.asked.iter().zip(self.witnesses).filter_map(|(query, answer)| {
            Some((self.lineup.member(&query.analyzer)?, query.input.c()?, answer))
        })
    }

    fn accused(&self) -> Option<(&AnalyzerInfo, &ReachabilityInfo)> {
        let member = self.lineup.member(&accused_query(self.exhibit)?.analyzer)?;
        Some((member, member.reachability()?))
    }
}

fn weighed(kind: Kind, evidence: Evidence, reasons: Vec<String>, files: Vec<NamedFile>) -> Weighed {
    Weighed { kind: Some(kind), evidence, reasons, files }
}

fn accused_query(exhibit: &Exhibit) -> Option<&Query> {
    exhibit.queries.first()
}

/// The programs that the accused was asked about.
pub fn programs(exhibit: &Exhibit) -> Vec<&CInput> {
    let accused = accused_query(exhibit).map(|query| &query.analyzer);
    let of_accused = exhibit.queries.iter().filter(|query| Some(&query.analyzer) == accused);
    let count = if InterrogationRelation::of_pair(exhibit).is_some() { 2 } else { 1 };
    of_accused.filter_map(|query| query.input.c()).take(count).collect()
}

fn disputes(exhibit: &Exhibit, answers: &[Answer]) -> Vec<Dispute> {
    match (InterrogationRelation::of_pair(exhibit), answers) {
        (Some(pair), [first, second, ..]) => judge::disputed(&pair, first, second),
        _ => Vec::new(),
    }
}

/// The program in which the disputed check fails: 0 for the first, 1 for the second.
fn failing_side(dispute: &Dispute) -> usize {
    usize::from(dispute.verified_first)
}

/// What a failing check does for the accused.
fn convention(lineup: &Lineup, accused: &Query) -> Option<FailingCheck> {
    Some(lineup.member(&accused.analyzer)?.reachability()?.failing_check)
}

/// The analyzers that do not execute programs and treat failing checks as the accused does.
fn others<'a>(
    lineup: &'a Lineup,
    accused: &Query,
    program: &CInput,
    convention: Option<FailingCheck>,
) -> impl Iterator<Item = &'a AnalyzerInfo> {
    let speaks = move |member: &&AnalyzerInfo| {
        let role = member.reachability().filter(|role| !role.executes);
        role.is_some_and(|role| {
            let own_error =
                ["reach_error", "__VERIFIER_error"].iter().any(|name| program.base.contains(name));
            role.data_models.contains(&program.data_model)
                && Some(role.failing_check) == convention
                // An analyzer with a single property takes the program's own error for the check.
                && (role.reports_all || !own_error)
        }) && member.id != accused.analyzer
    };
    lineup.witnesses.iter().chain(&lineup.subjects).filter(speaks)
}

fn executes(member: &AnalyzerInfo) -> bool {
    member.reachability().is_some_and(|role| role.executes)
}

/// True if what it calls violated can happen.
fn shows(member: &AnalyzerInfo) -> bool {
    member.reachability().is_some_and(|role| role.approximation.binds_showings() && !role.executes)
}

/// The program with one check.
fn alone(program: &CInput, check: u32, convention: Option<FailingCheck>) -> CInput {
    with_checks(program, convention, |number| number == check)
}

/// The program with the checks that the accused calls verified.
fn claimed(program: &CInput, answer: Option<&Answer>, convention: Option<FailingCheck>) -> CInput {
    let Some(said) = answer.and_then(checks::statuses) else { return program.clone() };
    with_checks(program, convention, |number| said.get(&number) == Some(&CheckStatus::Verified))
}

/// The program without some of its checks. They would end an execution at the first one that fails; where a failing
/// check ends the execution for the accused too, all of them stay.
fn with_checks(program: &CInput, convention: Option<FailingCheck>, keeps: impl Fn(u32) -> bool) -> CInput {
    let mut kept = program.clone();
    if convention == Some(FailingCheck::Continues) {
        kept.annotations.retain(|annotation| match annotation.what {
            AnnotationKind::Check(number) => keeps(number),
            AnnotationKind::Assume => true,
        });
    }
    kept
}

fn question(member: &AnalyzerInfo, program: &CInput) -> Query {
    Query::new(member.id.clone(), Input::C(program.clone()), Mode::Process)
}

fn condition(program: &CInput, check: u32) -> &str {
    let found = program.annotations.iter().find(|annotation| annotation.what == AnnotationKind::Check(check));
    found.map_or("", |annotation| &annotation.condition)
}

/// Which of two programs is meant.
fn which(index: usize, exhibit: &Exhibit) -> &'static str {
    match (programs(exhibit).len(), index) {
        (2, 0) => " in the first program",
        (2, _) => " in the second program",
        _ => "",
    }
}

fn word(status: CheckStatus) -> &'static str {
    match status {
        CheckStatus::Verified => "verified",
        CheckStatus::Violated => "violated",
        CheckStatus::Unknown => "unknown",
    }
}
