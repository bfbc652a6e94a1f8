//! What the word of a BenchExec tool-info module says about the check of a program.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use analyzers::{Driver, Invocation, Question, Wrapper, benchexec_description};
use model::{
    AnalyzerId, Annotation, AnnotationKind, CInput, CheckStatus, Claim, DataModel, Ending, Input, LimitKind,
    Mode, Query, Run, Verdict,
};

/// One word for a verdict on a program with one check.
fn shown(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Claim(Claim::Checks(claim)) => match claim.status(1) {
            Some(CheckStatus::Verified) => "verified".to_owned(),
            Some(CheckStatus::Violated) => "violated".to_owned(),
            Some(CheckStatus::Unknown) => "undecided".to_owned(),
            None => "nothing".to_owned(),
        },
        Verdict::Limit(LimitKind::Time) => "time".to_owned(),
        Verdict::Limit(LimitKind::Memory) => "memory".to_owned(),
        Verdict::Rejected(message) => format!("rejected {message}"),
        Verdict::Crash(what) => format!("crash {what}"),
        other => other.word().to_owned(),
    }
}

#[test]
fn words_of_modules_become_verdicts() {
    let description = benchexec_description().unwrap();
    let check = Annotation::new(0, AnnotationKind::Check(1), "1");
    let input = CInput { base: "".into(), data_model: DataModel::Lp64, annotations: vec![check] };
    let query = Query::new(AnalyzerId::new("benchexec/x", "1", &[]), Input::C(input), Mode::Process);
    let invocation = Invocation::new(&description, Driver::Python, &[]);
    let question = Question::new(Invocation { wrapper: Wrapper::Module, ..invocation }, &query);
    let judged = |word: &str, ending| {
        let run = Run::new(ending, b"what the tool printed".to_vec(), Vec::new());
        shown(&question.read_run(0, &Run { file: Some(word.as_bytes().to_vec()), ..run }))
    };
    for (word, expected) in [
        ("true", "verified"),
        ("false", "violated"),
        ("false(unreach-call)", "violated"),
        ("false(valid-deref)", "unreadable"),
        ("unknown", "undecided"),
        ("unknown (loop)", "undecided"),
        ("TIMEOUT", "time"),
        ("timeout", "time"),
        ("OUT OF MEMORY", "memory"),
        ("OUT_OF_MEMORY", "memory"),
        ("OUT OF JAVA MEMORY", "memory"),
        ("ERROR (out of memory, no parsing finished)", "memory"),
        ("ASSERTION", "crash ASSERTION"),
        ("EXCEPTION (Gremlins)", "crash EXCEPTION"),
        ("ERROR (parsing failed)", "rejected ERROR (parsing failed)"),
        ("ERROR (Unsupported source element, x)", "rejected ERROR (Unsupported source element, x)"),
        ("INVALID ARGUMENTS", "rejected INVALID ARGUMENTS"),
        ("ERROR", "unreadable"),
        ("ERROR (1)", "unreadable"),
        ("ERROR(TRUE)", "unreadable"),
        ("done", "unreadable"),
        ("", "unreadable"),
        ("untrue", "unreadable"),
        ("true but", "unreadable"),
    ] {
        assert_eq!(judged(word, Ending::Exited(7)), expected, "{word}");
    }
    assert_eq!(judged("true", Ending::Signaled(11)), "crash SIGSEGV");
    assert_eq!(judged("true", Ending::Signaled(9)), "memory");
    assert_eq!(judged("", Ending::Limit(LimitKind::Time)), "time");
}
