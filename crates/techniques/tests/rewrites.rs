//! Rewrites of Datalog programs have their declared effect, according to the reference engine on many programs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use datalog::generate::{Options, generate};
use datalog::{Program, RelationId, Tuple, Type, check, reference};
use model::Random;
use std::collections::{BTreeMap, BTreeSet};
use techniques::rewrites::{Effect, ON_GRAPHS, ON_QUERIES, Rewrite, rewrite};

const FUEL: u64 = 200_000;

fn rows(program: &Program, id: RelationId) -> Option<BTreeSet<Tuple>> {
    let strata = check(program).unwrap_or_else(|problem| panic!("{problem}\n{program}"));
    Some(reference::evaluate(program, &strata, FUEL).ok()?.rows(id))
}

fn options(number: u64) -> Options {
    let types = match number % 2 {
        0 => vec![Type::Signed],
        _ => vec![Type::Signed, Type::Symbol],
    };
    let is_third = number.is_multiple_of(3);
    Options { types, rows: 6, numbers: 6, aggregates: is_third, arithmetic: is_third, ..Options::default() }
}

fn holds(effect: Effect, before: &BTreeSet<Tuple>, after: &BTreeSet<Tuple>) -> bool {
    match effect {
        Effect::Same => before == after,
        Effect::Fewer => after.is_subset(before),
        Effect::More => before.is_subset(after),
    }
}

/// How often a rewrite was applied and how often it changed the compared rows.
type Counts = BTreeMap<&'static str, (usize, usize)>;

fn check_each(kinds: &[&'static dyn Rewrite], case: u64, cases: u64) -> Counts {
    let mut counts = Counts::new();
    for number in 0..cases {
        let mut random = Random::for_case(case, number);
        let program = generate(&options(number), &mut random);
        let compared = program.outputs().next().unwrap();
        let Some(before) = rows(&program, compared) else { continue };
        for kind in kinds {
            for wanted in [Effect::Same, Effect::Fewer, Effect::More] {
                let mut after = program.clone();
                let taken = rewrite(&mut after, compared, &[*kind], wanted, 1, &mut random);
                let Some(step) = taken.first() else { continue };
                let Some(changed) = rows(&after, compared) else { continue };
                assert!(
                    holds(step.effect, &before, &changed),
                    "{} promises {:?}: {before:?}, {changed:?}\n{program}\n{after}",
                    step.name,
                    step.effect
                );
                let count = counts.entry(step.name).or_default();
                count.0 += 1;
                count.1 += usize::from(before != changed);
            }
        }
    }
    counts
}

#[test]
fn every_rewrite_has_its_declared_effect() {
    let mut counts = check_each(ON_GRAPHS, 1, 600);
    counts.extend(check_each(ON_QUERIES, 2, 600));
    for (name, (applied, changed)) in &counts {
        println!("{name}: applied {applied} times, changed the result {changed} times");
    }
    for kind in ON_GRAPHS.iter().chain(ON_QUERIES) {
        let (applied, changed) = counts.get(kind.name()).copied().unwrap_or_default();
        assert!(applied > 40, "{} was applied {applied} times", kind.name());
        assert_eq!(
            changed > 0,
            kind.effect() != Effect::Same && kind.name() != "delete-relation",
            "{}",
            kind.name()
        );
    }
}

#[test]
fn sequences_have_their_declared_effect() {
    let (mut pairs, mut changed, mut steps) = (0, 0, 0);
    for (kinds, case) in [(ON_GRAPHS, 3), (ON_QUERIES, 4)] {
        for number in 0..1500 {
            let mut random = Random::for_case(case, number);
            let program = generate(&options(number), &mut random);
            let compared = program.outputs().next().unwrap();
            let Some(before) = rows(&program, compared) else { continue };
            let wanted = *random.choose(&[Effect::Same, Effect::Fewer, Effect::More]).unwrap();
            let mut after = program.clone();
            let length = random.between(1, 40);
            let taken = rewrite(&mut after, compared, kinds, wanted, length, &mut random);
            let Some(result) = rows(&after, compared) else { continue };
            assert!(
                holds(wanted, &before, &result),
                "{wanted:?} {taken:?}: {before:?}, {result:?}\n{program}\n{after}"
            );
            pairs += 1;
            steps += taken.len();
            changed += usize::from(before != result);
        }
    }
    println!("{pairs} pairs, {steps} steps, {changed} results changed");
    assert!(pairs > 2500 && changed * 5 > pairs, "{pairs} pairs, {changed} changed");
}
