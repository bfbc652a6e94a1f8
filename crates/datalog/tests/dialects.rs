//! Rendering programs in all dialects, and reading recorded outputs of real engines.
//!
//! `recorded/NAME.EXTENSION.txt` is a program in a dialect, and `recorded/NAME.out` is what the engine printed for it.
//! `JUVENAL_UPDATE=1 cargo test -p datalog` rewrites the former; the latter must then be recorded again. The outputs of
//! Soufflé, DDlog, Flix, Formulog and Scallop are hand-written from their documentation.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test helpers fail by panicking")]

use datalog::generate::{Options, generate};
use datalog::{
    Aggregate, Atom, Comparison, Constant, Dialect, Literal, Operator, Program, Relation, RelationId, Rule,
    Term, Tuple, Type, Variable, check, reference,
};
use model::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

const EDGE: u32 = 0;
const LABEL: u32 = 1;
const COUNT: u32 = 2;
const REACH: u32 = 3;
const UNREACH: u32 = 4;
const LONELY: u32 = 5;
const EMPTY: u32 = 6;
const CYCLIC: u32 = 7;
const QUIET: u32 = 8;
const NOTHING: u32 = 9;

fn variable(number: u32) -> Term {
    Term::Variable(Variable(number))
}

fn number(number: i64) -> Term {
    Term::Constant(Constant::Signed(number))
}

fn symbol(text: &str) -> Constant {
    Constant::Symbol(text.into())
}

fn atom(relation: u32, arguments: &[Term]) -> Atom {
    Atom { relation: RelationId(relation), arguments: arguments.to_vec() }
}

fn yes(relation: u32, arguments: &[Term]) -> Literal {
    Literal::Positive(atom(relation, arguments))
}

fn no(relation: u32, arguments: &[Term]) -> Literal {
    Literal::Negative(atom(relation, arguments))
}

fn relation(name: &str, columns: &[Type], is_output: bool) -> Relation {
    Relation { is_output, ..Relation::new(name, columns.to_vec()) }
}

fn relations() -> Vec<Relation> {
    let n = Type::Signed;
    let mut relations = vec![
        relation("edge", &[n, n], false),
        relation("Label", &[n, Type::Symbol], false),
        relation("count", &[n], false),
        relation("reach", &[n, n], false),
        relation("unreach", &[n, n], true),
        relation("lonely", &[Type::Symbol], true),
        relation("empty", &[n], true),
        relation("cyclic", &[], true),
        relation("quiet", &[], true),
        relation("nothing", &[n], false),
    ];
    for (from, to) in [(1, 2), (2, 3), (3, 1), (4, 5)] {
        relations[EDGE as usize].facts.push(vec![Constant::Signed(from), Constant::Signed(to)]);
    }
    for (place, text) in [(1, "one"), (4, "with, space")] {
        relations[LABEL as usize].facts.push(vec![Constant::Signed(place), symbol(text)]);
    }
    relations
}

