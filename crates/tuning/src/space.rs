//! The space of recipes: which ingredients there are, and the moves between them.

use crate::{Ingredient, Recipe};
use model::{Parameter, Random, Scale, Space};
use std::collections::BTreeMap;

/// Attempts to draw something that is allowed. Where nothing is, the paper's generator would try for ever (Alg. 7, line 19).
const ATTEMPTS: usize = 50;
/// A random configuration changes each option with this chance in percent, or one option more often where there are few.
const CHANGED_PERCENT: usize = 25;

/// The space of recipes.
#[derive(Clone, Debug, PartialEq)]
pub struct RecipeSpace {
    /// The options of each analyzer that is tuned.
    pub analyzers: Vec<Space>,
    /// The most ingredients of a recipe.
    pub longest: usize,
}

/// Why there is nothing to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceProblem {
    /// An analyzer has no option that may be varied.
    NoOptions {
        /// The number of the analyzer.
        analyzer: usize,
    },
}

impl RecipeSpace {
    /// A space of recipes; an error if an analyzer has nothing to vary.
    pub fn new(analyzers: Vec<Space>, longest: usize) -> Result<RecipeSpace, SpaceProblem> {
        if let Some(analyzer) = analyzers.iter().position(|space| space.parameters.is_empty()) {
            return Err(SpaceProblem::NoOptions { analyzer });
        }
        Ok(RecipeSpace { analyzers, longest: longest.max(1) })
    }

    /// The number of configurations of single ingredients, or the greatest number that fits.
    pub fn size(&self) -> u64 {
        let of_analyzer = |space: &Space| {
            space
                .parameters
                .iter()
                .fold(1u64, |product, parameter| product.saturating_mul(choices(parameter)))
        };
        self.analyzers.iter().fold(0u64, |sum, space| sum.saturating_add(of_analyzer(space)))
    }

    /// The parameters of an ingredient's analyzer.
    pub fn parameters(&self, ingredient: &Ingredient) -> &[Parameter] {
        self.analyzers.get(ingredient.analyzer).map_or(&[], |space| &space.parameters)
    }

    /// True if every option is known, has what it needs, and excludes no other.
    pub fn allows(&self, ingredient: &Ingredient) -> bool {
        let parameters = self.parameters(ingredient);
        ingredient.options.iter().all(|(name, value)| {
            let Some(parameter) = parameters.iter().find(|parameter| parameter.name == *name) else {
                return false;
            };
            let is_excluded = parameter.excludes.iter().any(|other| ingredient.options.contains_key(other));
            let is_met = parameter.needs.as_ref().is_none_or(|condition| {
                let given = self.value_of(ingredient, &condition.option);
                given.is_some_and(|given| {
                    given.split(',').any(|word| condition.values.iter().any(|it| it == word))
                })
            });
            has_value(parameter, value) && !is_excluded && is_met
        })
    }

    /// The value of an option, given or by default.
    fn value_of<'a>(&'a self, ingredient: &'a Ingredient, name: &str) -> Option<&'a str> {
        let given = ingredient.options.get(name).map(String::as_str);
        let parameter = self.parameters(ingredient).iter().find(|parameter| parameter.name == *name);
        given.or_else(|| parameter?.default.as_deref())
    }

    /// The ingredient without options that have no effect: defaults, options whose condition is not met, and options that an
    /// earlier one excludes. Two spellings of one configuration become one.
    pub fn normalized(&self, ingredient: &Ingredient) -> Ingredient {
        let mut normal = ingredient.clone();
        let parameters = self.parameters(ingredient);
        normal.options.retain(|name, value| {
            let parameter = parameters.iter().find(|parameter| parameter.name == *name);
            parameter.is_some_and(|parameter| {
                parameter.default.as_ref() != Some(value) && has_value(parameter, value)
            })
        });
        for parameter in parameters {
            if normal.options.contains_key(&parameter.name) {
                for other in &parameter.excludes {
                    normal.options.remove(other);
                }
            }
        }
        // Removing an option may leave another without what it needs.
        while let Some(unmet) = self.unmet(&normal) {
            normal.options.remove(&unmet);
        }
        normal
    }

    fn unmet(&self, ingredient: &Ingredient) -> Option<String> {
        let parameters = self.parameters(ingredient).iter();
        let mut given = parameters.filter(|parameter| ingredient.options.contains_key(&parameter.name));
        let unmet = given.find(|parameter| {
            let alone = |name: &String| *name == parameter.name;
            let only = Ingredient {
                analyzer: ingredient.analyzer,
                options: ingredient
                    .options
                    .iter()
                    .filter(|(name, _)| {
                        alone(name) || parameter.needs.as_ref().is_some_and(|it| it.option == **name)
                    })
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
            };
            let condition = parameter.needs.as_ref();
            condition.is_some_and(|condition| {
                let value = self.value_of(&only, &condition.option);
                !value.is_some_and(|value| {
                    value.split(',').any(|word| condition.values.iter().any(|it| it == word))
                })
            })
        });
        unmet.map(|parameter| parameter.name.clone())
    }

