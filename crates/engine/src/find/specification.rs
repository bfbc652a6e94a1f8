//! The value of `--analyzer`.

use crate::read_given_file;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files with recipes are small.
const LARGEST_RECIPE: u64 = 1 << 20;

/// `NAME[@VERSION|=PATH][:key=value,…]`, where NAME may be a description file: `./mine.toml`, `./mine.toml=PATH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// The analyzer's name, or the path of a description file.
    pub name: String,
    /// The requested version.
    pub version: Option<String>,
    /// The program to run instead of searching for one.
    pub path: Option<PathBuf>,
    /// The configuration.
    pub configuration: Vec<(String, String)>,
    /// The file that the configuration is from. Anyone may have written it.
    pub recipe: Option<PathBuf>,
}

/// A file that `juvenal tune` writes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecipeFile {
    ingredients: Vec<RecipeIngredient>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecipeIngredient {
    analyzer: String,
    #[serde(default)]
    options: BTreeMap<String, String>,
}

impl Specification {
    /// Reads what the user typed, where `NAME:@FILE` stands for the configuration in a file that `juvenal tune` wrote. Names
    /// that are stored in a campaign are read with [`Specification::parse`], which opens no file.
    pub fn given(text: &str) -> Result<Specification> {
        let Some((analyzer, file)) = text.split_once(":@") else { return Specification::parse(text) };
        let plain = Specification::parse(analyzer)?;
        let configuration = read_recipe(Path::new(file))
            .and_then(|recipe| recipe_options(&recipe, &plain.name))
            .with_context(|| format!("--analyzer {text}: cannot use the file after the @"))?;
        Ok(Specification { configuration, recipe: Some(PathBuf::from(file)), ..plain })
    }

    /// Reads a text.
    pub fn parse(text: &str) -> Result<Specification> {
        let (analyzer, configuration) = match text.split_once(':') {
            Some((analyzer, rest)) => (analyzer, parse_configuration(text, rest)?),
            None => (text, Vec::new()),
        };
        let (name, version, path) = match (analyzer.split_once('='), analyzer.split_once('@')) {
            (Some((name, path)), _) => (name, None, Some(PathBuf::from(path))),
            (None, Some((name, version))) => (name, Some(version.to_owned()), None),
            (None, None) => (analyzer, None, None),
        };
        if name.is_empty() || version.as_deref() == Some("") {
            bail!(
                "--analyzer {text}: expected NAME, NAME@VERSION, NAME=PATH, ./FILE.toml or ./FILE.toml=PATH, optionally followed by :key=value"
            );
        }
        Ok(Specification { name: name.to_owned(), version, path, configuration, recipe: None })
    }

    /// True if the name is the path of a description file.
    pub fn is_file(&self) -> bool {
        self.name.ends_with(".toml")
    }
}

fn read_recipe(path: &Path) -> Result<String> {
    let bytes = read_given_file(path, LARGEST_RECIPE).map_err(|problem| anyhow::anyhow!("{problem}"))?;
    String::from_utf8(bytes).context("it is not UTF-8")
}

/// The options of an analyzer in the text of a recipe.
pub fn recipe_options(text: &str, name: &str) -> Result<Vec<(String, String)>> {
    let recipe: RecipeFile =
        toml::from_str(text).context("it is not a recipe as `juvenal tune` writes them")?;
    let plain_name = |full: &str| full.split('@').next().unwrap_or(full).to_owned();
    // The name of a description file says nothing about the name of the analyzer.
    let is_fitting =
        |it: &&RecipeIngredient| name.ends_with(".toml") || plain_name(&it.analyzer) == plain_name(name);
    let mut fitting = recipe.ingredients.iter().filter(is_fitting);
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Ok(only.options.clone().into_iter().collect()),
        (Some(_), Some(_)) => {
            bail!("the recipe has several ingredients of {name}; give one of them by :key=value")
        }
        (None, _) => bail!("the recipe has no ingredient of {name}"),
    }
}

fn parse_configuration(text: &str, list: &str) -> Result<Vec<(String, String)>> {
    let mut choices: Vec<(String, String)> = Vec::new();
    for item in list.split(',') {
        match (item.split_once('='), choices.last_mut()) {
            (Some((key, value)), _) if !key.is_empty() => choices.push((key.to_owned(), value.to_owned())),
            // A value may be a list of words with commas between them, as in `domains=equality,octagon`.
            (None, Some((_, value))) if !item.is_empty() => value.push_str(&format!(",{item}")),
            _ => bail!("--analyzer {text}: expected key=value after the colon, found `{item}`"),
        }
    }
    Ok(choices)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown = match Specification::parse(text) {
            Ok(it) => format!("{} {:?} {:?} {:?}", it.name, it.version, it.path, it.configuration),
            Err(error) => error.to_string(),
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn every_form_is_read() {
        check("z3", "z3 None None []");
        check("z3@4.8.7", "z3 Some(\"4.8.7\") None []");
        check("z3=/opt/z3", "z3 None Some(\"/opt/z3\") []");
        check("./mine.toml=/opt/mine", "./mine.toml None Some(\"/opt/mine\") []");
        check("z3:a=1,b=2", "z3 None None [(\"a\", \"1\"), (\"b\", \"2\")]");
        check("./mine.toml:a=1", "./mine.toml None None [(\"a\", \"1\")]");
        check("liar-smt:lie=none", "liar-smt None None [(\"lie\", \"none\")]");
        check("z3:a=1,b,c,d=2", "z3 None None [(\"a\", \"1,b,c\"), (\"d\", \"2\")]");
        check("z3:a=1,", "--analyzer z3:a=1,: expected key=value after the colon, found ``");
        check("z3:a", "--analyzer z3:a: expected key=value after the colon, found `a`");
        check(
            "@1",
            "--analyzer @1: expected NAME, NAME@VERSION, NAME=PATH, ./FILE.toml or ./FILE.toml=PATH, optionally followed by :key=value",
        );
    }
}
