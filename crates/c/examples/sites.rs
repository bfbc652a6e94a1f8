//! Finds the sites of the preprocessed files given on the command line, and prints how long that took.
//!
//! `cargo run --release -p c --example sites -- [--show] FILE…`
//!
//! With `--show`, each text is printed with the readables of each site in a comment there.

use c::patch::{Edit, apply};
use c::{DataModel, Program, Readable, Site, parse};

fn main() {
    let (options, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    for file in files {
        let program = std::fs::read(&file)
            .map_err(|error| format!("{file}: {error}"))
            .and_then(|text| parse(&file, &text, DataModel::Lp64).map_err(|error| error.to_string()));
        match program {
            Ok(program) if options.iter().any(|option| option == "--show") => show(&program),
            Ok(program) => measure(&file, &program),
            Err(error) => println!("{error}"),
        }
    }
}

fn measure(file: &str, program: &Program) {
    let start = cpu_seconds();
    let sites = c::sites(program);
    let middle = cpu_seconds();
    let constants = c::constants(program);
    let end = cpu_seconds();
    let numbers: usize = sites.iter().map(|site| site.numbers.len()).sum();
    println!(
        "{file}: functions {} sites {} numbers {numbers} cpu_seconds {:.4}, constants {} cpu_seconds {:.4}",
        program.functions.len(),
        sites.len(),
        middle - start,
        constants.len(),
        end - middle
    );
}

fn show(program: &Program) {
    let edits: Vec<Edit> =
        c::sites(program).iter().map(|site| Edit::insert(site.place, comment(program, site))).collect();
    match apply(&program.text, &edits) {
        Ok(text) => println!("{}", String::from_utf8_lossy(&text)),
        Err(error) => println!("{error}"),
    }
}

fn comment(program: &Program, site: &Site) -> String {
    let describe = |readable: &Readable| format!("{} {}", program.type_text(readable.r#type), readable.text);
    let readables: Vec<String> = site.numbers.iter().chain(site.pointers.iter()).map(describe).collect();
    format!("/* {} */ ", readables.join(", "))
}

/// The CPU time of this process in nanoseconds as the scheduler counts it; the clock ticks of `stat` are too coarse.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    nanoseconds / 1e9
}
