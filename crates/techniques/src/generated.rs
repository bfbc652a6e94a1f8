//! Programs made from nothing, as seeds.

use crate::MadeSeed;
use c::generate::{Options, generate};
use model::{DataModel, Random, Seed};
use std::ops::RangeInclusive;

/// The meaning of the knob `csmith`.
pub(crate) const CSMITH_MEANING: &str = "percentage of programs that Csmith makes, where it is installed";

/// How many statements a program can be asked to have.
pub(crate) const SIZES: RangeInclusive<usize> = 1..=10_000;

/// A program, or with a probability given in percent, one of Csmith's.
pub(crate) fn or_csmith(program: Seed, percent: usize, mut random: Random) -> MadeSeed {
    let csmith = random.percent(percent).then(|| random.below(1 << 31) as u32);
    MadeSeed { program, csmith }
}

/// A closed program of about `size` statements, without undefined behaviour.
pub(crate) fn closed_program(size: usize, random: Random) -> Seed {
    made(&Options { size, ..Options::default() }, random)
}

/// The same, but what it does depends on inputs.
pub(crate) fn program_with_inputs(size: usize, random: Random) -> Seed {
    made(&Options { size, inputs: true, ..Options::default() }, random)
}

fn made(options: &Options, mut random: Random) -> Seed {
    let program = generate(options, &mut random);
    Seed { is_generated: true, ..Seed::c("a generated program", &program, DataModel::Lp64) }
}
