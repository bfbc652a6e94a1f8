//! The targets: everything that reads untrusted bytes.

use analyzers::{Catalogue, Description, read, read_checks, read_warnings};
use c::DataModel;
use c::reduce::Pass;
use campaign::Plan;
use datalog::{Dialect, Program};
use engine::{Specification, TaskDefinition};
use model::{Annotation, AnnotationKind, CInput, Ending, FailingCheck, Random, Run, Settings};
use std::path::Path;
use std::sync::LazyLock;

/// A parser or reader.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// The folders of the repository with its corpus, besides its own.
    pub folders: &'static [&'static str],
    /// Words of its format.
    pub dictionary: &'static [&'static str],
    /// Reads an input.
    pub read: fn(&[u8]),
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "smt_script",
        folders: &["seeds/smt", "crates/analyzers/recorded/inputs"],
        dictionary: SMT,
        read: smt_script,
    },
    Target { name: "smt_model", folders: &[], dictionary: SMT, read: smt_model },
    Target {
        name: "smt_answer",
        folders: &[
            "crates/analyzers/recorded/z3-5.4.0",
            "crates/analyzers/recorded/cvc5-1.4.2",
            "crates/analyzers/recorded/bitwuzla-0.9.1",
            "crates/analyzers/recorded/boolector-1.5.118",
            "crates/analyzers/recorded/cvc4-1.8",
            "crates/analyzers/recorded/yices-2.6.5",
        ],
        dictionary: SMT,
        read: smt_answer,
    },
    Target {
        name: "c_program",
        folders: &["seeds/c", "crates/c/tests/micro"],
        dictionary: C,
        read: c_program,
    },
    Target { name: "c_prepared", folders: &["seeds/c"], dictionary: DIRECTIVES, read: c_prepared },
    Target {
        name: "c_interpretation",
        folders: &["seeds/c", "crates/c/tests/micro"],
        dictionary: C,
        read: c_interpretation,
    },
    Target { name: "c_inputs", folders: &[], dictionary: INPUTS, read: c_inputs },
    Target { name: "c_reduction", folders: &["seeds/c"], dictionary: C, read: c_reduction },
    Target {
        name: "c_answer",
        folders: &["crates/analyzers/recorded/c"],
        dictionary: CHECKS,
        read: c_answer,
    },
    Target {
        name: "warnings",
        folders: &["crates/analyzers/recorded/warnings"],
        dictionary: WARNINGS,
        read: warnings,
    },
    Target {
        name: "datalog_program",
        folders: &["seeds/datalog"],
        dictionary: DATALOG,
        read: datalog_program,
    },
    Target { name: "datalog_facts", folders: &[], dictionary: &["\t", "\n", "-", "a"], read: datalog_facts },
    Target { name: "bddbddb_program", folders: &[], dictionary: DATALOG, read: bddbddb_program },
    Target {
        name: "datalog_answer",
        folders: &["crates/analyzers/recorded/datalog"],
        dictionary: ROWS,
        read: datalog_answer,
    },
    Target { name: "description", folders: &["analyzers"], dictionary: TOML, read: description },
    Target { name: "campaign_file", folders: &[], dictionary: TOML, read: campaign_file },
    Target { name: "task", folders: &[], dictionary: YAML, read: task },
    Target { name: "stored_json", folders: &[], dictionary: JSON, read: stored_json },
    Target { name: "specification", folders: &[], dictionary: SPECIFICATION, read: specification },
    Target { name: "knob", folders: &[], dictionary: SPECIFICATION, read: knob },
];

