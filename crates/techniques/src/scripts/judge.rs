//! The judge of the relations between a script and the answers of solvers.

use super::models::{ModelVerdict, verdict_on_last_model};
use super::prepared::reachable;
use super::relation::ScriptRelation;
use crate::Judgement;
use model::{Answer, Exhibit, Kind, Query, Relation, SmtInfo, SmtInput, SmtStatus, Verdict};
use smt::{Command, Evaluator, Head, Operator, Script, TermId};
use std::collections::BTreeSet;

/// The meaning of a rejection.
pub enum Accusation {
    /// It may be a finding.
    Exhibit(Box<Exhibit>),
    /// The description lists such rejections as expected.
    Expected,
    /// The script is invalid, which is a bug in juvenal.
    Ours,
}

/// The title of a wrong `unsat`, to which special properties of the script may be appended.
pub const WRONG_UNSAT: &str = "unsat on a satisfiable script";

/// Accuses a solver of a wrong `unsat` if the printed script really holds under the assignment.
pub fn wrong_unsat(technique: &str, query: &Query, assignment: &str, title: &str) -> Option<Exhibit> {
    if !holds(query.input.smt()?, assignment) {
        return None;
    }
    let relation = ScriptRelation::Satisfiable { assignment: assignment.to_owned() };
    Some(exhibit(technique, query, Kind::Soundness, title, &relation))
}

/// Accuses a solver of an invalid model if the model is complete and an assertion is false under it.
pub fn wrong_model(technique: &str, query: &Query, model: &str) -> Option<Exhibit> {
    refuted_by(query.input.smt()?, model)?;
    let title = "sat with a model that does not satisfy the script";
    let relation = ScriptRelation::ModelSatisfies { claimed_model: model.to_owned() };
    Some(exhibit(technique, query, Kind::InvalidModel, title, &relation))
}

/// Accuses a solver of a crash.
pub fn crash(technique: &str, query: &Query, signature: &str) -> Exhibit {
    let title = format!("crash: {}", signature.chars().take(80).collect::<String>());
    let relation = ScriptRelation::DoesNotCrash { signature: signature.to_owned() };
    exhibit(technique, query, Kind::Crash, &title, &relation)
}

/// Accuses a solver of rejecting a valid script, unless its description expects such rejections.
pub fn refusal(technique: &str, query: &Query, message: &str, subject: &SmtInfo) -> Accusation {
    let expected = subject.expected_refusals.iter().any(|pattern| {
        // Invalid patterns were rejected when the description was read.
        regex::Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(message))
    });
    if expected {
        return Accusation::Expected;
    }
    if smt::parse("instance", &query.input.text()).is_err() {
        return Accusation::Ours;
    }
    let relation = ScriptRelation::Accepts { signature: without_numbers(message) };
    let title = "rejects a valid script";
    Accusation::Exhibit(Box::new(exhibit(technique, query, Kind::Refusal, title, &relation)))
}

/// Judges the answers to the first queries.
pub fn judge(exhibit: &Exhibit, answers: &[Answer]) -> Judgement {
    Judgement::when_complete(exhibit, answers, broken)
}

/// Decides by the answers to all queries.
pub fn broken(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    let Some(relation) = ScriptRelation::of(exhibit) else { return false };
    let (Some(answer), Some(query)) = (answers.first(), exhibit.queries.first()) else { return false };
    let Some(input) = query.input.smt() else { return false };
    match relation {
        ScriptRelation::Satisfiable { assignment } => {
            answer.smt_checks().iter().any(|check| check.status == SmtStatus::Unsat)
                && holds(input, &assignment)
        }
        ScriptRelation::ModelSatisfies { .. } => answer
            .smt_checks()
            .last()
            .and_then(|check| check.model.as_deref())
            .is_some_and(|model| refuted_by(input, model).is_some()),
        ScriptRelation::DoesNotCrash { signature } => {
            matches!(&answer.verdict, Verdict::Crash(found) if *found == signature)
        }
        ScriptRelation::Accepts { signature } => {
            matches!(&answer.verdict, Verdict::Rejected(found) if without_numbers(found) == signature)
        }
        ScriptRelation::SolversAgree { said, opponents } => {
            is_contradicted(exhibit, answers, said, opponents)
        }
    }
}

