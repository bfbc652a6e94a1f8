//! SMT-LIB terms as C expressions whose behaviour is defined.
//!
//! A term becomes a graph of nodes that C can say: functions are expanded, reads go through stores, and operators on
//! vectors of many limbs are composed of a few. The graph is then written, children before parents. Nothing recurses on
//! the depth of a term.

mod arrays;
mod form;
mod graph;
mod limbs;
mod lower;
mod lower_arrays;
mod lower_limbs;
mod lower_numbers;
mod lower_vectors;
mod machine;
mod numbers;
mod refusal;
mod template;
#[cfg(test)]
mod tests;
mod vectors;
mod write;

use crate::maze::as_c::graph::{Graph, NodeId};
use crate::maze::as_c::machine::CType;
pub(crate) use crate::maze::as_c::refusal::Refusal;
use model::Random;
use smt::{SortId, SymbolId, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The share of helper functions and casts, in percent, and how wide values are said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spelling {
    /// How many of the operators whose operands occur twice are calls of helper functions.
    pub functions: u32,
    /// How many of the signed values are read by a cast, where the width is that of a type.
    pub casts: u32,
    /// How bit-vectors of more than 64 bits are said.
    pub wide: Wide,
}

/// How bit-vectors of more than 64 bits are said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wide {
    /// Not at all.
    Refuse,
    /// As `unsigned __int128`, up to 128 bits.
    Int128,
    /// As structs of 32-bit limbs by value, the lowest first.
    Limbs,
}

/// Statements that must run first, and an expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Snippet {
    /// Declarations of locals, one a line.
    pub statements: Vec<String>,
    /// An expression of the C type of the term; a truth value is 0 or 1.
    pub expression: String,
}

/// The least and the greatest numerator of a variable of sort Int or Real, and its denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberBox {
    /// The least numerator.
    pub low: i32,
    /// The greatest numerator.
    pub high: i32,
    /// The denominator, positive; 1 for integers.
    pub denominator: u32,
}

/// The box of a variable that was given none.
pub(crate) const USUAL_BOX: NumberBox = NumberBox { low: -128, high: 127, denominator: 1 };

/// One value of an array or a function that the snippets read. It is an input of the program, because the array as a
/// whole has no C type.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    /// The array or the function.
    pub symbol: SymbolId,
    /// The indices or arguments, whose values under an assignment tell which element was read.
    pub arguments: Vec<TermId>,
    /// The sort of the element.
    pub sort: SortId,
    /// The variable of the C type of the sort that holds the element; the program declares it and takes the input.
    pub c_name: String,
    /// Statements that follow the input: they compute the indices, and make the element that of an earlier read at
    /// the same index. The statements of all reads share one block.
    pub statements: Vec<String>,
}

/// Writes terms of one store as C.
///
/// The names of locals begin with `t`, those of reads with `read_`; helper functions are named after operators, such as
/// `bvsdiv_8`, types after sorts, such as `struct bits_100` or `struct array_3_8`. Names that the caller gives must be
/// others.
#[derive(Debug)]
pub(crate) struct AsC<'a> {
    terms: &'a Terms,
    spelling: Spelling,
    random: Random,
    names: BTreeMap<SymbolId, String>,
    boxes: BTreeMap<SymbolId, NumberBox>,
    /// The terms that stand for arrays.
    equations: BTreeMap<SymbolId, TermId>,
    graph: Graph,
    /// The node of each term in each environment.
    nodes: HashMap<(TermId, u32), NodeId>,
    /// The values of the parameters in each environment; the first is that of closed terms.
    environments: Vec<BTreeMap<SymbolId, NodeId>>,
    environment_numbers: HashMap<(SymbolId, Vec<NodeId>), u32>,
    /// The term that a node was first made for, if it is closed.
    origins: BTreeMap<NodeId, TermId>,
    reads: Vec<Read>,
    read_arguments: Vec<Vec<NodeId>>,
    read_numbers: HashMap<(SymbolId, Vec<NodeId>), usize>,
    /// The texts of the types and helper functions, each after those that it uses.
    definitions: Vec<String>,
    defined: BTreeSet<String>,
    next_local: usize,
}

