//! Random terms: the material of guards.

use super::columns::{Columns, mask};
use super::plan::Bits;
use model::Random;
use smt::{Head, Operator, Script, SymbolId, TermId};
use std::collections::BTreeSet;

/// Constants have at most so many bits here, and so have all terms that are drawn without a script.
const WORD: u32 = 64;

/// Something that terms are about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub symbol: SymbolId,
    pub term: TermId,
    pub sort: Bits,
}

/// The operators of a kind, the usual ones of programs several times.
const ARITHMETIC: [Operator; 22] = [
    Operator::BvAdd,
    Operator::BvAdd,
    Operator::BvSub,
    Operator::BvSub,
    Operator::BvMul,
    Operator::BvUdiv,
    Operator::BvUdiv,
    Operator::BvUrem,
    Operator::BvUrem,
    Operator::BvSdiv,
    Operator::BvSdiv,
    Operator::BvSrem,
    Operator::BvSrem,
    Operator::BvSmod,
    Operator::BvShl,
    Operator::BvLshr,
    Operator::BvAshr,
    Operator::BvAnd,
    Operator::BvOr,
    Operator::BvXor,
    Operator::ExtRotateLeft,
    Operator::ExtRotateRight,
];
const RARE: [Operator; 3] = [Operator::BvNand, Operator::BvNor, Operator::BvXnor];
const COMPARISONS: [Operator; 12] = [
    Operator::Equal,
    Operator::Equal,
    Operator::Distinct,
    Operator::BvUlt,
    Operator::BvUle,
    Operator::BvUgt,
    Operator::BvUge,
    Operator::BvSlt,
    Operator::BvSlt,
    Operator::BvSle,
    Operator::BvSgt,
    Operator::BvSge,
];
const OVERFLOWS: [Operator; 7] = [
    Operator::BvUaddo,
    Operator::BvUsubo,
    Operator::BvUmulo,
    Operator::BvSaddo,
    Operator::BvSsubo,
    Operator::BvSmulo,
    Operator::BvSdivo,
];

/// The operators that may be drawn, by their SMT-LIB names; all if none is named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Operators(BTreeSet<String>);

impl Operators {
    /// Reads names that are separated by commas, or `all`.
    pub fn parse(text: &str) -> Result<Operators, String> {
        if text == "all" {
            return Ok(Operators::default());
        }
        let names: BTreeSet<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        let drawn = ARITHMETIC.iter().chain(&RARE).chain(&OVERFLOWS).map(|it| it.name());
        let known: BTreeSet<&str> = drawn.chain(OTHERS).collect();
        match names.iter().find(|name| !known.contains(name.as_str())) {
            Some(unknown) => {
                let known: Vec<&str> = known.into_iter().collect();
                Err(format!("there is no operator `{unknown}`; the operators are {}", known.join(", ")))
            }
            None => Ok(Operators(names)),
        }
    }

    fn allow(&self, operator: Operator) -> bool {
        self.0.is_empty() || self.0.contains(operator.name())
    }

    /// One of these that may be drawn.
    fn choose(&self, among: &[Operator], random: &mut Random) -> Option<Operator> {
        if self.0.is_empty() {
            return random.choose(among).copied();
        }
        let allowed: Vec<Operator> = among.iter().copied().filter(|it| self.allow(*it)).collect();
        random.choose(&allowed).copied()
    }
}

/// The names of the operators that are drawn one by one. Comparisons and connectives are always drawn.
const OTHERS: [&str; 14] = [
    "bvnot",
    "bvneg",
    "concat",
    "repeat",
    "extract",
    "zero_extend",
    "sign_extend",
    "rotate_left",
    "rotate_right",
    "ite",
    "bvcomp",
    "bvredor",
    "bvredand",
    "bvnego",
];

/// Draws terms over some variables.
pub(super) struct Grow<'a> {
    pub script: &'a mut Script,
    pub variables: &'a [Variable],
    pub operators: &'a Operators,
    pub random: &'a mut Random,
}