const SMT: &[&str] = &[
    "(",
    ")",
    "(assert ",
    "(declare-fun ",
    "(declare-const ",
    "(define-fun ",
    "(define-fun-rec ",
    "(let ((",
    "(forall ((",
    "(exists ((",
    "(! ",
    ":named ",
    "(_ BitVec ",
    "(_ bv",
    "(Array Int ",
    "#b1",
    "#xf",
    "(push 1)",
    "(pop 1)",
    "(check-sat)",
    "(get-model)",
    "(reset)",
    "Bool",
    "Int",
    "Real",
    "String",
    "true",
    "(as ",
    "(ite ",
    "(match ",
    "(declare-datatypes ((",
    "(_ extract ",
    "(concat ",
    "(/ 1 0)",
    "(- ",
    "sat",
    "unsat",
    "unknown",
    "(error \"",
    "model",
    "|",
    "\"\"",
    ";",
    "(store ",
    "(lambda ((x Int)) ",
    "@",
    "!val!",
    "1.0",
];
const C: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    ";",
    "int ",
    "unsigned ",
    "struct ",
    "union ",
    "enum ",
    "typedef ",
    "static ",
    "const ",
    "_Bool ",
    "_Generic(",
    "__attribute__((",
    "__typeof__(",
    "sizeof(",
    "*",
    "&",
    "&&",
    "->",
    ".",
    "[",
    "]",
    "=",
    "==",
    "<<",
    ">>=",
    "? ",
    ":",
    "if (",
    "else ",
    "while (",
    "for (",
    "do ",
    "switch (",
    "case ",
    "default:",
    "goto ",
    "return ",
    "break;",
    "/*",
    "*/",
    "//",
    "#",
    "# 1 \"a.c\"\n",
    "#pragma ",
    "0x1p3",
    "'a'",
    "L\"a\"",
    "1.5f",
    "100000000000u",
    "__asm__(",
    "({",
    "})",
    "...",
    "va_arg(",
    "x",
    "main",
    "\\\n",
    "int f(void);",
];
const CHECKS: &[&str] = &[
    "SUCCESS",
    "FAILURE",
    "VERIFICATION",
    "FAILED",
    "UNKNOWN",
    "line ",
    "assert",
    "check",
    "[",
    "]",
    ":",
    "main.c",
    "TRUE",
    "FALSE",
    "reachable",
    "error",
    "warning",
    "<",
    ">",
    "\n",
    "1",
    "2",
];
const WARNINGS: &[&str] = &[
    "<error ",
    "<location ",
    "</error>",
    "<errors>",
    "<?xml version=\"1.0\"?>",
    "&lt;",
    "&#1114112;",
    "<![CDATA[",
    "<!DOCTYPE a [<!ENTITY b \"c\">]>",
    "&b;",
    "<plist>",
    "<dict>",
    "<array>",
    "<key>",
    "<string>",
    "<integer>",
    "</dict>",
    "{",
    "}",
    "[",
    "]",
    "\"runs\":",
    "\"results\":",
    "\"locations\":",
    "\"startLine\":",
    "\"ruleId\":",
    "null",
    "true",
    "\\u0000",
    "\\ud800",
    ",",
    "line=\"",
    "warning:",
    "error:",
    ":1:1:",
    "[-W",
];
const DATALOG: &[&str] = &[
    ".decl ",
    ".output ",
    ".input ",
    ".type ",
    ".comp ",
    ".init ",
    "#include ",
    "number",
    "symbol",
    "unsigned",
    "float",
    ":-",
    ".",
    ",",
    ";",
    "(",
    ")",
    "!",
    "=",
    "!=",
    "<",
    "_",
    "count : {",
    "sum ",
    "min ",
    "max ",
    "}",
    "\"a\"",
    "e(x, y)",
    "inline",
    "eqrel",
    "btree",
    "choice-domain",
    ".plan ",
    "0x10",
    "0b1",
    "1.5",
    "-",
    "+",
    "/*",
    "*/",
    "//",
    "x",
    "outputtuples",
    "inputtuples",
    ".bddvarorder",
    "V 10",
    "v : V",
];
const ROWS: &[&str] = &[
    "\t",
    "\n",
    ",",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "e(1,2).",
    "Answer: 1\n",
    "SATISFIABLE",
    "---------------",
    "(and (= (:var 0) #x1))",
    "true",
    "false",
    "unsat",
    "{\"headers\":",
    "\"rows\":",
    "null",
    "1e5",
    "-",
];
const TOML: &[&str] = &[
    "[",
    "]",
    "[[",
    "]]",
    "=",
    "\"",
    "\"\"\"",
    "'",
    "name = ",
    "[smt]",
    "[reachability]",
    "[datalog]",
    "[warnings]",
    "pattern = ",
    "(?P<x>",
    "(a*)*",
    "[a-z]{1000}",
    "\\p{L}",
    "$",
    "^",
    "|",
    "{",
    "}",
    ",",
    "true",
    "1979-05-27",
    "format = 1",
    "arguments = [",
    "\\u0000",
    ".",
    "0x",
    "inf",
    "nan",
    "# ",
];
const YAML: &[&str] = &[
    "format_version: '2.0'",
    "input_files: ",
    "properties:",
    "  - ",
    "property_file: ",
    "expected_verdict: ",
    "options:",
    "language: C",
    "data_model: ILP32",
    "LP64",
    ": ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    "&a",
    "*a",
    "!!",
    "|",
    ">",
    "'",
    "\"",
    "#",
    "---",
    "...",
    "\t",
    "  ",
    "\n",
    "../",
];
const JSON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "null",
    "true",
    "\"queries\":",
    "\"relation\":",
    "\"verdict\":",
    "\"smt\"",
    "\"c\"",
    "\"datalog\"",
    "\\u0000",
    "\\ud800",
    "1e400",
    "-0",
    "\"input\":",
    "\"annotations\":",
];
const SPECIFICATION: &[&str] =
    &["@", "=", ":", ",", "./", ".toml", "z3", "frama-c", "key=value", "/", " ", "%", "s", "m"];

