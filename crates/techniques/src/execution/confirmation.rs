//! The second side of the evidence: juvenal's own interpreter must reach a violation that an execution shows, and must not
//! reach one where executions show none.
//!
//! A native execution shares its process with what observes it, and a program with undefined behaviour that no sanitizer
//! detects could forge a report. Nothing that an interpreted program does reaches the interpreter.

use super::input_bits::words;
use super::input_list::parse_inputs;
use super::reproduction::{DECLARATIONS, spell};
use c::analyze::{unchecked_ub, why_pointers_matter};
use c::interpret::{Conditions, Input, Outcome, find_harmful_outcome, interpret};
use model::{CInput, FailingCheck};

/// The steps after which an interpretation gives up: about a second.
const FUEL: u64 = 20_000_000;

/// The steps after which it gives up to run a program on every input: a few seconds.
const FUEL_FOR_EVERY_INPUT: u64 = 60_000_000;

/// The declarations of the functions that note what an execution passes.
const NOTES: &str = "void juvenal_note_condition(unsigned, int);\n";

/// Why a program is not interpreted.
const REJECTED: &str = "juvenal's parser rejects the program with its checks";

/// What the interpreter makes of what executions show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Confirmation {
    /// Whether the executions prove it.
    pub is_proof: bool,
    /// The sentence for the finding.
    pub reason: String,
}

/// Interprets a program on the inputs of an execution in which a check failed and ended it.
pub(crate) fn confirm(program: &CInput, check: u32, inputs: &str) -> Confirmation {
    if let Some(why) = unchecked_ub::why_possible(program) {
        return Confirmation { is_proof: false, reason: super::no_proof(&why) };
    }
    let Some(consumed) = parse_inputs(inputs) else {
        return doubted("the inputs of the execution cannot be read");
    };
    let Some(parsed) = parsed(program) else { return doubted(REJECTED) };
    let to_input = |input: &super::input_list::ConsumedInput| {
        let [low, high] = words(input);
        Input { name: input.input_type.name.to_owned(), bits: u128::from(high) << 64 | u128::from(low) }
    };
    let inputs = consumed.iter().map(to_input).collect();
    let conditions = Conditions { inputs, failing_check: FailingCheck::Ends, fuel: FUEL };
    match interpret(&parsed, &conditions).outcome {
        Outcome::CheckFailed(failed) if failed == check => {
            let reason = "juvenal's own interpreter, which the program cannot reach, follows these inputs to the same \
                          violation, without undefined behaviour.";
            Confirmation { is_proof: true, reason: reason.to_owned() }
        }
        Outcome::Undefined(what) => doubted(&format!(
            "juvenal's own interpreter meets undefined behaviour before the violation ({what})"
        )),
        Outcome::WrongInputs(what) => {
            doubted(&format!("juvenal's own interpreter does not follow the execution ({what})"))
        }
        Outcome::CheckFailed(_) | Outcome::Ended(_) | Outcome::AssumptionFailed => {
            doubted("juvenal's own interpreter does not reach this violation with the same inputs")
        }
        // A compiler may assume that a loop ends, and skip one that does not.
        Outcome::OutOfFuel => doubted("the execution is too long for juvenal's own interpreter"),
        Outcome::Unsupported(what) => {
            alone(&parsed, &format!("juvenal's own interpreter does not model the program ({what})"))
        }
    }
}

