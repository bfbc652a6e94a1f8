//! The judge of `debug_check`, and the exhibits that it judges.

use super::NAME;
use super::prepared::{Derived, Origin, Prepared, prepare_where};
use super::relation::DebugCheckRelation;
use crate::Judgement;
use crate::failures;
use model::{
    Annotation, AnnotationKind, Answer, CInput, CheckClaim, CheckStatus, ChecksClaim, Exhibit, Input, Kind,
    Query, Relation, Said,
};
use std::collections::{BTreeMap, BTreeSet};

/// Wall time for an execution that rarely finds anything.
const SHORT_MILLISECONDS: u64 = 1500;

/// What an engine says of a condition that it reaches and knows nothing about.
const UNKNOWN: &str = "UNKNOWN";
/// What an engine says of a condition that reads something without a value.
const UNDEFINED: &str = "UNDEFINED";

/// A condition that was put to an engine.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The position of its point.
    pub point: usize,
    /// Where.
    pub place: u32,
    /// True inside of an expression.
    pub within: bool,
    /// Why it is known.
    pub origin: Origin,
    /// What is known.
    pub derived: Derived,
}

/// What the engine says about one condition.
pub fn said(claim: &CheckClaim) -> Said {
    match (claim.status, &claim.values) {
        (CheckStatus::Verified, _) => Said::True,
        (CheckStatus::Violated, _) => Said::False,
        (CheckStatus::Unknown, None) => Said::NotReached,
        (CheckStatus::Unknown, Some(values)) if values == UNKNOWN => Said::Unknown,
        (CheckStatus::Unknown, Some(values)) if values == UNDEFINED => Said::Undefined,
        (CheckStatus::Unknown, Some(_)) => Said::Several,
    }
}

/// A condition that is called false, with the execution that would refute that.
pub fn called_false(query: &Query, asked: &Asked, number: u32, executor: Option<&Query>) -> Option<Exhibit> {
    let alone = only(query, &[number])?;
    let execution = executor.and_then(|executor| {
        let input = executed(alone.input.c()?);
        Some(executor.with_input(Input::C(input)))
    });
    Some(sampled(Exhibit {
        technique: NAME.to_owned(),
        // A mere consequence may fail on a path that no execution takes, after the engine has left the one that is taken.
        kind: if asked.derived.restates() { Kind::Soundness } else { Kind::Precision },
        title: format!("what follows by `{}` is called false ({})", asked.derived.rule, asked.origin.word()),
        queries: std::iter::once(alone).chain(execution).collect(),
        relation: Relation::of(&DebugCheckRelation::HoldingIsNotFalse {
            rule: asked.derived.rule.to_owned(),
            origin: asked.origin,
        }),
        sample_key: None,
    }))
}

/// The same where no execution comes: the engine contradicts itself, if the condition is what it has just assumed.
pub fn unexecuted(exhibit: Exhibit) -> Option<Exhibit> {
    if !has_assumed(exhibit.queries.first()?.input.c()?) {
        return None;
    }
    let DebugCheckRelation::HoldingIsNotFalse { rule, origin } = DebugCheckRelation::of(&exhibit)? else {
        return None;
    };
    let relation = Relation::of(&DebugCheckRelation::FollowingIsNotFalse { rule, origin });
    let mut queries = exhibit.queries;
    if let Some(execution) = queries.get_mut(1) {
        execution.limits.wall_milliseconds = execution.limits.wall_milliseconds.min(SHORT_MILLISECONDS);
    }
    Some(sampled(Exhibit { kind: Kind::Precision, relation, queries, ..exhibit }))
}

/// True if the conditions of a program are what the engine has assumed where they stand. What merely follows may
/// fail on a path that nothing takes, and an arm of a switch is entered whether or not the value can be that of its case.
fn has_assumed(input: &CInput) -> bool {
    let is_assumed = |(_, derived, origin): &(usize, Derived, Origin)| {
        derived.restates() && !derived.needs_execution && *origin != Origin::SwitchArm
    };
    derivations(input).is_some_and(|derived| derived.iter().all(is_assumed))
}

/// The execution of a program in which the conditions of a question are asserted. It only looks for undefined
/// behaviour in the program itself, so a short search is enough.
fn asserted(question: &Query, executor: Option<&Query>) -> Option<Query> {
    let mut execution = executor?.with_input(question.input.clone());
    execution.limits.wall_milliseconds = execution.limits.wall_milliseconds.min(SHORT_MILLISECONDS);
    Some(execution)
}

