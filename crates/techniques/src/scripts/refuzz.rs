//! Fuzzes a reduced script again: draws instances of its own formulas.
//!
//! Delta debugging only removes parts and ends when no single step helps. New instances of the remaining predicates with
//! halved bounds may be smaller and still show the same wrong answer.

use super::pool::{Bounds, Pool, write_assertion};
use super::predicates::initial_formulas;
use super::prepared::Prepared;
use crate::Notes;
use model::{Exhibit, Random, SmtInput};
use smt::{Command, Script};

/// The number of instances drawn from one script.
pub const PROPOSALS: usize = 48;

/// The number of formulas constructed for each instance.
const CONSTRUCTED: usize = 32;
/// The maximum depth of connectives before halving; reduced scripts are rarely deeper.
const DEPTH: u32 = 8;

/// Returns a script of true formulas over those of the exhibit. The caller compares their sizes.
pub fn instance(exhibit: &Exhibit, assignment: &str, number: usize) -> Option<Script> {
    let input = &exhibit.queries.first()?.input;
    let script = input.smt()?;
    let mut prepared = Prepared::new("exhibit", &script.text()).ok()?;
    let check = only_check(&prepared.script)?;
    let assignment = smt::model::read_model(&mut prepared.script, assignment).ok()?.assignment;
    let initial = initial_formulas(&prepared, &assignment, u32::MAX, &mut Notes::default());
    let seed = input.identity().0.iter().fold(0u64, |seed, byte| seed.rotate_left(8) ^ u64::from(*byte));
    let mut random = Random::for_case(seed, number as u64);
    let bounds = Bounds { depth: DEPTH / 2, length: script.body.len() / 2, paper: false };
    let pool = Pool::construct(initial, CONSTRUCTED, bounds, &mut random);
    if pool.initial().is_empty() {
        return None;
    }
    let mut body = prepared.declarations.to_string();
    for _ in 0..random.between(1, prepared.assertions.len().div_ceil(2)) {
        write_assertion(&pool, &mut random, &mut body);
    }
    body.push_str(&check);
    smt::parse("instance", &SmtInput { body: body.into(), ..script.clone() }.text()).ok()
}

/// Returns the text of the only check of a script without scopes.
fn only_check(script: &Script) -> Option<String> {
    let mut check = None;
    for command in &script.commands {
        match command {
            Command::Push(_) | Command::Pop(_) | Command::CheckSatAssuming(_) => return None,
            Command::CheckSat | Command::CheckSatUsing(_) if check.is_some() => return None,
            Command::CheckSat | Command::CheckSatUsing(_) => {
                check = Some(smt::print::command(&script.terms, command));
            }
            _ => {}
        }
    }
    check
}