    /// A random ingredient: a few options of a random analyzer, each with a random value.
    pub fn draw_ingredient(&self, random: &mut Random) -> Ingredient {
        let mut ingredient = Ingredient::default_of(random.below(self.analyzers.len()));
        let parameters = self.parameters(&ingredient);
        let percent = CHANGED_PERCENT.max(100 / parameters.len().max(1)).min(75);
        let options: BTreeMap<String, String> = parameters
            .iter()
            .filter_map(|parameter| {
                let value = if random.percent(percent) { draw_value(parameter, random) } else { None };
                Some((parameter.name.clone(), value?))
            })
            .collect();
        ingredient.options = options;
        self.normalized(&ingredient)
    }

    /// A random recipe of this length.
    pub fn draw(&self, length: usize, random: &mut Random) -> Recipe {
        Recipe((0..length.clamp(1, self.longest)).map(|_| self.draw_ingredient(random)).collect())
    }

    /// A recipe with one change: a value, an option more or less, and now and then an ingredient more or less.
    pub fn mutate(&self, recipe: &Recipe, random: &mut Random) -> Recipe {
        for _ in 0..ATTEMPTS {
            let mut mutant = recipe.clone();
            let can_grow = recipe.0.len() < self.longest;
            match random.below(10) {
                0 if can_grow => {
                    mutant.0.insert(random.below(recipe.0.len() + 1), self.draw_ingredient(random))
                }
                1 if recipe.0.len() > 1 => drop(mutant.0.remove(random.below(recipe.0.len()))),
                2 if recipe.0.len() > 1 => random.shuffle(&mut mutant.0),
                _ => {
                    let place = random.below(recipe.0.len());
                    mutant.0[place] = self.mutate_settings(&recipe.0[place], random);
                }
            }
            if mutant != *recipe {
                return mutant;
            }
        }
        self.draw(recipe.0.len(), random)
    }

    /// An ingredient with another value for one option: a neighbouring value where values ascend.
    pub fn mutate_settings(&self, ingredient: &Ingredient, random: &mut Random) -> Ingredient {
        for _ in 0..ATTEMPTS {
            let Some(parameter) = random.choose(self.parameters(ingredient)) else { break };
            let now = ingredient.options.get(&parameter.name).or(parameter.default.as_ref());
            let mut mutant = ingredient.clone();
            match neighbour(parameter, now, random) {
                Some(value) => mutant.options.insert(parameter.name.clone(), value),
                None => mutant.options.remove(&parameter.name),
            };
            // What the changed option excludes gives way to it.
            for other in self.excluded_by(parameter, ingredient) {
                mutant.options.remove(&other);
            }
            let mutant = self.normalized(&mutant);
            if mutant != *ingredient {
                return mutant;
            }
        }
        self.draw_ingredient(random)
    }

    fn excluded_by(&self, parameter: &Parameter, ingredient: &Ingredient) -> Vec<String> {
        let mut excluded = parameter.excludes.clone();
        let excludes = |other: &&Parameter| other.excludes.contains(&parameter.name);
        excluded.extend(self.parameters(ingredient).iter().filter(excludes).map(|other| other.name.clone()));
        excluded
    }

    /// The abstract domain of an ingredient.
    pub fn domain_of(&self, ingredient: &Ingredient) -> Option<(&Parameter, Option<String>)> {
        let parameter = self.analyzers.get(ingredient.analyzer)?.domain()?;
        let value = self.value_of(ingredient, &parameter.name).map(str::to_owned);
        Some((parameter, value))
    }

    /// True if one of two ingredients has a domain that is at least as precise as that of the other. Without domains, two
    /// ingredients of one analyzer are comparable.
    pub fn are_comparable(&self, left: &Ingredient, right: &Ingredient) -> bool {
        if left.analyzer != right.analyzer {
            return false;
        }
        match (self.domain_of(left), self.domain_of(right)) {
            (Some((parameter, Some(one))), Some((_, Some(other)))) => {
                one == other || is_finer(parameter, &one, &other) || is_finer(parameter, &other, &one)
            }
            _ => true,
        }
    }

