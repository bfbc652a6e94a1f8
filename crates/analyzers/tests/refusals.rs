//! Queries that are not asked: a stored query may hold options and inputs that no technique makes.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use analyzers::{Catalogue, Driver, Invocation, Question};
use model::{AnalyzerId, Input, Language, Mode, Query, SmtInput, TextInput, Verdict};

fn is_asked(name: &str, input: Input, options: &[(&str, &str)]) -> bool {
    let catalogue = Catalogue::shipped().unwrap();
    let description = catalogue.find(name).unwrap();
    let mut query = Query::new(AnalyzerId::new(name, "1", &[]), input, Mode::Process);
    query.options = options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let question = Question::new(Invocation::new(description, Driver::Program, &[]), &query);
    let is_refused = question.known_verdict() == Some(Verdict::Unknown) && question.request.runs.is_empty();
    assert_eq!(question.known_verdict().is_some(), is_refused);
    !is_refused
}

fn program(text: &str) -> Input {
    let text = format!(".decl a(x: number)\na(1).\n.output a\n{text}");
    Input::Text(TextInput { language: Language::DATALOG, text: text.into() })
}

fn script(body: &str) -> Input {
    Input::Smt(SmtInput { options: "".into(), logic: None, body: body.into(), checks: 1 })
}

#[test]
fn options_of_a_query_have_listed_values() {
    assert!(is_asked("souffle", program(""), &[("jobs", "4")]));
    assert!(!is_asked("souffle", program(""), &[("jobs", "5")]));
    assert!(!is_asked("souffle", program(""), &[("magic-transform", "* --generate=/tmp/x")]));
    assert!(!is_asked("clingo", program(""), &[("configuration", "/tmp/portfolio")]));
    assert!(!is_asked("clingo", program(""), &[("outf", "3")]));
}

#[test]
fn inputs_touch_no_files() {
    assert!(is_asked("souffle", program(".comp C { .decl c(x: number) }\n"), &[]));
    assert!(!is_asked("souffle", program(".include \"/etc/passwd\"\n"), &[]));
    assert!(!is_asked("souffle", program(".functor f(x: number): number\n"), &[]));
    assert!(is_asked("z3", script("(check-sat)\n"), &[]));
    for name in ["z3", "cvc5", "opensmt"] {
        assert!(!is_asked(name, script("(set-option :out \"/tmp/x\")(check-sat)\n"), &[]), "{name}");
    }
}
