//! The spaces that shipped descriptions declare for `juvenal tune`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use analyzers::{Catalogue, Description};
use model::{Parameter, Role, Scale, Space};

/// Analyzers with a version that their descriptions cover, and the roles in which they have a space.
const TUNED: [(&str, &str, &[Role]); 13] = [
    ("frama-c", "25.0", &[Role::Reachability, Role::Warnings]),
    ("gcc", "12.2.0", &[Role::Reachability, Role::Warnings]),
    ("clang", "14.0.6", &[Role::Reachability, Role::Warnings]),
    ("cppcheck", "2.10", &[Role::Warnings]),
    ("z3", "4.8.12", &[Role::Smt, Role::Datalog]),
    ("cvc5", "1.0.3", &[Role::Smt]),
    ("clingo", "5.4.1", &[Role::Datalog]),
    ("klee", "3.2", &[Role::Reachability]),
    ("cbmc", "6.3.1", &[Role::Reachability]),
    ("esbmc", "7.5", &[Role::Reachability]),
    ("clam", "1.0", &[Role::Reachability]),
    ("ikos", "3.5", &[Role::Reachability]),
    ("souffle", "2.5", &[Role::Datalog]),
];

const ROLES: [Role; 5] = [Role::Smt, Role::Reachability, Role::Debug, Role::Warnings, Role::Datalog];

/// Every space of every shipped description, with the name of the description and its role.
fn spaces(with_unsound: bool) -> Vec<(String, Space)> {
    let mut spaces = Vec::new();
    for description in Catalogue::shipped().unwrap().descriptions() {
        let known = TUNED.iter().find(|(name, ..)| *name == description.name);
        let version = known.map_or("1.0", |(_, version, _)| version);
        for role in ROLES {
            let place = format!("{} [{role}]", description.name);
            spaces.push((place, description.space(role, version, with_unsound)));
        }
    }
    spaces
}

/// The number of configurations, counting the default of every option.
fn size(space: &Space) -> u64 {
    let choices = |parameter: &Parameter| match parameter.scale {
        Scale::Set => 1 << parameter.values.len(),
        Scale::Words | Scale::Ascending => {
            let is_listed = parameter.default.as_ref().is_some_and(|it| parameter.values.contains(it));
            parameter.values.len() as u64 + u64::from(!is_listed)
        }
    };
    space.parameters.iter().map(choices).fold(1, u64::saturating_mul)
}

fn shipped(catalogue: &Catalogue, name: &str) -> Description {
    catalogue.find(name).unwrap().clone()
}

#[test]
fn analyzers_have_spaces_worth_searching() {
    let catalogue = Catalogue::shipped().unwrap();
    for (name, version, roles) in TUNED {
        let description = shipped(&catalogue, name);
        for role in roles {
            let space = description.space(*role, version, false);
            assert!(size(&space) > 10, "{name} [{role}]: {}", size(&space));
        }
    }
}

#[test]
fn what_misses_executions_is_searched_only_on_request() {
    let sound = spaces(false);
    assert!(sound.iter().all(|(_, space)| space.parameters.iter().all(|it| it.sound)));
    let unsound = |(_, space): &(String, Space)| space.parameters.iter().any(|it| !it.sound);
    let all = spaces(true);
    let places: Vec<&str> = all.iter().filter(|it| unsound(it)).map(|(place, _)| place.as_str()).collect();
    for expected in ["klee [reachability]", "cbmc [reachability]", "ikos [reachability]", "clang [warnings]"]
    {
        assert!(places.contains(&expected), "{expected}: {places:?}");
    }
}

#[test]
fn defaults_are_among_the_values() {
    for (place, space) in spaces(true) {
        for parameter in &space.parameters {
            if let Some(default) = &parameter.default {
                assert!(parameter.values.contains(default), "{place}: {} = {default}", parameter.name);
            }
        }
    }
}

#[test]
fn values_are_several_and_different() {
    for (place, space) in spaces(true) {
        for parameter in &space.parameters {
            let mut values = parameter.values.clone();
            values.sort();
            values.dedup();
            assert_eq!(values.len(), parameter.values.len(), "{place}: {}", parameter.name);
            let others = values.iter().filter(|value| parameter.default.as_ref() != Some(value));
            assert!(others.count() > 0, "{place}: {} has nothing to vary", parameter.name);
        }
    }
}

#[test]
fn conditions_can_be_met_within_the_space() {
    for (place, space) in spaces(false) {
        for parameter in &space.parameters {
            if let Some(condition) = &parameter.needs {
                let needed = space.parameter(&condition.option);
                let can_be_met =
                    needed.is_some_and(|needed| condition.values.iter().all(|it| needed.values.contains(it)));
                assert!(can_be_met, "{place}: {} needs {condition:?}", parameter.name);
            }
            for other in &parameter.excludes {
                assert!(space.parameter(other).is_some(), "{place}: {} excludes {other}", parameter.name);
            }
        }
    }
}

#[test]
fn finer_domains_do_not_go_in_a_circle() {
    for (place, space) in spaces(true) {
        for parameter in &space.parameters {
            let mut coarse = parameter.values.clone();
            // Removes values that no remaining one is coarser than, until there are none.
            while let Some(least) = coarse.iter().position(|value| {
                let is_above = |[lower, upper]: &[String; 2]| upper == value && coarse.contains(lower);
                !parameter.finer.iter().any(is_above)
            }) {
                coarse.remove(least);
            }
            assert!(coarse.is_empty(), "{place}: {}: {coarse:?}", parameter.name);
        }
    }
}

#[test]
fn at_most_one_option_selects_the_domain() {
    for (place, space) in spaces(true) {
        assert!(space.parameters.iter().filter(|it| it.is_domain).count() <= 1, "{place}");
    }
    let catalogue = Catalogue::shipped().unwrap();
    for (name, option) in [("clam", "dom"), ("ikos", "domain"), ("frama-c", "precision")] {
        let space = shipped(&catalogue, name).space(Role::Reachability, "25.0", false);
        assert_eq!(space.domain().map(|it| it.name.as_str()), Some(option), "{name}");
    }
}

#[test]
fn seeds_are_not_tuned() {
    for (place, space) in spaces(true) {
        assert!(!space.parameters.iter().any(|it| it.name.contains("seed")), "{place}");
    }
}

#[test]
fn options_of_later_versions_are_left_out() {
    let catalogue = Catalogue::shipped().unwrap();
    for (name, option, without, with) in
        [("cppcheck", "check-level", "2.10", "2.22.0"), ("gcc", "max-constraints", "11.3.0", "12.2.0")]
    {
        let description = shipped(&catalogue, name);
        assert!(description.space(Role::Warnings, without, false).parameter(option).is_none(), "{name}");
        assert!(description.space(Role::Warnings, with, false).parameter(option).is_some(), "{name}");
    }
}
