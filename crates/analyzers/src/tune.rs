//! What `juvenal tune` may vary: the spaces that descriptions declare.
//!
//! A space does not say what a value costs: searches learn that from the times that they measure.

use crate::calling::CommandOption;
use crate::description::{Description, SoundOption};
use descriptions::{Fault, fault};
use model::{Condition, Parameter, Role, Scale, Space};
use serde::Deserialize;

/// A range of integers has no more values than this; the others are left out.
const MOST_STEPS: i64 = 16;

/// How `juvenal tune` varies an option. Options without it are not varied.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Tune {
    /// The value that the analyzer uses if the option is not given. Without it, leaving the option out differs from every value.
    #[serde(default)]
    pub default: Option<String>,
    /// The least and the greatest of the integers to try, instead of the listed values.
    #[serde(default)]
    pub integers: Option<[i64; 2]>,
    /// True if the integers are tried in the steps 1, 2, 5, 10, 20, 50 and so on.
    #[serde(default)]
    pub logarithmic: bool,
    /// Words of which a value is any set, separated by commas, instead of the listed values.
    #[serde(default)]
    pub set: Vec<String>,
    /// True for the option that selects the abstract domain. It is searched first.
    #[serde(default)]
    pub domain: bool,
    /// Pairs of values of which the second is meant to be more precise than the first.
    #[serde(default)]
    pub finer: Vec<[String; 2]>,
    /// The option has an effect only if another option has one of these values.
    #[serde(default)]
    pub needs: Option<Condition>,
    /// Options that cannot be given together with it.
    #[serde(default)]
    pub excludes: Vec<String>,
}

impl Tune {
    /// The values to try: integers, words of a set, or those that are listed.
    fn values(&self, listed: &[String]) -> Vec<String> {
        match self.integers {
            Some([least, most]) if self.logarithmic => logarithmic_steps(least, most),
            Some([least, most]) => linear_steps(least, most),
            None if !self.set.is_empty() => self.set.clone(),
            None => listed.to_vec(),
        }
    }

    /// True if a search may choose this value.
    pub(crate) fn takes(&self, value: &str, listed: &[String]) -> bool {
        let values = self.values(listed);
        let is_known = |word: &str| values.iter().any(|known| known == word);
        is_known(value) || !self.set.is_empty() && value.split(',').all(is_known)
    }

    fn parameter(&self, name: &str, listed: &[String], ordered: bool, sound: bool) -> Parameter {
        let scale = match (self.integers, self.set.is_empty()) {
            (Some(_), _) => Scale::Ascending,
            (None, false) => Scale::Set,
            (None, true) if ordered => Scale::Ascending,
            (None, true) => Scale::Words,
        };
        Parameter {
            name: name.to_owned(),
            values: self.values(listed),
            scale,
            default: self.default.clone(),
            is_domain: self.domain,
            finer: self.finer.clone(),
            needs: self.needs.clone(),
            excludes: self.excludes.clone(),
            sound,
        }
    }

    /// Finds a fault that the types do not exclude. `known` are the names of all options of the role.
    pub(crate) fn check(&self, name: &str, listed: &[String], known: &[&str]) -> Result<(), Fault> {
        let fault = |message: String| fault(format!("\"{name}\""), format!("the option `{name}`: {message}"));
        if self.integers.is_some_and(|[least, most]| least >= most) {
            return fault("`integers` needs a least number that is below the greatest".to_owned());
        }
        if self.integers.is_some() && !self.set.is_empty() {
            return fault("its values are either `integers` or a `set`".to_owned());
        }
        if self.set.iter().any(|word| word.is_empty() || word.contains(',')) {
            return fault("a word of a `set` must not be empty or contain a comma".to_owned());
        }
        let values = self.values(listed);
        if let Some(unknown) = self.finer.iter().flatten().find(|value| !values.contains(value)) {
            return fault(format!("`finer` names `{unknown}`, which is none of its values"));
        }
        if let Some(needs) = self.needs.as_ref().filter(|needs| !known.contains(&needs.option.as_str())) {
            return fault(format!("`needs` names `{}`, which is no option", needs.option));
        }
        if let Some(unknown) = self.excludes.iter().find(|other| !known.contains(&other.as_str())) {
            return fault(format!("`excludes` names `{unknown}`, which is no option"));
        }
        let needed = self.needs.as_ref().map(|needs| needs.option.as_str());
        if needed == Some(name) || self.excludes.iter().any(|other| other == name) {
            return fault("it cannot need or exclude itself".to_owned());
        }
        if let Some(both) = self.excludes.iter().find(|other| needed == Some(other.as_str())) {
            return fault(format!("it both needs and excludes `{both}`, so it could never be given"));
        }
        Ok(())
    }
}

/// The numbers from one to another, or about evenly distributed ones where there are too many.
fn linear_steps(least: i64, most: i64) -> Vec<String> {
    let (least, most) = (i128::from(least), i128::from(most));
    let steps = (most - least).clamp(1, i128::from(MOST_STEPS) - 1);
    (0..=steps).map(|step| (least + (most - least) * step / steps).to_string()).collect()
}

