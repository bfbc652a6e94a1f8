//! The description that all tool-info modules of BenchExec share.

use crate::description::Description;
use descriptions::DescriptionError;

/// The name of the package, and the word before the slash in `benchexec/NAME`.
pub const BENCHEXEC: &str = "benchexec";

/// The manual page of `benchexec/NAME`.
pub const BENCHEXEC_MANUAL: &str = include_str!("tool_info/benchexec.md");

/// The only key of `--analyzer benchexec/NAME:key=value`.
pub const BENCHEXEC_OPTION: &str = "option";

/// What holds for every module. It is in no catalogue, since without a module it is no analyzer.
pub fn benchexec_description() -> Result<Description, DescriptionError> {
    Description::parse("benchexec.toml", include_str!("../../../analyzers/benchexec.toml"))
}

/// The module in the name of an analyzer: `cbmc` in `benchexec/cbmc`, nothing in `benchexec`.
pub fn benchexec_module(name: &str) -> Option<&str> {
    let rest = name.strip_prefix(BENCHEXEC)?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_modules() {
        for (name, module) in [
            ("benchexec/cbmc", Some("cbmc")),
            ("benchexec/my.package.tool", Some("my.package.tool")),
            ("benchexec", Some("")),
            ("benchexec/", Some("")),
            ("benchexecs", None),
            ("cbmc", None),
        ] {
            assert_eq!(benchexec_module(name), module, "{name}");
        }
    }
}
