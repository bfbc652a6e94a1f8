//! Random programs: typed, safe and stratified by construction, from nothing or around a given program.
//!
//! Relations come in groups. A rule uses what earlier groups and its own group have, and negates and counts only what
//! earlier groups have; so recursion is linear, mutual or neither as it happens, and negation stands at every height.
//! Rules draw few variables for many places, which makes joins. Half of the programs have two sides that meet only in
//! negations, so that what is on the other side bears negatively on the output.

mod facts;
mod groups;
mod qualifiers;
mod rules;

use crate::program::{Constant, Program, RelationId, Rule, Type};
use crate::reference::Tables;
use crate::strata::Strata;
use model::Random;
use std::collections::{BTreeMap, BTreeSet};

/// What programs may have, and how large they are.
#[derive(Clone, Debug)]
pub struct Options {
    /// At most so many relations of facts; at least one.
    pub fact_relations: usize,
    /// At most so many rows in each.
    pub rows: usize,
    /// At most so many groups of relations with rules; at least one.
    pub groups: usize,
    /// At most so many further rules for a relation, behind the first.
    pub rules: usize,
    /// At most so many positive atoms in a body; at least one.
    pub atoms: usize,
    /// Relations have at most so many columns, but for a wide one now and then.
    pub columns: usize,
    /// The types of columns. Around a program its own types come to these.
    pub types: Vec<Type>,
    /// Numbers are below this one.
    pub numbers: i64,
    /// Whether rules negate.
    pub negation: bool,
    /// Whether relations depend on themselves.
    pub recursion: bool,
    /// Whether rules compare.
    pub comparisons: bool,
    /// Whether rules compute.
    pub arithmetic: bool,
    /// Whether rules count and sum.
    pub aggregates: bool,
    /// Whether there are relations without columns.
    pub flags: bool,
    /// Whether relations ask to be inlined or kept in a certain way.
    pub qualifiers: bool,
    /// Whether a relation that comes out empty is drawn again, a few times.
    pub steered: bool,
}

impl Default for Options {
    /// What every engine takes: small numbers, negation and comparisons.
    fn default() -> Options {
        Options {
            fact_relations: 4,
            rows: 10,
            groups: 5,
            rules: 2,
            atoms: 3,
            columns: 3,
            types: vec![Type::Signed],
            numbers: 10,
            negation: true,
            recursion: true,
            comparisons: true,
            arithmetic: false,
            aggregates: false,
            flags: true,
            qualifiers: true,
            steered: true,
        }
    }
}

impl Options {
    /// What only few engines take, too: every type of column, arithmetic and aggregates.
    pub fn rich() -> Options {
        Options {
            types: vec![Type::Signed, Type::Signed, Type::Symbol, Type::Unsigned, Type::Float],
            arithmetic: true,
            aggregates: true,
            ..Options::default()
        }
    }
}

/// More rows than this are not looked at for one group, lest products of relations slow everything down.
const FUEL: u64 = 20_000;
/// A program that is built around is computed only if no more rows than this are looked at.
const FUEL_FOR_SEED: u64 = 1_000_000;
/// So many constants of each type are taken from a program that is built around.
const CONSTANTS: usize = 256;

/// Makes a program with one output.
pub fn generate(options: &Options, random: &mut Random) -> Program {
    around(&Program::default(), options, random).0
}

/// Puts relations with facts and rules around a program that [`crate::check`] takes, and says which new relation is an
/// output. What the program has stays as it is: no rule is added for its relations, and its outputs stay outputs. New
/// rules use its relations, and often its constants. Where its rows cannot be computed, nothing is steered.
pub fn around(seed: &Program, options: &Options, random: &mut Random) -> (Program, RelationId) {
    let mut maker = Maker::new(seed, options, random);
    maker.add_tables();
    maker.add_groups();
    let output = maker.choose_output();
    if options.qualifiers {
        maker.qualify();
    }
    let first = seed.rules.len();
    maker.program.rules[first..].iter_mut().for_each(Rule::renumber);
    (maker.program, output)
}

