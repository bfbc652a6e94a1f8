//! Programs that try to forge what their execution shows. None of them may be believed.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use analyzers::Catalogue;
use engine::{Asker, Engine, Journal, Locator, Resolved, Specification};
use model::{Annotation, AnnotationKind, Answer, CInput, CheckStatus, DataModel, Input, Mode, Query};
use test_support::{FORGERIES, Forgery, forged_program};

fn input(forgery: &Forgery, condition: &str) -> CInput {
    let (start, end) = forged_program(forgery);
    let check = Annotation::new(start.len() as u32, AnnotationKind::Check(1), condition);
    CInput { base: (start + &end).into(), data_model: DataModel::Lp64, annotations: vec![check] }
}

/// Resolves an analyzer. Returns `None` if it cannot be used, which skips the test unless gcc is required.
fn resolve(text: &str) -> Option<Resolved> {
    let locator = Locator::new(Catalogue::shipped().unwrap()).unwrap();
    let resolved = locator.resolve(&Specification::parse(text).unwrap());
    resolved.inspect_err(|problem| test_support::skip_without("gcc", format_args!("{problem:#}"))).ok()
}

fn ask(engine: &Engine, resolved: &Resolved, input: CInput) -> Answer {
    let query = Query::new(resolved.member.id.clone(), Input::C(input), Mode::Process);
    Asker::new(engine, None, Journal::Off).ask(&[query]).unwrap().remove(0)
}

fn status(answer: &Answer) -> Option<CheckStatus> {
    answer.checks().and_then(|claim| claim.status(1))
}

#[test]
fn no_forgery_is_believed() {
    for name in ["execute-c", "execute-clang", "exact-c"] {
        let Some(resolved) = resolve(name) else { return };
        let engine = Engine::new(vec![resolved.clone()]).unwrap();
        for forgery in FORGERIES {
            let answer = ask(&engine, &resolved, input(forgery, "one == 1"));
            assert_ne!(status(&answer), Some(CheckStatus::Violated), "{name}: {}", forgery.0);
            let answer = ask(&engine, &resolved, input(forgery, "one == 2"));
            assert_ne!(status(&answer), Some(CheckStatus::Verified), "{name}: {}", forgery.0);
        }
    }
}

/// The kit would show nothing if every program were refused.
#[test]
fn honest_programs_are_executed() {
    let honest = [
        ("plain", "", ""),
        ("library", "int printf(const char *, ...); double sqrt(double);", "printf(\"%f\", sqrt(2.0));"),
        ("attributes", "__attribute__((noinline, unused)) static int f(void) { return 1; }", "f();"),
        ("own functions", "int read(void) { return 1; } void *memory(int n) { return 0; }", "read();"),
        (
            "numbered inputs",
            "unsigned char __VERIFIER_nondet_uchar(void);",
            "int x = (juvenal_call(1), __VERIFIER_nondet_uchar()); (void)x;",
        ),
        (
            "pointers",
            "void *malloc(unsigned long); void free(void *); struct s { int (*f)(int); struct s *next; }; int f(int n) { return n; } int apply(int (*g)(int), int n) { return g(n); }",
            "struct s *a = malloc(sizeof *a), *b = (struct s *)malloc(sizeof *b); a->f = f; a->next = b; b->f = 0; b->next = 0; apply(a->f, 1); free(a->next); free(a);",
        ),
        (
            "exit handlers",
            "int atexit(void (*)(void)); void exit(int); int n; void f(void) { n++; }",
            "atexit(f); exit(0);",
        ),
        (
            "jumps",
            "struct __jmp_buf_tag { long r[8]; int m; unsigned long s[16]; }; int _setjmp(struct __jmp_buf_tag *); void longjmp(struct __jmp_buf_tag *, int); struct __jmp_buf_tag b[1];",
            "if (!_setjmp(b)) longjmp(b, 1);",
        ),
        (
            "pragma",
            "#pragma pack(push, 1)\nstruct s { char a; int b; };\n#pragma pack(pop)\n",
            "struct s v = {0};",
        ),
    ];
    for (name, status_of_truth) in [
        ("exact-c", CheckStatus::Verified),
        ("execute-c", CheckStatus::Unknown),
        ("execute-clang", CheckStatus::Unknown),
    ] {
        let Some(resolved) = resolve(name) else { return };
        let engine = Engine::new(vec![resolved.clone()]).unwrap();
        for program in &honest {
            let answer = ask(&engine, &resolved, input(program, "one == 1"));
            assert_eq!(status(&answer), Some(status_of_truth), "{name}: {}: {answer:?}", program.0);
            let answer = ask(&engine, &resolved, input(program, "one == 2"));
            assert_eq!(status(&answer), Some(CheckStatus::Violated), "{name}: {}: {answer:?}", program.0);
        }
    }
}
