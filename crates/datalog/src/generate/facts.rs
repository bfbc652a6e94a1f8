//! Relations with facts alone: columns, constants, and tables of different shapes.

use super::{Generator, Side};
use crate::program::{Constant, Relation, Tuple, Type};

/// How the rows of a table are drawn.
#[derive(Clone, Copy)]
enum Shape {
    /// No rows.
    Empty,
    /// Independent rows. Small values are more likely, which makes joins succeed.
    Scattered,
    /// Most rows have the same value in one column.
    Skewed,
    /// Rows over so few values that most possible rows exist.
    Dense,
    /// A path through all rows, which makes recursion deep.
    Chain,
}

/// The sides of the first tables.
const SIDES: [Side; 2] = [Side::Left, Side::Right];

impl Generator<'_> {
    /// Adds the relations that have facts and no rules.
    pub(super) fn add_tables(&mut self) {
        let least = if self.has_sides { SIDES.len() } else { 1 };
        let count = self.random.between(least, self.options.fact_relations.max(least));
        for number in 0..count {
            let columns = self.columns();
            let shape = match self.shape(&columns) {
                // Each side needs some rows to begin with.
                Shape::Empty if number < least => Shape::Scattered,
                shape => shape,
            };
            let most = self.options.rows.max(1);
            let rows = self.random.between(1, most).max(self.random.between(1, most));
            let facts = self.facts(&columns, shape, rows);
            let side = SIDES.get(number).copied().unwrap_or_else(|| Side::draw(self.random));
            let place = self.add_relation(columns, side);
            self.program.relations[place].facts = facts;
        }
    }

    /// Adds a relation without facts and returns its index.
    pub(super) fn add_relation(&mut self, columns: Vec<Type>, side: Side) -> usize {
        let place = self.program.relations.len();
        let name = format!("{}{}", self.prefix, place - self.given);
        self.program.relations.push(Relation::new(name, columns));
        self.sides.push(side);
        self.groups.push(place);
        place
    }

    fn shape(&mut self, columns: &[Type]) -> Shape {
        match self.random.below(100) {
            0..15 => Shape::Empty,
            15..30 => Shape::Skewed,
            30..42 => Shape::Dense,
            42..57 if columns.len() >= 2 => Shape::Chain,
            _ => Shape::Scattered,
        }
    }

    /// Draws about this many rows, without duplicates.
    fn facts(&mut self, columns: &[Type], shape: Shape, rows: usize) -> Vec<Tuple> {
        let mut facts: Vec<Tuple> = Vec::new();
        let skewed = self.random.below(columns.len());
        let common: Tuple = columns.iter().map(|column| self.constant(*column)).collect();
        for number in 0..rows {
            let mut row: Tuple = match shape {
                Shape::Empty => break,
                Shape::Scattered | Shape::Skewed => {
                    columns.iter().map(|column| self.constant(*column)).collect()
                }
                Shape::Dense => columns.iter().map(|column| small(*column, self.random.below(3))).collect(),
                Shape::Chain => {
                    let steps = columns.iter().enumerate();
                    steps.map(|(place, column)| small(*column, number + place)).collect()
                }
            };
            if matches!(shape, Shape::Skewed) && !columns.is_empty() && !self.random.percent(20) {
                row[skewed] = common[skewed].clone();
            }
            if !facts.contains(&row) {
                facts.push(row);
            }
        }
        facts
    }

    /// Draws a few rows for a relation that also has rules.
    pub(super) fn few_facts(&mut self, columns: &[Type]) -> Vec<Tuple> {
        let rows = self.random.between(1, 3);
        self.facts(columns, Shape::Scattered, rows)
    }

    pub(super) fn columns(&mut self) -> Vec<Type> {
        let most = self.options.columns.max(1);
        let count = match self.random.below(100) {
            0..6 if self.options.flags => 0,
            6..12 => most + self.random.between(2, 4),
            _ => self.random.between(1, most).max(self.random.between(1, most)),
        };
        (0..count).map(|_| self.random.choose(&self.types).copied().unwrap_or(Type::Signed)).collect()
    }

    /// Draws a constant, often one that occurs in facts.
    pub(super) fn constant(&mut self, r#type: Type) -> Constant {
        if let Some(known) = self.constants.get(&r#type)
            && self.random.percent(70)
            && let Some(constant) = self.random.choose(known)
        {
            return constant.clone();
        }
        let below = self.options.numbers.max(1) as usize;
        let number = self.random.below(below).min(self.random.below(below));
        small(r#type, number)
    }
}

/// Returns the constant of a type for a small number.
fn small(r#type: Type, number: usize) -> Constant {
    match r#type {
        Type::Signed => Constant::Signed(number as i64),
        Type::Unsigned => Constant::Unsigned(number as u64),
        Type::Float => Constant::float(number as f64 / 4.0),
        Type::Symbol => Constant::Symbol(format!("s{number}").into()),
    }
}