/// Pairs of forms of one condition at one point of which the engine knows one; one for each pair of rules.
pub fn uneven(query: &Query, asked: &[Asked], claim: &ChecksClaim, executor: Option<&Query>) -> Vec<Exhibit> {
    let claimed = |number: u32| claim.checks.iter().find(|claim| claim.check == number);
    let mut known: BTreeMap<(usize, &str), (u32, &Asked)> = BTreeMap::new();
    for (number, it) in (1..).zip(asked) {
        if claimed(number).is_some_and(|claim| claim.status == CheckStatus::Verified)
            && it.derived.guard.is_none()
        {
            known.entry((it.point, it.derived.class.as_str())).or_insert((number, it));
        }
    }
    let mut seen = BTreeSet::new();
    let mut exhibits = Vec::new();
    for (number, it) in (1..).zip(asked) {
        // A guard only adds to what is known, so the form that is unknown may have one.
        let is_unknown = claimed(number).is_some_and(|claim| said(claim) == Said::Unknown);
        let Some((other, one)) = known.get(&(it.point, it.derived.class.as_str())).filter(|_| is_unknown)
        else {
            continue;
        };
        if !seen.insert((one.derived.rule, it.derived.rule)) {
            continue;
        }
        // Each is asked alone: to an optimizer the first evaluation is a call that might change what the second reads.
        let (Some(known), Some(unknown)) = (only(query, &[*other]), only(query, &[number])) else { continue };
        let execution = only(query, &[*other, number]).and_then(|both| asserted(&both, executor));
        exhibits.push(sampled(Exhibit {
            technique: NAME.to_owned(),
            kind: Kind::Precision,
            title: format!("known by `{}` and unknown by `{}`", one.derived.rule, it.derived.rule),
            queries: [known, unknown].into_iter().chain(execution).collect(),
            relation: Relation::of(&DebugCheckRelation::FormsAreEquallyKnown {
                known_rule: one.derived.rule.to_owned(),
                unknown_rule: it.derived.rule.to_owned(),
            }),
            sample_key: None,
        }));
    }
    exhibits
}

/// What follows and is unknown, one for each rule and origin.
pub fn unknown(
    query: &Query,
    asked: &[Asked],
    claim: &ChecksClaim,
    executor: Option<&Query>,
) -> Vec<Exhibit> {
    let mut seen = BTreeSet::new();
    let mut exhibits = Vec::new();
    for (number, it) in (1..).zip(asked) {
        let claimed = claim.checks.iter().find(|claim| claim.check == number);
        let is_unknown = claimed.is_some_and(|claim| said(claim) == Said::Unknown);
        if !is_unknown || it.derived.needs_execution || !seen.insert((it.derived.rule, it.origin)) {
            continue;
        }
        let Some(alone) = only(query, &[number]) else { continue };
        exhibits.push(sampled(Exhibit {
            technique: NAME.to_owned(),
            kind: Kind::Precision,
            title: format!("what follows by `{}` is unknown ({})", it.derived.rule, it.origin.word()),
            queries: [Some(alone.clone()), asserted(&alone, executor)].into_iter().flatten().collect(),
            relation: Relation::of(&DebugCheckRelation::FollowingIsKnown {
                rule: it.derived.rule.to_owned(),
                origin: it.origin,
            }),
            sample_key: None,
        }));
    }
    exhibits
}

/// The question with some of its checks alone.
fn only(query: &Query, numbers: &[u32]) -> Option<Query> {
    let mut input = query.input.c()?.clone();
    input.annotations.retain(
        |annotation| matches!(annotation.what, AnnotationKind::Check(number) if numbers.contains(&number)),
    );
    Some(Query { input: Input::C(input), ..query.clone() })
}

/// The program whose checks fail where an execution comes and the conditions hold.
pub fn executed(input: &CInput) -> CInput {
    let denied = |annotation: &Annotation| Annotation {
        condition: format!("!({})", annotation.condition).into(),
        ..annotation.clone()
    };
    CInput { annotations: input.annotations.iter().map(denied).collect(), ..input.clone() }
}

/// True if an execution met undefined behaviour.
pub fn has_undefined(executed: &Answer) -> bool {
    executed.checks().is_some_and(|claim| claim.undefined.is_some())
}

/// False if the answer of the engine excludes that the relation is broken.
pub fn may_break(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    let Some(said) = answers.first() else { return true };
    let Some(relation) = DebugCheckRelation::of(exhibit) else { return false };
    match relation {
        DebugCheckRelation::Analyzed => failures::is_broken(exhibit, std::slice::from_ref(said)),
        DebugCheckRelation::HoldingIsNotFalse { .. } => calls_something_false(said),
        DebugCheckRelation::FollowingIsNotFalse { .. } => {
            let input = exhibit.queries.first().and_then(|query| query.input.c());
            calls_something_false(said) && input.is_some_and(has_assumed)
        }
        DebugCheckRelation::FormsAreEquallyKnown { .. } => {
            answers.iter().zip(SAID).all(|(said, expected)| says(said, expected))
        }
        DebugCheckRelation::FollowingIsKnown { .. } => broken(exhibit, std::slice::from_ref(said)),
    }
}