/// A program with and without recursion, and with and without negation.
fn paths(is_recursive: bool, has_negation: bool) -> Program {
    let (x, y, z, any) = (variable(0), variable(1), variable(2), Term::Wildcard);
    let compare = |sign, left: &Term, right: &Term| Literal::Compare(sign, left.clone(), right.clone());
    let negative = |literal| if has_negation { vec![literal] } else { Vec::new() };
    let step = if is_recursive { REACH } else { EDGE };
    let rule = |head, body: &[Literal], negated: Literal| Rule {
        head,
        body: body.iter().cloned().chain(negative(negated)).collect(),
    };
    let (xy, yz, xz) = ([x.clone(), y.clone()], [y.clone(), z.clone()], [x.clone(), z.clone()]);
    let nothing = no(NOTHING, &xy[..1]);
    let rules = vec![
        rule(atom(COUNT, &xy[..1]), &[yes(EDGE, &[x.clone(), any.clone()])], nothing.clone()),
        rule(atom(COUNT, &xy[..1]), &[yes(EDGE, &[any.clone(), x.clone()])], nothing.clone()),
        rule(atom(REACH, &xy), &[yes(EDGE, &xy)], nothing.clone()),
        rule(atom(REACH, &xz), &[yes(step, &xy), yes(EDGE, &yz)], nothing),
        rule(
            atom(UNREACH, &xy),
            &[
                yes(COUNT, &xy[..1]),
                yes(COUNT, &xy[1..]),
                compare(Comparison::LessOrEqual, &x, &y),
                compare(Comparison::Different, &y, &number(5)),
            ],
            no(REACH, &xy),
        ),
        rule(
            atom(LONELY, std::slice::from_ref(&y)),
            &[yes(LABEL, &[x.clone(), y.clone()])],
            no(EDGE, &[any.clone(), x.clone()]),
        ),
        rule(
            atom(EMPTY, &[number(7)]),
            &[yes(EDGE, &[x.clone(), any.clone()]), compare(Comparison::Greater, &x, &number(4))],
            no(COUNT, std::slice::from_ref(&any)),
        ),
        Rule { head: atom(CYCLIC, &[]), body: vec![yes(REACH, &[x.clone(), x.clone()])] },
        rule(atom(QUIET, &[]), &[yes(REACH, &[x.clone(), number(9)])], no(CYCLIC, &[])),
    ];
    Program { relations: relations(), rules, opaque: Vec::new() }
}

/// Returns the richest program that a dialect accepts.
fn program_for(dialect: Dialect) -> Program {
    match dialect {
        Dialect::Egglog => paths(true, false),
        Dialect::Logica => paths(false, true),
        _ => paths(true, true),
    }
}

fn answers(program: &Program) -> BTreeMap<RelationId, BTreeSet<Tuple>> {
    let strata = check(program).unwrap();
    let evaluation = reference::evaluate(program, &strata, 1_000_000).unwrap();
    program.outputs().map(|id| (id, evaluation.rows(id))).collect()
}

fn recorded(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/recorded").join(name)
}

#[test]
fn programs_are_written_as_recorded() {
    for dialect in Dialect::ALL {
        let text = dialect.render(&program_for(dialect)).unwrap();
        let file = recorded(&format!("{}.{}.txt", dialect.name(), dialect.extension()));
        if std::env::var_os("JUVENAL_UPDATE").is_some() {
            std::fs::write(&file, &text).unwrap();
        }
        assert_eq!(text, std::fs::read_to_string(&file).unwrap(), "{}", dialect.name());
    }
}

#[test]
fn outputs_of_engines_are_read_as_the_right_rows() {
    for dialect in Dialect::ALL {
        let program = program_for(dialect);
        let output = std::fs::read(recorded(&format!("{}.out", dialect.name()))).unwrap();
        assert_eq!(dialect.read(&program, &output), Ok(answers(&program)), "{}", dialect.name());
    }
}

#[test]
fn outputs_that_are_cut_off_are_errors() {
    for dialect in Dialect::ALL {
        let program = program_for(dialect);
        let output = std::fs::read(recorded(&format!("{}.out", dialect.name()))).unwrap();
        assert!(dialect.read(&program, b"").is_err(), "{} accepts an empty output", dialect.name());
        let right = answers(&program);
        for end in 0..output.len() {
            // A prefix may be accepted only if it lacks nothing but a line break or irrelevant lines.
            if let Ok(read) = dialect.read(&program, &output[..end]) {
                assert_eq!(read, right, "{} at {end}", dialect.name());
            }
        }
    }
}

#[test]
fn unknown_lines_are_errors() {
    for dialect in Dialect::ALL {
        let program = program_for(dialect);
        let output = std::fs::read_to_string(recorded(&format!("{}.out", dialect.name()))).unwrap();
        let output = format!("{output}warning: something else\n");
        assert!(dialect.read(&program, output.as_bytes()).is_err(), "{}", dialect.name());
    }
}

#[test]
fn every_dialect_is_found_by_its_name() {
    for dialect in Dialect::ALL {
        assert_eq!(Dialect::from_name(dialect.name()), Some(dialect));
    }
}

/// Returns the error with which a dialect rejects a program.
fn refusal(dialect: Dialect, program: &Program) -> String {
    match dialect.render(program) {
        Ok(_) => panic!("{} accepts the program", dialect.name()),
        Err(sentence) => sentence,
    }
}

