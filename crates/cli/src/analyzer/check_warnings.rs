//! Tiny closed C programs of which it is known what a bug finder must warn of, and where.

use crate::verdict_words::describe_verdict;
use model::{Answer, CInput, DataModel, ErrorKind, Input, Warning, WarningsInfo};
use std::fmt;

/// A program with one sure error, or with none.
pub struct Probe {
    /// What goes wrong; none if nothing does.
    kind: Option<ErrorKind>,
    /// The lines on which a warning may stand end with [`MARK`].
    text: &'static str,
}

/// The end of a line on which the error may be reported.
const MARK: &str = "// error";

/// The probes.
const PROBES: &[Probe] = &[
    Probe {
        kind: None,
        text: "int main(void) {\n  int array[2] = {4, 2};\n  int *second = &array[1];\n  \
               return array[0] / *second;\n}\n",
    },
    Probe {
        kind: Some(ErrorKind::NullDereference),
        text: "int main(void) {\n  int *pointer = 0;\n  return *pointer; // error\n}\n",
    },
    Probe {
        kind: Some(ErrorKind::OutOfBounds),
        text: "int main(void) {\n  int array[4] = {1, 2, 3, 4};\n  int place = 4;\n  \
               return array[place]; // error\n}\n",
    },
    Probe {
        kind: Some(ErrorKind::DivisionByZero),
        text: "int main(void) {\n  int zero = 0;\n  return 7 / zero; // error\n}\n",
    },
    Probe {
        kind: Some(ErrorKind::UseAfterFree),
        text: "extern void *malloc(__SIZE_TYPE__);\nextern void free(void *);\n\
               int main(void) {\n  int *block = malloc(sizeof(int));\n  *block = 1;\n  free(block);\n  \
               *block = 2; // error\n  return 0;\n}\n",
    },
    Probe {
        kind: Some(ErrorKind::DoubleFree),
        text: "extern void *malloc(__SIZE_TYPE__);\nextern void free(void *);\n\
               int main(void) {\n  int *block = malloc(sizeof(int));\n  free(block);\n  \
               free(block); // error\n  return 0;\n}\n",
    },
    Probe {
        kind: Some(ErrorKind::UninitializedRead),
        text: "int main(void) {\n  int value;\n  return value; // error\n}\n",
    },
    // Memory is lost at the end of the function; some report it where it is used for the last time.
    Probe {
        kind: Some(ErrorKind::Leak),
        text: "extern void *malloc(__SIZE_TYPE__);\n\
               static void lose(void) {\n  int *block = malloc(sizeof(int)); // error\n  \
               *block = 1; // error\n} // error\n\
               int main(void) {\n  lose();\n  return 0;\n}\n",
    },
    Probe {
        kind: Some(ErrorKind::ShiftOutOfRange),
        text: "int main(void) {\n  int count = 40;\n  return 1 << count; // error\n}\n",
    },
    Probe {
        kind: Some(ErrorKind::Overflow),
        text: "int main(void) {\n  int great = 2147483647;\n  return great + 1; // error\n}\n",
    },
    Probe {
        kind: Some(ErrorKind::UseAfterReturn),
        text: "static int *kept;\nstatic void leave(void) {\n  int local = 3;\n  kept = &local;\n}\n\
               int main(void) {\n  leave();\n  return *kept; // error\n}\n",
    },
];

/// The probes for a bug finder: the harmless program, and one for each kind that it has a checker for.
pub fn probes_for(role: &WarningsInfo) -> impl Iterator<Item = &'static Probe> + '_ {
    PROBES.iter().filter(|probe| probe.kind.is_none_or(|kind| role.kinds.contains(&kind)))
}

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Some(kind) => write!(f, "warnings: {kind}"),
            None => f.write_str("warnings: a harmless program"),
        }
    }
}

impl Probe {
    /// The program under a data model.
    pub fn input(&self, data_model: DataModel) -> Input {
        Input::C(CInput { base: self.text.into(), data_model, annotations: Vec::new() })
    }

    /// What is wrong with an answer. Of a program with an error, more may be said than of that error.
    pub fn fault(&self, answer: &Answer) -> Option<String> {
        let Some(warnings) = answer.warnings() else {
            return Some(format!(
                "expected warnings or silence, but it {}",
                describe_verdict(&answer.verdict)
            ));
        };
        let got = || warnings.iter().map(in_words).collect::<Vec<_>>().join(", ");
        let Some(kind) = self.kind else {
            return (!warnings.is_empty()).then(|| format!("expected no warning, got {}", got()));
        };
        let lines = self.lines();
        let fits = |warning: &Warning| warning.kind == kind && lines.contains(&warning.place.line);
        if warnings.iter().any(fits) {
            return None;
        }
        let places: Vec<String> = lines.iter().map(u32::to_string).collect();
        let got = if warnings.is_empty() { "no warning".to_owned() } else { got() };
        Some(format!("expected {kind} in line {}, got {got}", places.join(" or ")))
    }

    /// The lines on which the error may be reported; lines count from 1.
    fn lines(&self) -> Vec<u32> {
        let lines = self.text.lines().zip(1u32..);
        lines.filter(|(line, _)| line.ends_with(MARK)).map(|(_, number)| number).collect()
    }
}

fn in_words(warning: &Warning) -> String {
    format!("{} in line {}", warning.kind, warning.place.line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Claim, Cost, Place, Verdict};

    fn said(verdict: Verdict) -> Answer {
        Answer { verdict, cost: Cost::default(), output: Vec::new() }
    }

    fn answer(warnings: &[(ErrorKind, u32)]) -> Answer {
        let warning = |(kind, line): &(ErrorKind, u32)| Warning {
            kind: *kind,
            place: Place { line: *line, column: 1 },
            checker: String::new(),
            message: String::new(),
            path: Vec::new(),
        };
        said(Verdict::Claim(Claim::Warnings(warnings.iter().map(warning).collect())))
    }

    #[test]
    fn every_kind_has_a_program_with_a_place_for_the_warning() {
        for kind in ErrorKind::ALL {
            let probe = PROBES.iter().find(|probe| probe.kind == Some(kind));
            assert!(probe.is_some_and(|probe| !probe.lines().is_empty()), "{kind}");
        }
        assert!(PROBES.iter().any(|probe| probe.kind.is_none() && probe.lines().is_empty()));
    }

    #[test]
    fn a_warning_must_be_of_the_kind_and_at_the_line() {
        let division = PROBES.iter().find(|probe| probe.kind == Some(ErrorKind::DivisionByZero)).unwrap();
        assert_eq!(division.fault(&answer(&[(ErrorKind::Leak, 1), (ErrorKind::DivisionByZero, 3)])), None);
        for (said, expected) in [
            (&[][..], "expected division-by-zero in line 3, got no warning"),
            (&[(ErrorKind::DivisionByZero, 2)][..], "got division-by-zero in line 2"),
            (&[(ErrorKind::Overflow, 3)][..], "got overflow in line 3"),
        ] {
            let fault = division.fault(&answer(said));
            assert!(fault.as_ref().is_some_and(|fault| fault.contains(expected)), "{fault:?}");
        }
        let harmless = PROBES.iter().find(|probe| probe.kind.is_none()).unwrap();
        assert_eq!(harmless.fault(&answer(&[])), None);
        assert!(harmless.fault(&answer(&[(ErrorKind::Leak, 1)])).is_some());
        assert!(harmless.fault(&said(Verdict::Unknown)).is_some());
    }
}
