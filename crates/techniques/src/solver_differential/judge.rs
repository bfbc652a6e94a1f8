//! Which solvers disagree about a script, which of them are accused, and the exhibits that show it.
//!
//! The evaluator comes first. If it confirms a model, every solver that answers `unsat` is wrong; if it refutes a model, the
//! solver that printed it is wrong. If it cannot decide, the minority is accused.

use super::NAME;
use crate::Judgement;
use crate::scripts::judge::{self, WRONG_UNSAT, last_status};
use crate::scripts::models::{ModelVerdict, verdict_on_last_model};
use crate::scripts::relation::ScriptRelation;
use model::{Answer, Approximation, Exhibit, Kind, Query, Relation, SmtStatus};
use smt::{Command, Head};

/// One solver's answer to a script.
#[derive(Clone, Debug)]
pub struct Voice {
    /// The query.
    pub query: Query,
    /// The answer that it is held to; unknown if it decided nothing or need not be right.
    pub status: SmtStatus,
    /// What its model shows.
    pub model_verdict: ModelVerdict,
    /// The model as it was printed.
    model: Option<String>,
}

impl Voice {
    /// The answer of a solver, as far as its approximation makes it binding.
    pub fn new(query: Query, answer: &Answer, approximation: Approximation) -> Voice {
        let status = match last_status(answer) {
            SmtStatus::Sat if approximation.binds_showings() => SmtStatus::Sat,
            SmtStatus::Unsat if approximation.binds_exclusions() => SmtStatus::Unsat,
            _ => SmtStatus::Unknown,
        };
        let model = answer.smt_checks().last().and_then(|check| check.model.clone());
        let model_verdict =
            query.input.smt().map_or(ModelVerdict::Open, |input| verdict_on_last_model(input, answer));
        Voice { query, status, model_verdict, model }
    }
}

/// True if one solver answers `sat` and another `unsat`.
pub fn disagree(voices: &[Voice]) -> bool {
    let says = |wanted| voices.iter().any(|voice| voice.status == wanted);
    says(SmtStatus::Sat) && says(SmtStatus::Unsat)
}

/// The assignment of a model that the evaluator confirms.
pub fn confirmed(voices: &[Voice]) -> Option<&str> {
    voices.iter().find_map(|voice| match &voice.model_verdict {
        ModelVerdict::Confirmed(assignment) => Some(assignment.as_str()),
        _ => None,
    })
}

/// The exhibits of a script. `search` looks for an assignment where no model settles a disagreement.
pub fn exhibits(voices: &[Voice], search: impl FnOnce() -> Option<String>) -> Vec<Exhibit> {
    let mut exhibits: Vec<Exhibit> = voices.iter().filter_map(wrong_model_of).collect();
    let unsat: Vec<&Voice> = voices.iter().filter(|voice| voice.status == SmtStatus::Unsat).collect();
    // A refuted model shows nothing about the script, so it does not count against `unsat`.
    let is_credible =
        |voice: &&Voice| voice.status == SmtStatus::Sat && voice.model_verdict != ModelVerdict::Refuted;
    let sat: Vec<&Voice> = voices.iter().filter(is_credible).collect();
    if unsat.is_empty() {
        return exhibits;
    }
    let assignment = match confirmed(voices) {
        Some(assignment) => Some(assignment.to_owned()),
        None if sat.is_empty() => None,
        None => search(),
    };
    let refuted: Vec<Exhibit> = match &assignment {
        Some(text) => unsat.iter().filter_map(|it| wrong_unsat(&it.query, text)).collect(),
        None => Vec::new(),
    };
    if refuted.is_empty() && !sat.is_empty() {
        let (accused, others) = if sat.len() < unsat.len() { (&sat, &unsat) } else { (&unsat, &sat) };
        exhibits.extend(accused.iter().map(|it| open(it, others)));
    }
    exhibits.extend(refuted);
    exhibits
}

/// Accuses a solver of answering `unsat` although an assignment satisfies the script.
pub fn wrong_unsat(query: &Query, assignment: &str) -> Option<Exhibit> {
    judge::wrong_unsat(NAME, query, assignment, WRONG_UNSAT)
}

/// Accuses a solver of a model under which an assertion is false.
pub fn wrong_model(query: &Query, model: &str) -> Option<Exhibit> {
    judge::wrong_model(NAME, query, model)
}

fn wrong_model_of(voice: &Voice) -> Option<Exhibit> {
    let is_wrong = voice.status == SmtStatus::Sat && voice.model_verdict == ModelVerdict::Refuted;
    if is_wrong { wrong_model(&voice.query, voice.model.as_deref()?) } else { None }
}

