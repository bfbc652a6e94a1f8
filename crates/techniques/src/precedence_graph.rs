//! `precedence_graph`: the graph of relations is rewritten. The manual page is `precedence_graph.md`.

use crate::datalog_walk::{self, Rewriting};
use crate::rewrites::ON_GRAPHS;
use crate::{Seeds, Technique};

const REWRITING: Rewriting = Rewriting { name: "precedence_graph", kinds: ON_GRAPHS };

/// The entry of the list of techniques.
pub static TECHNIQUE: Technique = datalog_walk::technique(
    REWRITING.name,
    include_str!("precedence_graph.md"),
    Seeds::Made(|settings, random| REWRITING.make_seed(settings, random)),
    &|opening| REWRITING.open(&opening),
);