    /// True if no two ingredients are comparable.
    pub fn is_incomparable(&self, recipe: &Recipe) -> bool {
        let pairs = recipe.0.iter().enumerate();
        pairs
            .into_iter()
            .all(|(place, one)| recipe.0[..place].iter().all(|other| !self.are_comparable(one, other)))
    }
}

/// The number of values, counting the default that no value names, or of sets of words.
pub fn choices(parameter: &Parameter) -> u64 {
    let is_listed = parameter.default.as_ref().is_some_and(|default| parameter.values.contains(default));
    let count = parameter.values.len();
    match parameter.scale {
        Scale::Set => 1u64.checked_shl(count as u32).unwrap_or(u64::MAX),
        Scale::Words | Scale::Ascending => count as u64 + u64::from(!is_listed),
    }
}

/// True if the option can have this value.
fn has_value(parameter: &Parameter, value: &str) -> bool {
    let is_listed = |word: &str| parameter.values.iter().any(|known| known == word);
    match parameter.scale {
        Scale::Set => is_listed(value) || value.split(',').all(is_listed),
        Scale::Words | Scale::Ascending => is_listed(value),
    }
}

/// A random value other than the default; none if there is no other.
fn draw_value(parameter: &Parameter, random: &mut Random) -> Option<String> {
    match parameter.scale {
        Scale::Set => {
            let wanted = random.between(1, parameter.values.len().min(4));
            let mut words: Vec<&String> = parameter.values.iter().collect();
            random.shuffle(&mut words);
            words.truncate(wanted);
            Some(joined(parameter, |word| words.contains(&word)))
        }
        Scale::Words | Scale::Ascending => {
            let others: Vec<&String> =
                parameter.values.iter().filter(|value| parameter.default.as_ref() != Some(value)).collect();
            random.choose(&others).map(|value| (*value).clone())
        }
    }
}

/// The chosen words of a set, in the order of the description.
fn joined(parameter: &Parameter, is_chosen: impl Fn(&String) -> bool) -> String {
    let words: Vec<&str> =
        parameter.values.iter().filter(|word| is_chosen(word)).map(String::as_str).collect();
    words.join(",")
}

/// Another value near the present one; none stands for leaving the option out.
fn neighbour(parameter: &Parameter, now: Option<&String>, random: &mut Random) -> Option<String> {
    match parameter.scale {
        Scale::Words => {
            let goes_back = now.is_some() && random.percent(30);
            if goes_back { None } else { draw_value(parameter, random) }
        }
        Scale::Ascending => ascending_neighbour(parameter, now, random),
        Scale::Set => {
            let word = random.choose(&parameter.values)?;
            let has = |it: &str| now.is_some_and(|now| now.split(',').any(|known| known == it));
            let toggled = joined(parameter, |it| has(it) != (it == word));
            (!toggled.is_empty()).then_some(toggled)
        }
    }
}

/// The value one or two steps up or down. Below the first lies the default, if it is not among the values.
fn ascending_neighbour(parameter: &Parameter, now: Option<&String>, random: &mut Random) -> Option<String> {
    let values = &parameter.values;
    let place = now.and_then(|now| values.iter().position(|value| value == now));
    let steps = if random.percent(25) { 2 } else { 1 };
    match (place, random.percent(60)) {
        (None, _) => values.get(steps - 1).or(values.last()).cloned(),
        (Some(place), true) => values.get((place + steps).min(values.len() - 1)).cloned(),
        (Some(place), false) => place.checked_sub(steps).and_then(|place| values.get(place)).cloned(),
    }
}

/// True if the second value is more precise than the first, directly or by steps.
pub fn is_finer(parameter: &Parameter, coarse: &str, fine: &str) -> bool {
    if parameter.scale == Scale::Ascending {
        let place = |value: &str| parameter.values.iter().position(|it| it == value);
        return place(coarse).zip(place(fine)).is_some_and(|(coarse, fine)| coarse < fine);
    }
    let mut reached = vec![coarse];
    let mut next = 0;
    while let Some(value) = reached.get(next).copied() {
        next += 1;
        for [below, above] in &parameter.finer {
            if below == value && !reached.contains(&above.as_str()) {
                reached.push(above);
            }
        }
    }
    coarse != fine && reached.contains(&fine)
}

/// The values immediately above or below a value.
pub fn next_values(parameter: &Parameter, value: &str, upwards: bool) -> Vec<String> {
    let is_beyond = |other: &str| match upwards {
        true => is_finer(parameter, value, other),
        false => is_finer(parameter, other, value),
    };
    let beyond: Vec<&String> = parameter.values.iter().filter(|other| is_beyond(other)).collect();
    let is_between = |candidate: &&String, other: &&String| match upwards {
        true => is_finer(parameter, other, candidate),
        false => is_finer(parameter, candidate, other),
    };
    let is_next = |candidate: &&&String| !beyond.iter().any(|other| is_between(candidate, other));
    beyond.iter().filter(is_next).map(|value| (*value).clone()).collect()
}

