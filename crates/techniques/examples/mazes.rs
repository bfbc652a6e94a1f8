//! Measures how many mazes the technique `maze` draws, evaluates and writes in C in a CPU second.
//!
//! `cargo run --release -p techniques --example mazes -- [COUNT] [KEY=VALUE]...`
//!
//! Keys are those of the technique, such as `rows=20`.

use model::{
    AnalyzerId, AnalyzerInfo, Approximation, DataModel, FailingCheck, Language, Lineup, Mode, Random,
    ReachabilityInfo, RoleInfo, Seed, Settings,
};
use techniques::maze::TECHNIQUE;
use techniques::{Notes, Opening, Step};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let count = words.first().and_then(|word| word.parse().ok()).unwrap_or(3000);
    let settings = words.iter().filter_map(|word| word.split_once('='));
    let settings = settings.map(|(key, value)| (format!("maze.{key}"), value.to_owned())).collect();
    let (settings, seed) = (Settings(settings), Seed { is_generated: true, ..Seed::smt("a maze", "") });
    let lineup = Lineup { subjects: vec![analyzer("any", false)], witnesses: vec![analyzer("runner", true)] };
    let (mut programs, mut checks, mut bytes) = (0u64, 0, 0);
    let start = cpu_seconds();
    for case in 0..count {
        let random = Random::for_case(1, case);
        let opened = (TECHNIQUE.open)(Opening { seed: &seed, lineup: &lineup, settings: &settings, random });
        let mut case = match opened {
            Ok(case) => case,
            Err(error) => return println!("{error}"),
        };
        let Step::Ask(queries) = case.next(&[], &mut Notes::default()) else { continue };
        let Some(program) = queries.first().and_then(|query| query.input.c()) else { continue };
        programs += 1;
        checks += program.annotations.len();
        bytes += program.base.len();
    }
    let seconds = cpu_seconds() - start;
    let rate = programs as f64 / seconds;
    println!("programs {programs} checks {checks} bytes {bytes} programs_per_cpu_second {rate:.0}");
}

fn analyzer(name: &str, executes: bool) -> AnalyzerInfo {
    let role = ReachabilityInfo {
        approximation: if executes { Approximation::Under } else { Approximation::Exact },
        reports_all: true,
        failing_check: FailingCheck::Ends,
        data_models: vec![DataModel::Lp64],
        options: Vec::new(),
        ordered: Vec::new(),
        executes,
    };
    AnalyzerInfo {
        id: AnalyzerId::new(name, "1", &[]),
        language: Language::C,
        family: name.to_owned(),
        modes: vec![Mode::Process],
        roles: vec![RoleInfo::Reachability(role)],
    }
}

/// The CPU time of this process so far, as the kernel counts it.
fn cpu_seconds() -> f64 {
    let status = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = status.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1e9
}
