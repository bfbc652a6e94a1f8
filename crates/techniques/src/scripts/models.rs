//! Evaluates scripts under the models that solvers print.

use super::judge::{held_at_last_check, holds, is_only_assertions, what_must_hold};
use model::{Answer, Random, SmtInput, SmtStatus};
use smt::Evaluator;

/// The result of evaluating a script under a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelVerdict {
    /// Every assertion is true under the model; the text is the assignment.
    Confirmed(String),
    /// The model is complete, and an assertion is false under it.
    Refuted,
    /// Nothing: there is no model, it cannot be parsed, or the evaluator cannot decide.
    Open,
}

/// Evaluates the model after the last check of an answer, which shows nothing unless the answer is `sat`.
pub fn verdict_on_last_model(input: &SmtInput, answer: &Answer) -> ModelVerdict {
    let last = answer.smt_checks().last().filter(|check| check.status == SmtStatus::Sat);
    match last.and_then(|check| check.model.as_deref()) {
        Some(model) => verdict_on_model(input, model),
        None => ModelVerdict::Open,
    }
}

/// Evaluates a script under a model.
///
/// A symbol that the model omits gets a default value. If the assertions are true with it, the script is satisfiable;
/// otherwise nothing follows.
pub fn verdict_on_model(input: &SmtInput, model: &str) -> ModelVerdict {
    let Ok(mut script) = smt::parse("script", &input.text()) else { return ModelVerdict::Open };
    if !is_only_assertions(&script) {
        return ModelVerdict::Open;
    }
    let Ok(read) = smt::model::read_model(&mut script, model) else { return ModelVerdict::Open };
    let mut evaluator = Evaluator::new(&script, &read.assignment);
    if what_must_hold(&script).into_iter().all(|term| evaluator.truth(term) == Some(true)) {
        return ModelVerdict::Confirmed(read.assignment.describe(&script));
    }
    let is_false = held_at_last_check(&script).into_iter().any(|term| evaluator.truth(term) == Some(false));
    if is_false && read.omitted.is_empty() { ModelVerdict::Refuted } else { ModelVerdict::Open }
}

/// Searches for an assignment that satisfies the script, without a solver. The search is deterministic.
pub fn search_assignment(input: &SmtInput, tries: usize) -> Option<String> {
    let script = smt::parse("script", &input.text()).ok()?;
    let wanted = what_must_hold(&script);
    let found = smt::search::local_search(&script, &wanted, &mut Random::for_case(0, 0), tries)?;
    let text = found.describe(&script);
    holds(input, &text).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(body: &str) -> SmtInput {
        SmtInput { options: "".into(), logic: None, body: body.into(), checks: 1 }
    }

    /// Rows: a model of `a > 0 and b or not b`, and what it shows.
    #[test]
    fn a_model_confirms_refutes_or_shows_nothing() {
        let body =
            "(declare-fun a () Int)(declare-fun b () Bool)(assert (and (> a 0) (or b (not b))))(check-sat)";
        let text = |model_verdict: ModelVerdict| match model_verdict {
            ModelVerdict::Confirmed(text) => text,
            other => format!("{other:?}"),
        };
        let whole = "(define-fun a () Int 1)\n(define-fun b () Bool false)\n";
        for (model, expected) in [
            ("((define-fun a () Int 1) (define-fun b () Bool false))", whole),
            ("((define-fun a () Int 1))", whole),
            ("((define-fun a () Int 0) (define-fun b () Bool true))", "Refuted"),
            ("((define-fun a () Int 0))", "Open"),
            ("nonsense (", "Open"),
        ] {
            assert_eq!(text(verdict_on_model(&input(body), model)), expected, "{model}");
        }
        let open = "(declare-fun a () Int)(assert (> (div 1 a) 0))(check-sat)";
        assert_eq!(verdict_on_model(&input(open), "((define-fun a () Int 0))"), ModelVerdict::Open);
    }

    #[test]
    fn the_search_finds_a_satisfying_assignment() {
        let body = "(declare-fun a () Int)(assert (> a 0))(assert (< a 3))(check-sat)";
        let found = search_assignment(&input(body), 300).unwrap();
        assert!(holds(&input(body), &found), "{found}");
        let none = "(declare-fun a () Int)(assert (> a 0))(assert (< a 1))(check-sat)";
        assert_eq!(search_assignment(&input(none), 300), None);
    }
}
