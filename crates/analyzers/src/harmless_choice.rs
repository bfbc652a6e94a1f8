//! Which `key=value` choices are harmless: they neither run programs, nor load code, nor touch files of someone's choice.
//!
//! A campaign directory may come from anyone, so only harmless choices are taken from it. This is a list of what is
//! allowed: unknown options are refused.

use crate::description::{Description, SoundOption};

/// Matches every option whose name begins with the text before it.
const ANY: char = '*';

impl Description {
    /// True if the choice is declared: as an option that techniques draw, or in `harmless` of `[configuration]`. Values
    /// that are not listed must be plain, so that they cannot be the name of a file or a program.
    pub fn is_harmless(&self, key: &str, value: &str) -> bool {
        let is_drawn = self.command_options().any(|option| {
            option.name == key && (option.declares(value) || (option.takes(value) && is_plain(value)))
        });
        let sets_option = |option: &SoundOption| option.name == key && is_sound(option, value);
        let is_set = self.smt.iter().flat_map(|role| &role.options).any(sets_option);
        is_drawn || is_set || self.configuration.harmless.iter().any(|entry| matches(entry, key, value))
    }
}

/// True if an option of an SMT solver has this value; words are quoted in scripts and plain on command lines.
fn is_sound(option: &SoundOption, value: &str) -> bool {
    let is_tuned = option.tune.as_ref().is_some_and(|tune| tune.takes(value, &option.values));
    is_tuned || is_plain(value) || option.values.iter().any(|known| known.trim_matches('"') == value)
}

/// An entry is an option with a value, or an option with any plain value, whose name may end with a star.
fn matches(entry: &str, key: &str, value: &str) -> bool {
    match entry.split_once('=') {
        Some((known, listed)) => known == key && listed == value,
        None => {
            let is_named = match entry.strip_suffix(ANY) {
                Some(beginning) => key.starts_with(beginning),
                None => key == entry,
            };
            is_named && is_plain(value)
        }
    }
}

/// True for numbers and truth values.
fn is_plain(value: &str) -> bool {
    let is_word = ["true", "false", "yes", "no", "on", "off"].contains(&value);
    let digits = value.strip_prefix('-').unwrap_or(value);
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    is_word || is_number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;
    use model::Role;

    fn check(name: &str, choices: &[&str], expected: bool) {
        let catalogue = Catalogue::shipped().unwrap();
        let description = catalogue.find(name).unwrap();
        for choice in choices {
            let (key, value) = choice.split_once('=').unwrap();
            assert_eq!(description.is_harmless(key, value), expected, "{name}:{choice}");
        }
    }

    #[test]
    fn numbers_truth_values_and_listed_words_are_harmless() {
        check(
            "z3",
            &["smt.arith.solver=2", "smt.random_seed=7", "smt.mbqi=false", "sat.gc.initial=100"],
            true,
        );
        check("cvc5", &["seed=3", "decision=internal"], true);
        check("bitwuzla", &["bv-solver=bitblast"], true);
        check("frama-c", &["precision=5", "slevel=100"], true);
        check("cbmc", &["unwind=7"], true);
        check("cppcheck", &["check-level=exhaustive", "max-ctu-depth=4"], true);
        check("clingo", &["configuration=jumpy", "seed=4"], true);
        check("gcc", &["max-svalue-depth=20"], true);
    }

    #[test]
    fn what_runs_loads_or_touches_files_is_not() {
        let cppcheck = [
            "addon=/tmp/evil.py",
            "addon=misra",
            "addon=1",
            "addon-python=python3",
            "clang=/bin/sh",
            "clang=true",
            "library=/tmp/x.cfg",
            "rule-file=/tmp/x",
            "plist-output=/tmp",
            "output-file=/tmp/x",
            "dump=1",
            "cppcheck-build-dir=/tmp",
            "exename=/bin/sh",
            "file-list=/etc/passwd",
            "project=/tmp/x",
            "include=/x",
            "checkers-report=/tmp/x",
            "check-level=/tmp/x",
        ];
        check("cppcheck", &cppcheck, false);
        let z3 = [
            "trace=true",
            "trace_file_name=/tmp/x",
            "dot_proof_file=/tmp/x",
            "sat.drat.file=/tmp/x",
            "solver.smtlib2_log=/tmp/x",
            "smtlib2_log=/tmp/x",
            "dump_models=/x",
            "smt.axioms2files=true",
        ];
        check("z3", &z3, false);
        check(
            "cvc5",
            &["out=/tmp/x", "dump-to=/tmp/x", "regular-output-channel=/x", "in=/x", "proof-dot-dag=/x"],
            false,
        );
        check("frama-c", &["flamegraph=/tmp/x", "flamegraph=1", "report-red-statuses=/tmp/x"], false);
        check("clang", &["model-path=/tmp", "ctu-dir=/tmp", "stable-report-filename=/x"], false);
        check("clang-tidy", &["model-path=/tmp", "ctu-dir=1"], false);
        check(
            "souffle",
            &["generate=/tmp/x", "output-dir=/tmp", "library=/x", "preprocessor=sh", "profile=/x"],
            false,
        );
        check("clingo", &["outf=/x", "script=python", "configuration=/tmp/portfolio"], false);
        check("mopsa", &["config=/tmp/evil.json", "output=/tmp/x", "hook=/x"], false);
        check("cbmc", &["external-sat-solver=/bin/sh", "outfile=/tmp/x", "external-sat-solver=1"], false);
        check("cpachecker", &["output.path=/tmp/x", "solver.solver=/x"], false);
        check("2ls", &["domain=outfile", "graphml-witness=/tmp/x"], false);
        check("swi-prolog", &["goal=shell(id)", "script=/x", "g=1"], false);
    }

    #[test]
    fn entries_are_names_beginnings_or_choices() {
        for (entry, key, value, expected) in [
            ("seed", "seed", "7", true),
            ("seed", "seeds", "7", false),
            ("smt.*", "smt.arith.solver", "-1.5", true),
            ("smt.*", "sat.gc", "1", false),
            ("level=full", "level", "full", true),
            ("level=full", "level", "1", false),
            ("seed", "seed", "7/../x", false),
            ("seed", "seed", "", false),
            ("seed", "seed", ".", false),
        ] {
            assert_eq!(matches(entry, key, value), expected, "{entry} {key}={value}");
        }
    }

    /// A file that `tune` writes is taken as it is.
    #[test]
    fn whatever_is_tuned_is_harmless() {
        let catalogue = crate::Catalogue::shipped().unwrap();
        let mut seen = 0;
        for description in catalogue.descriptions() {
            for role in [Role::Smt, Role::Reachability, Role::Warnings, Role::Datalog] {
                for parameter in description.space(role, "99", true).parameters {
                    for value in parameter.values.iter().chain(&parameter.default) {
                        let name = &parameter.name;
                        assert!(description.is_harmless(name, value), "{}: {name}={value}", description.name);
                        seen += 1;
                    }
                }
            }
        }
        assert!(seen > 100, "{seen}");
    }
}