fn calls_something_false(said: &Answer) -> bool {
    said.checks().is_some_and(|claim| claim.checks.iter().any(|it| it.status == CheckStatus::Violated))
}

/// Executions that only look for undefined behaviour hardly ever meet any.
pub fn deciding_prefix(exhibit: &Exhibit) -> usize {
    match DebugCheckRelation::of(exhibit) {
        Some(
            DebugCheckRelation::FollowingIsNotFalse { .. } | DebugCheckRelation::FollowingIsKnown { .. },
        ) => 1,
        Some(DebugCheckRelation::FormsAreEquallyKnown { .. }) => 2,
        Some(DebugCheckRelation::Analyzed | DebugCheckRelation::HoldingIsNotFalse { .. }) | None => {
            exhibit.queries.len()
        }
    }
}

/// The exhibit with its key for sampling.
fn sampled(exhibit: Exhibit) -> Exhibit {
    Exhibit { sample_key: sample_key(&exhibit), ..exhibit }
}

/// An engine does not know many things, and gaps with one rule and the same operators are much alike. Wrong denials
/// differ by the outline of the condition.
fn sample_key(exhibit: &Exhibit) -> Option<String> {
    let query = exhibit.queries.first()?;
    let analyzer = &query.analyzer;
    let outlines = || -> Option<Vec<String>> {
        Some(query.input.c()?.annotations.iter().map(|it| outline(&it.condition)).collect())
    };
    match DebugCheckRelation::of(exhibit)? {
        DebugCheckRelation::Analyzed => None,
        DebugCheckRelation::FollowingIsKnown { rule, origin } => {
            let signs: BTreeSet<char> = outlines()?.concat().chars().collect();
            let signs: String = signs.into_iter().filter(char::is_ascii_punctuation).collect();
            Some(format!("{analyzer}: unknown by {rule}, {}, {signs}", origin.word()))
        }
        DebugCheckRelation::FormsAreEquallyKnown { unknown_rule, .. } => {
            Some(format!("{analyzer}: unknown by {unknown_rule} and known in another form"))
        }
        DebugCheckRelation::HoldingIsNotFalse { rule, .. } => {
            Some(format!("{analyzer}: called false and executed: {rule}, {}", outlines()?.join(" ")))
        }
        DebugCheckRelation::FollowingIsNotFalse { rule, .. } => {
            Some(format!("{analyzer}: called false and assumed: {rule}, {}", outlines()?.join(" ")))
        }
    }
}