const DIRECTIVES: &[&str] = &[
    "#",
    "%:",
    "??=",
    "??/",
    "\\\n",
    "\\ \n",
    "\r",
    "\n",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "R\"(",
    ")\"",
    "#pragma ",
    "_Pragma(",
    "#include ",
    "# 5 \"",
    "#line ",
    "GCC warning",
    "\x0b",
    "\0",
];
const INPUTS: &[&str] = &[
    ",",
    ":",
    "@",
    "-",
    "int",
    "uint",
    "long_double",
    "double",
    "float",
    "int128",
    "uchar",
    "bool",
    "0x",
    "p",
    "p-1",
    "nan(0x",
    "inf",
    "1",
    "0",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "@1",
];

fn text_of(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The descriptions that are compiled into juvenal; a test of `analyzers` shows that all of them can be read.
static DESCRIPTIONS: LazyLock<Vec<Description>> =
    LazyLock::new(|| Catalogue::shipped().map(|it| it.descriptions().to_vec()).unwrap_or_default());

fn smt_script(bytes: &[u8]) {
    smt::file_access(&text_of(bytes));
    let Ok(script) = smt::parse("input", &text_of(bytes)) else { return };
    let printed = smt::print::script(&script);
    let again = smt::parse("printed", &printed).map(|script| smt::print::script(&script));
    assert_eq!(
        again.as_deref().map_err(ToString::to_string),
        Ok(printed.as_str()),
        "a printed script reads back"
    );
    let assignment = smt::search::draw_assignment(&script, &mut Random::for_case(0, 0), smt::Flavour::Mixed);
    let mut evaluator = smt::Evaluator::new(&script, &assignment);
    for assertion in script.assertions().take(8) {
        evaluator.truth(assertion);
    }
}

fn smt_model(bytes: &[u8]) {
    let text = "(declare-sort S 0)(declare-fun x () Int)(declare-fun b () (_ BitVec 8))(declare-fun f (Int S) Real)\
        (declare-fun a () (Array Int Bool))(declare-fun s () S)(assert (and (> x 1) (select a x)))(check-sat)";
    let Ok(mut script) = smt::parse("script", text) else { return };
    if let Ok(model) = smt::model::read_model(&mut script, &text_of(bytes)) {
        model.assignment.describe(&script);
    }
}

fn smt_answer(bytes: &[u8]) {
    for role in DESCRIPTIONS.iter().filter_map(|description| description.smt.as_ref()) {
        for ending in [Ending::Exited(0), Ending::Signaled(6)] {
            read(role, bytes, bytes, ending, 2);
        }
    }
}

fn c_program(bytes: &[u8]) {
    c::needs_preprocessor(bytes);
    let Ok(program) = c::parse("input.c", bytes, DataModel::Lp64) else { return };
    c::analyze::unchecked_ub::why_possible_in(&program);
    c::analyze::sites(&program);
    c::analyze::constants(&program);
    c::analyze::has_folded_error(&program);
}

fn c_prepared(bytes: &[u8]) {
    c::find_unprepared(&text_of(bytes));
}

/// The steps of an interpretation.
const STEPS: u64 = 20_000;

fn c_interpretation(bytes: &[u8]) {
    let Ok(program) = c::parse("input.c", bytes, DataModel::Lp64) else { return };
    c::interpret::find_harmful_outcome(&program, FailingCheck::Continues, STEPS, |_| true);
}

/// The inputs of an execution, and all that is made of them: `reproduce.c`, a task and a witness.
fn c_inputs(bytes: &[u8]) {
    techniques::execution::files(&annotated_program(), 2, &text_of(bytes), FailingCheck::Ends);
}

const C_PASSES: [Pass; 5] =
    [Pass::Initialize, Pass::Statements, Pass::Expressions, Pass::Declarations, Pass::Layout];

fn c_reduction(bytes: &[u8]) {
    let input = CInput { base: text_of(bytes).into(), data_model: DataModel::Ilp32, annotations: Vec::new() };
    for pass in C_PASSES {
        let proposals = c::reduce::proposals(&input, pass);
        let first: Vec<_> =
            proposals.iter().filter_map(|alternatives| alternatives.first().cloned()).collect();
        if let Some(reduced) = c::reduce::apply(&input, pass, &first) {
            c::reduce::is_safe(&input, &reduced.program);
        }
    }
}

fn annotated_program() -> CInput {
    let annotation = |what, condition: &str| Annotation::new(30, what, condition);
    CInput {
        base: "int main(void) {\n  int x = 3;\n  return x;\n}\n".into(),
        data_model: DataModel::Lp64,
        annotations: vec![
            annotation(AnnotationKind::Check(1), "x == 3"),
            annotation(AnnotationKind::Check(2), "x < 3"),
        ],
    }
}

fn c_answer(bytes: &[u8]) {
    let program = annotated_program();
    let run =
        Run { file: Some(bytes.to_vec()), ..Run::new(Ending::Exited(0), bytes.to_vec(), bytes.to_vec()) };
    for description in DESCRIPTIONS.iter() {
        for role in [&description.reachability, &description.debug].into_iter().flatten() {
            read_checks(role, &program, &role.render(&program), &run);
        }
    }
}

fn warnings(bytes: &[u8]) {
    let run =
        Run { file: Some(bytes.to_vec()), ..Run::new(Ending::Exited(0), bytes.to_vec(), bytes.to_vec()) };
    for role in DESCRIPTIONS.iter().filter_map(|description| description.warnings.as_ref()) {
        read_warnings(role, &run);
    }
}

/// The number of rows that the reference engine may visit.
const FUEL: u64 = 20_000;

fn use_program(program: &Program) {
    let Ok(strata) = datalog::check(program) else { return };
    if let Ok(evaluation) = datalog::reference::evaluate(program, &strata, FUEL) {
        program.ids().for_each(|relation| _ = evaluation.count(relation));
    }
    for dialect in Dialect::ALL {
        // An engine that cannot say the program is an error, not a failure.
        let _ = dialect.render(program);
    }
}

fn datalog_program(bytes: &[u8]) {
    let Ok(program) = datalog::parse("input.dl", &text_of(bytes)) else { return };
    let printed = program.to_string();
    let again = datalog::parse("printed.dl", &printed).map(|program| program.to_string());
    assert_eq!(again.map_err(|error| error.to_string()), Ok(printed), "a printed program reads back");
    use_program(&program);
}

fn datalog_facts(bytes: &[u8]) {
    let text = ".decl e(a:number, b:symbol, c:float)\n.input e\n.output e\n";
    if let Ok(program) = datalog::parse_with_facts("input.dl", text, &|_| Some(text_of(bytes).into_owned())) {
        use_program(&program);
    }
}

fn bddbddb_program(bytes: &[u8]) {
    if let Ok(program) = datalog::parse::bddbddb::parse("input.datalog", &text_of(bytes)) {
        use_program(&program);
    }
}

fn datalog_answer(bytes: &[u8]) {
    let text = ".decl e(a:number, b:symbol)\n.decl p(a:number)\ne(1, \"a\").\np(x) :- e(x, _).\n.output e\n.output p\n";
    let Ok(program) = datalog::parse("program.dl", text) else { return };
    for dialect in Dialect::ALL {
        // Nonsense is an error.
        let _ = dialect.read(&program, bytes);
        let _ = dialect.split_output(2, bytes);
    }
}

fn description(bytes: &[u8]) {
    if let Ok(description) = Description::parse("input.toml", &text_of(bytes)) {
        for description in description.with_variants() {
            description.identity();
            description.version_in(b"z3 version 4.8.12");
        }
    }
}

fn campaign_file(bytes: &[u8]) {
    if let Ok(plan) = Plan::parse(&text_of(bytes)) {
        assert!(plan.text().is_ok(), "a plan that is read can be written");
    }
}

fn task(bytes: &[u8]) {
    TaskDefinition::read(Path::new("folder/input.yml"), &text_of(bytes));
}

fn stored_json(bytes: &[u8]) {
    // Data that does not fit is an error.
    let _ = serde_json::from_slice::<model::Answer>(bytes);
    let _ = serde_json::from_slice::<model::Transcript>(bytes);
    let Ok(exhibit) = serde_json::from_slice::<model::Exhibit>(bytes) else { return };
    for technique in techniques::all() {
        (technique.judge.reads)(&exhibit.relation);
        (technique.judge.judge)(&exhibit, &[]);
        technique.passes.iter().for_each(|pass| _ = pass.proposals(&exhibit));
    }
}

fn specification(bytes: &[u8]) {
    // A specification that cannot be read is an error.
    let _ = Specification::parse(&text_of(bytes));
}

fn knob(bytes: &[u8]) {
    let text = text_of(bytes);
    for technique in techniques::all() {
        for knob in technique.knobs {
            let settings = Settings([(format!("{}.{}", technique.name, knob.key), text.to_string())].into());
            // A value that a knob cannot have is an error.
            let _ = technique.check_knobs(&settings);
        }
    }
}
