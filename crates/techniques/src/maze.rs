//! `maze`: programs whose errors are reachable exactly where their guards say. The manual page is `maze.md`.
//!
//! [`tree`] draws the shape and [`draw`] the inputs and guards of a maze; [`truth`] says which checks some input reaches,
//! by evaluating all inputs at once ([`columns`]). [`program`] writes the maze in C, with the conversion of terms in
//! [`as_c`].

#[cfg_attr(
    not(test),
    allow(dead_code, reason = "guards are about bit-vectors; numbers and arrays are tested")
)]
pub(crate) mod as_c;
mod columns;
mod counts;
mod draw;
mod features;
mod grow;
mod judge;
mod material;
mod plan;
mod program;
mod relation;
mod shares;
mod shrink;
mod suite;
#[cfg(test)]
mod tests;
mod tree;
mod truth;
mod walk;
mod weigh;

use crate::case::SkippedCase;
use crate::knobs::knobs;
use crate::subjects::{supporting, unsupported_data_model};
use crate::{
    Case, Judge, MadeSeed, Opening, Seeds, Stance, Technique, Trial, Trials, every_query, execution,
};
use grow::Operators;
use model::{
    ALLOWED_MILLISECONDS, AnalyzerInfo, Approximation, CInput, DataModel, Input, Language, Limits, Lineup,
    Mode as AskMode, Query, Random, Relation, Seed, SettingError, Settings,
};
use plan::Form;
use relation::MazeRelation;
use shares::{Numbers, Shares};
pub use shrink::{MazePatch, Plainer};
use tree::{Algorithm, Grid};
use walk::{Executors, Walk};

const NAME: &str = "maze";

/// The rows and columns of a maze, unless they are set.
const USUAL_SIDE: usize = 8;
/// The same for analyzers that must be asked once for each check.
const SIDE_OF_ONE_PROPERTY: usize = 4;
/// How many checks such an analyzer is asked about.
const CHECKS_OF_ONE_PROPERTY: usize = 4;
/// How many mazes are drawn until one can be written in C.
const ATTEMPTS: usize = 10;

/// What is read from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inputs {
    /// Variables of any width that take a few values around a special one.
    Window,
    /// Narrow variables that take all of their values.
    Full,
    /// Variables that are too wide to try all values.
    Wide,
}

/// The kinds of guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guards {
    Micro,
    Typed,
    Seed,
}

/// How the truth comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Guards are chosen by the inputs that they let through.
    Guided,
    /// One error, which a chosen input reaches.
    Satisfiable,
    /// One error, which a core bars.
    Unsatisfiable,
    /// Guards are not chosen.
    Mixed,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Any,
    Form(Form),
    Task,
    Fuzzer,
}

fn input_shares(text: &str) -> Result<Shares<Inputs>, String> {
    Shares::parse(text, &[("window", Inputs::Window), ("full", Inputs::Full), ("wide", Inputs::Wide)])
}

fn guard_shares(text: &str) -> Result<Shares<Guards>, String> {
    Shares::parse(text, &[("micro", Guards::Micro), ("typed", Guards::Typed), ("seed", Guards::Seed)])
}

