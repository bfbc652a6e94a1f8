//! The relations of the techniques for SMT solvers.

use model::{Exhibit, RelationData, SmtStatus};
use serde::{Deserialize, Serialize};

/// What the answers of solvers must not break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "relation", rename_all = "kebab-case")]
pub enum ScriptRelation {
    /// No check answers `unsat`, because the assignment satisfies every assertion.
    Satisfiable {
        /// The values of all symbols, as definitions.
        assignment: String,
    },
    /// The model of a `sat` answer satisfies every assertion.
    ModelSatisfies {
        /// The model that was refuted first. Reduction takes values from it.
        claimed_model: String,
    },
    /// The solver does not crash.
    DoesNotCrash {
        /// The location of the crash.
        signature: String,
    },
    /// The solver accepts a script that is made of parts that it accepted before.
    Accepts {
        /// The error message, without numbers.
        signature: String,
    },
    /// All solvers that decide the script give the same answer. The evaluator does not show which of them is right.
    SolversAgree {
        /// The answer of the accused solver.
        said: SmtStatus,
        /// How many others gave the opposite answer.
        opponents: usize,
    },
}

impl RelationData for ScriptRelation {
    const SCHEMA: u32 = 1;
}

impl ScriptRelation {
    /// The relation of an exhibit.
    pub fn of(exhibit: &Exhibit) -> Option<ScriptRelation> {
        exhibit.relation.read()
    }
}