impl Grow<'_> {
    fn apply(&mut self, operator: Operator, children: &[TermId]) -> Option<TermId> {
        self.script.terms.apply(operator, children).ok()
    }

    fn constant(&mut self, width: u32, value: u64) -> TermId {
        self.script.terms.bitvec(width, &(value & mask(width)).into())
    }

    /// A constant of the kind at which analyzers fail.
    pub fn special(&mut self, width: u32) -> TermId {
        let value = special_value(width, self.random);
        self.constant(width, value)
    }

    fn width_of(&self, term: TermId) -> u32 {
        match self.script.terms.sort_of(self.script.terms.sort(term)) {
            smt::Sort::BitVec(width) => *width,
            _ => 1,
        }
    }

    fn any_variable(&mut self) -> Option<Variable> {
        self.random.choose(self.variables).copied()
    }

    /// A bit-vector variable, if there is one.
    fn any_vector(&mut self) -> Option<(TermId, u32)> {
        let vectors = self.variables.iter().filter_map(|it| match it.sort {
            Bits::Vector(width) => Some((it.term, width)),
            Bits::Bool => None,
        });
        let vectors: Vec<(TermId, u32)> = vectors.collect();
        self.random.choose(&vectors).copied()
    }

    /// A variable, or a constant, as a term of this width.
    fn leaf(&mut self, width: u32) -> Option<TermId> {
        if self.random.percent(30) {
            return Some(self.special(width));
        }
        match self.any_vector() {
            Some((term, from)) => self.fitted(term, from, width),
            None => Some(self.special(width)),
        }
    }

    /// A term of another width with the same or some of the bits.
    fn fitted(&mut self, term: TermId, from: u32, width: u32) -> Option<TermId> {
        if from == width {
            return Some(term);
        }
        if from > width {
            let low =
                if self.random.coin() { 0 } else { self.random.below((from - width) as usize + 1) as u32 };
            return self.apply(Operator::Extract { high: low + width - 1, low }, &[term]);
        }
        let extend = if self.random.coin() {
            Operator::ZeroExtend(width - from)
        } else {
            Operator::SignExtend(width - from)
        };
        self.apply(extend, &[term])
    }

    /// A term of a width.
    pub fn vector(&mut self, width: u32, depth: u32) -> Option<TermId> {
        if depth == 0 || self.random.percent(10) {
            return self.leaf(width);
        }
        if self.random.percent(60) {
            let list: &[Operator] = if self.random.percent(10) { &RARE } else { &ARITHMETIC };
            if let Some(operator) = self.operators.choose(list, self.random) {
                let (first, second) = (self.vector(width, depth - 1)?, self.vector(width, depth - 1)?);
                return self.apply(operator, &[first, second]);
            }
        }
        self.other_vector(width, depth).or_else(|| self.leaf(width))
    }

    fn other_vector(&mut self, width: u32, depth: u32) -> Option<TermId> {
        let random = self.random.below(9);
        let count = (self.random.below(width as usize + 2)) as u32;
        let operator = match random {
            0 => Operator::BvNot,
            1 => Operator::BvNeg,
            2 => Operator::RotateLeft(count),
            3 => Operator::RotateRight(count),
            4 if width > 1 => {
                let high = self.random.between(1, width as usize - 1) as u32;
                if !self.operators.allow(Operator::Concat) {
                    return None;
                }
                let (first, second) = (self.vector(high, depth - 1)?, self.vector(width - high, depth - 1)?);
                return self.apply(Operator::Concat, &[first, second]);
            }
            5 if width < WORD => {
                let from = self.random.between(width as usize + 1, WORD.min(2 * width + 8) as usize) as u32;
                let low = self.random.below((from - width) as usize + 1) as u32;
                let operator = Operator::Extract { high: low + width - 1, low };
                let child =
                    if self.operators.allow(operator) { self.vector(from, depth - 1)? } else { return None };
                return self.apply(operator, &[child]);
            }
            6 if width > 1 => {
                let from = self.random.between(1, width as usize - 1) as u32;
                let operator = if self.random.coin() {
                    Operator::ZeroExtend(width - from)
                } else {
                    Operator::SignExtend(width - from)
                };
                let child =
                    if self.operators.allow(operator) { self.vector(from, depth - 1)? } else { return None };
                return self.apply(operator, &[child]);
            }
            7 if width > 1 && self.operators.allow(Operator::Repeat(2)) => {
                let parts: Vec<u32> = (2..=width).filter(|count| width.is_multiple_of(*count)).collect();
                let count = self.random.choose(&parts).copied()?;
                let child = self.vector(width / count, depth - 1)?;
                return self.apply(Operator::Repeat(count), &[child]);
            }
            _ if width == 1 => {
                let wide = self.any_vector().map_or(8, |(_, width)| width);
                let operator = self
                    .operators
                    .choose(&[Operator::BvComp, Operator::BvRedOr, Operator::BvRedAnd], self.random)?;
                let first = self.vector(wide, depth - 1)?;
                if operator == Operator::BvComp {
                    let second = self.vector(wide, depth - 1)?;
                    return self.apply(operator, &[first, second]);
                }
                return self.apply(operator, &[first]);
            }
            _ => {
                if !self.operators.allow(Operator::Ite) {
                    return None;
                }
                let condition = self.boolean(depth - 1)?;
                let (then, otherwise) = (self.vector(width, depth - 1)?, self.vector(width, depth - 1)?);
                return self.apply(Operator::Ite, &[condition, then, otherwise]);
            }
        };
        if !self.operators.allow(operator) {
            return None;
        }
        let child = self.vector(width, depth - 1)?;
        self.apply(operator, &[child])
    }

    /// A width of the variables, or another one.
    fn any_width(&mut self) -> u32 {
        match self.any_vector() {
            Some((_, width)) if self.random.percent(80) => width,
            _ => self.random.between(1, 16) as u32,
        }
    }

    /// A term of sort Bool.
    pub fn boolean(&mut self, depth: u32) -> Option<TermId> {
        if depth == 0 {
            return match self.any_variable() {
                Some(Variable { term, sort: Bits::Bool, .. }) => Some(term),
                _ => self.comparison(0),
            };
        }
        match self.random.below(12) {
            0 => {
                let inner = self.boolean(depth - 1)?;
                self.script.terms.not(inner).ok()
            }
            1 => self.connected(Operator::And, depth),
            2 => self.connected(Operator::Or, depth),
            3 => {
                let operator = if self.random.coin() { Operator::Xor } else { Operator::Implies };
                self.connected(operator, depth)
            }
            4 => {
                let operator = self.operators.choose(&OVERFLOWS, self.random)?;
                let width = self.any_width();
                let (first, second) = (self.vector(width, depth - 1)?, self.vector(width, depth - 1)?);
                self.apply(operator, &[first, second])
            }
            5 if self.operators.allow(Operator::BvNego) => {
                let width = self.any_width();
                let child = self.vector(width, depth - 1)?;
                self.apply(Operator::BvNego, &[child])
            }
            _ => self.comparison(depth),
        }
    }

    fn connected(&mut self, operator: Operator, depth: u32) -> Option<TermId> {
        let (first, second) = (self.boolean(depth - 1)?, self.boolean(depth - 1)?);
        self.apply(operator, &[first, second])
    }

    fn comparison(&mut self, depth: u32) -> Option<TermId> {
        let width = self.any_width();
        let operator = self.random.choose(&COMPARISONS).copied()?;
        let below = depth.saturating_sub(1);
        let (first, second) = (self.vector(width, below)?, self.vector(width, below)?);
        self.apply(operator, &[first, second])
    }

    /// A typed guard: a random term of sort Bool, half of the time an equation of a term and a value that it has.
    pub fn typed(&mut self, most_depth: u32, columns: &mut Columns) -> Option<TermId> {
        let depth = self.random.between(1, most_depth.max(1) as usize) as u32;
        if self.random.coin() {
            return self.boolean(depth);
        }
        let width = self.any_width();
        let term = self.vector(width, depth)?;
        self.equation(term, columns)
    }

    /// The term equals a value that it has for some input.
    pub fn equation(&mut self, term: TermId, columns: &mut Columns) -> Option<TermId> {
        let value = self.value_in(term, columns)?;
        let width = self.width_of(term);
        let value = self.constant(width, value);
        self.script.terms.equal(term, value).ok()
    }

    fn value_in(&mut self, term: TermId, columns: &mut Columns) -> Option<u64> {
        let column = columns.column(self.script, term)?;
        let width = self.width_of(term);
        match self.random.choose(&column) {
            Some(value) => Some(*value),
            None => Some(special_value(width, self.random)),
        }
    }

    /// A micro guard: one or two operators on variables and small constants, compared with a value that the term has,
    /// or misses by one.
    pub fn micro(&mut self, columns: &mut Columns) -> Option<TermId> {
        let (variable, width) = match self.any_variable()? {
            Variable { term, sort: Bits::Bool, .. } if self.random.percent(50) => return Some(term),
            Variable { sort: Bits::Bool, .. } => self.any_vector()?,
            Variable { term, sort: Bits::Vector(width), .. } => (term, width),
        };
        let guard = self.micro_comparison(variable, width, columns)?;
        match self.random.below(10) {
            0 => {
                let other = self.micro_comparison(variable, width, columns)?;
                self.apply(Operator::And, &[guard, other])
            }
            1 => self.script.terms.not(guard).ok(),
            _ => Some(guard),
        }
    }

    fn micro_comparison(&mut self, variable: TermId, width: u32, columns: &mut Columns) -> Option<TermId> {
        if self.random.percent(6)
            && let Some(operator) = self.operators.choose(&OVERFLOWS, self.random)
        {
            let (first, second) = self.micro_operands(variable, width)?;
            return self.apply(operator, &[first, second]);
        }
        let mut term = self.micro_term(variable, width)?;
        if self.random.percent(35) {
            let width = self.width_of(term);
            term = match self.random.percent(70) {
                true => {
                    let constant = self.special(width);
                    let operator = self.operators.choose(&ARITHMETIC, self.random)?;
                    self.apply(operator, &[term, constant])?
                }
                false => self.micro_unary(term, width)?,
            };
        }
        let width = self.width_of(term);
        let operator = self.random.choose(&COMPARISONS).copied()?;
        let other = if self.random.percent(12) {
            let (term, from) = self.any_vector()?;
            self.fitted(term, from, width)?
        } else {
            let near = [0, 0, 0, 1, u64::MAX];
            let by = self.random.choose(&near).copied().unwrap_or(0);
            let value = self.value_in(term, columns)?.wrapping_add(by);
            self.constant(width, value)
        };
        match self.random.percent(15) {
            true => self.apply(operator, &[other, term]),
            false => self.apply(operator, &[term, other]),
        }
    }

    fn micro_operands(&mut self, variable: TermId, width: u32) -> Option<(TermId, TermId)> {
        Some(match self.random.below(10) {
            0..=4 => (variable, self.special(width)),
            5 | 6 => (self.special(width), variable),
            7 | 8 => {
                let (term, from) = self.any_vector()?;
                (variable, self.fitted(term, from, width)?)
            }
            _ => (self.special(width), self.special(width)),
        })
    }

    fn micro_term(&mut self, variable: TermId, width: u32) -> Option<TermId> {
        if self.random.percent(20) {
            return self.micro_unary(variable, width);
        }
        let list: &[Operator] = if self.random.percent(5) { &RARE } else { &ARITHMETIC };
        let Some(operator) = self.operators.choose(list, self.random) else {
            return self.micro_unary(variable, width);
        };
        let (first, second) = self.micro_operands(variable, width)?;
        self.apply(operator, &[first, second])
    }

    /// One operator with one operand, often one that changes the width.
    fn micro_unary(&mut self, term: TermId, width: u32) -> Option<TermId> {
        let operator = match self.random.below(8) {
            0 => Operator::BvNot,
            1 => Operator::BvNeg,
            2 if width > 1 => {
                let high = self.random.below(width as usize) as u32;
                Operator::Extract { high, low: self.random.below(high as usize + 1) as u32 }
            }
            3 if width < 33 => Operator::SignExtend(self.random.between(1, width as usize) as u32),
            4 if width < 33 => Operator::ZeroExtend(self.random.between(1, width as usize) as u32),
            5 => Operator::RotateLeft(self.random.below(width as usize + 1) as u32),
            6 => Operator::RotateRight(self.random.below(width as usize + 1) as u32),
            _ => return Some(term),
        };
        if self.operators.allow(operator) { self.apply(operator, &[term]) } else { Some(term) }
    }
}

/// 0, 1, -1, the least and greatest values, powers of two, or a random value.
pub(super) fn special_value(width: u32, random: &mut Random) -> u64 {
    let cut = mask(width);
    let bit = 1u64 << random.below(width as usize);
    let value = match random.below(12) {
        0 => 0,
        1 => 1,
        2 => cut,
        3 => 1 << (width - 1),
        4 => cut >> 1,
        5 => bit,
        6 => bit.wrapping_sub(1),
        7 | 8 => random.below(16) as u64,
        9 => (random.below(16) as u64).wrapping_neg(),
        _ => random.word() >> random.below(64),
    };
    value & cut
}

/// True if the term is a constant.
pub(super) fn is_constant(script: &Script, term: TermId) -> bool {
    matches!(
        script.terms.head(term),
        Head::BitVec { .. } | Head::Operator(Operator::True) | Head::Operator(Operator::False)
    )
}
