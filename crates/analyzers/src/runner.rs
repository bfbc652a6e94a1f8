//! Runners: small programs that give a Python package or a Rust crate the manners of a command line.

/// A compiled-in runner.
#[derive(Clone, Copy, Debug)]
pub struct Runner {
    /// The name that descriptions use.
    pub name: &'static str,
    /// A file name for its text.
    pub file_name: &'static str,
    /// Its text.
    pub source: &'static str,
}

/// The name of the runner that compiles programs with a Rust crate.
pub(crate) const OF_CRATES: &str = "crate";

/// Every runner.
pub const RUNNERS: [Runner; 6] = [
    Runner { name: "cvc5", file_name: "cvc5_runner.py", source: include_str!("../runners/cvc5_runner.py") },
    Runner {
        name: "bitwuzla",
        file_name: "bitwuzla_runner.py",
        source: include_str!("../runners/bitwuzla_runner.py"),
    },
    Runner {
        name: "benchexec",
        file_name: "benchexec_runner.py",
        source: include_str!("../runners/benchexec_runner.py"),
    },
    Runner {
        name: "clingo",
        file_name: "clingo_runner.py",
        source: include_str!("../runners/clingo_runner.py"),
    },
    Runner {
        name: "script",
        file_name: "script_runner.py",
        source: include_str!("../runners/script_runner.py"),
    },
    Runner {
        name: OF_CRATES,
        file_name: "crate_runner.sh",
        source: include_str!("../runners/crate_runner.sh"),
    },
];

/// The runner with this name.
pub(crate) fn find(name: &str) -> Option<&'static Runner> {
    RUNNERS.iter().find(|runner| runner.name == name)
}
