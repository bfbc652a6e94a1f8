//! What the targets call.

use analyzers::{Catalogue, Description, read, read_checks, read_warnings};
use c::DataModel;
use c::reduce::Pass;
use campaign::{CaseOutcome, ComparedCase, Plan};
use datalog::{Dialect, Program};
use engine::{Specification, TaskDefinition};
use model::{
    Annotation, AnnotationKind, CInput, Ending, FailingCheck, Input, Language, Lineup, Random, Run, Seed,
    Settings, TextInput,
};
use schedule::UnitResult;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::sync::LazyLock;
use techniques::{Notes, Opening};

fn text_of(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The descriptions that are compiled into juvenal; a test of `analyzers` shows that all of them can be read.
static DESCRIPTIONS: LazyLock<Vec<Description>> =
    LazyLock::new(|| Catalogue::shipped().map(|it| it.descriptions().to_vec()).unwrap_or_default());

pub fn smt_script(bytes: &[u8]) {
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

/// Does what a hunt does with a seed until it asks the first queries, with one of the language's techniques.
fn open(bytes: &[u8], language: Language) {
    let techniques: Vec<_> = techniques::all().iter().filter(|it| it.language == language).collect();
    let Some(technique) = techniques.get(bytes.len() % techniques.len().max(1)) else { return };
    let seed = Seed {
        name: "input".into(),
        text: text_of(bytes).into(),
        language,
        data_model: DataModel::Lp64,
        is_generated: false,
    };
    let opening = Opening {
        seed: &seed,
        lineup: &Lineup::default(),
        settings: &Settings::default(),
        random: Random::for_case(0, 0),
    };
    // A setting that does not fit is an error, and there is none.
    let Ok(mut case) = (technique.open)(opening) else { return };
    case.next(&[], &mut Notes::default());
}

pub fn smt_opening(bytes: &[u8]) {
    open(bytes, Language::SMT);
}

pub fn c_opening(bytes: &[u8]) {
    open(bytes, Language::C);
}

pub fn datalog_opening(bytes: &[u8]) {
    open(bytes, Language::DATALOG);
}

pub fn smt_model(bytes: &[u8]) {
    let text = "(declare-sort S 0)(declare-fun x () Int)(declare-fun b () (_ BitVec 8))(declare-fun f (Int S) Real)\
        (declare-fun a () (Array Int Bool))(declare-fun s () S)(assert (and (> x 1) (select a x)))(check-sat)";
    let Ok(mut script) = smt::parse("script", text) else { return };
    if let Ok(model) = smt::model::read_model(&mut script, &text_of(bytes)) {
        model.assignment.describe(&script);
    }
}

pub fn smt_answer(bytes: &[u8]) {
    for role in DESCRIPTIONS.iter().filter_map(|description| description.smt.as_ref()) {
        for ending in [Ending::Exited(0), Ending::Signaled(6)] {
            read(role, bytes, bytes, ending, 2);
        }
    }
}

pub fn c_program(bytes: &[u8]) {
    c::needs_preprocessor(bytes);
    let Ok(program) = c::parse("input.c", bytes, DataModel::Lp64) else { return };
    c::analyze::unchecked_ub::why_possible_in(&program);
    c::analyze::sites(&program);
    c::analyze::constants(&program);
    c::analyze::has_folded_error(&program);
}

pub fn c_prepared(bytes: &[u8]) {
    let text = text_of(bytes);
    c::find_unprepared(&text);
    let annotations = vec![Annotation::new(text.len() as u32 / 2, AnnotationKind::Check(1), text.clone())];
    let input = CInput { base: text.into(), data_model: DataModel::Lp64, annotations };
    analyzers::file_access(&Input::C(input));
}

/// The steps of an interpretation.
const STEPS: u64 = 20_000;

pub fn c_interpretation(bytes: &[u8]) {
    let Ok(program) = c::parse("input.c", bytes, DataModel::Lp64) else { return };
    c::interpret::find_harmful_outcome(&program, FailingCheck::Continues, STEPS, |_| true);
}

/// The inputs of an execution, and all that is made of them: `reproduce.c`, a task and a witness.
pub fn c_inputs(bytes: &[u8]) {
    techniques::execution::files(&annotated_program(), 2, &text_of(bytes), FailingCheck::Ends);
}

const C_PASSES: [Pass; 5] =
    [Pass::Initialize, Pass::Statements, Pass::Expressions, Pass::Declarations, Pass::Layout];

pub fn c_reduction(bytes: &[u8]) {
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

pub fn c_answer(bytes: &[u8]) {
    let program = annotated_program();
    let run =
        Run { file: Some(bytes.to_vec()), ..Run::new(Ending::Exited(0), bytes.to_vec(), bytes.to_vec()) };
    for description in DESCRIPTIONS.iter() {
        for role in [&description.reachability, &description.debug].into_iter().flatten() {
            read_checks(role, &program, &role.render(&program), &run);
        }
    }
}

pub fn warnings(bytes: &[u8]) {
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

pub fn datalog_program(bytes: &[u8]) {
    let text = text_of(bytes).as_ref().into();
    analyzers::file_access(&Input::Text(TextInput { language: Language::DATALOG, text }));
    let Ok(program) = datalog::parse("input.dl", &text_of(bytes)) else { return };
    datalog::file_access(&program);
    let printed = program.to_string();
    let again = datalog::parse("printed.dl", &printed).map(|program| program.to_string());
    assert_eq!(again.map_err(|error| error.to_string()), Ok(printed), "a printed program reads back");
    use_program(&program);
}

pub fn datalog_facts(bytes: &[u8]) {
    let text = ".decl e(a:number, b:symbol, c:float)\n.input e\n.output e\n";
    if let Ok(program) = datalog::parse_with_facts("input.dl", text, &|_| Some(text_of(bytes).into_owned())) {
        use_program(&program);
    }
}

pub fn bddbddb_program(bytes: &[u8]) {
    if let Ok(program) = datalog::parse::bddbddb::parse("input.datalog", &text_of(bytes)) {
        use_program(&program);
    }
}

pub fn datalog_answer(bytes: &[u8]) {
    let text = ".decl e(a:number, b:symbol)\n.decl p(a:number)\ne(1, \"a\").\np(x) :- e(x, _).\n.output e\n.output p\n";
    let Ok(program) = datalog::parse("program.dl", text) else { return };
    for dialect in Dialect::ALL {
        // Nonsense is an error.
        let _ = dialect.read(&program, bytes);
        let _ = dialect.split_output(2, bytes);
    }
}

pub fn description(bytes: &[u8]) {
    if let Ok(description) = Description::parse("input.toml", &text_of(bytes)) {
        for description in description.with_variants() {
            description.identity();
            description.version_in(b"z3 version 4.8.12");
        }
    }
}

pub fn campaign_file(bytes: &[u8]) {
    if let Ok(plan) = Plan::parse(&text_of(bytes)) {
        assert!(plan.text().is_ok(), "a plan that is read can be written");
    }
}

pub fn task(bytes: &[u8]) {
    TaskDefinition::read(Path::new("folder/input.yml"), &text_of(bytes));
}

/// The types of what a store holds.
fn as_everything_stored(mut reads: impl Reads) {
    reads.read::<model::Answer>();
    reads.read::<(model::Verdict, [u64; 3], model::KillMode, model::MeasureMode)>();
    reads.read::<model::Transcript>();
    reads.read::<model::Finding>();
    reads.read::<model::Fingerprint>();
    reads.read::<Seed>();
    reads.read::<store::CaseRecord>();
}

/// Reads bytes as a type.
trait Reads {
    fn read<T: DeserializeOwned>(&mut self) -> Option<T>;
}

struct Json<'a>(&'a [u8]);

impl Reads for Json<'_> {
    fn read<T: DeserializeOwned>(&mut self) -> Option<T> {
        serde_json::from_slice(self.0).ok()
    }
}

struct Row<'a>(&'a [u8]);

impl Reads for Row<'_> {
    fn read<T: DeserializeOwned>(&mut self) -> Option<T> {
        store::unpack(self.0).ok()
    }
}

