//! Recipes: analyzers with options, one after the other.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// One or several ingredients that run one after the other. What earlier ones verify is assumed by later ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Recipe(pub Vec<Ingredient>);

/// An analyzer with options.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ingredient {
    /// The number of the analyzer among those that are tuned.
    pub analyzer: usize,
    /// The options that are given. Every other option has its default.
    pub options: BTreeMap<String, String>,
}

impl Ingredient {
    /// An analyzer with its defaults.
    pub fn default_of(analyzer: usize) -> Ingredient {
        Ingredient { analyzer, options: BTreeMap::new() }
    }

    /// The options as pairs, in the order of their names.
    pub fn choices(&self) -> Vec<(String, String)> {
        self.options.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

impl Recipe {
    /// The first analyzer with its defaults.
    pub fn default_recipe() -> Recipe {
        Recipe(vec![Ingredient::default_of(0)])
    }

    /// True if no analyzer runs twice.
    pub fn names_each_analyzer_once(&self) -> bool {
        let analyzers = || self.0.iter().map(|ingredient| ingredient.analyzer);
        analyzers().all(|analyzer| analyzers().filter(|other| *other == analyzer).count() == 1)
    }

    /// How far it is from the default: options that are given, and ingredients beyond the first.
    pub fn changes(&self) -> usize {
        let options: usize = self.0.iter().map(|ingredient| ingredient.options.len()).sum();
        options + self.0.len().saturating_sub(1)
    }

    /// Every recipe with one change less, and that change: an option that is left out, or a whole ingredient.
    pub fn simpler(&self) -> Vec<(Recipe, Change)> {
        let mut simpler = Vec::new();
        for (place, ingredient) in self.0.iter().enumerate() {
            for (name, value) in &ingredient.options {
                let mut recipe = self.clone();
                recipe.0[place].options.remove(name);
                simpler.push((recipe, Change::Option { place, name: name.clone(), value: value.clone() }));
            }
            if self.0.len() > 1 {
                let mut recipe = self.clone();
                recipe.0.remove(place);
                simpler.push((recipe, Change::Ingredient { place }));
            }
        }
        simpler
    }

    /// The recipe in words, given the names of the analyzers: `frama-c:precision=3 then frama-c:slevel=100`.
    pub fn in_words(&self, analyzers: &[String]) -> String {
        let ingredient = |ingredient: &Ingredient| {
            let name = analyzers.get(ingredient.analyzer).map_or("?", String::as_str);
            let mut text = name.to_owned();
            for (index, (key, value)) in ingredient.options.iter().enumerate() {
                // The configuration of the line-up may already follow the name.
                text.push(if index == 0 && !name.contains(':') { ':' } else { ',' });
                text.push_str(&format!("{key}={value}"));
            }
            text
        };
        self.0.iter().map(ingredient).collect::<Vec<String>>().join(" then ")
    }
}

/// One difference from the default.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// An option with a value other than the default.
    Option {
        /// The place of the ingredient.
        place: usize,
        /// The option.
        name: String,
        /// Its value.
        value: String,
    },
    /// A whole ingredient.
    Ingredient {
        /// Its place.
        place: usize,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Option { place: 0, name, value } => write!(f, "{name}={value}"),
            Change::Option { place, name, value } => write!(f, "{name}={value} of ingredient {}", place + 1),
            Change::Ingredient { place } => write!(f, "ingredient {}", place + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(options: &[&[(&str, &str)]]) -> Recipe {
        let ingredient = |options: &&[(&str, &str)]| Ingredient {
            analyzer: 0,
            options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        };
        Recipe(options.iter().map(ingredient).collect())
    }

    #[test]
    fn every_change_can_be_undone_alone() {
        let two = recipe(&[&[("a", "1"), ("b", "2")], &[("a", "3")]]);
        assert_eq!(two.changes(), 4);
        assert!(!two.names_each_analyzer_once() && Recipe::default_recipe().names_each_analyzer_once());
        let simpler = two.simpler();
        assert_eq!(simpler.len(), 5);
        assert!(simpler.iter().all(|(recipe, _)| recipe.changes() < two.changes()));
        assert_eq!(simpler[2].1.to_string(), "ingredient 1");
        assert!(Recipe::default_recipe().simpler().is_empty());
    }

    #[test]
    fn a_recipe_reads_like_the_arguments_that_name_it() {
        let names = ["frama-c@25.0".to_owned()];
        let two = recipe(&[&[("a", "1"), ("b", "2")], &[]]);
        assert_eq!(two.in_words(&names), "frama-c@25.0:a=1,b=2 then frama-c@25.0");
        let configured = ["frama-c@25.0:slevel=3".to_owned()];
        assert_eq!(recipe(&[&[("a", "1")]]).in_words(&configured), "frama-c@25.0:slevel=3,a=1");
    }
}