/// Returns true if as many others as at first contradict the accused, and the evaluator does not show that it is right.
fn is_contradicted(exhibit: &Exhibit, answers: &[Answer], said: SmtStatus, opponents: usize) -> bool {
    let mut answered = exhibit.queries.iter().zip(answers);
    let Some((query, accused)) = answered.next() else { return false };
    let verdict = |query: &Query, answer: &Answer| {
        query.input.smt().map_or(ModelVerdict::Open, |input| verdict_on_last_model(input, answer))
    };
    if last_status(accused) != said || matches!(verdict(query, accused), ModelVerdict::Confirmed(_)) {
        return false;
    }
    let contradicts = |(query, answer): &(&Query, &Answer)| match (said, last_status(answer)) {
        (SmtStatus::Sat, SmtStatus::Unsat) => true,
        (SmtStatus::Unsat, SmtStatus::Sat) => verdict(query, answer) != ModelVerdict::Refuted,
        _ => false,
    };
    opponents > 0 && answered.filter(contradicts).count() >= opponents
}

/// Returns the answer to the last check of a script.
pub fn last_status(answer: &Answer) -> SmtStatus {
    answer.smt_checks().last().map_or(SmtStatus::Unknown, |check| check.status)
}

/// Returns true if every assertion and every assumption of the printed script is true under the assignment.
pub fn holds(input: &SmtInput, assignment: &str) -> bool {
    let Ok(mut script) = smt::parse("instance", &input.text()) else { return false };
    if !is_only_assertions(&script) {
        return false;
    }
    let Ok(read) = smt::model::read_model(&mut script, assignment) else { return false };
    let mut evaluator = Evaluator::new(&script, &read.assignment);
    read.omitted.is_empty()
        && what_must_hold(&script).into_iter().all(|term| evaluator.truth(term) == Some(true))
}

/// Returns the assertion that is false under the complete model after the last check, or `None` if there is none or we
/// cannot be sure.
pub fn refuted_by(input: &SmtInput, model: &str) -> Option<String> {
    let mut script = smt::parse("instance", &input.text()).ok()?;
    if !is_only_assertions(&script) {
        return None;
    }
    let read = smt::model::read_model(&mut script, model).ok()?;
    if !read.omitted.is_empty() {
        return None;
    }
    let mut evaluator = Evaluator::new(&script, &read.assignment);
    let refuted =
        held_at_last_check(&script).into_iter().find(|term| evaluator.truth(*term) == Some(false))?;
    Some(smt::print::term(&script.terms, refuted))
}

/// Returns true if nothing but assertions and assumptions constrains the symbols: a recursive definition is an axiom, used
/// or not, and a solver-specific command may mean anything.
pub fn is_only_assertions(script: &Script) -> bool {
    !script.commands.iter().any(|command| {
        matches!(command, Command::DefineFunRec(_) | Command::DefineFunsRec(_) | Command::Other(_))
    })
}

/// Returns the assertions and assumptions of all scopes.
pub fn what_must_hold(script: &Script) -> Vec<TermId> {
    let mut terms: Vec<TermId> = script.assertions().collect();
    for command in &script.commands {
        if let Command::CheckSatAssuming(literals) = command {
            terms.extend(literals);
        }
    }
    terms
}

/// Returns the assertions in force at the last check, and its assumptions.
pub fn held_at_last_check(script: &Script) -> Vec<TermId> {
    let mut scopes: Vec<Vec<TermId>> = vec![Vec::new()];
    let mut held = Vec::new();
    for command in &script.commands {
        match command {
            Command::Assert(term) => scopes.last_mut().into_iter().for_each(|scope| scope.push(*term)),
            Command::Push(levels) => (0..*levels).for_each(|_| scopes.push(Vec::new())),
            Command::Pop(levels) => scopes.truncate(scopes.len().saturating_sub(*levels as usize).max(1)),
            Command::CheckSat | Command::CheckSatUsing(_) => held = scopes.concat(),
            Command::CheckSatAssuming(literals) => {
                held = scopes.concat();
                held.extend(literals);
            }
            _ => {}
        }
    }
    held
}

/// Returns the features of a reduced exhibit: operators, scopes, tactics and options; for crashes the location alone.
pub fn features(exhibit: &Exhibit, _answers: &[Answer]) -> BTreeSet<String> {
    if let Some(ScriptRelation::DoesNotCrash { signature } | ScriptRelation::Accepts { signature }) =
        ScriptRelation::of(exhibit)
    {
        return BTreeSet::from([signature]);
    }
    let mut features = BTreeSet::new();
    let Some(query) = exhibit.queries.first() else { return features };
    let Ok(script) = smt::parse("reduced", &query.input.text()) else { return features };
    for command in &script.commands {
        match command {
            Command::Push(_) | Command::Pop(_) => drop(features.insert("scopes".to_owned())),
            Command::CheckSatAssuming(_) => drop(features.insert("assumptions".to_owned())),
            Command::CheckSatUsing(tactic) => drop(features.insert(format!("tactic {tactic}"))),
            Command::SetOption { keyword, .. } if keyword != ":produce-models" => {
                features.insert(format!("option {keyword}"));
            }
            _ => {}
        }
    }
    for term in reachable(&script, &what_must_hold(&script)) {
        match script.terms.head(term) {
            Head::Operator(operator) if tells_something(operator) => {
                features.insert(operator.name().to_owned());
            }
            Head::Function(symbol) if !script.terms.children(term).is_empty() => {
                let declared = script.terms.function(symbol).is_some_and(|info| info.definition.is_none());
                features
                    .insert(if declared { "uninterpreted function" } else { "defined function" }.to_owned());
            }
            _ => {}
        }
    }
    features
}