/// One solver against several others, where the evaluator cannot decide which is right.
fn open(accused: &Voice, others: &[&Voice]) -> Exhibit {
    let count = others.len();
    let (kind, word, opposite) = match accused.status {
        SmtStatus::Sat => (Kind::InvalidModel, "sat", "unsat"),
        _ => (Kind::Soundness, "unsat", "sat"),
    };
    let whom = if count == 1 { "another says".to_owned() } else { format!("{count} others say") };
    let relation = ScriptRelation::SolversAgree { said: accused.status, opponents: count };
    let exhibit = Exhibit {
        technique: NAME.to_owned(),
        kind,
        title: format!("{word} where {whom} {opposite}"),
        queries: std::iter::once(accused).chain(others.iter().copied()).map(|it| it.query.clone()).collect(),
        relation: Relation::of(&relation),
        sample_key: None,
    };
    Exhibit { sample_key: sample_key(&exhibit), ..exhibit }
}

/// Judges the answers to the first queries.
pub fn judge(exhibit: &Exhibit, answers: &[Answer]) -> Judgement {
    match answers.len() < exhibit.queries.len() {
        true => Judgement::on_some(may_break(exhibit, answers)),
        false => Judgement::on_all(judge::broken(exhibit, answers)),
    }
}

/// False if the accused gives another answer now.
fn may_break(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    match ScriptRelation::of(exhibit) {
        Some(ScriptRelation::SolversAgree { said, .. }) => {
            answers.first().is_none_or(|answer| last_status(answer) == said)
        }
        Some(
            ScriptRelation::Satisfiable { .. }
            | ScriptRelation::ModelSatisfies { .. }
            | ScriptRelation::DoesNotCrash { .. }
            | ScriptRelation::Accepts { .. },
        ) => true,
        None => false,
    }
}

/// The key of what stays open: the accused, the logic and the outermost operator of the first assertion.
fn sample_key(exhibit: &Exhibit) -> Option<String> {
    let accused = exhibit.queries.first()?;
    let input = accused.input.smt()?;
    let logic = input.logic.as_deref().unwrap_or("no logic");
    let operator = first_operator(&input.text()).unwrap_or_else(|| "none".to_owned());
    Some(format!("solvers disagree: {}: {logic}: {operator}", accused.analyzer))
}