/// The values below which there is none among these.
pub fn least(parameter: &Parameter, among: &[String]) -> Vec<String> {
    let is_least = |value: &&String| !among.iter().any(|other| is_finer(parameter, other, value));
    among.iter().filter(is_least).cloned().collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use model::Condition;

    pub(crate) fn parameter(name: &str, scale: Scale, values: &[&str], default: Option<&str>) -> Parameter {
        Parameter {
            name: name.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            scale,
            default: default.map(str::to_owned),
            is_domain: false,
            finer: Vec::new(),
            needs: None,
            excludes: Vec::new(),
            sound: true,
        }
    }

    /// A space with every feature: a domain with a partial order, a number, a set, a condition and an exclusion.
    pub(crate) fn space(longest: usize) -> RecipeSpace {
        let order = [["int", "zones"], ["zones", "oct"], ["oct", "poly"], ["int", "term"]];
        let domain = Parameter {
            is_domain: true,
            finer: order.iter().map(|pair| pair.map(str::to_owned)).collect(),
            ..parameter("domain", Scale::Words, &["int", "zones", "oct", "poly", "term", "bool"], Some("int"))
        };
        let needy = Parameter {
            needs: Some(Condition {
                option: "domain".to_owned(),
                values: vec!["oct".to_owned(), "poly".to_owned()],
            }),
            ..parameter("through-calls", Scale::Words, &["on"], None)
        };
        let exclusive = Parameter {
            excludes: vec!["level".to_owned()],
            ..parameter("fast", Scale::Words, &["on"], None)
        };
        let level = parameter("level", Scale::Ascending, &["0", "1", "2", "5"], Some("0"));
        let set = parameter("features", Scale::Set, &["a", "b", "c"], None);
        let parameters = vec![domain, needy, exclusive, level, set];
        RecipeSpace::new(vec![Space { parameters }], longest).unwrap()
    }

    fn ingredient(options: &[(&str, &str)]) -> Ingredient {
        let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Ingredient { analyzer: 0, options }
    }

    #[test]
    fn what_has_no_effect_is_left_out() {
        let space = space(1);
        for (given, normal) in [
            (vec![("domain", "int"), ("level", "0")], vec![]),
            (vec![("through-calls", "on")], vec![]),
            (
                vec![("through-calls", "on"), ("domain", "oct")],
                vec![("domain", "oct"), ("through-calls", "on")],
            ),
            (vec![("fast", "on"), ("level", "2")], vec![("fast", "on")]),
            (vec![("level", "7"), ("nothing", "1")], vec![]),
            (vec![("features", "a,c")], vec![("features", "a,c")]),
        ] {
            assert_eq!(space.normalized(&ingredient(&given)), ingredient(&normal), "{given:?}");
        }
    }

    #[test]
    fn everything_that_is_drawn_or_moved_to_is_allowed_and_normal() {
        let space = space(3);
        let mut random = Random::for_case(1, 0);
        let mut recipe = Recipe::default_recipe();
        for round in 0..2000 {
            recipe =
                if round % 10 == 0 { space.draw(3, &mut random) } else { space.mutate(&recipe, &mut random) };
            assert!((1..=3).contains(&recipe.0.len()));
            for ingredient in &recipe.0 {
                assert!(space.allows(ingredient), "{ingredient:?}");
                assert_eq!(space.normalized(ingredient), *ingredient);
            }
        }
    }

    #[test]
    fn orders_of_domains_are_transitive_and_have_neighbours() {
        let space = space(1);
        let domain = space.analyzers[0].domain().unwrap();
        assert!(is_finer(domain, "int", "poly") && !is_finer(domain, "poly", "int"));
        assert!(!is_finer(domain, "term", "oct") && !is_finer(domain, "bool", "bool"));
        assert_eq!(next_values(domain, "int", true), ["zones", "term"]);
        assert_eq!(next_values(domain, "poly", false), ["oct"]);
        assert_eq!(least(domain, &domain.values), ["int", "bool"]);
    }

    #[test]
    fn a_space_knows_its_size_and_refuses_to_be_empty() {
        assert_eq!(space(1).size(), 6 * 2 * 2 * 4 * 8);
        let problem = RecipeSpace::new(vec![Space::default()], 1).unwrap_err();
        assert_eq!(problem, SpaceProblem::NoOptions { analyzer: 0 });
    }
}
