//! Parses the preprocessed files given on the command line with juvenal's front end and with lang-c, in turn, and
//! prints the CPU seconds of each as JSON.
//!
//! Both get the text in memory and build their whole tree; juvenal's also gives every expression its type. Trees are
//! freed inside the measured time, since a program that reads many files pays for that too.

use lang_c::driver::{Config, Flavor, parse_preprocessed};
use std::process::ExitCode;

/// What one parser did with all files.
#[derive(Default)]
struct Parser {
    files: usize,
    bytes: usize,
    seconds: f64,
    failures: Vec<String>,
}

impl Parser {
    /// Measures one file.
    fn read(&mut self, name: &str, text: &str, parse: impl FnOnce(&str) -> Result<(), String>) {
        let start = cpu_seconds();
        let result = parse(text);
        self.seconds += cpu_seconds() - start;
        self.files += 1;
        self.bytes += text.len();
        if let Err(message) = result {
            self.failures.push(format!("{name}: {message}"));
        }
    }

    fn rate(&self) -> f64 {
        self.bytes as f64 / 1e6 / self.seconds.max(1e-9)
    }

    fn show(&self) -> String {
        format!(
            "{{\"files\": {}, \"failed\": {}, \"bytes\": {}, \"cpu_seconds\": {:.4}, \"megabytes_per_cpu_second\": {:.3}}}",
            self.files,
            self.failures.len(),
            self.bytes,
            self.seconds,
            self.rate()
        )
    }
}

fn main() -> ExitCode {
    let (mut ours, mut theirs) = (Parser::default(), Parser::default());
    // What lang-c takes for the program of gcc: GNU C11.
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    for name in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&name) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::FAILURE;
            }
        };
        ours.read(&name, &text, |text| {
            c::parse(&name, text, c::DataModel::Lp64).map(drop).map_err(|error| error.to_string())
        });
        // lang-c takes the text as its own; the copy is made before the clock starts.
        let mut copy = Some(text.clone());
        theirs.read(&name, &text, |_| {
            let text = copy.take().unwrap_or_default();
            parse_preprocessed(&config, text).map(drop).map_err(|error| error.to_string())
        });
    }
    for failure in ours.failures.iter().chain(&theirs.failures) {
        eprintln!("{failure}");
    }
    let ratio = ours.rate() / theirs.rate();
    println!("{{\"juvenal\": {}, \"lang_c\": {}, \"ratio\": {ratio:.3}}}", ours.show(), theirs.show());
    ExitCode::SUCCESS
}

/// The CPU time of this process as the scheduler counts it; the clock ticks of `stat` are too coarse.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    nanoseconds / 1e9
}