knobs! {
    struct Knobs {
        "mode" mode: Mode = "guided",
            words("guided" => Mode::Guided, "satisfiable" => Mode::Satisfiable, "unsatisfiable" => Mode::Unsatisfiable, "mixed" => Mode::Mixed),
            "guided leads inputs to dead ends; satisfiable and unsatisfiable have one error, which an input reaches or none, whatever `inputs`, `guards` and `reachable` say; mixed draws guards from seeds and takes what comes";
        "rows" rows: Option<usize> = "auto", auto(1..=64), "rows of a maze; auto is 8, or 4 where each check is a question of its own";
        "columns" columns: Option<usize> = "auto", auto(1..=64), "columns of a maze; auto as for rows";
        "algorithm" algorithm: Option<Algorithm> = "any", named(&tree::NAMES, Algorithm::named), "how the tree of passages is drawn";
        "form" form: Shape = "any",
            words("any" => Shape::Any, "calls" => Shape::Form(Form::Calls), "nested" => Shape::Form(Form::Nested),
                "goto" => Shape::Form(Form::Goto), "machine" => Shape::Form(Form::Machine),
                "task" => Shape::Task, "fuzzer" => Shape::Fuzzer),
            "what a cell is in the program; task and fuzzer, for juvenal generate, write SV-COMP tasks and targets of fuzzers";
        "inputs" inputs: Shares<Inputs> = "window=50,full=25,wide=25", text("shares of window, full and wide", input_shares),
            "percentage of programs whose variables take a few values, all of their values, or are too wide to try all";
        "guards" guards: Shares<Guards> = "micro=60,typed=25,seed=15", text("shares of micro, typed and seed", guard_shares),
            "percentage of guards that are small, random terms, or parts of a script";
        "bits" bits: u32 = "10", number(1..=16), "bits of all inputs together, where every input is tried";
        "variables" variables: Numbers = "1-4", text("numbers from 1 to 16", |text| Numbers::parse(text, 1, 16)), "how many variables the guards are about";
        "widths" widths: Numbers = "8,8,16,32,32,64,1-64", text("numbers from 1 to 64", |text| Numbers::parse(text, 1, 64)),
            "bits of a variable; one of these is drawn";
        "depth" depth: u32 = "3", number(1..=6), "greatest depth of random terms";
        "tries" tries: usize = "8", number(1..=100), "how many guards are drawn for a passage, of which the best is kept";
        "reachable" reachable: usize = "60", number(0..=100), "percentage of dead ends that inputs are led to";
        "constants" constants: usize = "0", number(0..=100), "percentage of variables that are constants; 100 makes programs without inputs";
        "cycles" cycles: usize = "0", number(0..=100), "percentage of walls that become passages, which may lead back";
        "share" share: usize = "2", number(0..=100), "percentage of programs that are executed to test juvenal itself";
        "functions" functions: u32 = "50", number(0..=100), "percentage of operators with cases that are written as functions";
        "casts" casts: u32 = "33", number(0..=100), "percentage of signed values that are written as casts";
        "operators" operators: Operators = "all", text("names of operators, or all", Operators::parse),
            "the bit-vector operators of random guards, separated by commas";
        "checks" checks: Option<usize> = "auto", auto(1..=10_000), "greatest number of checks of a program; auto is all, or 4 where each is a question of its own";
        "options" options: usize = "2", number(0..=16), "greatest number of options of the analyzer that are drawn for a query";
        "milliseconds" milliseconds: u64 = "10000", number(ALLOWED_MILLISECONDS), "wall time for one query, in milliseconds";
        "execution" execution: u64 = "5000", number(ALLOWED_MILLISECONDS), "wall time for executing a program, in milliseconds";
    }
}

/// The entry of the list of techniques.
pub static TECHNIQUE: Technique = Technique {
    name: NAME,
    language: Language::C,
    seed_language: Language::SMT,
    manual: include_str!("maze.md"),
    knobs: Knobs::LIST,
    seeds: Seeds::Made(make_seed),
    cases_in_a_row: 6,
    least_subjects: 1,
    shares: counts::SHARES,
    stance,
    open: &open,
    judge: Judge {
        reads: Relation::is::<MazeRelation>,
        judge: &judge::judge,
        deciding_prefix: every_query,
        hearing: weigh::witness_queries,
        weigh: weigh::weigh,
        features: features::features,
    },
    passes: shrink::PASSES,
    with_text: Some(shrink::with_text),
    trials: TRIALS,
};

/// Without a script, everything is drawn.
fn make_seed(_settings: &Settings, _random: Random) -> Result<MadeSeed, SettingError> {
    let program = Seed { is_generated: true, ..Seed::smt("a maze", "") };
    Ok(MadeSeed { program, csmith: None })
}

const TRIALS: Trials = Trials {
    twin: Some(trial(&["liar-c:lie=none"], &[("rows", "5"), ("columns", "5"), ("share", "50")], 12)),
    liars: &[
        trial(&["liar-c:lie=negative-remainder"], &[("operators", "bvsrem"), ("inputs", "window")], 8),
        trial(&["liar-c:lie=complement"], &[("operators", "bvnot"), ("inputs", "full")], 8),
    ],
};

const fn trial(
    subjects: &'static [&'static str],
    knobs: &'static [(&'static str, &'static str)],
    cases: u64,
) -> Trial {
    Trial { knobs, witnesses: &["execute-c", "exact-c"], ..Trial::of(subjects, cases) }
}

