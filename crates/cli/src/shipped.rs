//! The seeds that come with juvenal.

use model::Language;

/// For each language, pairs of file name and text.
pub const SEEDS: &[(Language, &[(&str, &str)])] = &[(Language::Smt, SMT), (Language::C, C)];

/// From `seeds/smt`.
const SMT: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/seeds_smt.rs"));
/// From `seeds/c`.
const C: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/seeds_c.rs"));