#[test]
fn unsupported_features_are_rejected() {
    let program = paths(true, true);
    assert_eq!(refusal(Dialect::Egglog, &program), "egglog does not support negation");
    assert_eq!(refusal(Dialect::Logica, &program), "logica does not support unbounded recursion");
    let mut negative = program.clone();
    negative.relations[EDGE as usize].facts.push(vec![Constant::Signed(-1), Constant::Signed(2)]);
    assert_eq!(refusal(Dialect::Muz, &negative), "muz does not support the number -1");
    assert!(Dialect::Clingo.render(&negative).is_ok());
    let mut large = program.clone();
    large.relations[EDGE as usize].facts.push(vec![Constant::Signed(1 << 40), Constant::Signed(2)]);
    assert_eq!(refusal(Dialect::Clingo, &large), "clingo does not support the number 1099511627776");
    let mut opaque = program.clone();
    opaque.opaque.push(".pragma \"legacy\"".into());
    for dialect in Dialect::ALL {
        assert_eq!(dialect.render(&opaque).is_ok(), dialect == Dialect::Souffle);
    }
    let mut float = program.clone();
    float.relations[NOTHING as usize].columns = vec![Type::Float];
    assert_eq!(refusal(Dialect::Cozo, &float), "cozo does not support floating-point numbers");
    let mut tabulated = program;
    tabulated.relations[LABEL as usize].facts.push(vec![Constant::Signed(1), symbol("a\tb")]);
    assert!(Dialect::Souffle.render(&tabulated).is_err());
    assert!(Dialect::SwiProlog.render(&tabulated).is_ok());
}

#[test]
fn aggregates_and_operations_are_rendered_where_they_have_the_same_meaning() {
    let (x, y, total) = (variable(0), variable(1), variable(2));
    let mut program = Program { relations: relations(), rules: Vec::new(), opaque: Vec::new() };
    let sum = Literal::Aggregate {
        result: Variable(2),
        function: Aggregate::Sum,
        term: Some(y.clone()),
        body: vec![yes(EDGE, &[x.clone(), y])],
    };
    let more = Term::Apply(Operator::Add, vec![total, number(1)]);
    program.rules.push(Rule { head: atom(EMPTY, &[more]), body: vec![yes(COUNT, &[x]), sum] });
    check(&program).unwrap();
    let clingo = Dialect::Clingo.render(&program).unwrap();
    let rule = "r_empty(X3) :- r_count(X0), X2 = #sum { X1,X1 : r_edge(X0,X1) }, X3 = (X2 + 1).";
    assert!(clingo.contains(rule), "{clingo}");
    let prolog = Dialect::SwiProlog.render(&program).unwrap();
    let rule = "aggregate_all(sum(X1), (r_edge(X0, X1)), AllX2), X2 = AllX2, X3 is (X2 + 1).";
    assert!(prolog.contains(rule), "{prolog}");
    assert_eq!(refusal(Dialect::Nemo, &program), "nemo does not support the aggregate sum");
}

#[test]
fn several_programs_share_a_file() {
    let (one, other) = (paths(true, true), paths(false, true));
    let programs = [&one, &other];
    let text = Dialect::Ascent.render_many(&programs).unwrap();
    assert!(text.contains("mod program_0 {") && text.contains("program_1::run();"));
    let part = std::fs::read_to_string(recorded("ascent.out")).unwrap();
    let output = format!("program 0\n{part}program 1\n{part}");
    let read = Dialect::Ascent.read_many(&programs, output.as_bytes()).unwrap();
    assert_eq!(read[0], answers(&one));
    assert!(Dialect::Ascent.read_many(&programs, part.as_bytes()).is_err());
    assert!(Dialect::Clingo.render_many(&programs).is_err());
}

