//! Made-up comparisons, for tests and for viewing the tables.

use model::{
    AnalyzerId, Annotation, AnnotationKind, Approximation, CInput, CheckAnswer, ComparedAnalyzer,
    ComparedCheck, Comparison, ComparisonDomain, DataModel, Executed, Input, Random, SmtInput,
};

/// An analyzer that cost nothing.
pub fn analyzer(name: &str, version: &str, approximation: Approximation) -> ComparedAnalyzer {
    ComparedAnalyzer {
        id: AnalyzerId::new(name, version, &[]),
        approximation,
        queries: 0,
        cpu_microseconds: 0,
        wall_microseconds: 0,
        unknowns: 0,
        limits: 0,
        crashes: 0,
        refusals: 0,
    }
}

/// A check with a letter for each answer: `s` for safe, `u` for unsafe, `?` for unknown.
#[allow(dead_code, reason = "the example makes up whole comparisons only")]
pub fn check(number: u64, words: &str, executed: Executed) -> ComparedCheck {
    let word = |letter: char| match letter {
        's' => CheckAnswer::Safe,
        'u' => CheckAnswer::Unsafe,
        _ => CheckAnswer::Unknown,
    };
    ComparedCheck {
        number,
        seed: "loops/count.c".to_owned(),
        line: 4,
        condition: "i != 13".to_owned(),
        input: Input::C(program("i != 13")),
        words: words.chars().map(word).collect(),
        executed,
    }
}

/// An execution that fails with these inputs.
pub fn violated(inputs: &str) -> Executed {
    Executed::Violated { inputs: inputs.to_owned() }
}

/// A program with one check.
fn program(condition: &str) -> CInput {
    let base = "int main() {\n    int i = 0;\n    while (i < 100000) {\n        i = i + 1;\n    }\n    return i;\n}\n";
    let place = base.find("i = i + 1").unwrap_or(0) as u32;
    CInput {
        base: base.into(),
        data_model: DataModel::Lp64,
        annotations: vec![Annotation::new(place, AnnotationKind::Check(1), condition)],
    }
}

/// Names and approximations of analyzers, with their error rates in percent: `unsafe` for a check that holds, `safe` for a
/// check that fails, and `unknown`.
const CHARACTERS: [(&str, &str, Approximation, [usize; 3]); 6] = [
    ("frama-c", "25.0", Approximation::Over, [40, 1, 2]),
    ("frama-c", "26.1", Approximation::Over, [30, 3, 2]),
    ("cbmc", "5.95.1", Approximation::Under, [0, 0, 35]),
    ("cpachecker", "2.3", Approximation::Exact, [3, 2, 20]),
    ("goblint", "2.3.0", Approximation::Over, [55, 0, 5]),
    ("smack", "2.8.0", Approximation::Neither, [6, 9, 10]),
];

/// A comparison with hidden truth: half of the checks fail, and every analyzer errs in its own way.
pub fn random_comparison(random: &mut Random, analyzers: usize, checks: usize) -> Comparison {
    let mut comparison = Comparison::default();
    for place in 0..analyzers {
        let (name, version, approximation, _) = CHARACTERS[place % CHARACTERS.len()];
        let mut made = analyzer(name, version, approximation);
        if place >= CHARACTERS.len() {
            let choice = [("unroll".to_owned(), place.to_string())];
            made.id = AnalyzerId::new(name, version, &choice);
        }
        made.queries = checks as u64;
        made.cpu_microseconds = (random.below(3_000_000) * checks) as u64;
        made.wall_microseconds = made.cpu_microseconds + made.cpu_microseconds / 9;
        made.crashes = random.below(3) as u64;
        made.limits = random.below(20) as u64;
        comparison.analyzers.push(made);
    }
    comparison.checks = (1..=checks).map(|number| made_up_check(random, number as u64, analyzers)).collect();
    if analyzers > 1 {
        comparison.orders.push((1, 0));
    }
    for (place, made) in comparison.analyzers.iter_mut().enumerate() {
        let unknown = comparison.checks.iter().filter(|check| check.word(place) == CheckAnswer::Unknown);
        made.unknowns = unknown.count() as u64;
    }
    comparison
}

fn made_up_check(random: &mut Random, number: u64, analyzers: usize) -> ComparedCheck {
    let fails = random.coin();
    let words = (0..analyzers).map(|place| made_up_word(random, place, fails)).collect();
    let executed = match (random.percent(70), fails) {
        (false, _) => Executed::Open,
        (true, true) => violated(&format!("{}, {}", random.below(300), random.below(9))),
        (true, false) => Executed::Never,
    };
    let seeds =
        ["loops/count.c", "arrays/reverse.c", "heap/list-of-lists-with-a-long-name.c", "locks/test.c"];
    let seed = random.choose(&seeds).copied().unwrap_or_default().to_owned();
    let condition = format!("i != {}", random.below(100));
    let input = Input::C(program(&condition));
    ComparedCheck { number, seed, line: random.between(3, 90) as u32, condition, input, words, executed }
}

fn made_up_word(random: &mut Random, place: usize, fails: bool) -> CheckAnswer {
    let (_, _, _, [imprecise, unsound, unknown]) = CHARACTERS[place % CHARACTERS.len()];
    if random.percent(unknown) {
        CheckAnswer::Unknown
    } else if fails {
        if random.percent(unsound) { CheckAnswer::Safe } else { CheckAnswer::Unsafe }
    } else if random.percent(imprecise) {
        CheckAnswer::Unsafe
    } else {
        CheckAnswer::Safe
    }
}

/// A comparison of solvers with hidden truth, in which unsatisfiable scripts take the role of safe checks.
pub fn random_scripts(random: &mut Random, solvers: usize, scripts: usize) -> Comparison {
    let mut comparison = random_comparison(random, solvers, scripts);
    comparison.language = ComparisonDomain::Smt;
    comparison.orders = Vec::new();
    for analyzer in &mut comparison.analyzers {
        analyzer.approximation = Approximation::Exact;
    }
    for check in &mut comparison.checks {
        check.line = 0;
        check.seed = check.seed.replace(".c", ".smt2");
        check.condition = "2 assertions, QF_LIA".to_owned();
        let body = "(declare-fun x () Int)\n(assert (> x 3))\n(assert (< x 9))\n(check-sat)\n";
        let logic = Some("QF_LIA".into());
        check.input = Input::Smt(SmtInput { options: "".into(), logic, body: body.into(), checks: 1 });
        check.executed = match check.executed {
            Executed::Violated { .. } => violated("(define-fun x () Int 4)"),
            _ => Executed::Open,
        };
    }
    comparison
}
