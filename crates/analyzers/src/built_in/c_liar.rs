//! The built-in liar for C programs: `exact-c`, which runs a program on every input, with planted bugs.

use super::operator_lies::{self, Rule};
use super::{assumption_lies, place_lies};
use crate::description::Description;
use crate::error::DescriptionError;
use model::{CInput, CheckStatus, ChecksClaim, Claim, Verdict};
use std::collections::BTreeSet;

/// The name of the built-in liar for C programs.
pub const LIAR_C: &str = "liar-c";

/// The description of its honest counterpart.
const HONEST: &str = include_str!("../../../../analyzers/exact-c.toml");

/// The lies of the liar without configuration. Each is a separate bug.
const USUAL_LIES: [CLie; 3] = [CLie::Signed, CLie::Call, CLie::Stacked];

/// One planted bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CLie {
    /// Keeps only the first of two conjuncts of an assumption.
    Conjunct,
    /// Reads unsigned comparisons in assumptions as signed ones.
    Signed,
    /// Reads assumptions as if there were no NaN.
    Nan,
    /// Truncates integer constants in assumptions to 16 bits.
    Narrow,
    /// Loses executions that pass an assumption in a loop and leave the loop by its condition.
    LoopExit,
    /// Forgets assumptions after a call.
    Call,
    /// Loses all executions after three assumptions at the same place.
    Stacked,
    /// Reads large constants in checks as small ones.
    Scaled,
    /// Forgets everything after a loop.
    Loop,
    /// Reads `~x` as `-x`.
    Complement,
    /// Reads `0 % y` as `y`.
    ZeroRemainder,
    /// Reads the remainders of negative numbers as natural numbers.
    NegativeRemainder,
    /// Reads the negation of an unsigned number as 0.
    Minus,
    /// Stops unsigned sums, differences and products at the ends of the type.
    Wrap,
    /// Reads a quotient that is not exact as the dividend.
    Quotient,
    /// Shifts to the right by one place less, if the distance is a constant.
    Shift,
    /// Drops casts to signed types.
    Cast,
    /// Compares signed numbers as unsigned ones.
    Signedness,
    /// Negates the parts of a conjunction or a disjunction without exchanging the operators.
    Negation,
    /// Reads quotients in functions other than `main` as 0 only if the dividend is.
    Helper,
    /// Keeps only the first conjunct of a condition of the program.
    DroppedGuard,
    /// Keeps 16 bits of sums, differences and products.
    TruncatedWidth,
    /// Loses executions that enter the body of a loop more than four times in a row.
    LoopBound,
}

const NAMES: [(&str, CLie); 23] = [
    ("conjunct", CLie::Conjunct),
    ("signed", CLie::Signed),
    ("nan", CLie::Nan),
    ("narrow", CLie::Narrow),
    ("loop-exit", CLie::LoopExit),
    ("call", CLie::Call),
    ("stacked", CLie::Stacked),
    ("scaled", CLie::Scaled),
    ("loop", CLie::Loop),
    ("complement", CLie::Complement),
    ("zero-remainder", CLie::ZeroRemainder),
    ("negative-remainder", CLie::NegativeRemainder),
    ("minus", CLie::Minus),
    ("wrap", CLie::Wrap),
    ("quotient", CLie::Quotient),
    ("shift", CLie::Shift),
    ("cast", CLie::Cast),
    ("signedness", CLie::Signedness),
    ("negation", CLie::Negation),
    ("helper", CLie::Helper),
    ("dropped-guard", CLie::DroppedGuard),
    ("truncated-width", CLie::TruncatedWidth),
    ("loop-bound", CLie::LoopBound),
];

