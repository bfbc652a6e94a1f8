//! Programs made from nothing.

use model::{DataModel, Random, Seed};

/// A closed program of about so many statements, without undefined behaviour.
pub(crate) fn closed_program(size: usize, mut random: Random) -> Seed {
    let options = c::generate::Options { size, ..c::generate::Options::default() };
    Seed::c("generated", &c::generate::generate(&options, &mut random), DataModel::Lp64)
}
