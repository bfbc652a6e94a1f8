//! `conjunctive_query`: single rules are rewritten as conjunctive queries. The manual page is `conjunctive_query.md`.

use crate::datalog_walk::{self, Rewriting};
use crate::rewrites::ON_QUERIES;
use crate::{Seeds, Technique};

const REWRITING: Rewriting = Rewriting { name: "conjunctive_query", kinds: ON_QUERIES };

/// The entry of the list of techniques.
pub static TECHNIQUE: Technique = datalog_walk::technique(
    REWRITING.name,
    include_str!("conjunctive_query.md"),
    Seeds::Made(|settings, random| REWRITING.make_seed(settings, random)),
    &|opening| REWRITING.open(&opening),
);