impl CLie {
    /// Finds a lie by its name.
    pub fn from_name(name: &str) -> Option<CLie> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, lie)| *lie)
    }

    /// Returns the names of all lies.
    pub fn names() -> Vec<&'static str> {
        NAMES.iter().map(|(name, _)| *name).collect()
    }

    /// Returns the program that the lie executes in place of another, or `None` if it does not affect it.
    fn distort(self, input: &CInput) -> Option<CInput> {
        match self {
            CLie::Conjunct => assumption_lies::conjunct(input),
            CLie::Signed => assumption_lies::signed(input),
            CLie::Nan => assumption_lies::nan(input),
            CLie::Narrow => assumption_lies::narrow(input),
            CLie::LoopExit => place_lies::loop_exit(input),
            CLie::Stacked => place_lies::stacked(input),
            CLie::Scaled => assumption_lies::scaled(input),
            CLie::LoopBound => operator_lies::loop_bound(input),
            CLie::Call | CLie::Loop => None,
            CLie::Complement => operator_lies::misread(input, Rule::Complement),
            CLie::ZeroRemainder => operator_lies::misread(input, Rule::ZeroRemainder),
            CLie::NegativeRemainder => operator_lies::misread(input, Rule::NegativeRemainder),
            CLie::Minus => operator_lies::misread(input, Rule::Minus),
            CLie::Wrap => operator_lies::misread(input, Rule::Wrap),
            CLie::Quotient => operator_lies::misread(input, Rule::Quotient),
            CLie::Shift => operator_lies::misread(input, Rule::Shift),
            CLie::Cast => operator_lies::misread(input, Rule::Cast),
            CLie::Signedness => operator_lies::misread(input, Rule::Signedness),
            CLie::Negation => operator_lies::misread(input, Rule::Negation),
            CLie::Helper => operator_lies::misread(input, Rule::Helper),
            CLie::DroppedGuard => operator_lies::misread(input, Rule::DroppedGuard),
            CLie::TruncatedWidth => operator_lies::misread(input, Rule::TruncatedWidth),
        }
    }
}

/// The liar with its lies. Some lies change the program that it executes, others the verdicts that it reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CLiar {
    lies: Vec<CLie>,
}

impl CLiar {
    /// Creates the liar with the configuration after `liar-c:`.
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

    /// Returns its description: that of `exact-c` under another name. It cannot be a witness, and its family differs from
    /// that of the honest executions, which judge it.
    pub fn description() -> Result<Description, DescriptionError> {
        let mut description = Description::parse("exact-c.toml", HONEST)?;
        description.name = LIAR_C.to_owned();
        description.title = "Built-in liar for C".to_owned();
        description.summary = "Exhaustive execution, part of juvenal, that lies on purpose.".to_owned();
        description.family = LIAR_C.to_owned();
        if let Some(role) = &mut description.reachability {
            role.executes = false;
        }
        Ok(description)
    }

    /// Returns the program that it executes in place of another. Both have the same checks.
    pub(crate) fn distort(&self, input: &CInput) -> CInput {
        let mut distorted = input.clone();
        for lie in &self.lies {
            if let Some(changed) = lie.distort(&distorted) {
                distorted = changed;
            }
        }
        distorted
    }

    /// Returns its verdict on a program, given the verdict on the program that it executed in its place.
    pub(crate) fn reported(&self, input: &CInput, seen: Verdict) -> Verdict {
        let Verdict::Claim(Claim::Checks(mut claim)) = seen else { return seen };
        let mut forgotten = BTreeSet::new();
        if self.lies.contains(&CLie::Call) {
            forgotten.extend(place_lies::checks_after_calls(input));
        }
        if self.lies.contains(&CLie::Loop) {
            forgotten.extend(place_lies::checks_after_loops(input));
        }
        for check in claim.checks.iter_mut().filter(|check| forgotten.contains(&check.check)) {
            if check.status == CheckStatus::Verified {
                check.status = CheckStatus::Violated;
            }
        }
        Verdict::Claim(Claim::Checks(claim))
    }

    /// What it prints: a line for each check.
    pub(crate) fn printed(&self, claim: &ChecksClaim) -> String {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Annotation, AnnotationKind, CheckClaim, DataModel};

    fn chosen(value: &str) -> Result<CLiar, String> {
        CLiar::configured(&[("lie".to_owned(), value.to_owned())])
    }

    #[test]
    fn configurations_are_accepted_or_rejected() {
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
    fn the_liar_cannot_be_a_witness() {
        let description = CLiar::description().unwrap();
        let role = description.reachability.as_ref().unwrap();
        assert_eq!(description.name, LIAR_C);
        assert!(!role.executes && role.approximation == model::Approximation::Exact);
    }

    #[test]
    fn printed_answers_match_reported_answers() {
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
        let seen = Verdict::Claim(Claim::Checks(claim));
        for (lie, expected) in [
            ("call", "check 1 violated\ncheck 2 violated\n"),
            ("none", "check 1 verified\ncheck 2 violated\n"),
            ("stacked", "check 1 verified\ncheck 2 violated\n"),
        ] {
            let liar = chosen(lie).unwrap();
            let Verdict::Claim(Claim::Checks(claim)) = liar.reported(&input, seen.clone()) else { panic!() };
            assert_eq!(liar.printed(&claim), expected, "{lie}");
            let first = claim.status(1).unwrap();
            assert_eq!(first == CheckStatus::Violated, lie == "call");
        }
    }
}
