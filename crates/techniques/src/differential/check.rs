//! Checks: conditions about candidates, of a few kinds.
//!
//! Most checks state that an expression does not have a certain value. Other kinds state that it is in a range, how it
//! relates to a variable, that a pointer is not null, that an index is inside of its array, or what kind of floating
//! value there is. Where a statement has nothing for a kind, the check is about a value.

use super::candidate::{Candidate, Candidates, Kind};
use super::constant::{Pool, spelled};
use model::Random;

/// What a check states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// An integer is not this value.
    Value,
    /// An integer is at least or at most this value.
    Range,
    /// An integer relates to a variable like this.
    Relation,
    /// A pointer is not null.
    Pointer,
    /// An index is inside of its array.
    Index,
    /// A floating value is a number, is finite, or is not negative.
    Real,
}

impl Claim {
    /// A word for tables.
    pub fn word(self) -> &'static str {
        match self {
            Claim::Value => "value",
            Claim::Range => "range",
            Claim::Relation => "relation",
            Claim::Pointer => "pointer",
            Claim::Index => "index",
            Claim::Real => "real",
        }
    }
}

/// How many of a hundred checks say what, as long as there is something to say it of.
pub const SHARES: [(Claim, usize); 6] = [
    (Claim::Value, 60),
    (Claim::Range, 10),
    (Claim::Relation, 10),
    (Claim::Pointer, 10),
    (Claim::Index, 5),
    (Claim::Real, 5),
];

/// How an expression may relate to a variable.
const RELATIONS: [&str; 6] = ["<", "<=", ">", ">=", "!=", "=="];

/// The greatest `float` and the greatest `double`.
const GREATEST: [&str; 2] = ["3.4028234663852886e38F", "1.7976931348623157e308"];

/// A condition that may be joined with others of the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conjunct {
    /// The condition.
    pub text: String,
    /// What it states.
    pub claim: Claim,
    /// The candidate that it is about.
    pub candidate: usize,
}

/// Draws a check of a candidate, or of another one of the same statement where its kind is needed.
pub fn draw(candidates: &Candidates, pool: &Pool, chosen: usize, random: &mut Random) -> Option<Conjunct> {
    let wanted = drawn_claim(random);
    let own = candidates.all.get(chosen)?;
    let fallback = match own.kind {
        Kind::Integer { .. } => Claim::Value,
        Kind::Pointer => Claim::Pointer,
        Kind::Real { .. } => Claim::Real,
    };
    let about = |claim: Claim, random: &mut Random| {
        let candidate = taken(candidates, chosen, claim, random)?;
        let text = condition(candidates, pool, candidates.all.get(candidate)?, claim, random)?;
        Some(Conjunct { text, claim, candidate })
    };
    about(wanted, random).or_else(|| about(Claim::Value, random)).or_else(|| about(fallback, random))
}

fn drawn_claim(random: &mut Random) -> Claim {
    let mut left = random.below(SHARES.iter().map(|(_, share)| share).sum());
    for (claim, share) in SHARES {
        if left < share {
            return claim;
        }
        left -= share;
    }
    Claim::Value
}

/// The chosen candidate if the claim can be about it, else one of its neighbours.
fn taken(candidates: &Candidates, chosen: usize, claim: Claim, random: &mut Random) -> Option<usize> {
    let fits = |number: usize| candidates.all.get(number).is_some_and(|candidate| suits(claim, candidate));
    if fits(chosen) {
        return Some(chosen);
    }
    let fitting = || candidates.beside(chosen).filter(|number| fits(*number));
    fitting().nth(random.below(fitting().count()))
}

fn suits(claim: Claim, candidate: &Candidate) -> bool {
    match (claim, candidate.kind) {
        (Claim::Value | Claim::Range | Claim::Relation, Kind::Integer { .. }) => true,
        (Claim::Index, Kind::Integer { .. }) => candidate.length.is_some(),
        (Claim::Pointer, Kind::Pointer) | (Claim::Real, Kind::Real { .. }) => true,
        _ => false,
    }
}

fn condition(
    candidates: &Candidates,
    pool: &Pool,
    candidate: &Candidate,
    claim: Claim,
    random: &mut Random,
) -> Option<String> {
    let text = &candidate.text;
    match (claim, candidate.kind) {
        (Claim::Value, Kind::Integer { bits, signed }) => {
            Some(format!("{text} != {}", spelled(pool.constant(bits, signed, random), bits, signed)))
        }
        (Claim::Range, Kind::Integer { bits, signed }) => {
            let comparison = if random.coin() { "<=" } else { ">=" };
            Some(format!(
                "{text} {comparison} {}",
                spelled(pool.constant(bits, signed, random), bits, signed)
            ))
        }
        (Claim::Relation, _) => {
            let others = candidates.integers.get(candidate.stop)?;
            let others = || others.iter().filter(|other| *other != text);
            let other = others().nth(random.below(others().count()))?;
            Some(format!("{other} {} {text}", random.choose(&RELATIONS)?))
        }
        (Claim::Pointer, _) => Some(format!("{text} != 0")),
        (Claim::Index, Kind::Integer { signed, .. }) => Some(within(text, candidate.length?, signed)),
        (Claim::Real, Kind::Real { single }) => Some(real_class(text, single, random)),
        _ => None,
    }
}

