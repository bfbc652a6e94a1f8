//! `precedence_graph`: the graph of relations is rewritten. The manual page is `precedence_graph.md`.

use crate::datalog_walk::Rewriting;
use crate::rewrites::ON_GRAPHS;

/// The technique.
pub const TECHNIQUE: &Rewriting =
    &Rewriting { name: "precedence_graph", manual: include_str!("precedence_graph.md"), kinds: ON_GRAPHS };
