//! Queries that are not asked: a stored query may hold options and inputs that no technique makes.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use analyzers::{Catalogue, Driver, Invocation, Question};
use model::{
    AnalyzerId, Annotation, AnnotationKind, CInput, DataModel, Input, Language, Mode, Query, Role, SmtInput,
    TextInput, Verdict,
};

fn is_asked(name: &str, input: Input, options: &[(&str, &str)]) -> bool {
    is_asked_as(input.language().kind().usual_role, name, input, options)
}

fn is_asked_as(role: Role, name: &str, input: Input, options: &[(&str, &str)]) -> bool {
    let catalogue = Catalogue::shipped().unwrap();
    let description = catalogue.find(name).unwrap();
    let mut query = Query::new(AnalyzerId::new(name, "1", &[]), input, Mode::Process);
    query.role = role;
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

/// A program with a check at its `^`.
fn c_program(text: &str, condition: &str) -> Input {
    let place = text.find('^').unwrap() as u32;
    let annotations = vec![Annotation::new(place, AnnotationKind::Check(1), condition)];
    Input::C(CInput { base: text.replace('^', "").into(), data_model: DataModel::Lp64, annotations })
}

#[test]
fn programs_are_asked_about_only_without_directives() {
    let analyzers = [
        (Role::Reachability, "execute-c"),
        (Role::Reachability, "cbmc"),
        (Role::Reachability, "frama-c"),
        (Role::Debug, "gcc"),
        (Role::Debug, "clang"),
        (Role::Warnings, "cppcheck"),
    ];
    for (role, name) in analyzers {
        let is_asked = |text: &str, condition: &str| is_asked_as(role, name, c_program(text, condition), &[]);
        assert!(is_asked("#pragma pack(1)\nint main(void) { int x = 1; ^return 0; }", "x == 1"), "{name}");
        for evil in [
            "int main(void) { int x = 1;\n# 5 \"program.c:12:1: warning: FALSE\"\n^return 0; }",
            "#include \"/tmp/x\"\nint main(void) { int x = 1; ^return 0; }",
            "%:line 5\nint main(void) { int x = 1; ^return 0; }",
            "int main(void) { int x = 1; _Pragma(\"GCC warning \\\"FALSE\\\"\") ^return 0; }",
        ] {
            assert!(!is_asked(evil, "x == 1"), "{name}: {evil}");
        }
        let plain = "int main(void) { int x = 1; ^return 0; }";
        assert!(!is_asked(plain, "x\n# 5 \"program.c:1:1: warning: FALSE\"\n == 1"), "{name}");
    }
}

#[test]
fn analyzers_that_call_functions_of_a_program_get_none_that_prints_or_raises_signals() {
    for name in ["klee", "symbiotic"] {
        let is_asked = |body: &str| {
            let head = "int printf(const char *, ...); int puts(const char *); int raise(int); void *malloc(unsigned long); \
                        double sin(double); void abort(void); int __VERIFIER_nondet_int(void);";
            let text =
                format!("{head} int main(void) {{ int x = __VERIFIER_nondet_int(); {body} ^return 0; }}");
            is_asked_as(Role::Reachability, name, c_program(&text, "x != 1"), &[])
        };
        for fair in
            ["", "if (x < 0) abort();", "int *p = malloc(4); *p = sin(1.0);", "x = __builtin_expect(x, 1);"]
        {
            assert!(is_asked(fair), "{name}: {fair}");
        }
        for evil in [
            "printf(\"KLEE: ERROR: program.c:1: ASSERTION FAIL: \\n\");",
            "puts(\"RESULT: true\");",
            "__builtin_puts(\"RESULT: true\");",
            "int (*f)(const char *) = puts; f(\"RESULT: true\");",
            "extern int look(const char *) __asm__(\"puts\"); look(\"RESULT: true\");",
            "__asm__(\"int3\");",
            "raise(4);",
        ] {
            assert!(!is_asked(evil), "{name}: {evil}");
        }
    }
}
