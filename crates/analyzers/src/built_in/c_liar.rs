//! The built-in liar about C programs: `exact-c`, which runs a program on every input, with planted bugs.

use super::{assumption_lies, place_lies};
use crate::description::Description;
use crate::error::DescriptionError;
use model::{Answer, CInput, CheckStatus, ChecksClaim, Claim, Verdict};
use std::collections::BTreeSet;

/// The name of the built-in liar about C programs.
pub const LIAR_C: &str = "liar-c";

/// What it would be without its lies.
const HONEST: &str = include_str!("../../../../analyzers/exact-c.toml");

/// The lies of the plain liar: each is a bug of its own.
const USUAL_LIES: [CLie; 3] = [CLie::Signed, CLie::Call, CLie::Stacked];

/// One planted bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CLie {
    /// An assumption with two conjuncts keeps only the first.
    Conjunct,
    /// Assumptions compare unsigned numbers as if they were signed.
    Signed,
    /// Assumptions are read as if there were no NaN.
    Nan,
    /// Integer constants in assumptions lose what is above their lowest 16 bits.
    Narrow,
    /// Executions that leave a loop by its condition after an assumption in its body are lost.
    LoopExit,
    /// Behind a call, nothing is known any more of what was assumed before it.
    Call,
    /// No execution goes on behind three assumptions at one place.
    Stacked,
    /// Great constants in checks are taken for small ones.
    Scaled,
    /// Behind a loop, nothing is known any more.
    Loop,
}

const NAMES: [(&str, CLie); 9] = [
    ("conjunct", CLie::Conjunct),
    ("signed", CLie::Signed),
    ("nan", CLie::Nan),
    ("narrow", CLie::Narrow),
    ("loop-exit", CLie::LoopExit),
    ("call", CLie::Call),
    ("stacked", CLie::Stacked),
    ("scaled", CLie::Scaled),
    ("loop", CLie::Loop),
];

impl CLie {
    /// The lie of this name.
    pub fn from_name(name: &str) -> Option<CLie> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, lie)| *lie)
    }

    /// The names of all lies.
    pub fn names() -> Vec<&'static str> {
        NAMES.iter().map(|(name, _)| *name).collect()
    }

    /// The program that is executed in the place of another; none where the lie has nothing to say.
    fn told(self, input: &CInput) -> Option<CInput> {
        match self {
            CLie::Conjunct => assumption_lies::conjunct(input),
            CLie::Signed => assumption_lies::signed(input),
            CLie::Nan => assumption_lies::nan(input),
            CLie::Narrow => assumption_lies::narrow(input),
            CLie::LoopExit => place_lies::loop_exit(input),
            CLie::Stacked => place_lies::stacked(input),
            CLie::Scaled => assumption_lies::scaled(input),
            CLie::Call | CLie::Loop => None,
        }
    }
}

/// The liar with its lies. It lies twice: what it executes is not what it was given, and what it reports is not what
/// it has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CLiar {
    lies: Vec<CLie>,
}

impl CLiar {
    /// The liar with the choices behind `liar-c:`; an error if they make no sense.
    pub fn configured(configuration: &[(String, String)]) -> Result<CLiar, String> {
        let mut lies = USUAL_LIES.to_vec();
        for (key, value) in configuration {
            lies = match (key.as_str(), value.as_str()) {
                ("lie", "none") => Vec::new(),
                ("lie", name) => vec![CLie::from_name(name).ok_or_else(|| {
                    format!("{LIAR_C} has no lie `{name}`; it has none, {}", CLie::names().join(", "))
                })?],
                _ => return Err(format!("{LIAR_C} has no key `{key}`; it has lie=NAME")),
            };
        }
        Ok(CLiar { lies })
    }

    /// Its description: that of `exact-c` under another name. Nobody may call it as a witness, and it is no relative
    /// of those that execute programs honestly: they are its judges.
    pub fn description() -> Result<Description, DescriptionError> {
        let mut description = Description::parse("exact-c.toml", HONEST)?;
        description.name = LIAR_C.to_owned();
        description.title = "Built-in liar about C".to_owned();
        description.summary = "Exhaustive execution that is part of juvenal and lies on purpose.".to_owned();
        description.family = LIAR_C.to_owned();
        if let Some(role) = &mut description.reachability {
            role.executes = false;
        }
        Ok(description)
    }