#[test]
fn all_answer_formats_of_z3_are_read() {
    let mut program = Program { relations: relations(), rules: Vec::new(), opaque: Vec::new() };
    program.relations.iter_mut().for_each(|relation| relation.is_output = &*relation.name == "unreach");
    let read = |text: &str| {
        let rows = Dialect::Muz.read(&program, text.as_bytes())?.remove(&RelationId(UNREACH)).unwrap();
        Ok::<Vec<Tuple>, String>(rows.into_iter().collect())
    };
    let row = |one, other| vec![Constant::Signed(one), Constant::Signed(other)];
    assert_eq!(read("unsat\n"), Ok(Vec::new()));
    assert_eq!(read("sat\n(and (= (:var 0) #x1) (= (:var 1) #b010))\n"), Ok(vec![row(1, 2)]));
    let named =
        "sat\n(let ((a!1 (= (:var 0) #x1)))\n (and a!1 (or (= (:var 1) #x3) (= (_ bv4 4) (:var 1)))))";
    assert_eq!(read(named), Ok(vec![row(1, 3), row(1, 4)]));
    for wrong in ["sat\ntrue\n", "unknown\n", "sat\n(= (:var 0) #x1)\n", "sat\n", "(error \"no\")\nunknown\n"]
    {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn generated_programs_are_rejected_only_for_known_reasons() {
    let options = Options { types: vec![Type::Signed, Type::Symbol], ..Options::default() };
    for number in 0..300 {
        let program = generate(&options, &mut Random::for_case(3, number));
        for dialect in Dialect::ALL {
            let is_limited = matches!(dialect, Dialect::Egglog | Dialect::Logica);
            assert!(is_limited || dialect.render(&program).is_ok(), "{} {number}", dialect.name());
        }
    }
}

/// Rules that some dialects cannot express directly, each with text that must or must not occur in the rendered program.
#[test]
fn rules_that_a_dialect_cannot_express_directly_are_rewritten_or_rejected() {
    let head = ".decl a(x:number)\na(1).\n.decl s(x:symbol, y:symbol)\n.decl o(x:number)\n.output o\n";
    let rendered = |dialect: Dialect, rule: &str| {
        dialect.render(&datalog::parse("test", &format!("{head}{rule}\n")).unwrap())
    };
    // The absolute value of a difference may overflow 32 bits even if the minimum does not.
    let split = rendered(Dialect::Clingo, "o(min(x, y)) :- a(x), a(y).").unwrap();
    assert_eq!(split.matches("r_o(").count(), 2, "{split}");
    assert!(!split.contains('|'), "{split}");
    // Python would evaluate a comparison of constants before pyDatalog sees it.
    let settled = rendered(Dialect::PyDatalog, "o(7) :- 3 = 3.\no(8) :- a(_), 1 > 2.").unwrap();
    assert!(!settled.contains("3 ==") && !settled.contains("(8)"), "{settled}");
    assert!(rendered(Dialect::MuzDatalog, "o(x) :- a(x), y = x, y < 5.").is_err());
    let equal = rendered(Dialect::Ascent, "o(1) :- s(x, x).").unwrap();
    assert!(!equal.contains("(x0, x0)"), "{equal}");
    let two = rendered(Dialect::SwiProlog, "o(n) :- n = count : { a(_) }, n = min x : { a(x) }.").unwrap();
    assert!(two.contains("AllX0") && two.matches("AllX0").count() == 2, "{two}");
    let many: String = (0..26).map(|number| format!(", x <= {number}")).collect();
    assert!(rendered(Dialect::MuzDatalog, &format!("o(x) :- a(x){many}.")).is_err());
}

/// The output of a broken engine is an error, however large it is.
#[test]
fn huge_answers_are_errors() {
    let program = datalog::parse("test", ".decl o(x:number)\n.output o\no(1).\n").unwrap();
    let deep = format!("sat\n{}true{}\n", "(".repeat(200_000), ")".repeat(200_000));
    assert!(Dialect::Muz.read(&program, deep.as_bytes()).is_err());
    let mut doubled = "(= (:var 0) #b1)".to_owned();
    let mut names = String::new();
    for number in 0..40 {
        names += &format!("(let ((a{number} (or {doubled} {doubled}))) ");
        doubled = format!("a{number}");
    }
    let wide = format!("sat\n{names}{doubled}{}\n", ")".repeat(40));
    assert!(Dialect::Muz.read(&program, wide.as_bytes()).is_err());
}