/// That an index is inside of its array.
fn within(index: &str, length: u64, signed: bool) -> String {
    let length = if length <= i32::MAX as u64 { length.to_string() } else { format!("{length}LL") };
    // Compared with an unsigned index, the length stays what it is.
    match signed {
        true => format!("({index} >= 0 && {index} < {length})"),
        false => format!("{index} < {length}"),
    }
}

/// That a floating value is a number, finite, or not negative.
fn real_class(text: &str, single: bool, random: &mut Random) -> String {
    let [float, double] = GREATEST;
    let greatest = if single { float } else { double };
    match random.below(3) {
        0 => format!("{text} == {text}"),
        1 => format!("({text} <= {greatest} && {text} >= -{greatest})"),
        _ => format!("{text} >= 0"),
    }
}

/// The conjunction of conditions.
pub fn batch(conjuncts: &[Conjunct]) -> String {
    match conjuncts {
        [] => "1".to_owned(),
        [only] => only.text.clone(),
        _ => {
            let parts: Vec<String> =
                conjuncts.iter().map(|conjunct| format!("({})", conjunct.text)).collect();
            parts.join(" && ")
        }
    }
}

/// The conditions of a batch.
pub fn parts(condition: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, letter) in condition.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '&' if depth == 0 && condition[at..].starts_with("&& ") => {
                parts.push(condition[start..at].trim());
                start = at + 2;
            }
            _ => {}
        }
    }
    parts.push(condition[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn conjuncts(body: &str, count: usize) -> Vec<Conjunct> {
        let text = format!(
            "static int g; int t[5]; unsigned char u; int main(void) {{ int i = 1, *p = &i; double d = 1; float f = 2; {body} return 0; }}"
        );
        let program = c::parse("row.c", &text, c::DataModel::Lp64).unwrap();
        let candidates = Candidates::of(&program);
        let place = text.find(body).unwrap() as u32;
        let chosen = candidates.all.iter().position(|candidate| candidate.place == place).unwrap();
        let pool = Pool::of(&program);
        let mut random = Random::for_case(3, 3);
        (0..count).map(|_| draw(&candidates, &pool, chosen, &mut random).unwrap()).collect()
    }

    #[test]
    fn the_shares_are_kept_and_make_a_hundred() {
        assert_eq!(SHARES.iter().map(|(_, share)| share).sum::<usize>(), 100);
        let mut counts: BTreeMap<Claim, usize> = BTreeMap::new();
        for conjunct in conjuncts("t[u] = *p + (d > f);", 20_000) {
            *counts.entry(conjunct.claim).or_default() += 1;
        }
        for (claim, share) in SHARES {
            let count = counts[&claim] / 200;
            assert!(count.abs_diff(share) <= 1, "{}: {counts:?}", claim.word());
        }
    }

    #[test]
    fn conditions_are_spelled_as_their_kinds_say() {
        let texts = |body: &str| -> Vec<String> {
            let mut texts: Vec<String> = conjuncts(body, 400)
                .into_iter()
                .filter(|conjunct| !matches!(conjunct.claim, Claim::Value | Claim::Range | Claim::Relation))
                .map(|conjunct| conjunct.text)
                .collect();
            texts.sort();
            texts.dedup();
            texts
        };
        assert_eq!(texts("t[i] = 1;"), ["(i >= 0 && i < 5)"]);
        assert_eq!(texts("t[u] = 1;"), ["u < 5"]);
        assert_eq!(texts("*p = 1;"), ["p != 0"]);
        let reals = texts("d = f;");
        assert_eq!(
            reals,
            ["(f <= 3.4028234663852886e38F && f >= -3.4028234663852886e38F)", "f == f", "f >= 0"]
        );
    }

    #[test]
    fn conjuncts_are_joined_in_parentheses() {
        let all = conjuncts("t[i] = g;", 3);
        let expected = format!("({}) && ({}) && ({})", all[0].text, all[1].text, all[2].text);
        assert_eq!(batch(&all), expected);
        assert_eq!((batch(&all[..1]), batch(&[])), (all[0].text.clone(), "1".to_owned()));
    }
}
