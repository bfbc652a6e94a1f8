//! What the answers to the queries of an exhibit must not break.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A relation between answers, as its technique has written it. Only the technique knows its type; stores and
/// reports pass it on without reading it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relation {
    schema: u32,
    data: Value,
}

/// The relations of a technique: an enum that says what must hold, with everything that its judge needs apart from the
/// answers.
pub trait RelationData: Serialize + DeserializeOwned {
    /// The version of the type. It is raised when data of the previous version would be misread.
    const SCHEMA: u32;
}

impl Relation {
    /// Stores a relation. Data that cannot be serialized becomes a null value, which [`Relation::read`] rejects.
    pub fn of<T: RelationData>(relation: &T) -> Relation {
        Relation { schema: T::SCHEMA, data: serde_json::to_value(relation).unwrap_or(Value::Null) }
    }

    /// Reads a relation back. The result is `None` if it was written with another schema number or has another shape.
    pub fn read<T: RelationData>(&self) -> Option<T> {
        (self.schema == T::SCHEMA).then(|| T::deserialize(&self.data).ok())?
    }

    /// True if [`Relation::read`] gives a relation of this type.
    pub fn is<T: RelationData>(&self) -> bool {
        self.read::<T>().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "relation", rename_all = "kebab-case")]
    enum First {
        Plain,
        Numbered { numbers: Vec<u32> },
    }

    impl RelationData for First {
        const SCHEMA: u32 = 1;
    }

    #[derive(Serialize, Deserialize)]
    #[serde(tag = "relation", rename_all = "kebab-case")]
    enum Second {
        Plain,
    }

    impl RelationData for Second {
        const SCHEMA: u32 = 2;
    }

    #[test]
    fn a_relation_reads_back_and_only_as_what_it_was() {
        let relation = Relation::of(&First::Numbered { numbers: vec![3, 5] });
        let text = serde_json::to_string(&relation).unwrap();
        assert_eq!(text, r#"{"schema":1,"data":{"numbers":[3,5],"relation":"numbered"}}"#);
        let stored: Relation = serde_json::from_str(&text).unwrap();
        assert_eq!(stored.read(), Some(First::Numbered { numbers: vec![3, 5] }));
        assert!(!Relation::of(&First::Plain).is::<Second>(), "another schema number");
        assert!(!Relation { schema: 2, ..relation }.is::<Second>(), "another shape");
        assert!(Relation::of(&Second::Plain).is::<Second>());
    }
}