/// Numbers each of which is about twice the one before it. Zero and negative numbers have none between them.
fn logarithmic_steps(least: i64, most: i64) -> Vec<String> {
    let mut numbers = vec![least];
    let mut power = 1i64;
    'powers: loop {
        for digit in [1, 2, 5] {
            let Some(number) = power.checked_mul(digit).filter(|number| *number < most) else {
                break 'powers;
            };
            if number > least {
                numbers.push(number);
            }
        }
        let Some(next) = power.checked_mul(10) else { break };
        power = next;
    }
    numbers.push(most);
    numbers.iter().map(i64::to_string).collect()
}

impl Description {
    /// What may be varied in a role at a version. Options that can make the analyzer miss executions only on request.
    pub fn space(&self, role: Role, version: &str, with_unsound: bool) -> Space {
        let description = self.at_version(version);
        let of_scripts = description.smt.iter().filter(|_| role == Role::Smt).flat_map(|smt| &smt.options);
        let script = |option: &SoundOption| {
            let tune = option.tune.as_ref()?;
            Some(tune.parameter(&option.name, &option.values, false, true))
        };
        let command = |option: &CommandOption| {
            let tune = option.tune.as_ref().filter(|_| option.sound || with_unsound)?;
            Some(tune.parameter(&option.name, &option.values, option.ordered, option.sound))
        };
        let mut parameters: Vec<Parameter> = of_scripts.filter_map(script).collect();
        if let Some(kind) = crate::roles::role_kind(role) {
            for parameter in (kind.options)(&description).iter().filter_map(command) {
                // An option may have sound values in one entry and unsound ones in another.
                match parameters.iter_mut().find(|known| known.name == parameter.name) {
                    Some(known) => {
                        known.values.extend(parameter.values);
                        known.sound &= parameter.sound;
                    }
                    None => parameters.push(parameter),
                }
            }
        }
        Space { parameters }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_tried_in_few_steps() {
        for (least, most, logarithmic, expected) in [
            (0, 4, false, "0 1 2 3 4"),
            (0, 150, false, "0 10 20 30 40 50 60 70 80 90 100 110 120 130 140 150"),
            (0, 100, true, "0 1 2 5 10 20 50 100"),
            (3, 30, true, "3 5 10 20 30"),
            (-1, 1, true, "-1 1"),
        ] {
            let tune = Tune { integers: Some([least, most]), logarithmic, ..Tune::default() };
            assert_eq!(tune.values(&[]).join(" "), expected);
        }
        let all = Tune { integers: Some([i64::MIN, i64::MAX]), ..Tune::default() };
        let values = all.values(&[]);
        assert_eq!(values.len() as i64, MOST_STEPS);
        assert_eq!(values.first(), Some(&i64::MIN.to_string()));
        assert_eq!(values.last(), Some(&i64::MAX.to_string()));
    }

    #[test]
    fn faults_are_found() {
        let words = ["a".to_owned(), "b".to_owned()];
        let names = ["it", "other"];
        let check = |tune: Tune| tune.check("it", &words, &names).map_err(|fault| fault.message);
        assert_eq!(check(Tune::default()), Ok(()));
        for (tune, expected) in [
            (Tune { integers: Some([3, 3]), ..Tune::default() }, "below the greatest"),
            (Tune { integers: Some([1, 3]), set: words.to_vec(), ..Tune::default() }, "either"),
            (Tune { set: vec!["a,b".to_owned()], ..Tune::default() }, "comma"),
            (Tune { finer: vec![["a".to_owned(), "c".to_owned()]], ..Tune::default() }, "`finer` names `c`"),
            (Tune { excludes: vec!["c".to_owned()], ..Tune::default() }, "`excludes` names `c`"),
            (
                Tune {
                    needs: Some(Condition { option: "c".to_owned(), values: Vec::new() }),
                    ..Tune::default()
                },
                "`needs` names `c`",
            ),
        ] {
            let message = check(tune).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn an_option_that_contradicts_itself_is_a_fault() {
        let needs =
            |option: &str| Some(Condition { option: option.to_owned(), values: vec!["a".to_owned()] });
        let excludes = |option: &str| vec![option.to_owned()];
        for (tune, expected) in [
            (Tune { needs: needs("it"), ..Tune::default() }, "itself"),
            (Tune { excludes: excludes("it"), ..Tune::default() }, "itself"),
            (
                Tune { needs: needs("other"), excludes: excludes("other"), ..Tune::default() },
                "both needs and excludes `other`",
            ),
        ] {
            let message = tune.check("it", &["a".to_owned()], &["it", "other"]).unwrap_err().message;
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn sets_take_their_words_in_any_number() {
        let tune = Tune { set: ["a", "b", "c"].map(str::to_owned).to_vec(), ..Tune::default() };
        assert!(tune.takes("a,c", &[]) && tune.takes("b", &[]));
        assert!(!tune.takes("a,d", &[]) && !tune.takes("", &[]));
    }
}