/// A condition without the names of its variables and without its digits; types and suffixes of constants stay.
fn outline(condition: &str) -> String {
    const TYPES: [&str; 9] =
        ["char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool"];
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let mut outline = String::new();
    let mut rest = condition;
    while let Some(sign) = rest.chars().next() {
        let length = match is_part(sign) {
            true => rest.find(|next| !is_part(next)).unwrap_or(rest.len()),
            false => sign.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        match sign {
            ' ' => {}
            '0'..='9' => {
                outline.extend(std::iter::once('1').chain(word.chars().filter(|sign| sign.is_alphabetic())))
            }
            _ if is_part(sign) && !TYPES.contains(&word) => outline.push('x'),
            _ => outline.push_str(word),
        }
        rest = after;
    }
    outline
}

/// The answers of an engine that knows one form of a condition and not another, each asked alone.
const SAID: [Said; 2] = [Said::True, Said::Unknown];

/// True if an engine gives this answer to the only condition that it was asked about.
fn says(answer: &Answer, expected: Said) -> bool {
    answer.checks().is_some_and(|claim| matches!(claim.checks.as_slice(), [only] if said(only) == expected))
}

/// Judges the answers to the first queries.
pub fn judge(exhibit: &Exhibit, answers: &[Answer]) -> Judgement {
    match answers.len() < exhibit.queries.len() {
        true => Judgement::on_some(may_break(exhibit, answers)),
        false => Judgement::on_all(broken(exhibit, answers)),
    }
}

/// Decides by the answers to all queries.
pub fn broken(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    let Some(relation) = DebugCheckRelation::of(exhibit) else { return false };
    if relation == DebugCheckRelation::Analyzed {
        return failures::is_broken(exhibit, answers);
    }
    let inputs: Vec<&CInput> = questions(exhibit).collect();
    let executed = answers.get(inputs.len()).map(Answer::checks);
    // Undefined behaviour excuses everything, and what cannot be run might have some.
    if answers.len() < inputs.len() || executed.is_some_and(|it| it.is_none_or(|it| it.undefined.is_some())) {
        return false;
    }
    let is_violated = |input: &CInput| {
        let status = |number: u32| executed.flatten().and_then(|it| it.status(number));
        input.checks().any(|number| status(number) == Some(CheckStatus::Violated))
    };
    // Whether a condition still follows must be seen anew: the program may have become another one.
    match (relation, inputs.as_slice()) {
        (DebugCheckRelation::HoldingIsNotFalse { .. }, [input]) => {
            says(&answers[0], Said::False) && is_violated(input) && derivations(input).is_some()
        }
        (DebugCheckRelation::FollowingIsKnown { .. }, [input]) => {
            says(&answers[0], Said::Unknown) && !is_violated(input) && derivations(input).is_some()
        }
        (DebugCheckRelation::FollowingIsNotFalse { .. }, [input]) => {
            says(&answers[0], Said::False) && has_assumed(input)
        }
        (DebugCheckRelation::FormsAreEquallyKnown { .. }, [known, unknown]) => {
            // A guard only adds to what is known.
            let is_free = known.annotations.iter().all(|it| it.guard.is_none());
            let differ = is_free && answers.iter().zip(SAID).all(|(said, expected)| says(said, expected));
            differ && !is_violated(known) && !is_violated(unknown) && say_the_same(known, unknown)
        }
        (
            DebugCheckRelation::Analyzed
            | DebugCheckRelation::HoldingIsNotFalse { .. }
            | DebugCheckRelation::FollowingIsKnown { .. }
            | DebugCheckRelation::FollowingIsNotFalse { .. }
            | DebugCheckRelation::FormsAreEquallyKnown { .. },
            _,
        ) => false,
    }
}

/// True if the conditions of two programs are forms of one condition at one point.
fn say_the_same(known: &CInput, unknown: &CInput) -> bool {
    match (derivations(known).as_deref(), derivations(unknown).as_deref()) {
        (Some([(point, one, _)]), Some([(other_point, other, _)])) => {
            let places =
                |input: &CInput| input.annotations.iter().map(|it| (it.place, it.within)).collect::<Vec<_>>();
            let are_together = known.base == unknown.base && places(known) == places(unknown);
            one.class == other.class && point == other_point && are_together
        }
        _ => false,
    }
}

/// The programs of the questions to the engine: two if it knows one form and not another.
pub fn questions(exhibit: &Exhibit) -> impl Iterator<Item = &CInput> {
    let is_about_forms =
        matches!(DebugCheckRelation::of(exhibit), Some(DebugCheckRelation::FormsAreEquallyKnown { .. }));
    let questions = if is_about_forms { 2 } else { 1 };
    exhibit.queries.iter().take(questions).filter_map(|query| query.input.c())
}

/// Why the conditions of all questions hold.
pub fn all_derivations(exhibit: &Exhibit) -> Vec<(usize, Derived, Origin)> {
    questions(exhibit).filter_map(derivations).flatten().collect()
}

/// The point of each annotation of a program and why its condition holds there; `None` if one does not follow.
pub fn derivations(input: &CInput) -> Option<Vec<(usize, Derived, Origin)>> {
    let wants = |place| input.annotations.iter().any(|annotation| annotation.place == place);
    let prepared: Prepared = prepare_where("program", &input.base, input.data_model, &wants).ok()?;
    // The places are those of the normal form, which must be the program itself.
    if prepared.base != input.base {
        return None;
    }
    let derivation = |annotation: &Annotation| {
        let here = |point: &super::prepared::Point| {
            point.place == annotation.place && point.within == annotation.within
        };
        prepared.points.iter().enumerate().filter(|(_, point)| here(point)).find_map(|(index, point)| {
            let found = point.derived.iter().find(|derived| {
                derived.condition == *annotation.condition
                    && derived.guard.as_deref() == annotation.guard.as_deref()
            })?;
            Some((index, found.clone(), point.origin))
        })
    };
    input.annotations.iter().map(derivation).collect()
}

#[cfg(test)]
mod tests {
    use super::outline;

    #[test]
    fn an_outline_has_no_names_and_no_digits() {
        assert_eq!(outline("(long)local_0 != 2147483648UL"), "(long)x!=1UL");
        assert_eq!(outline("!(a.b[3] > 1.5f) && p"), "!(x.x[1]>1.1f)&&x");
        assert_eq!(outline("é == 0x1F"), "é==1xF");
    }
}
