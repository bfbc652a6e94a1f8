//! Exhibits from a store that this version of juvenal cannot judge.

use crate::Technique;
use model::Exhibit;
use std::fmt;

/// Why an exhibit cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unjudgeable {
    /// There is no technique of this name.
    NoTechnique(String),
    /// The technique cannot read the relation of the exhibit.
    UnreadableRelation(String),
}

impl fmt::Display for Unjudgeable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unjudgeable::NoTechnique(name) => write!(f, "this juvenal has no technique {name}"),
            Unjudgeable::UnreadableRelation(name) => write!(
                f,
                "{name} cannot read the finding: it was written by another version of juvenal. Use that version, or hunt \
                 again"
            ),
        }
    }
}

impl std::error::Error for Unjudgeable {}

/// Finds the technique that judges an exhibit, and checks that it can read the exhibit's relation.
pub fn judge_of<'a>(techniques: &[&'a Technique], exhibit: &Exhibit) -> Result<&'a Technique, Unjudgeable> {
    let name = &exhibit.technique;
    let technique = crate::find(techniques, name).ok_or_else(|| Unjudgeable::NoTechnique(name.clone()))?;
    match (technique.judge.reads)(&exhibit.relation) {
        true => Ok(technique),
        false => Err(Unjudgeable::UnreadableRelation(name.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripts::relation::ScriptRelation;
    use model::{Kind, Relation, RelationData};
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    struct NextVersion;

    impl RelationData for NextVersion {
        const SCHEMA: u32 = ScriptRelation::SCHEMA + 1;
    }

    fn exhibit(technique: &str, relation: Relation) -> Exhibit {
        Exhibit {
            technique: technique.to_owned(),
            kind: Kind::Soundness,
            title: String::new(),
            queries: Vec::new(),
            relation,
            sample_key: None,
        }
    }

    #[test]
    fn an_exhibit_of_another_version_is_refused() {
        let known = Relation::of(&ScriptRelation::Satisfiable { assignment: String::new() });
        let judged = |technique: &str, relation: &Relation| {
            judge_of(crate::all(), &exhibit(technique, relation.clone())).map(|technique| technique.name)
        };
        assert_eq!(judged("satisfiable", &known), Ok("satisfiable"));
        assert_eq!(judged("storm", &known), Err(Unjudgeable::NoTechnique("storm".to_owned())));
        let refused = judged("satisfiable", &Relation::of(&NextVersion)).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "satisfiable cannot read the finding: it was written by another version of juvenal. Use that version, or \
             hunt again"
        );
        assert!(judged("runtime", &known).is_err(), "a relation of another technique");
    }
}