pub fn stored_json(bytes: &[u8]) {
    as_everything_stored(Json(bytes));
    let Ok(exhibit) = serde_json::from_slice::<model::Exhibit>(bytes) else { return };
    analyzers_of(&exhibit);
    for technique in techniques::all() {
        (technique.judge.reads)(&exhibit.relation);
        (technique.judge.judge)(&exhibit, &[]);
        technique.passes.iter().for_each(|pass| _ = pass.proposals(&exhibit));
    }
}

/// Does what is done with the inputs of a stored exhibit before they are asked about again.
fn analyzers_of(exhibit: &model::Exhibit) {
    exhibit.queries.iter().for_each(|query| _ = analyzers::file_access(&query.input));
}

pub fn stored_row(bytes: &[u8]) {
    as_everything_stored(Row(bytes));
}

/// What another process prints about a unit.
pub fn outcome(bytes: &[u8]) {
    Json(bytes).read::<UnitResult<CaseOutcome>>();
    Json(bytes).read::<UnitResult<ComparedCase>>();
    Json(bytes).read::<CaseOutcome>();
    Json(bytes).read::<ComparedCase>();
}

pub fn recipe(bytes: &[u8]) {
    for name in ["z3", "frama-c", "./mine.toml"] {
        // A file that is no recipe is an error.
        let _ = engine::recipe_options(&text_of(bytes), name);
    }
}

pub fn version(bytes: &[u8]) {
    DESCRIPTIONS.iter().for_each(|description| _ = description.version_in(bytes));
}

pub fn tool_message(bytes: &[u8]) {
    // A message that cannot be read is an error.
    let _ = engine::read_tool_message(bytes);
}

pub fn specification(bytes: &[u8]) {
    // A specification that cannot be read is an error.
    let _ = Specification::parse(&text_of(bytes));
}

pub fn knob(bytes: &[u8]) {
    let text = text_of(bytes);
    for technique in techniques::all() {
        for knob in technique.knobs {
            let settings = Settings([(format!("{}.{}", technique.name, knob.key), text.to_string())].into());
            // A value that a knob cannot have is an error.
            let _ = technique.check_knobs(&settings);
        }
    }
}
