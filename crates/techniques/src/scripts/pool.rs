//! Formulas with a known truth value under the assignment, as text.
//!
//! Text is enough here: a connective adds a few bytes around two texts, and no instance has to be printed from terms. Every
//! exhibit is parsed and evaluated again before it is reported, so a bug in this file leads to a failed self-check, never to
//! a false alarm.

use model::Random;
use std::collections::BTreeSet;

/// One formula of a pool.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its SMT-LIB text.
    pub text: Box<str>,
    /// Its truth value under the assignment.
    pub value: bool,
    /// The depth of its connectives.
    pub depth: u32,
}

/// The initial formulas, which come from the seed, and those constructed from them.
pub struct Pool {
    initial: Vec<Formula>,
    constructed: Vec<Formula>,
}

/// The bounds of construction.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The maximum depth of connectives.
    pub depth: u32,
    /// The maximum length of a formula's text. Depth is not enough, because texts may double with every level.
    pub length: usize,
    /// Whether only the connectives of the paper, AND and NOT, are used.
    pub paper: bool,
}

impl Pool {
    /// Constructs `count` formulas over the initial ones, or fewer if the bounds do not allow more.
    pub fn construct(initial: Vec<Formula>, count: usize, bounds: Bounds, random: &mut Random) -> Pool {
        let mut seen: BTreeSet<Box<str>> = initial.iter().map(|formula| formula.text.clone()).collect();
        let mut pool = Pool { initial, constructed: Vec::new() };
        // Duplicates and oversized formulas are drawn again, but not forever: a tiny pool has few combinations.
        for _ in 0..count.saturating_mul(2) {
            if pool.constructed.len() == count || pool.initial.is_empty() {
                break;
            }
            let formula = pool.combine(bounds, random);
            if formula.depth <= bounds.depth
                && formula.text.len() <= bounds.length
                && seen.insert(formula.text.clone())
            {
                pool.constructed.push(formula);
            }
        }
        pool
    }

    /// Draws a formula, in 30 % of all cases one of the seed.
    pub fn draw(&self, random: &mut Random) -> &Formula {
        let constructed = !self.constructed.is_empty() && !random.percent(30);
        let formulas = if constructed { &self.constructed } else { &self.initial };
        &formulas[random.below(formulas.len())]
    }

    /// Returns the formulas of the seed.
    pub fn initial(&self) -> &[Formula] {
        &self.initial
    }

    /// Returns the number of constructed formulas.
    pub fn constructed_count(&self) -> usize {
        self.constructed.len()
    }

    fn combine(&self, bounds: Bounds, random: &mut Random) -> Formula {
        let first = self.draw(random);
        let connective = if bounds.paper { random.below(2) } else { random.below(12) };
        if connective == 0 {
            return compose(&["(not ", &first.text, ")"], !first.value, first.depth);
        }
        let second = self.draw(random);
        let (left, right) = (first.value, second.value);
        let depth = first.depth.max(second.depth);
        let binary =
            |name: &str, value: bool| compose(&[name, &first.text, " ", &second.text, ")"], value, depth);
        match connective {
            1..=3 => binary("(and ", left && right),
            4 | 5 => binary("(or ", left || right),
            6 => binary("(xor ", left != right),
            7 => binary("(=> ", !left || right),
            8 => binary("(= ", left == right),
            9 => binary("(distinct ", left != right),
            10 => self.choice(first, second, random),
            _ => shared(first, second, random),
        }
    }

    fn choice(&self, first: &Formula, second: &Formula, random: &mut Random) -> Formula {
        let third = self.draw(random);
        let value = if first.value { second.value } else { third.value };
        let depth = first.depth.max(second.depth).max(third.depth);
        compose(&["(ite ", &first.text, " ", &second.text, " ", &third.text, ")"], value, depth)
    }
}

/// Constructs a formula that uses its first operand twice, through a `let`.
fn shared(first: &Formula, second: &Formula, random: &mut Random) -> Formula {
    let depth = first.depth.max(second.depth) + 1;
    // The bound name is unique by depth: an inner `let` of the same name would only shadow what it does not use,
    // but solvers have confused the two, and a finding should not depend on names.
    let name = format!("juvenal!let{depth}");
    let (left, right) = (first.value, second.value);
    let (body, value) = if random.coin() {
        (format!("(or (and {name} {}) (not {name}))", second.text), !left || right)
    } else {
        (format!("(and {name} (or {name} {}))", second.text), left)
    };
    compose(&["(let ((", &name, " ", &first.text, ")) ", &body, ")"], value, depth)
}

fn compose(parts: &[&str], value: bool, depth_of_operands: u32) -> Formula {
    Formula { text: parts.concat().into(), value, depth: depth_of_operands + 1 }
}

/// Returns an assertion of a true formula.
pub fn write_assertion(pool: &Pool, random: &mut Random, out: &mut String) {
    out.push_str("(assert ");
    write_true_formula(pool, random, out);
    out.push_str(")\n");
}

/// Draws a true formula.
pub fn write_true_formula(pool: &Pool, random: &mut Random, out: &mut String) {
    write_formula(pool.draw(random), out);
}

/// Returns the formula, or its negation if it is false.
pub fn write_formula(formula: &Formula, out: &mut String) {
    if formula.value {
        out.push_str(&formula.text);
    } else {
        out.push_str("(not ");
        out.push_str(&formula.text);
        out.push(')');
    }
}
