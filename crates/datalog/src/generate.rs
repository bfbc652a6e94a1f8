//! Random programs that are typed, safe and stratified by construction, from scratch or around a given program.
//!
//! Relations come in groups. A rule uses relations of its own and of earlier groups, and negates and aggregates only
//! those of earlier groups. So recursion may be linear or mutual, and negation occurs in every stratum. Rules draw their
//! arguments from few variables, which makes joins. Half of the programs have two sides that meet only in negations, so
//! that the relations of one side influence the output negatively.

mod facts;
mod groups;
mod qualifiers;
mod rules;

use crate::program::{Constant, Program, RelationId, Rule, Type};
use crate::reference::Tables;
use crate::strata::Strata;
use model::Random;
use std::collections::{BTreeMap, BTreeSet};

/// The features and the size of generated programs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The maximum number of relations with facts alone; at least one.
    pub fact_relations: usize,
    /// The maximum number of rows in each of them.
    pub rows: usize,
    /// The maximum number of groups of relations with rules; at least one.
    pub groups: usize,
    /// The maximum number of rules of a relation after the first.
    pub rules: usize,
    /// The maximum number of positive atoms in a body; at least one.
    pub atoms: usize,
    /// The maximum number of columns, except for an occasional wide relation.
    pub columns: usize,
    /// The types of columns. The types of a given program are added to these.
    pub types: Vec<Type>,
    /// The exclusive upper bound of numbers.
    pub numbers: i64,
    /// Whether rules use negation.
    pub negation: bool,
    /// Whether relations are recursive.
    pub recursion: bool,
    /// Whether rules use comparisons.
    pub comparisons: bool,
    /// Whether rules use arithmetic.
    pub arithmetic: bool,
    /// Whether rules use aggregates.
    pub aggregates: bool,
    /// Whether there are nullary relations.
    pub flags: bool,
    /// Whether relations have qualifiers for inlining and storage.
    pub qualifiers: bool,
    /// Whether relations that turn out empty are drawn again, a few times.
    pub steered: bool,
}

impl Default for Options {
    /// Returns the features that every engine supports: small numbers, negation and comparisons.
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
    /// Adds features that only some engines support: all column types, arithmetic and aggregates.
    pub fn rich() -> Options {
        Options {
            types: vec![Type::Signed, Type::Signed, Type::Symbol, Type::Unsigned, Type::Float],
            arithmetic: true,
            aggregates: true,
            ..Options::default()
        }
    }
}

/// The number of rows that computing one group may visit, because cross products would be slow.
const FUEL: u64 = 20_000;
/// The number of rows that computing a given program may visit.
const FUEL_FOR_SEED: u64 = 1_000_000;
/// The number of constants of each type that are taken from a given program.
const CONSTANTS: usize = 256;

/// Generates a program with one output.
pub fn generate(options: &Options, random: &mut Random) -> Program {
    around(&Program::default(), options, random).0
}

/// Adds relations with facts and rules to a program that [`crate::check`] accepts, and returns the new output relation.
///
/// The given program stays as it is: its relations get no rules, and its outputs stay outputs. New rules use its
/// relations and often its constants. If its rows cannot be computed, empty relations are not drawn again.
pub fn around(seed: &Program, options: &Options, random: &mut Random) -> (Program, RelationId) {
    let mut generator = Generator::new(seed, options, random);
    generator.add_tables();
    generator.add_groups();
    let output = generator.choose_output();
    if options.qualifiers {
        generator.qualify();
    }
    let first = seed.rules.len();
    generator.program.rules[first..].iter_mut().for_each(Rule::renumber);
    (generator.program, output)
}

/// One of the two sides of a program.
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

/// A program under construction.
struct Generator<'a> {
    options: &'a Options,
    program: Program,
    /// The number of relations of the given program.
    given: usize,
    /// The index of the first generated relation with rules.
    tables_end: usize,
    /// The types of columns.
    types: Vec<Type>,
    /// The prefix of the names of new relations.
    prefix: String,
    /// Constants that occur in facts, by type.
    constants: BTreeMap<Type, Vec<Constant>>,
    /// The rows computed so far; `None` if empty relations are not drawn again.
    tables: Option<Tables>,
    /// The number of rows that computing one group may visit.
    fuel: u64,
    /// Whether relations use those of their own side and negate those of the other.
    has_sides: bool,
    /// The side of each relation.
    sides: Vec<Side>,
    /// The index of the first relation of each relation's group.
    groups: Vec<usize>,
    random: &'a mut Random,
}

impl<'a> Generator<'a> {
    fn new(seed: &Program, options: &'a Options, random: &'a mut Random) -> Generator<'a> {
        let given = seed.relations.len();
        let used: BTreeSet<Type> = seed.relations.iter().flat_map(|it| it.columns.iter().copied()).collect();
        let mut types = options.types.clone();
        types.extend(used.into_iter().filter(|used| !options.types.contains(used)));
        let tables = options.steered.then(|| evaluate_seed(seed)).flatten();
        let rows: usize = match &tables {
            Some(tables) => seed.ids().map(|id| tables.count(id)).sum(),
            None => 0,
        };
        Generator {
            options,
            program: seed.clone(),
            given,
            tables_end: given,
            types,
            prefix: unused_prefix(seed),
            constants: constants_of(seed),
            tables,
            // Leaves enough fuel to visit all given rows.
            fuel: FUEL + 2 * rows as u64,
            has_sides: random.coin(),
            sides: (0..given).map(|_| Side::draw(random)).collect(),
            groups: (0..given).collect(),
            random,
        }
    }

    /// Returns true if a relation is known to have no rows.
    fn is_empty(&self, relation: RelationId) -> bool {
        match &self.tables {
            Some(tables) if relation.index() < tables.relations() => tables.count(relation) == 0,
            _ => false,
        }
    }
}

/// Computes the rows of a given program. Returns `None` if it has opaque statements or takes too long.
fn evaluate_seed(seed: &Program) -> Option<Tables> {
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

/// Returns a prefix that no name in a program has in front of a digit.
fn unused_prefix(seed: &Program) -> String {
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

/// Returns constants from the facts of a program, by type.
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
