//! Programs made from nothing, as seeds.

use c::generate::{Options, generate};
use model::{DataModel, Random, Seed};

/// A closed program of about so many statements, without undefined behaviour.
pub(crate) fn closed_program(size: usize, random: Random) -> Seed {
    made(&Options { size, ..Options::default() }, random)
}

/// The same, but what it does depends on inputs.
pub(crate) fn program_with_inputs(size: usize, random: Random) -> Seed {
    made(&Options { size, inputs: true, ..Options::default() }, random)
}

fn made(options: &Options, mut random: Random) -> Seed {
    Seed::c("a generated program", &generate(options, &mut random), DataModel::Lp64)
}