/// Interprets a program on every input, after executions on every input in which a check never failed. A program without
/// pointers needs no second look.
pub(crate) fn confirm_absence(program: &CInput, check: u32) -> Confirmation {
    let Some(parsed) = parsed(program) else { return doubted(REJECTED) };
    let Some(pointers) = why_pointers_matter(&parsed) else {
        let reason = "The program follows no pointers, so sanitizers see all of its accesses.";
        return Confirmation { is_proof: true, reason: reason.to_owned() };
    };
    let is_harmless = |outcome: &Outcome| match outcome {
        Outcome::Ended(_) | Outcome::AssumptionFailed => true,
        Outcome::CheckFailed(failed) => *failed != check,
        _ => false,
    };
    match find_harmful_outcome(&parsed, FailingCheck::Ends, FUEL_FOR_EVERY_INPUT, is_harmless) {
        None => {
            let reason =
                "juvenal's own interpreter, which the program cannot reach, finds no violation either.";
            Confirmation { is_proof: true, reason: reason.to_owned() }
        }
        Some(Outcome::Undefined(what)) => {
            doubted(&format!("juvenal's own interpreter meets undefined behaviour ({what})"))
        }
        Some(Outcome::OutOfFuel) => doubted(&format!(
            "there are too many inputs or steps for juvenal's own interpreter, and {pointers}, which sanitizers may not see"
        )),
        Some(Outcome::WrongInputs(what) | Outcome::Unsupported(what)) => doubted(&format!(
            "juvenal's own interpreter does not model the program ({what}), and {pointers}, which sanitizers may not see"
        )),
        Some(_) => doubted("juvenal's own interpreter reaches a violation"),
    }
}

/// The program with its checks and the declarations that they need.
fn parsed(program: &CInput) -> Option<c::Program> {
    let text = format!("{DECLARATIONS}{NOTES}{}", program.render(spell));
    c::parse("program", &text, program.data_model).ok()
}

/// What an execution is worth that the interpreter cannot follow. It is a proof if the program has no pointer that could
/// lead to the harness.
fn alone(program: &c::Program, why: &str) -> Confirmation {
    match why_pointers_matter(program) {
        None => Confirmation {
            is_proof: true,
            reason: format!(
                "The violation rests on the execution alone: {why}. The program follows no pointers, so sanitizers see \
                 all of its accesses."
            ),
        },
        Some(pointers) => doubted(&format!("{why}, and {pointers}, which sanitizers may not see")),
    }
}

