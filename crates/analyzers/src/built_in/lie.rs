//! The planted bugs of the built-in liar.

use smt::{Head, Operator, Script, TermId, Terms};
use std::io::{self, Write};

/// One planted bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// `bvslt` is read as `bvult`.
    Signed,
    /// After a pop, the last assertion of the outer scope is forgotten.
    Pop,
    /// `(not (ite c a b))` is simplified to `(ite c (not a) b)`.
    NotIte,
    /// Bit-vector constants lose the highest of their bits.
    Overflow,
    /// One value of each model is wrong.
    Model,
    /// Dies on nested conditions.
    Crash,
    /// Never answers a script with many assertions.
    Hang,
    /// Never stops printing.
    Flood,
    /// Prints chatter around the answer.
    Garbage,
    /// Exits with the code for `unsat` whatever it answers.
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

/// Scripts with more assertions than this make `hang` hang and `flood` flood.
const MANY: usize = 8;
/// Text nested deeper than this makes `crash` crash.
const DEEP: i32 = 16;

impl Lie {
    /// The lie of this name.
    pub fn from_name(name: &str) -> Option<Lie> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, lie)| *lie)
    }

    /// The names of all lies.
    pub fn names() -> Vec<&'static str> {
        NAMES.iter().map(|(name, _)| *name).collect()
    }

    /// True if the lie needs a process of its own.
    pub fn is_violent(self) -> bool {
        matches!(self, Lie::Crash | Lie::Hang | Lie::Flood | Lie::ExitCode)
    }

    /// What the lie makes of one term over children that are already rewritten.
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

    /// Hangs, crashes or floods where the script provokes it.
    pub(super) fn misbehave(self, script: &str, output: &mut dyn Write) -> io::Result<()> {
        let many = script.matches("(assert").count() > MANY;
        match self {
            Lie::Crash if nesting(script) > DEEP => {
                output.flush()?;
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

/// How deeply parentheses are nested.
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

/// Rewrites assertions as the lies have it.
pub(super) fn told(script: &mut Script, assertions: &[TermId], lies: &[Lie]) -> Option<Vec<TermId>> {
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