impl<'a> AsC<'a> {
    /// A writer of the terms of a store. Spelling alternatives are drawn from `random`.
    pub(crate) fn new(terms: &'a Terms, spelling: Spelling, random: Random) -> AsC<'a> {
        AsC {
            terms,
            spelling,
            random,
            names: BTreeMap::new(),
            boxes: BTreeMap::new(),
            equations: BTreeMap::new(),
            graph: Graph::default(),
            nodes: HashMap::new(),
            environments: vec![BTreeMap::new()],
            environment_numbers: HashMap::new(),
            origins: BTreeMap::new(),
            reads: Vec::new(),
            read_arguments: Vec::new(),
            read_numbers: HashMap::new(),
            definitions: Vec::new(),
            defined: BTreeSet::new(),
            next_local: 0,
        }
    }

    /// Gives a free variable its name in C; its C type is that of its sort, see [`c_type`].
    ///
    /// Functions with parameters and arrays of more than 64 elements need no name: see [`AsC::reads`].
    pub(crate) fn name(&mut self, symbol: SymbolId, c_name: String) {
        if let Some(info) = self.terms.function(symbol)
            && let Ok(c_type) = machine::type_of_sort(self.terms, info.result, self.spelling.wide)
        {
            self.define_type(&c_type);
        }
        self.names.insert(symbol, c_name);
    }

    /// Bounds a free variable of sort Int or Real, or the elements of a function or an array that are inputs. Without a
    /// call, and for the elements of C arrays, it is [`USUAL_BOX`]. The program must keep the values within the box.
    pub(crate) fn bound(&mut self, symbol: SymbolId, number_box: NumberBox) {
        let denominator = number_box.denominator.max(1);
        self.boxes.insert(symbol, NumberBox { denominator, ..number_box });
    }

    /// Writes a term. Names of locals never collide, but each snippet declares its own.
    pub(crate) fn snippet(&mut self, term: TermId) -> Result<Snippet, Refusal> {
        let node = self.lower(term)?;
        self.write(node, term)
    }

    /// The elements of arrays and functions that the snippets so far read, in the order in which the program must
    /// take them as inputs, before it runs any snippet. Elements are shared by all snippets.
    pub(crate) fn reads(&self) -> &[Read] {
        &self.reads
    }

    /// Definitions of the types and helper functions that the snippets and named variables use, to stand before them
    /// in the program.
    pub(crate) fn definitions(&self) -> String {
        self.definitions.concat()
    }

    /// Adds a definition, once.
    fn define(&mut self, name: &str, text: impl FnOnce() -> String) {
        if self.defined.insert(name.to_owned()) {
            self.definitions.push(text());
        }
    }

    /// Adds the definition of a type, if it needs one.
    fn define_type(&mut self, c_type: &CType) {
        if let CType::Array { element, .. } = c_type {
            self.define_type(element);
        }
        if let Some(text) = c_type.definition() {
            self.define(&c_type.name(), || text);
        }
    }

    fn refusal(&self, construct: impl Into<String>, term: TermId) -> Refusal {
        Refusal::new(self.terms, construct, term)
    }
}

/// The C type of a sort: `unsigned char`, `unsigned short`, `unsigned int`, `unsigned long long` for vectors of up to 8,
/// 16, 32, 64 bits, `_Bool`, `int` for the numerator of a number.
pub(crate) fn c_type(terms: &Terms, sort: SortId, wide: Wide) -> Result<String, Refusal> {
    match machine::type_of_sort(terms, sort, wide) {
        Ok(_) if sort == SortId::BOOL => Ok("_Bool".to_owned()),
        Ok(c_type) => Ok(c_type.name()),
        Err(construct) => Err(Refusal { construct, place: smt::print::sort(terms, sort) }),
    }
}