fn doubted(why: &str) -> Confirmation {
    Confirmation { is_proof: false, reason: format!("This is no proof: {why}.") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Annotation, AnnotationKind, DataModel};

    fn confirmed(base: &str, condition: &str, inputs: &str) -> Confirmation {
        confirm(&with_check(base, condition), 1, inputs)
    }

    /// The program with a check at `^`.
    fn with_check(base: &str, condition: &str) -> CInput {
        let place = base.find('^').unwrap() as u32;
        let annotations = vec![Annotation::new(place, AnnotationKind::Check(1), condition)];
        let base = base.replace('^', "");
        CInput { base: base.into(), data_model: DataModel::Lp64, annotations }
    }

    #[test]
    fn a_violation_counts_if_the_interpreter_reaches_it() {
        let inputs = "int __VERIFIER_nondet_int(void); long double f(long double);";
        for (body, condition, given, is_proof, words) in [
            ("int x = __VERIFIER_nondet_int(); ^return 0;", "x != 7", "int:7@1", true, "same violation"),
            ("int x = __VERIFIER_nondet_int(); ^return 0;", "x != -7", "int:-7", true, "same violation"),
            ("int x = __VERIFIER_nondet_int(); ^return 0;", "x != 7", "int:8@1", false, "does not reach"),
            ("int x = __VERIFIER_nondet_int(); ^return 0;", "x != 7", "uint:7@1", false, "does not follow"),
            ("int x = __VERIFIER_nondet_int(); ^return 0;", "x != 7", "-", false, "does not follow"),
            ("int x = __VERIFIER_nondet_int(); ^return 0;", "x != 7", "int:x", false, "cannot be read"),
            ("int x = 2147483647; x++; ^return 0;", "x > 0", "-", false, "signed overflow"),
            ("int a[2] = {0}; int *p = a; p[5] = 1; ^return 0;", "0", "-", false, "leaves the array"),
            ("long double d = 1; ^return 0;", "d > 2", "-", true, "rests on the execution alone"),
            (
                "long double d = 1; int x = 1; int *p = &x; *p = d; ^return 0;",
                "d > 2",
                "-",
                false,
                "follows a pointer",
            ),
            ("for (;;) { } ^return 0;", "0", "-", false, "too long"),
        ] {
            let base = format!("{inputs} int main(void) {{ {body} }}");
            let found = confirmed(&base, condition, given);
            assert_eq!(found.is_proof, is_proof, "{body}: {}", found.reason);
            assert!(found.reason.contains(words), "{body}: {}", found.reason);
        }
    }

    #[test]
    fn running_every_input_proves_nothing_if_a_pointer_may_go_astray() {
        let head = "unsigned char __VERIFIER_nondet_uchar(void); int __VERIFIER_nondet_int(void); \
                    _Bool __VERIFIER_nondet_bool(void); static char a[32], b[32]; long double g;";
        for (body, condition, is_proof, words) in [
            // No sanitizer sees this access, and gcc lets it reach `b`.
            ("char *p = a; int i = 64; p[i] = 1; ^", "b[0] == 1", false, "undefined behaviour"),
            ("char *p = a; p[3] = 1; ^", "a[3] == 1", true, "finds no violation"),
            ("char *p = a; p[3] = 1; ^", "a[3] == 2", false, "reaches a violation"),
            (
                "unsigned char n = __VERIFIER_nondet_uchar(); char *p = &a[n % 32]; *p = 1; ^",
                "a[n % 32]",
                true,
                "no violation",
            ),
            (
                "unsigned char n = __VERIFIER_nondet_uchar(); char *p = a; if (n == 255) p[n] = 1; ^",
                "1",
                false,
                "undefined",
            ),
            (
                "_Bool x = __VERIFIER_nondet_bool(), y = __VERIFIER_nondet_bool(); char *p = &a[x]; *p += y; ^",
                "!(x && y) || !a[1]",
                false,
                "reaches",
            ),
            (
                "int n = __VERIFIER_nondet_int(); char *p = a; *p = n != n; ^",
                "!a[0]",
                false,
                "too many inputs",
            ),
            ("int n = __VERIFIER_nondet_int(); n = n != n; ^", "!n", true, "no pointers"),
            ("char *p = a; *p = g; ^", "!a[0]", false, "does not model"),
        ] {
            let program = with_check(&format!("{head} int main(void) {{ {body} return 0; }}"), condition);
            let found = confirm_absence(&program, 1);
            assert_eq!(found.is_proof, is_proof, "{body}: {}", found.reason);
            assert!(found.reason.contains(words), "{body}: {}", found.reason);
        }
    }

    #[test]
    fn forged_memory_never_counts() {
        // Each of them would write wherever it likes when it runs natively.
        for body in [
            "long a[1] = {0}; long *p = a; p[3] = 4096; ^return 0;",
            "long x = 0; *(long *)((char *)&x + 16) = 4096; ^return 0;",
            "long x = 0; long *p = (long *)((unsigned long)&x + 64); *p = 1; ^return 0;",
            "union { long n; long *p; } u; u.n = 4096; *u.p = 1; ^return 0;",
            "void (*f)(void) = (void (*)(void))4096; f(); ^return 0;",
            "long *p; { long x = 1; p = &x; } *p = 4096; ^return 0;",
            "long *p = (long *)4096; *p = 1; ^return 0;",
            "struct big { long a[9]; long b; }; long x = 0; struct big *p = (struct big *)&x; p->b = 1; ^return 0;",
            "long x = 0; long *p = &x; __builtin_memset(p, 1, 64); ^return 0;",
            "long *p = __builtin_frame_address(0); p[1] = 4096; ^return 0;",
            "long *p; long **q = &p; *q = *q + 1; **q = 1; ^return 0;",
        ] {
            let found = confirmed(&format!("int main(void) {{ {body} }}"), "0", "-");
            assert!(!found.is_proof, "{body}: {}", found.reason);
        }
    }
}