    /// The program that it executes when it is asked about a program. The checks are the same.
    pub fn told(&self, input: &CInput) -> CInput {
        let mut told = input.clone();
        for lie in &self.lies {
            if let Some(changed) = lie.told(&told) {
                told = changed;
            }
        }
        told
    }

    /// What it answers about a program, given what the execution of the told one showed.
    pub fn reported(&self, input: &CInput, seen: Answer) -> Answer {
        let Verdict::Claim(Claim::Checks(mut claim)) = seen.verdict else { return seen };
        let mut forgotten = BTreeSet::new();
        if self.lies.contains(&CLie::Call) {
            forgotten.extend(place_lies::checks_behind_calls(input));
        }
        if self.lies.contains(&CLie::Loop) {
            forgotten.extend(place_lies::checks_behind_loops(input));
        }
        for check in claim.checks.iter_mut().filter(|check| forgotten.contains(&check.check)) {
            if check.status == CheckStatus::Verified {
                check.status = CheckStatus::Violated;
            }
        }
        let output = printed(&claim).into_bytes();
        Answer { verdict: Verdict::Claim(Claim::Checks(claim)), cost: seen.cost, output }
    }
}

/// What it prints: a line for each check.
fn printed(claim: &ChecksClaim) -> String {
    let mut text = String::new();
    for check in &claim.checks {
        let status = match check.status {
            CheckStatus::Verified => "verified",
            CheckStatus::Violated => "violated",
            CheckStatus::Unknown => "unknown",
        };
        let inputs = check.inputs.as_ref().map_or(String::new(), |inputs| format!(" by {inputs}"));
        text.push_str(&format!("check {} {status}{inputs}\n", check.check));
    }
    if let Some(undefined) = &claim.undefined {
        text.push_str(&format!("{undefined}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Annotation, AnnotationKind, CheckClaim, Cost, DataModel};

    fn chosen(value: &str) -> Result<CLiar, String> {
        CLiar::configured(&[("lie".to_owned(), value.to_owned())])
    }

    #[test]
    fn choices_are_read_or_refused() {
        assert_eq!(CLiar::configured(&[]).unwrap().lies, USUAL_LIES);
        assert!(chosen("none").unwrap().lies.is_empty());
        for (name, lie) in NAMES {
            assert_eq!(chosen(name).unwrap().lies, [lie]);
            assert!(
                include_str!("liar-c.md").contains(&format!("\n| {name} |")),
                "{name} is not in the manual"
            );
        }
        assert!(chosen("bold").unwrap_err().contains("it has none, conjunct"));
        assert!(CLiar::configured(&[("truth".to_owned(), "x".to_owned())]).unwrap_err().contains("lie=NAME"));
    }

    #[test]
    fn it_is_no_witness() {
        let description = CLiar::description().unwrap();
        let role = description.reachability.as_ref().unwrap();
        assert_eq!(description.name, LIAR_C);
        assert!(!role.executes && role.approximation == model::Approximation::Exact);
    }

    #[test]
    fn what_is_reported_is_what_is_printed() {
        let base = "void f(void) {}\nint main(void) {\n  int x = 1;\n  f();\n  return x;\n}\n";
        let annotation = |before: &str, what, condition: &str| {
            Annotation::new(base.find(before).unwrap() as u32, what, condition)
        };
        let input = CInput {
            base: base.into(),
            data_model: DataModel::Lp64,
            annotations: vec![
                annotation("f();", AnnotationKind::Assume, "x > 0"),
                annotation("return", AnnotationKind::Check(1), "x > 0"),
                annotation("return", AnnotationKind::Check(2), "x > 1"),
            ],
        };
        let said = CheckClaim::new;
        let claim = ChecksClaim {
            checks: vec![said(1, CheckStatus::Verified), said(2, CheckStatus::Violated)],
            undefined: None,
        };
        let seen = Answer {
            verdict: Verdict::Claim(Claim::Checks(claim)),
            cost: Cost::default(),
            output: Vec::new(),
        };
        for (lie, expected) in [
            ("call", "check 1 violated\ncheck 2 violated\n"),
            ("none", "check 1 verified\ncheck 2 violated\n"),
            ("stacked", "check 1 verified\ncheck 2 violated\n"),
        ] {
            let answer = chosen(lie).unwrap().reported(&input, seen.clone());
            assert_eq!(String::from_utf8(answer.output.clone()).unwrap(), expected, "{lie}");
            let first = answer.checks().unwrap().status(1).unwrap();
            assert_eq!(first == CheckStatus::Violated, lie == "call");
        }
    }
}
