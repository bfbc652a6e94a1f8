//! `conjunctive_query`: single rules are rewritten as conjunctive queries. The manual page is `conjunctive_query.md`.

use crate::datalog_walk::Rewriting;
use crate::rewrites::ON_QUERIES;

/// The technique.
pub const TECHNIQUE: &Rewriting =
    &Rewriting { name: "conjunctive_query", manual: include_str!("conjunctive_query.md"), kinds: ON_QUERIES };