/// Analyzers that run programs are judges. One that neither excludes nor shows anything can only be compared.
fn stance(analyzer: &AnalyzerInfo) -> Stance {
    match analyzer.reachability() {
        Some(role) if role.executes => Stance::Witness,
        Some(role) if role.approximation == Approximation::Neither => Stance::OnRequest,
        Some(_) => Stance::Subject,
        None => Stance::No,
    }
}

fn open(opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
    let mut knobs = Knobs::read(NAME, opening.settings)?;
    let mut random = opening.random;
    let seed = opening.seed;
    let role = |subject: &AnalyzerInfo| {
        subject.reachability().filter(|role| role.data_models.contains(&DataModel::Lp64)).cloned()
    };
    let Some(chosen) = random.choose(&supporting(opening.lineup, role)).cloned() else {
        return Ok(unsupported_data_model(seed));
    };
    // An engine that begins in any function takes each cell for an entry.
    if chosen.1.approximation == Approximation::Neither && knobs.form == Shape::Any {
        knobs.form = Shape::Form(if random.coin() { Form::Nested } else { Form::Goto });
    }
    let executors = executors(opening.lineup, &chosen.0, &knobs);
    if executors.search.is_none() && executors.exhaustive.is_none() {
        let detail = "execute-c and exact-c, which need gcc";
        return Ok(Box::new(SkippedCase::new("no analyzer in the line-up runs programs", detail)));
    }
    let grid = grid(&knobs, chosen.1.reports_all)?;
    let script = match seed.is_generated {
        true => None,
        false => match material::material(&seed.name, &seed.text, &mut random) {
            Ok(material) => Some(material),
            Err(obstacle) => {
                let detail = format!("{}: {obstacle}", seed.name);
                return Ok(Box::new(SkippedCase::new("the script has no part that can be a guard", detail)));
            }
        },
    };
    let mut refused = String::new();
    for _ in 0..ATTEMPTS {
        let Some(drawn) = draw::draw(&knobs, grid, script.as_ref(), &mut random) else { continue };
        match program::write(&drawn.maze) {
            Ok(program) if program.text.len() > program::LONGEST => {
                refused = format!("a program of {} bytes", program.text.len());
            }
            Ok(program) => {
                return Ok(Box::new(Walk::new(drawn, program, chosen, executors, knobs, random)));
            }
            Err(refusal) => refused = format!("{} in {}", refusal.construct, refusal.place),
        }
    }
    Ok(Box::new(SkippedCase::new("no maze can be written in C", refused)))
}

/// The rows and columns; an error if there is no passage at all.
fn grid(knobs: &Knobs, is_asked_once: bool) -> Result<Grid, SettingError> {
    let usual = if is_asked_once { USUAL_SIDE } else { SIDE_OF_ONE_PROPERTY };
    let (rows, columns) = (knobs.rows.unwrap_or(usual), knobs.columns.unwrap_or(usual));
    match rows * columns {
        0 | 1 => Err(SettingError {
            name: format!("{NAME}.columns"),
            value: columns.to_string(),
            expected: "at least 2 cells in all".to_owned(),
        }),
        _ => Ok(Grid { rows, columns }),
    }
}

/// The analyzers that run programs, with limits and without a program yet.
fn executors(lineup: &Lineup, subject: &AnalyzerInfo, knobs: &Knobs) -> Executors {
    let query = |member: &AnalyzerInfo| {
        let nothing = CInput { base: "".into(), data_model: DataModel::Lp64, annotations: Vec::new() };
        Query {
            limits: Limits { wall_milliseconds: knobs.execution, ..Limits::default() },
            ..Query::new(member.id.clone(), Input::C(nothing), AskMode::Process)
        }
    };
    let is_exhaustive = |member: &&AnalyzerInfo| {
        member.id != subject.id
            && member.reachability().is_some_and(|role| {
                role.executes
                    && role.approximation.binds_exclusions()
                    && role.data_models.contains(&DataModel::Lp64)
            })
    };
    Executors {
        search: execution::executor(lineup, Some(subject), DataModel::Lp64).map(query),
        exhaustive: lineup.witnesses.iter().chain(&lineup.subjects).find(is_exhaustive).map(query),
    }
}
