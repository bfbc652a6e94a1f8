//! The descriptions that are shipped.

use crate::tool::Tool;
use descriptions::{DescriptionError, UnknownName};

/// Every shipped file: its name and its text.
const SHIPPED: &[(&str, &str)] = &[
    ("bandit.toml", include_str!("../../../tools/bandit.toml")),
    ("ruff.toml", include_str!("../../../tools/ruff.toml")),
    ("pylint.toml", include_str!("../../../tools/pylint.toml")),
    ("mypy.toml", include_str!("../../../tools/mypy.toml")),
    ("semgrep.toml", include_str!("../../../tools/semgrep.toml")),
    ("eslint.toml", include_str!("../../../tools/eslint.toml")),
    ("tsc.toml", include_str!("../../../tools/tsc.toml")),
    ("cppcheck.toml", include_str!("../../../tools/cppcheck.toml")),
    ("clang-tidy.toml", include_str!("../../../tools/clang-tidy.toml")),
    ("clang-analyze.toml", include_str!("../../../tools/clang-analyze.toml")),
    ("gcc-analyze.toml", include_str!("../../../tools/gcc-analyze.toml")),
    ("gcc-lto.toml", include_str!("../../../tools/gcc-lto.toml")),
];

/// The known tools, in the order in which lists show them.
#[derive(Clone, Debug)]
pub struct Toolbox(Vec<Tool>);

impl Toolbox {
    /// The shipped tools. A test shows that all descriptions are valid.
    pub fn shipped() -> Result<Toolbox, DescriptionError> {
        let tools = SHIPPED.iter().map(|(file, text)| Tool::parse(file, text));
        Ok(Toolbox(tools.collect::<Result<_, _>>()?))
    }

    /// The tool with this name.
    pub fn find(&self, name: &str) -> Result<&Tool, UnknownName> {
        self.0
            .iter()
            .find(|known| known.name == name)
            .ok_or_else(|| UnknownName::new("tool", name, self.names()))
    }

    /// Every tool.
    pub fn tools(&self) -> &[Tool] {
        &self.0
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|known| known.name.as_str())
    }
}