/// One of two parts of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn draw(random: &mut Random) -> Side {
        if random.coin() { Side::Left } else { Side::Right }
    }

    fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

struct Maker<'a> {
    options: &'a Options,
    program: Program,
    /// How many relations there were before anything was made.
    given: usize,
    /// How many there were when the first with rules was made.
    tables_end: usize,
    /// The types of columns.
    types: Vec<Type>,
    /// What the names of new relations begin with.
    prefix: String,
    /// Constants that are known to stand in facts, by their types.
    constants: BTreeMap<Type, Vec<Constant>>,
    /// What is computed so far; none if nothing is steered.
    tables: Option<Tables>,
    /// How many rows may be looked at for one group.
    fuel: u64,
    /// Whether relations use those of their own side, and negate those of the other.
    has_sides: bool,
    /// The side of each relation.
    sides: Vec<Side>,
    /// The first relation of each one's group.
    groups: Vec<usize>,
    random: &'a mut Random,
}

impl<'a> Maker<'a> {
    fn new(seed: &Program, options: &'a Options, random: &'a mut Random) -> Maker<'a> {
        let given = seed.relations.len();
        let used: BTreeSet<Type> = seed.relations.iter().flat_map(|it| it.columns.iter().copied()).collect();
        let mut types = options.types.clone();
        types.extend(used.into_iter().filter(|used| !options.types.contains(used)));
        let tables = options.steered.then(|| computed(seed)).flatten();
        let rows: usize = match &tables {
            Some(tables) => seed.ids().map(|id| tables.count(id)).sum(),
            None => 0,
        };
        Maker {
            options,
            program: seed.clone(),
            given,
            tables_end: given,
            types,
            prefix: free_prefix(seed),
            constants: constants_of(seed),
            tables,
            // One look at everything that is given must be possible.
            fuel: FUEL + 2 * rows as u64,
            has_sides: random.coin(),
            sides: (0..given).map(|_| Side::draw(random)).collect(),
            groups: (0..given).collect(),
            random,
        }
    }

    /// True if a relation is known to have no rows.
    fn is_empty(&self, relation: RelationId) -> bool {
        match &self.tables {
            Some(tables) if relation.index() < tables.relations() => tables.count(relation) == 0,
            _ => false,
        }
    }
}

/// The rows of a program; none if they cannot be known, or not in time.
fn computed(seed: &Program) -> Option<Tables> {
    let is_opaque = !seed.opaque.is_empty() || seed.relations.iter().any(|relation| relation.is_opaque);
    if is_opaque {
        return None;
    }
    let mut tables = Tables::default();
    tables.load(seed);
    if !seed.rules.is_empty() {
        let strata = Strata::of(seed).ok()?;
        let mut fuel = FUEL_FOR_SEED;
        for (members, rules) in strata.groups.iter().zip(strata.rules(seed)) {
            tables.compute(seed, members, &rules, &mut fuel).ok()?;
        }
    }
    Some(tables)
}

/// What no name in a program begins with if a number follows.
fn free_prefix(seed: &Program) -> String {
    let is_free = |prefix: &str| {
        let has = |text: &str| {
            text.match_indices(prefix)
                .any(|(at, _)| text[at + prefix.len()..].starts_with(|letter: char| letter.is_ascii_digit()))
        };
        !seed.relations.iter().any(|it| has(&it.name)) && !seed.opaque.iter().any(|text| has(text))
    };
    let mut prefix = "r".to_owned();
    while !is_free(&prefix) {
        prefix.push('e');
    }
    prefix
}

/// Constants from the facts of a program, by their types.
fn constants_of(seed: &Program) -> BTreeMap<Type, Vec<Constant>> {
    let mut found: BTreeMap<Type, Vec<Constant>> = BTreeMap::new();
    for constant in seed.relations.iter().flat_map(|relation| relation.facts.iter().take(32)).flatten() {
        let known = found.entry(constant.r#type()).or_default();
        if known.len() < CONSTANTS {
            known.push(constant.clone());
        }
    }
    found
}
