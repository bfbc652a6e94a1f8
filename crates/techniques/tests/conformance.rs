//! Every technique has what a technique must have, and the kit notices what is missing.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use model::{Evidence, Knob, KnobRange, Language, Weighed};
use std::collections::BTreeSet;
use techniques::conformance::defects;
use techniques::{Judge, Judgement, Pass, Patch, Seeds, Stance, Technique, Trial, Trials, all, every_query};

#[test]
fn no_technique_lacks_anything() {
    let mut names = BTreeSet::new();
    for technique in all() {
        assert_eq!(defects(technique), Vec::<String>::new(), "{}", technique.name);
        assert!(names.insert(technique.name), "{} is listed twice", technique.name);
    }
}

struct Nothing;

impl Pass for Nothing {
    fn name(&self) -> &'static str {
        "nothing"
    }

    fn proposals(&self, _exhibit: &model::Exhibit) -> Vec<Patch> {
        Vec::new()
    }

    fn apply(&self, _exhibit: &model::Exhibit, _patches: &[Patch]) -> Option<model::Exhibit> {
        None
    }
}

const MANUAL: &str = "# complete
## What it finds
Bugs.
## How it works
Well.
## Why its findings are true
They are checked.
## Example
One.
## References
None.
";
const WITHOUT_EXAMPLE: &str = "# complete
## What it finds
Bugs.
## How it works
Well.
## Why its findings are true
They are checked.
## Example
## References
None.
";
const KNOB: Knob = Knob { key: "size", default: "5", meaning: "how much", range: KnobRange::Number(1..=9) };

const TWIN: Trial = Trial::of(&["liar-smt:lie=none"], 1);
const LIARS: &[Trial] = &[Trial::of(&["liar-smt"], 1)];
const IMPOSSIBLE: &[Trial] = &[Trial { knobs: &[("size", "1")], ..Trial::of(&["liar-smt"], 1) }];

fn knobs(knobs: Vec<Knob>) -> &'static [Knob] {
    knobs.leak()
}

/// A technique that lacks nothing and does nothing.
fn complete() -> Technique {
    Technique {
        name: "complete",
        language: Language::SMT,
        seed_language: Language::SMT,
        manual: MANUAL,
        knobs: knobs(vec![KNOB]),
        seeds: Seeds::Given,
        cases_in_a_row: 1,
        least_subjects: 1,
        shares: &[],
        stance: |_| Stance::SubjectAndWitness,
        open: &|_| unreachable!("no case is opened"),
        judge: Judge {
            reads: |_| true,
            judge: &|_, _| Judgement::Intact,
            deciding_prefix: every_query,
            hearing: |_, _, _| Vec::new(),
            weigh: |_, _| Weighed {
                kind: None,
                evidence: Evidence::Suspicion,
                reasons: Vec::new(),
                files: Vec::new(),
            },
            features: |_, _| BTreeSet::new(),
        },
        passes: &[&Nothing],
        with_text: None,
        trials: Trials { twin: Some(TWIN), liars: LIARS },
    }
}

/// Rows: what is wrong with a technique, and a part of the sentence that says so.
#[test]
fn the_kit_notices_what_is_missing() {
    assert_eq!(defects(&complete()), Vec::<String>::new());
    let rows: [(Technique, &str); 13] = [
        (Technique { manual: "## What it finds\n", ..complete() }, "the manual has the headings"),
        (
            Technique { manual: WITHOUT_EXAMPLE, ..complete() },
            "the manual has nothing under the heading Example",
        ),
        (Technique { passes: &[], ..complete() }, "no reduction pass"),
        (Technique { knobs: knobs(vec![KNOB, KNOB]), ..complete() }, "size is declared twice"),
        (Technique { knobs: knobs(vec![Knob { meaning: "", ..KNOB }]), ..complete() }, "size has no meaning"),
        (
            Technique {
                knobs: knobs(vec![Knob { range: KnobRange::Text { syntax: "", check: |_| Ok(()) }, ..KNOB }]),
                ..complete()
            },
            "size has no range",
        ),
        (
            Technique { knobs: knobs(vec![Knob { default: "10", ..KNOB }]), ..complete() },
            "the default of the knob size is not a whole number from 1 to 9",
        ),
        (Technique { passes: &[&Nothing, &Nothing], ..complete() }, "two passes"),
        (Technique { trials: Trials { twin: None, liars: LIARS }, ..complete() }, "no honest twin"),
        (Technique { trials: Trials { twin: Some(TWIN), liars: &[] }, ..complete() }, "no liar"),
        (Technique { least_subjects: 2, ..complete() }, "too few analyzers"),
        (
            Technique {
                trials: Trials { twin: Some(Trial { cases: 0, ..TWIN }), liars: LIARS },
                ..complete()
            },
            "has no cases",
        ),
        (
            Technique { knobs: &[], trials: Trials { twin: Some(TWIN), liars: IMPOSSIBLE }, ..complete() },
            "sets size=1",
        ),
    ];
    for (technique, expected) in rows {
        let found = defects(&technique);
        assert!(found.iter().any(|defect| defect.contains(expected)), "{expected}: {found:?}");
    }
}
