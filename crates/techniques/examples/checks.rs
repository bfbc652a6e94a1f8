//! Measures how many checks the technique `differential` makes of a program in a CPU second.
//!
//! `cargo run --release -p techniques --example checks -- [COUNT] [FILE]`
//!
//! Without a preprocessed file, a generated program of about 500 lines is taken.

use c::generate::{Options, generate};
use model::{Annotation, AnnotationKind, CInput, DataModel, Random};
use techniques::differential::candidate::Candidates;
use techniques::differential::check::{Conjunct, batch, draw};
use techniques::differential::constant::Pool;
use techniques::differential::strategy::{Chooser, NAMES, Strategy};
use techniques::differential::stripped::stripped;

/// How many conjuncts a check has.
const BATCH: usize = 4;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let count = words.first().and_then(|word| word.parse().ok()).unwrap_or(100_000);
    let text = match words.get(1).map(std::fs::read_to_string) {
        Some(Ok(text)) => text,
        Some(Err(error)) => return println!("{error}"),
        None => generated(),
    };
    let lines = text.lines().count();
    let start = cpu_seconds();
    let seed = CInput { base: text.into(), data_model: DataModel::Lp64, annotations: Vec::new() };
    let stripped = match stripped("seed", &seed) {
        Ok(stripped) => stripped,
        Err((reason, detail)) => return println!("{reason}: {detail}"),
    };
    let (candidates, pool) = (Candidates::of(&stripped.program), Pool::of(&stripped.program));
    let prepared = cpu_seconds() - start;
    println!("lines {lines} candidates {} cpu_seconds {prepared:.4} to prepare", candidates.all.len());
    for name in NAMES {
        for size in [1, BATCH] {
            rate(name, size, count, &candidates, &pool);
        }
    }
}

/// A program of about 500 lines.
fn generated() -> String {
    let size = |size| Options { size, inputs: true, ..Options::default() };
    let text = |number| generate(&size(200), &mut Random::for_case(number, 0));
    let distance = |text: &String| text.lines().count().abs_diff(500);
    (0..50).map(text).min_by_key(distance).unwrap_or_default()
}

fn rate(name: &str, size: usize, count: usize, candidates: &Candidates, pool: &Pool) {
    let Some(strategy) = Strategy::named(name) else { return };
    let mut chooser = Chooser::new(strategy, candidates);
    let mut random = Random::for_case(1, 1);
    let mut bytes = 0;
    let start = cpu_seconds();
    for number in 0..count {
        let Some(chosen) = chooser.next(&mut random) else { return };
        let conjuncts: Vec<Conjunct> =
            (0..size).filter_map(|_| draw(candidates, pool, chosen, &mut random)).collect();
        let place = candidates.all[chosen].place;
        let annotation = Annotation::new(place, AnnotationKind::Check(number as u32), batch(&conjuncts));
        chooser.learn(annotation.condition.len() as u64);
        bytes += annotation.condition.len();
    }
    let seconds = cpu_seconds() - start;
    let rate = count as f64 / seconds;
    println!("{name} conjuncts {size} checks {count} bytes {bytes} checks_per_cpu_second {rate:.0}");
}

/// The CPU time of this process so far, as the kernel counts it.
fn cpu_seconds() -> f64 {
    let status = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = status.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1e9
}