fn first_operator(text: &str) -> Option<String> {
    let script = smt::parse("script", text).ok()?;
    let asserted = script.commands.iter().find_map(|command| match command {
        Command::Assert(term) => Some(*term),
        _ => None,
    })?;
    match script.terms.head(asserted) {
        Head::Operator(operator) => Some(operator.name().to_owned()),
        Head::Quantifier { .. } => Some("quantifier".to_owned()),
        Head::Opaque(name) => Some(script.terms.symbol(name).to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{AnalyzerId, Claim, Cost, Input, Mode, SmtCheck, SmtInput, Verdict};

    const SCRIPT: &str = "(declare-fun a () Int)\n(assert (> a 0))\n(check-sat)\n(get-model)\n";
    const RIGHT: &str = "((define-fun a () Int 1))";
    const WRONG: &str = "((define-fun a () Int 0))";

    fn query(name: &str) -> Query {
        let input =
            SmtInput { options: "".into(), logic: Some("QF_LIA".into()), body: SCRIPT.into(), checks: 1 };
        Query::new(AnalyzerId::new(name, "1", &[]), Input::Smt(input), Mode::Process)
    }

    fn answer(status: SmtStatus, model: Option<&str>) -> Answer {
        let check = SmtCheck { status, model: model.map(str::to_owned) };
        Answer { verdict: Verdict::Claim(Claim::Smt(vec![check])), cost: Cost::default(), output: Vec::new() }
    }

    /// The answer that a word stands for: `+` and `-` are models that are right and wrong.
    fn said(word: &str) -> Answer {
        match word {
            "sat" => answer(SmtStatus::Sat, None),
            "sat+" => answer(SmtStatus::Sat, Some(RIGHT)),
            "sat-" => answer(SmtStatus::Sat, Some(WRONG)),
            "unsat" => answer(SmtStatus::Unsat, None),
            "limit" => {
                Answer { verdict: Verdict::Limit(model::LimitKind::Time), ..answer(SmtStatus::Unknown, None) }
            }
            _ => answer(SmtStatus::Unknown, None),
        }
    }

    /// Solvers `a`, `b`, `c` and so on, all of them exact.
    fn voices(words: &[&str]) -> Vec<Voice> {
        let names = ["a", "b", "c", "d", "e"];
        let voice = |(name, word): (&&str, &&str)| Voice::new(query(name), &said(word), Approximation::Exact);
        names.iter().zip(words).map(voice).collect()
    }

    fn accused(exhibits: &[Exhibit]) -> Vec<String> {
        let row = |it: &Exhibit| format!("{} {}: {}", it.queries[0].analyzer.name(), it.kind, it.title);
        exhibits.iter().map(row).collect()
    }

    /// Rows: the answers, and the accusations if no search finds anything.
    #[test]
    fn the_right_ones_are_accused() {
        let unsat = "unsat on a satisfiable script";
        let model = "sat with a model that does not satisfy the script";
        let rows: &[(&[&str], &[String])] = &[
            (&["sat", "sat+"], &[]),
            (&["unsat", "unknown", "limit"], &[]),
            (&["sat", "unknown"], &[]),
            (
                &["sat+", "unsat", "unsat"],
                &[format!("b soundness: {unsat}"), format!("c soundness: {unsat}")],
            ),
            (&["sat", "sat+", "unsat"], &[format!("c soundness: {unsat}")]),
            (&["sat-", "sat-"], &[format!("a invalid-model: {model}"), format!("b invalid-model: {model}")]),
            (&["sat-", "unsat"], &[format!("a invalid-model: {model}")]),
            (
                &["sat-", "sat+", "unsat"],
                &[format!("a invalid-model: {model}"), format!("c soundness: {unsat}")],
            ),
            (&["sat", "unsat", "unsat"], &["a invalid-model: sat where 2 others say unsat".to_owned()]),
            (&["sat", "sat", "unsat"], &["c soundness: unsat where 2 others say sat".to_owned()]),
            (&["sat", "unsat"], &["b soundness: unsat where another says sat".to_owned()]),
            (
                &["sat", "unsat", "sat", "unsat", "unknown"],
                &[
                    "b soundness: unsat where 2 others say sat".to_owned(),
                    "d soundness: unsat where 2 others say sat".to_owned(),
                ],
            ),
        ];
        for (words, expected) in rows {
            assert_eq!(accused(&exhibits(&voices(words), || None)), *expected, "{words:?}");
        }
    }

    #[test]
    fn a_search_settles_what_no_model_does() {
        let found = || Some(format!("{}\n", &RIGHT[1..RIGHT.len() - 1]));
        let settled = exhibits(&voices(&["sat", "unsat", "unsat"]), found);
        let names = |exhibits: &[Exhibit]| -> Vec<String> {
            exhibits.iter().map(|it| it.queries[0].analyzer.name().to_owned()).collect()
        };
        assert_eq!(names(&settled), ["b", "c"]);
        let nothing = Some("(define-fun a () Int 0)\n".to_owned());
        assert_eq!(names(&exhibits(&voices(&["sat", "unsat", "unsat"]), || nothing)), ["a"]);
        assert!(exhibits(&voices(&["unsat", "unsat"]), || panic!("no solver says sat")).is_empty());
    }

    #[test]
    fn no_solver_is_held_to_answers_that_need_not_be_right() {
        let voice = |word: &str, approximation| Voice::new(query("a"), &said(word), approximation).status;
        assert_eq!(voice("unsat", Approximation::Under), SmtStatus::Unknown);
        assert_eq!(voice("sat", Approximation::Over), SmtStatus::Unknown);
        assert_eq!(voice("sat", Approximation::Under), SmtStatus::Sat);
        assert_eq!(voice("unsat", Approximation::Over), SmtStatus::Unsat);
    }

    /// Rows: the first accusation, the answers later, and whether they are still a contradiction.
    #[test]
    fn an_open_exhibit_is_broken_until_one_solver_is_shown_to_be_right() {
        let two_say_sat = &exhibits(&voices(&["unsat", "sat", "sat"]), || None)[0];
        let two_say_unsat = &exhibits(&voices(&["sat", "unsat", "unsat"]), || None)[0];
        for (exhibit, later, expected) in [
            (two_say_sat, ["unsat", "sat", "sat"], true),
            (two_say_sat, ["unsat", "sat+", "sat"], true),
            (two_say_sat, ["unsat", "sat-", "sat"], false),
            (two_say_sat, ["unsat", "unknown", "sat"], false),
            (two_say_sat, ["sat", "unsat", "unsat"], false),
            (two_say_unsat, ["sat", "unsat", "unsat"], true),
            (two_say_unsat, ["sat-", "unsat", "unsat"], true),
            (two_say_unsat, ["sat+", "unsat", "unsat"], false),
            (two_say_unsat, ["sat", "limit", "unsat"], false),
        ] {
            assert_eq!(judge::broken(exhibit, &later.map(said)), expected, "{later:?}");
        }
        assert!(may_break(two_say_sat, &[said("unsat")]) && !may_break(two_say_sat, &[said("sat")]));
        assert_eq!(two_say_sat.queries.len(), 3);
    }

    #[test]
    fn what_stays_open_is_sampled_and_what_is_settled_is_not() {
        let open = &exhibits(&voices(&["unsat", "sat"]), || None)[0];
        assert_eq!(open.sample_key.as_deref().unwrap(), "solvers disagree: a@1: QF_LIA: >");
        let settled = &exhibits(&voices(&["unsat", "sat+"]), || None)[0];
        assert_eq!(settled.sample_key, None);
    }
}
