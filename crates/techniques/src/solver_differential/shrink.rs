//! Smaller exhibits: the passes of scripts, applied to what the accused is asked and carried over to the others.

use crate::Edit;
use crate::scripts::shrink;
use model::{Exhibit, Input, SmtInput};

/// The question for a model, as it stands behind the check.
pub const GET_MODEL: &str = "(get-model)\n";

/// The exhibit after some edits of a pass; none if it would not be valid.
pub fn apply(exhibit: &Exhibit, pass: &str, edits: &[Edit]) -> Option<Exhibit> {
    let mut smaller = shrink::apply(exhibit, pass, edits)?;
    let body = plain_body(smaller.queries.first()?.input.smt()?).to_owned();
    for query in smaller.queries.iter_mut().skip(1) {
        let Input::Smt(input) = &mut query.input else { return None };
        let question = if input.body.ends_with(GET_MODEL) { GET_MODEL } else { "" };
        input.body = format!("{body}{question}").into();
    }
    Some(smaller)
}

/// The body without the question for a model.
fn plain_body(input: &SmtInput) -> &str {
    input.body.strip_suffix(GET_MODEL).unwrap_or(&input.body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver_differential::judge::AGREED;
    use model::{AnalyzerId, Kind, Mode, Query, Relation};
    use std::collections::BTreeMap;

    #[test]
    fn everybody_is_asked_the_smaller_script() {
        let query = |name: &str, logic: Option<&str>, question: &str| {
            let body = "(declare-fun a () Int)\n(assert (> a 0))\n(assert (< a 9))\n(check-sat)\n";
            let body = format!("{body}{question}").into();
            let input = SmtInput { options: "".into(), logic: logic.map(Into::into), body, checks: 1 };
            Query::new(AnalyzerId::new(name, "1", &[]), Input::Smt(input), Mode::Push)
        };
        let exhibit = Exhibit {
            technique: "solver_differential".to_owned(),
            kind: Kind::Soundness,
            title: String::new(),
            queries: vec![
                query("a", None, GET_MODEL),
                query("b", Some("QF_LIA"), ""),
                query("c", None, GET_MODEL),
            ],
            relation: Relation { name: AGREED.to_owned(), facts: BTreeMap::new() },
        };
        let first = shrink::edits(&exhibit, "assertions")[0].clone();
        let smaller = apply(&exhibit, "assertions", &[first]).unwrap();
        let plain = "(declare-fun a () Int)\n(assert (< a 9))\n(check-sat)\n";
        let texts: Vec<String> = smaller.queries.iter().map(|query| query.input.text()).collect();
        let expected = [
            format!("{plain}{GET_MODEL}"),
            format!("(set-logic QF_LIA)\n{plain}"),
            format!("{plain}{GET_MODEL}"),
        ];
        assert_eq!(texts, expected);
        let all = shrink::edits(&exhibit, "mode");
        let fresh = apply(&exhibit, "mode", &all).unwrap();
        assert!(fresh.queries.iter().all(|query| query.mode == Mode::Process));
    }
}
