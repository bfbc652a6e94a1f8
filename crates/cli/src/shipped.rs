//! The seeds that are part of juvenal.

use model::Language;

/// The names and texts of the seeds of each language.
pub const SEEDS: &[(Language, &[(&str, &str)])] =
    &[(Language::SMT, SMT), (Language::C, C), (Language::DATALOG, DATALOG)];

/// The files in `seeds/smt`.
const SMT: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/seeds_smt.rs"));
/// The files in `seeds/c`.
const C: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/seeds_c.rs"));
/// The files in `seeds/datalog`.
const DATALOG: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/seeds_datalog.rs"));

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Engine, SeedFiles, c_compiler};

    #[test]
    fn every_shipped_seed_can_be_used() {
        if !test_support::is_usable("gcc", c_compiler().unwrap().is_some()) {
            return;
        }
        let engine = Engine::new(Vec::new()).unwrap();
        let seeds = SeedFiles::shipped(SEEDS);
        for language in Language::BUILT_IN {
            assert!(seeds.count_of(language) > 0, "{language}");
        }
        for place in 0..seeds.count() {
            let seed = engine.seed_loader().load(&seeds, place).unwrap();
            assert!(seed.is_ok(), "{}: {seed:?}", seeds.name(place));
        }
    }
}
