//! What may be varied in the use of an analyzer: its options with their values, as its description declares them.

use serde::{Deserialize, Serialize};

/// The options of one analyzer that a search may vary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Space {
    /// The options, each once.
    pub parameters: Vec<Parameter>,
}

impl Space {
    /// The option with this name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The option that selects the abstract domain, if there is one.
    pub fn domain(&self) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.is_domain)
    }
}

/// One option that a search may vary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// The option.
    pub name: String,
    /// Its values. Those of an integer and of an ordered option ascend.
    pub values: Vec<String>,
    /// How the values are related.
    pub scale: Scale,
    /// The value that the analyzer uses if the option is not given; none if only leaving it out has that effect.
    pub default: Option<String>,
    /// True for the option that selects the abstract domain, which matters more than all others.
    pub is_domain: bool,
    /// Pairs of values of which the second is meant to be more precise than the first.
    pub finer: Vec<[String; 2]>,
    /// It has an effect only if another option has one of these values.
    pub needs: Option<Condition>,
    /// Options that cannot be given together with it.
    pub excludes: Vec<String>,
    /// False if values can make the analyzer miss executions.
    pub sound: bool,
}

/// How the values of an option are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// They are words without an order.
    Words,
    /// Each is meant to be larger or more precise than the one before it.
    Ascending,
    /// A value is any set of these words, separated by commas.
    Set,
}

/// Another option must have one of some values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Condition {
    /// The other option.
    pub option: String,
    /// Its values; one of the words, if it is a set.
    pub values: Vec<String>,
}
