//! Scripts of unknown status: the seed's own assertions, and Boolean combinations of its predicates.
//!
//! The predicates get truth values by tossing coins, which no assignment need give them. An assertion is a combination
//! that is true under these values, so about half of the predicates are negated. Few such assertions are mostly
//! satisfiable together, many are mostly not.

use crate::scripts::pool::{Bounds, Formula, Pool, write_assertion};
use crate::scripts::predicates::predicates;
use crate::scripts::prepared::Prepared;
use model::{Random, SmtInput};
use smt::print::Printer;
use std::sync::Arc;

/// The least bound on the length of constructed formulas that is drawn.
const SHORTEST_BOUND: usize = 120;
/// How many formulas are constructed, for each predicate and at least and at most.
const CONSTRUCTED_EACH: usize = 4;
const CONSTRUCTED: std::ops::RangeInclusive<usize> = 32..=400;

/// The material of the scripts of a seed.
pub struct Material {
    declarations: Arc<str>,
    assertions: Vec<String>,
    predicates: Vec<Box<str>>,
    depth: u32,
    length: usize,
}

impl Material {
    /// The predicates of a seed, down to a depth; formulas over them are no longer than `length`.
    pub fn new(prepared: &Prepared, depth: u32, length: usize) -> Material {
        let mut printer = Printer::new(&prepared.script.terms);
        let assertions = prepared.assertions.iter().map(|term| printer.term(*term)).collect();
        let predicates =
            predicates(prepared, depth).into_iter().map(|term| printer.term(term).into()).collect();
        Material { declarations: prepared.declarations.clone(), assertions, predicates, depth, length }
    }

    /// The assertions of every scope of the seed, with one check.
    pub fn seed(&self, logic: Option<Arc<str>>) -> SmtInput {
        let assertions: String = self.assertions.iter().map(|it| format!("(assert {it})\n")).collect();
        script(&self.declarations, &assertions, logic)
    }

    /// A pool under new truth values; `None` if the seed has no predicates.
    pub fn pool(&self, random: &mut Random) -> Option<Pool> {
        let formula =
            |text: &str, random: &mut Random| Formula { text: text.into(), value: random.coin(), depth: 0 };
        let initial: Vec<Formula> = self.predicates.iter().map(|text| formula(text, random)).collect();
        let count = (initial.len() * CONSTRUCTED_EACH).clamp(*CONSTRUCTED.start(), *CONSTRUCTED.end());
        // Short formulas are cheap to ask and long ones reach deeper, so each pool draws its own bound.
        let length = (self.length >> random.below(4)).max(SHORTEST_BOUND);
        let bounds = Bounds { depth: self.depth, length, paper: false };
        (!initial.is_empty()).then(|| Pool::construct(initial, count, bounds, random))
    }

    /// A script with a limited number of assertions.
    pub fn draw(&self, pool: &Pool, most: usize, logic: Option<Arc<str>>, random: &mut Random) -> SmtInput {
        let mut assertions = String::new();
        for _ in 0..random.between(1, most.max(1)) {
            write_assertion(pool, random, &mut assertions);
        }
        script(&self.declarations, &assertions, logic)
    }
}

fn script(declarations: &str, assertions: &str, logic: Option<Arc<str>>) -> SmtInput {
    let body = format!("{declarations}{assertions}(check-sat)\n");
    SmtInput { options: "".into(), logic, body: body.into(), checks: 1 }
}

/// A script in few words: how many assertions it has, and its logic.
pub fn outline(script: &SmtInput) -> String {
    let count = script.body.lines().filter(|line| line.starts_with("(assert ")).count();
    let noun = if count == 1 { "assertion" } else { "assertions" };
    format!("{count} {noun}, {}", script.logic.as_deref().unwrap_or("no logic"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: &str = "(set-logic QF_LIA)(declare-fun a () Int)(declare-fun b () Int)\
        (push 1)(assert (and (< a b) (> a 3)))(check-sat)(pop 1)(assert (or (= a b) (< b 0)))(check-sat)";

    fn material() -> Material {
        let prepared = Prepared::new("seed", SEED).unwrap_or_else(|unusable| panic!("{}", unusable.detail));
        Material::new(&prepared, 64, 1000)
    }

    #[test]
    fn the_seed_is_asked_with_one_check() {
        let seed = material().seed(Some("QF_LIA".into()));
        assert_eq!(seed.text().matches("(check-sat)").count(), 1);
        assert!(!seed.text().contains("push"), "{}", seed.text());
        assert_eq!(outline(&seed), "2 assertions, QF_LIA");
    }

    #[test]
    fn scripts_parse_and_have_both_signs() {
        let (material, mut random) = (material(), Random::for_case(1, 1));
        let (mut negated, mut all) = (0, 0);
        for _ in 0..20 {
            let pool = material.pool(&mut random).unwrap();
            for _ in 0..20 {
                let script = material.draw(&pool, 6, None, &mut random);
                smt::parse("script", &script.text()).unwrap();
                let assertions = script.body.lines().filter(|line| line.starts_with("(assert "));
                for assertion in assertions {
                    all += 1;
                    negated += usize::from(assertion.starts_with("(assert (not "));
                }
            }
        }
        assert!(negated * 4 > all && negated * 4 < all * 3, "{negated} of {all}");
    }
}
