//! The descriptions that are shipped.

use crate::description::Description;
use descriptions::{DescriptionError, UnknownName};

/// Every shipped file: its name and its text.
const SHIPPED: &[(&str, &str)] = &[
    ("z3.toml", include_str!("../../../analyzers/z3.toml")),
    ("cvc5.toml", include_str!("../../../analyzers/cvc5.toml")),
    ("cvc4.toml", include_str!("../../../analyzers/cvc4.toml")),
    ("yices.toml", include_str!("../../../analyzers/yices.toml")),
    ("bitwuzla.toml", include_str!("../../../analyzers/bitwuzla.toml")),
    ("boolector.toml", include_str!("../../../analyzers/boolector.toml")),
    ("mathsat.toml", include_str!("../../../analyzers/mathsat.toml")),
    ("stp.toml", include_str!("../../../analyzers/stp.toml")),
    ("opensmt.toml", include_str!("../../../analyzers/opensmt.toml")),
    ("smtinterpol.toml", include_str!("../../../analyzers/smtinterpol.toml")),
    ("clingo.toml", include_str!("../../../analyzers/clingo.toml")),
    ("swi-prolog.toml", include_str!("../../../analyzers/swi-prolog.toml")),
    ("souffle.toml", include_str!("../../../analyzers/souffle.toml")),
    ("nemo.toml", include_str!("../../../analyzers/nemo.toml")),
    ("cozo.toml", include_str!("../../../analyzers/cozo.toml")),
    ("pydatalog.toml", include_str!("../../../analyzers/pydatalog.toml")),
    ("logica.toml", include_str!("../../../analyzers/logica.toml")),
    ("egglog.toml", include_str!("../../../analyzers/egglog.toml")),
    ("ascent.toml", include_str!("../../../analyzers/ascent.toml")),
    ("crepe.toml", include_str!("../../../analyzers/crepe.toml")),
    ("formulog.toml", include_str!("../../../analyzers/formulog.toml")),
    ("scallop.toml", include_str!("../../../analyzers/scallop.toml")),
    ("execute-c.toml", include_str!("../../../analyzers/execute-c.toml")),
    ("exact-c.toml", include_str!("../../../analyzers/exact-c.toml")),
    ("frama-c.toml", include_str!("../../../analyzers/frama-c.toml")),
    ("gcc.toml", include_str!("../../../analyzers/gcc.toml")),
    ("clang.toml", include_str!("../../../analyzers/clang.toml")),
    ("clang-tidy.toml", include_str!("../../../analyzers/clang-tidy.toml")),
    ("cppcheck.toml", include_str!("../../../analyzers/cppcheck.toml")),
    ("infer.toml", include_str!("../../../analyzers/infer.toml")),
    ("cbmc.toml", include_str!("../../../analyzers/cbmc.toml")),
    ("esbmc.toml", include_str!("../../../analyzers/esbmc.toml")),
    ("klee.toml", include_str!("../../../analyzers/klee.toml")),
    ("cpachecker.toml", include_str!("../../../analyzers/cpachecker.toml")),
    ("ultimate.toml", include_str!("../../../analyzers/ultimate.toml")),
    ("mopsa.toml", include_str!("../../../analyzers/mopsa.toml")),
    ("clam.toml", include_str!("../../../analyzers/clam.toml")),
    ("2ls.toml", include_str!("../../../analyzers/2ls.toml")),
    ("symbiotic.toml", include_str!("../../../analyzers/symbiotic.toml")),
    ("seahorn.toml", include_str!("../../../analyzers/seahorn.toml")),
    ("smack.toml", include_str!("../../../analyzers/smack.toml")),
    ("goblint.toml", include_str!("../../../analyzers/goblint.toml")),
    ("ikos.toml", include_str!("../../../analyzers/ikos.toml")),
];

/// The known descriptions, in the order in which lists show them.
#[derive(Clone, Debug)]
pub struct Catalogue(Vec<Description>);

impl Catalogue {
    /// The shipped descriptions. A test shows that all of them are valid.
    pub fn shipped() -> Result<Catalogue, DescriptionError> {
        let mut descriptions = Vec::with_capacity(SHIPPED.len());
        for (file, text) in SHIPPED {
            descriptions.extend(Description::parse(file, text)?.with_variants());
        }
        Ok(Catalogue(descriptions))
    }

    /// The description with this name.
    pub fn find(&self, name: &str) -> Result<&Description, UnknownName> {
        self.0
            .iter()
            .find(|known| known.name == name)
            .ok_or_else(|| UnknownName::new("analyzer", name, self.names()))
    }

    /// Every description.
    pub fn descriptions(&self) -> &[Description] {
        &self.0
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|known| known.name.as_str())
    }
}
