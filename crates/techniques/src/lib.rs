//! Techniques: ways to catch analyzers giving answers that cannot all be right.
//!
//! A technique never runs anything. Given the answers so far, it decides what to ask next; when answers contradict each
//! other or the truth, it reports an exhibit.
//!
//! Invariant: everything here is pure. No files, no processes, no clock; all randomness comes from the case.

pub mod assess;
mod case;
mod checks;
pub mod conformance;
pub mod conjunctive_query;
mod count;
mod datalog_walk;
pub mod debug_check;
pub mod differential;
mod drawn_options;
pub mod execution;
mod failures;
mod generated;
mod integers;
pub mod interrogation;
mod keywords_in;
mod knobs;
mod maze;
mod pass;
pub mod precedence_graph;
pub mod rewrites;
pub mod runtime;
pub mod satisfiable;
mod scripts;
pub mod solver_differential;
mod subjects;
mod technique;
mod text_pass;
mod trial;
mod unjudgeable;

pub use case::{Case, MadeScripts, Notes, Opening, Step};
pub use count::{Count, Share};
pub use datalog_walk::ProgramPart;
pub use pass::{Pass, Patch};
pub use scripts::ScriptPatch;
pub use technique::{
    Decide, Hearing, Judge, Judgement, MadeSeed, Open, Seeds, Stance, Technique, every_query,
};
pub use text_pass::INITIALIZE;
pub use trial::{Trial, Trials};
pub use unjudgeable::{Unjudgeable, judge_of};

/// Every technique that `juvenal hunt` knows, in the order of their turns: those with short cases first.
pub fn all() -> &'static [&'static Technique] {
    static ALL: &[&Technique] = &[
        &debug_check::TECHNIQUE,
        &runtime::TECHNIQUE,
        &satisfiable::TECHNIQUE,
        &solver_differential::TECHNIQUE,
        &differential::TECHNIQUE,
        &interrogation::TECHNIQUE,
        &precedence_graph::TECHNIQUE,
        &conjunctive_query::TECHNIQUE,
    ];
    ALL
}

/// Finds a technique by its name.
pub fn find<'a>(techniques: &[&'a Technique], name: &str) -> Option<&'a Technique> {
    techniques.iter().copied().find(|technique| technique.name == name)
}