/// Constants and plain equality occur in every reduced script and do not indicate the cause.
fn tells_something(operator: Operator) -> bool {
    !matches!(operator, Operator::True | Operator::False | Operator::Equal)
}

fn exhibit(technique: &str, query: &Query, kind: Kind, title: &str, relation: &ScriptRelation) -> Exhibit {
    Exhibit {
        technique: technique.to_owned(),
        kind,
        title: title.to_owned(),
        queries: vec![query.clone()],
        relation: Relation::of(relation),
        sample_key: None,
    }
}

/// Removes line and column numbers, which vary from run to run, from a message.
fn without_numbers(message: &str) -> String {
    message.chars().filter(|c| !c.is_ascii_digit()).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{AnalyzerId, Claim, Cost, Input, Mode, SmtCheck};

    fn input(body: &str) -> SmtInput {
        let checks = body.matches("(check-sat").count() as u32;
        SmtInput { options: "".into(), logic: None, body: body.into(), checks }
    }

    /// Rows: a script, an assignment, and whether the script must be satisfiable because of it.
    #[test]
    fn an_accusation_needs_an_assignment_that_satisfies_everything() {
        let declared = "(declare-fun a () Int)(assert (> a 0))(check-sat)";
        for (body, assignment, expected) in [
            (declared, "(define-fun a () Int 1)", true),
            (declared, "(define-fun a () Int 0)", false),
            (declared, "", false),
            ("(declare-fun a () Int)(assert (> (div 1 a) 0))(check-sat)", "(define-fun a () Int 0)", false),
            (
                "(declare-fun a () Int)(push 1)(assert (> a 0))(pop 1)(check-sat)",
                "(define-fun a () Int 0)",
                false,
            ),
            (
                "(define-fun-rec f ((x Int)) Int (+ 1 (f x)))(declare-fun a () Int)(assert (> a 0))(check-sat)",
                "(define-fun a () Int 1)",
                false,
            ),
            ("(declare-fun p () Bool)(check-sat-assuming (p))", "(define-fun p () Bool false)", false),
            ("(declare-fun p () Bool)(check-sat-assuming (p))", "(define-fun p () Bool true)", true),
        ] {
            assert_eq!(holds(&input(body), assignment), expected, "{body} under {assignment}");
        }
    }

    #[test]
    fn unsat_breaks_the_relation_only_if_the_assignment_satisfies_the_script() {
        let input = input("(declare-fun a () Int)(assert (> a 0))(check-sat)");
        let query = Query::new(AnalyzerId::new("solver", "1", &[]), Input::Smt(input), Mode::Process);
        let checks = vec![SmtCheck { status: SmtStatus::Unsat, model: None }];
        let verdict = Verdict::Claim(Claim::Smt(checks));
        let unsat = Answer { verdict, cost: Cost::default(), output: Vec::new() };
        for (assignment, expected) in [("(define-fun a () Int 1)", true), ("(define-fun a () Int 0)", false)]
        {
            let relation = ScriptRelation::Satisfiable { assignment: assignment.to_owned() };
            let exhibit = exhibit("opfuzz", &query, Kind::Soundness, WRONG_UNSAT, &relation);
            assert_eq!(broken(&exhibit, std::slice::from_ref(&unsat)), expected, "{assignment}");
        }
    }

    #[test]
    fn only_assertions_in_force_refute_a_model_and_only_if_it_is_complete() {
        for (body, model, refuted) in [
            ("(declare-fun a () Int)(assert (> a 0))(check-sat)", "((define-fun a () Int 0))", true),
            ("(declare-fun a () Int)(assert (> a 0))(check-sat)", "((define-fun a () Int 1))", false),
            ("(declare-fun a () Int)(assert (> a 0))(check-sat)", "()", false),
            (
                "(declare-fun a () Int)(push 1)(assert (> a 0))(pop 1)(check-sat)",
                "((define-fun a () Int 0))",
                false,
            ),
            (
                "(declare-sort S 0)(declare-fun a () S)(declare-fun b () S)(assert (= a b))(check-sat)",
                "((define-fun a () S (as @const_1 S))(define-fun b () S (as @const_2 S)))",
                false,
            ),
        ] {
            assert_eq!(refuted_by(&input(body), model).is_some(), refuted, "{body} under {model}");
        }
    }
}
