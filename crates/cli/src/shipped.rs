//! The seeds that come with juvenal.

/// Pairs of file name and text, from `seeds/smt`.
pub const SEEDS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/seeds.rs"));
