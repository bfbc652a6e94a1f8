//! The planted bugs of the built-in liar for SMT-LIB.

use smt::{Head, Operator, Script, TermId, Terms};
use std::io::{self, Write};

/// One planted bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// Reads `bvslt` as `bvult`.
    Signed,
    /// Forgets the last assertion of the outer scope after a pop.
    Pop,
    /// Simplifies `(not (ite c a b))` to `(ite c (not a) b)`.
    NotIte,
    /// Drops the highest bit of bit-vector constants.
    Overflow,
    /// Prints models with one wrong value.
    Model,
    /// Crashes on deeply nested scripts.
    Crash,
    /// Hangs on scripts with many assertions.
    Hang,
    /// Prints without end on scripts with many assertions.
    Flood,
    /// Prints noise around the answer.
    Garbage,
    /// Always exits with the code for `unsat`.
    ExitCode,
}

const NAMES: [(&str, Lie); 10] = [
    ("signed", Lie::Signed),
    ("pop", Lie::Pop),
    ("not-ite", Lie::NotIte),
    ("overflow", Lie::Overflow),
    ("model", Lie::Model),
    ("crash", Lie::Crash),
    ("hang", Lie::Hang),
    ("flood", Lie::Flood),
    ("garbage", Lie::Garbage),
    ("exit-code", Lie::ExitCode),
];

/// Scripts with more assertions than this trigger `hang` and `flood`.
const MANY: usize = 8;
/// Scripts that are nested deeper than this trigger `crash`.
const DEEP: i32 = 16;

impl Lie {
    /// Finds a lie by its name.
    pub fn from_name(name: &str) -> Option<Lie> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, lie)| *lie)
    }

    /// Returns the names of all lies.
    pub fn names() -> Vec<&'static str> {
        NAMES.iter().map(|(name, _)| *name).collect()
    }

    /// Returns true if the lie needs a separate process.
    pub fn is_violent(self) -> bool {
        matches!(self, Lie::Crash | Lie::Hang | Lie::Flood | Lie::ExitCode)
    }

    /// Rewrites one term whose children are already rewritten. Returns `None` if the lie does not affect it.
    pub(super) fn rewrite(self, terms: &mut Terms, term: TermId, children: &[TermId]) -> Option<TermId> {
        match (self, terms.head(term), children) {
            (Lie::Signed, Head::Operator(Operator::BvSlt), _) => terms.apply(Operator::BvUlt, children).ok(),
            (Lie::NotIte, Head::Operator(Operator::Not), [condition]) => {
                let &[condition, then, otherwise] = terms.children(*condition) else { return None };
                let Head::Operator(Operator::Ite) = terms.head(*children.first()?) else { return None };
                let then = terms.not(then).ok()?;
                terms.ite(condition, then, otherwise).ok()
            }
            (Lie::Overflow, Head::BitVec { width, value }, []) if width > 2 => {
                let wrong = terms.integer_value(value).clone() % (1u64 << (width - 1).min(63));
                Some(terms.bitvec(width, &wrong))
            }
            _ => None,
        }
    }

    /// Hangs, crashes or floods if the script triggers it.
    pub(super) fn misbehave(self, script: &str, output: &mut dyn Write) -> io::Result<()> {
        let many = script.matches("(assert").count() > MANY;
        match self {
            Lie::Crash if nesting(script) > DEEP => {
                output.flush()?;
                #[allow(
                    clippy::disallowed_methods,
                    reason = "it is the standard error of a program under test"
                )]
                let mut errors = io::stderr();
                writeln!(errors, "Fatal failure within simplify() at liar.rs:1: nesting too deep")?;
                errors.flush()?;
                std::process::abort()
            }
            Lie::Hang if many => loop {
                std::thread::park();
            },
            Lie::Flood if many => loop {
                output.write_all(b"still thinking\n")?;
            },
            _ => Ok(()),
        }
    }
}

/// Returns the depth of the parentheses.
fn nesting(script: &str) -> i32 {
    let (mut level, mut deepest) = (0, 0);
    for byte in script.bytes() {
        level += match byte {
            b'(' => 1,
            b')' => -1,
            _ => 0,
        };
        deepest = deepest.max(level);
    }
    deepest
}

/// Rewrites assertions according to the lies.
pub(super) fn distort(script: &mut Script, assertions: &[TermId], lies: &[Lie]) -> Option<Vec<TermId>> {
    smt::rebuild(
        &mut script.terms,
        assertions,
        |_, _| None,
        |terms, term, children| {
            let lied = lies.iter().find_map(|lie| lie.rewrite(terms, term, children));
            lied.or_else(|| smt::same_head(terms, term, children))
        },
    )
}
