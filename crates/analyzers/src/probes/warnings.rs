//! Tiny closed C programs for which it is known what a bug finder must report, and where.

use super::{Probe, wrong_kind};
use model::{AnalyzerInfo, CInput, Claim, ErrorKind, Input, Mode, Query, Role, Warning};

/// A program with one certain error, or with none.
struct Program {
    /// The error, if there is one.
    kind: Option<ErrorKind>,
    /// The lines on which a warning may stand end with [`MARK`].
    text: &'static str,
}

/// The end of a line on which the error may be reported.
const MARK: &str = "// error";

const PROGRAMS: &[Program] = &[
    Program {
        kind: None,
        text: "int main(void) {\n  int array[2] = {4, 2};\n  int *second = &array[1];\n  \
               return array[0] / *second;\n}\n",
    },
    Program {
        kind: Some(ErrorKind::NullDereference),
        text: "int main(void) {\n  int *pointer = 0;\n  return *pointer; // error\n}\n",
    },
    Program {
        kind: Some(ErrorKind::OutOfBounds),
        text: "int main(void) {\n  int array[4] = {1, 2, 3, 4};\n  int place = 4;\n  \
               return array[place]; // error\n}\n",
    },
    Program {
        kind: Some(ErrorKind::DivisionByZero),
        text: "int main(void) {\n  int zero = 0;\n  return 7 / zero; // error\n}\n",
    },
    Program {
        kind: Some(ErrorKind::UseAfterFree),
        text: "extern void *malloc(__SIZE_TYPE__);\nextern void free(void *);\n\
               int main(void) {\n  int *block = malloc(sizeof(int));\n  *block = 1;\n  free(block);\n  \
               *block = 2; // error\n  return 0;\n}\n",
    },
    Program {
        kind: Some(ErrorKind::DoubleFree),
        text: "extern void *malloc(__SIZE_TYPE__);\nextern void free(void *);\n\
               int main(void) {\n  int *block = malloc(sizeof(int));\n  free(block);\n  \
               free(block); // error\n  return 0;\n}\n",
    },
    Program {
        kind: Some(ErrorKind::UninitializedRead),
        text: "int main(void) {\n  int value;\n  return value; // error\n}\n",
    },
    // Memory leaks at the end of the function; some analyzers report the last use.
    Program {
        kind: Some(ErrorKind::Leak),
        text: "extern void *malloc(__SIZE_TYPE__);\n\
               static void lose(void) {\n  int *block = malloc(sizeof(int)); // error\n  \
               *block = 1; // error\n} // error\n\
               int main(void) {\n  lose();\n  return 0;\n}\n",
    },
    Program {
        kind: Some(ErrorKind::ShiftOutOfRange),
        text: "int main(void) {\n  int count = 40;\n  return 1 << count; // error\n}\n",
    },
    Program {
        kind: Some(ErrorKind::Overflow),
        text: "int main(void) {\n  int great = 2147483647;\n  return great + 1; // error\n}\n",
    },
    Program {
        kind: Some(ErrorKind::UseAfterReturn),
        text: "static int *kept;\nstatic void leave(void) {\n  int local = 3;\n  kept = &local;\n}\n\
               int main(void) {\n  leave();\n  return *kept; // error\n}\n",
    },
];

/// The harmless program, and one for each kind of error that the bug finder has a checker for.
pub(crate) fn probes(analyzer: &AnalyzerInfo) -> Vec<Probe> {
    let Some(info) = analyzer.warnings() else { return Vec::new() };
    let has_checker = |program: &&Program| program.kind.is_none_or(|kind| info.kinds.contains(&kind));
    let mut probes = Vec::new();
    for program in PROGRAMS.iter().filter(has_checker) {
        let name = program.kind.map_or("a harmless program".to_owned(), |kind| kind.to_string());
        for data_model in &info.data_models {
            let input =
                CInput { base: program.text.into(), data_model: *data_model, annotations: Vec::new() };
            let query = Query::new(analyzer.id.clone(), Input::C(input), Mode::Process);
            probes.push(Probe {
                name: format!("warnings: {name}, {data_model}"),
                query: Query { role: Role::Warnings, ..query },
                expected: EXPECTED.to_owned(),
                fault: Box::new(|claim| program.fault(claim)),
            });
        }
    }
    probes
}

const EXPECTED: &str = "a list of warnings";

impl Program {
    /// Warnings about something else are allowed in a program with an error.
    fn fault(&self, claim: &Claim) -> Option<String> {
        let Claim::Warnings(warnings) = claim else { return wrong_kind(EXPECTED) };
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
    use model::Position;

    fn claim(warnings: &[(ErrorKind, u32)]) -> Claim {
        let warning = |(kind, line): &(ErrorKind, u32)| Warning {
            kind: *kind,
            place: Position { line: *line, column: 1 },
            checker: String::new(),
            message: String::new(),
            path: Vec::new(),
        };
        Claim::Warnings(warnings.iter().map(warning).collect())
    }

    #[test]
    fn every_kind_has_a_program_with_a_place_for_the_warning() {
        for kind in ErrorKind::ALL {
            let program = PROGRAMS.iter().find(|program| program.kind == Some(kind));
            assert!(program.is_some_and(|program| !program.lines().is_empty()), "{kind}");
        }
        assert!(PROGRAMS.iter().any(|program| program.kind.is_none() && program.lines().is_empty()));
    }

    #[test]
    fn a_warning_must_be_of_the_kind_and_at_the_line() {
        let division =
            PROGRAMS.iter().find(|program| program.kind == Some(ErrorKind::DivisionByZero)).unwrap();
        assert_eq!(division.fault(&claim(&[(ErrorKind::Leak, 1), (ErrorKind::DivisionByZero, 3)])), None);
        for (said, expected) in [
            (&[][..], "expected division-by-zero in line 3, got no warning"),
            (&[(ErrorKind::DivisionByZero, 2)][..], "got division-by-zero in line 2"),
            (&[(ErrorKind::Overflow, 3)][..], "got overflow in line 3"),
        ] {
            let fault = division.fault(&claim(said));
            assert!(fault.as_ref().is_some_and(|fault| fault.contains(expected)), "{fault:?}");
        }
        let harmless = PROGRAMS.iter().find(|program| program.kind.is_none()).unwrap();
        assert_eq!(harmless.fault(&claim(&[])), None);
        assert!(harmless.fault(&claim(&[(ErrorKind::Leak, 1)])).is_some());
        assert!(harmless.fault(&Claim::Rows(Vec::new())).is_some());
    }
}
