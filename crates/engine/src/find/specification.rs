//! The value of `--analyzer`.

use anyhow::{Result, bail};
use std::path::PathBuf;

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
}

impl Specification {
    /// Reads the user's text.
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
        Ok(Specification { name: name.to_owned(), version, path, configuration })
    }

    /// True if the name is the path of a description file.
    pub fn is_file(&self) -> bool {
        self.name.ends_with(".toml")
    }
}

fn parse_configuration(text: &str, list: &str) -> Result<Vec<(String, String)>> {
    list.split(',')
        .map(|item| match item.split_once('=') {
            Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
            _ => bail!("--analyzer {text}: expected key=value after the colon, found `{item}`"),
        })
        .collect()
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
        check("z3:a", "--analyzer z3:a: expected key=value after the colon, found `a`");
        check(
            "@1",
            "--analyzer @1: expected NAME, NAME@VERSION, NAME=PATH, ./FILE.toml or ./FILE.toml=PATH, optionally followed by :key=value",
        );
    }
}
