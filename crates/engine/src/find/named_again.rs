//! Which analyzers a campaign directory may name.
//!
//! Continuing a campaign locates its analyzers again. The directory may come from anyone, so a program, a description
//! file or an option that could make an analyzer run something must come from the user instead. The same holds for the options
//! in a file of a recipe.

use crate::{Locator, Specification};
use analyzers::{LIAR_C, benchexec_module, built_in_page};
use anyhow::{Result, bail};

impl Locator {
    /// Why the user must name this analyzer again, as the end of a sentence about it; `None` if its name may be taken
    /// from a campaign directory.
    pub fn why_name_again(&self, specification: &Specification) -> Result<Option<String>> {
        if specification.path.is_some() || specification.is_file() {
            return Ok(Some("was given by path or by description file".to_owned()));
        }
        self.risky_choice(specification)
    }

    /// Refuses the options in a recipe file that an analyzer does not declare to be harmless. `declares` says which it does.
    pub(super) fn refuse_risky_recipe(
        specification: &Specification,
        declares: impl Fn(&str, &str) -> bool,
    ) -> Result<()> {
        let Some(file) = &specification.recipe else { return Ok(()) };
        let risky = specification.configuration.iter().find(|(key, value)| !declares(key, value));
        let Some(choice) = risky else { return Ok(()) };
        let name = specification.name.escape_debug();
        bail!(
            "{} {}; if you trust it, give the options by name, as in --analyzer {name}:OPTION=VALUE",
            file.display(),
            explain(choice)
        )
    }

    fn risky_choice(&self, specification: &Specification) -> Result<Option<String>> {
        let name = specification.name.as_str();
        // Built-in analyzers check their choices themselves, and none of these touches a file.
        if built_in_page(name).is_some() || name == LIAR_C {
            return Ok(None);
        }
        let choices = &specification.configuration;
        if let Some(module) = benchexec_module(name) {
            let is_own = !module.contains('.');
            let risky = (!is_own).then(|| format!("loads the Python module {}", module.escape_debug()));
            return Ok(risky.or_else(|| choices.first().map(explain)));
        }
        let description = self.description(name)?;
        let risky = choices.iter().find(|(key, value)| !description.is_harmless(key, value));
        Ok(risky.map(explain))
    }
}

fn explain((key, value): &(String, String)) -> String {
    let choice = format!("{key}={value}");
    format!(
        "has the option `{}`, which its description does not declare to be harmless: it may run programs or \
         read and write files",
        choice.escape_debug()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use analyzers::Catalogue;

    #[test]
    fn only_names_and_harmless_options_are_taken_from_a_campaign() {
        let locator = Locator::new(Catalogue::shipped().unwrap()).unwrap();
        for (text, expected) in [
            ("z3", None),
            ("z3@4.8.12:smt.random_seed=3", None),
            ("liar-smt:lie=none", None),
            ("liar-c@12.2.0:lie=none", None),
            ("benchexec/cbmc", None),
            ("z3=/tmp/evil", Some("by path")),
            ("./evil.toml", Some("description file")),
            ("benchexec/cbmc=/tmp/evil", Some("by path")),
            ("benchexec/evil.module", Some("loads the Python module evil.module")),
            ("benchexec/cbmc:option=--outfile", Some("`option=--outfile`")),
            ("cppcheck@2.10:max-configs=1,addon=/tmp/evil.py", Some("`addon=/tmp/evil.py`")),
        ] {
            let why = locator.why_name_again(&Specification::parse(text).unwrap()).unwrap();
            assert_eq!(why.is_some(), expected.is_some(), "{text}: {why:?}");
            assert!(why.unwrap_or_default().contains(expected.unwrap_or_default()), "{text}");
        }
        assert!(locator.why_name_again(&Specification::parse("nobody").unwrap()).is_err());
    }
}
