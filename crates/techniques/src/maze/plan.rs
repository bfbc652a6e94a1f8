//! A maze as data: cells, passages with guards, and the inputs that they read.

use serde::{Deserialize, Serialize};
use smt::{Command, FunctionInfo, FunctionKind, Script, SortId, SymbolId, TermId, Terms};

/// A maze whose terms are of type `T`: SMT-LIB text in an exhibit, terms of a script otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Plan<T> {
    /// What is read from outside, once and in this order.
    pub inputs: Vec<Input>,
    /// What is computed from inputs and earlier locals, before the walk begins.
    pub locals: Vec<Local<T>>,
    /// Conjunctions that no value of their parameters satisfies.
    pub cores: Vec<Core<T>>,
    /// The cells; the walk begins in the first.
    pub cells: Vec<Cell<T>>,
    /// After so many cells the walk ends. Without passages that lead back there is no limit.
    pub steps: Option<u32>,
    /// How it is written down as a program.
    pub style: Style,
    /// The stream from which the inputs of mazes come that have too many to try all.
    pub sample: u64,
}

/// Something that is read from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Input {
    /// Its name, in SMT-LIB and in C.
    pub name: String,
    /// Its sort.
    pub sort: Bits,
    /// The type of the value that is read, as in `__VERIFIER_nondet_uint`. It has at least as many bits.
    pub call: Call,
}

/// A sort of inputs and locals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Bits {
    /// `Bool`.
    Bool,
    /// `(_ BitVec width)`.
    Vector(u32),
}

impl Bits {
    /// How many bits there are.
    pub fn count(self) -> u32 {
        match self {
            Bits::Bool => 1,
            Bits::Vector(width) => width,
        }
    }

    /// The sort in a store of terms.
    pub fn sort(self, terms: &mut Terms) -> SortId {
        match self {
            Bits::Bool => SortId::BOOL,
            Bits::Vector(width) => terms.bitvec_sort(width),
        }
    }

    fn text(self) -> String {
        match self {
            Bits::Bool => "Bool".to_owned(),
            Bits::Vector(width) => format!("(_ BitVec {width})"),
        }
    }
}

/// The type of a value that is read from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "each variant is the type of that name")]
pub(super) enum Call {
    Bool,
    Schar,
    Uchar,
    Short,
    Ushort,
    Int,
    Uint,
    Long,
    Ulong,
    Longlong,
    Ulonglong,
}

/// A type of inputs: the name in `__VERIFIER_nondet_NAME`, in C, and its bits.
pub(super) struct CallType {
    pub name: &'static str,
    pub c_type: &'static str,
    pub bits: u32,
    pub is_signed: bool,
}

const fn call_type(name: &'static str, c_type: &'static str, bits: u32, is_signed: bool) -> CallType {
    CallType { name, c_type, bits, is_signed }
}

impl Call {
    /// The integer types with this many bits.
    pub fn of_bits(bits: u32) -> &'static [Call] {
        match bits {
            0..=8 => &[Call::Uchar, Call::Schar],
            9..=16 => &[Call::Ushort, Call::Short],
            17..=32 => &[Call::Uint, Call::Int],
            _ => &[Call::Ulong, Call::Long, Call::Ulonglong, Call::Longlong],
        }
    }

    /// What it is in C.
    pub fn c(self) -> CallType {
        match self {
            Call::Bool => call_type("bool", "_Bool", 1, false),
            Call::Schar => call_type("schar", "signed char", 8, true),
            Call::Uchar => call_type("uchar", "unsigned char", 8, false),
            Call::Short => call_type("short", "short", 16, true),
            Call::Ushort => call_type("ushort", "unsigned short", 16, false),
            Call::Int => call_type("int", "int", 32, true),
            Call::Uint => call_type("uint", "unsigned int", 32, false),
            Call::Long => call_type("long", "long", 64, true),
            Call::Ulong => call_type("ulong", "unsigned long", 64, false),
            Call::Longlong => call_type("longlong", "long long", 64, true),
            Call::Ulonglong => call_type("ulonglong", "unsigned long long", 64, false),
        }
    }
}

/// A variable that is computed from the inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Local<T> {
    /// Its name, in SMT-LIB and in C.
    pub name: String,
    /// Its sort.
    pub sort: Bits,
    /// Its value.
    pub value: LocalValue<T>,
}

/// The value of a local.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LocalValue<T> {
    /// A term.
    Term(T),
    /// An entry of a table: the index has as many values as the table entries.
    Table {
        /// The index, of at most 16 bits.
        index: T,
        /// The entries.
        entries: Vec<u64>,
    },
}

/// A conjunction that no value of its parameters satisfies. It stays so whatever terms are put for the parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Core<T> {
    /// The names and sorts of the parameters, which no other core and nothing else has.
    pub parameters: Vec<(String, Bits)>,
    /// The conjuncts.
    pub parts: Vec<T>,
}

/// A cell. A walk goes on through the first passage whose guard holds, and ends if none does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Cell<T> {
    /// The passages, in the order in which they are tried.
    pub passages: Vec<Passage<T>>,
    /// The number of the check, from 1, in a dead end.
    pub check: Option<u32>,
}

/// A way from one cell to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Passage<T> {
    /// The position of the cell that it leads to.
    pub to: usize,
    /// What must hold, all of it; nothing if the passage is open.
    pub guard: Vec<Conjunct<T>>,
}

/// A part of a guard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Conjunct<T> {
    /// A term of sort Bool.
    Term(T),
    /// A core, with a term for each of its parameters.
    Core {
        /// The position of the core.
        core: usize,
        /// The terms.
        arguments: Vec<T>,
    },
}

/// How a maze is written down as a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Style {
    /// What a cell is.
    pub form: Form,
    /// True if a cell ends with `return` where others have an `else`.
    pub returns: bool,
    /// True if functions get the variables as arguments rather than by name.
    pub passes: bool,
    /// Percentage of the operators whose conversion is a function.
    pub functions: u32,
    /// Percentage of the signed values that are casts.
    pub casts: u32,
    /// The stream from which the alternatives of the conversion come.
    pub stream: u64,
}

/// What a cell is in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Form {
    /// A function.
    Calls,
    /// A block within that of its parent.
    Nested,
    /// A label.
    Goto,
    /// A case of a `switch` in a loop.
    Machine,
}

/// A maze over the terms of a script, in which inputs, locals and parameters of cores are declared.
#[derive(Clone, Debug)]
pub(super) struct Maze {
    pub script: Script,
    pub plan: Plan<TermId>,
}

impl<T> Plan<T> {
    /// The same maze with other terms; `None` if one of them cannot be changed. The order of the terms is that of
    /// [`Plan::terms`].
    pub fn try_map<U>(&self, mut change: impl FnMut(&T) -> Option<U>) -> Option<Plan<U>> {
        let mut locals = Vec::with_capacity(self.locals.len());
        for local in &self.locals {
            let value = match &local.value {
                LocalValue::Term(term) => LocalValue::Term(change(term)?),
                LocalValue::Table { index, entries } => {
                    LocalValue::Table { index: change(index)?, entries: entries.clone() }
                }
            };
            locals.push(Local { name: local.name.clone(), sort: local.sort, value });
        }
        let mut cores = Vec::with_capacity(self.cores.len());
        for core in &self.cores {
            let parts = core.parts.iter().map(&mut change).collect::<Option<_>>()?;
            cores.push(Core { parameters: core.parameters.clone(), parts });
        }
        let mut cells = Vec::with_capacity(self.cells.len());
        for cell in &self.cells {
            let mut passages = Vec::with_capacity(cell.passages.len());
            for passage in &cell.passages {
                let guard = passage.guard.iter().map(|it| it.try_map(&mut change)).collect::<Option<_>>()?;
                passages.push(Passage { to: passage.to, guard });
            }
            cells.push(Cell { passages, check: cell.check });
        }
        let (inputs, style) = (self.inputs.clone(), self.style.clone());
        Some(Plan { inputs, locals, cores, cells, steps: self.steps, style, sample: self.sample })
    }

    /// Every term, in the order of [`Plan::try_map`].
    pub fn terms(&self) -> Vec<&T> {
        let mut terms = Vec::new();
        for local in &self.locals {
            match &local.value {
                LocalValue::Term(term) | LocalValue::Table { index: term, .. } => terms.push(term),
            }
        }
        terms.extend(self.cores.iter().flat_map(|core| &core.parts));
        for passage in self.cells.iter().flat_map(|cell| &cell.passages) {
            for conjunct in &passage.guard {
                match conjunct {
                    Conjunct::Term(term) => terms.push(term),
                    Conjunct::Core { arguments, .. } => terms.extend(arguments),
                }
            }
        }
        terms
    }

    /// The position of the cell with a check.
    pub fn cell_of(&self, check: u32) -> Option<usize> {
        self.cells.iter().position(|cell| cell.check == Some(check))
    }

    /// The bits of all inputs together.
    pub fn input_bits(&self) -> u32 {
        self.inputs.iter().map(|input| input.sort.count()).sum()
    }
}

impl<T> Conjunct<T> {
    fn try_map<U>(&self, change: &mut impl FnMut(&T) -> Option<U>) -> Option<Conjunct<U>> {
        Some(match self {
            Conjunct::Term(term) => Conjunct::Term(change(term)?),
            Conjunct::Core { core, arguments } => Conjunct::Core {
                core: *core,
                arguments: arguments.iter().map(change).collect::<Option<_>>()?,
            },
        })
    }
}

impl Maze {
    /// The maze with its terms as text.
    pub fn facts(&self) -> Plan<String> {
        let mut printer = smt::print::Printer::new(&self.script.terms);
        let facts = self.plan.try_map(|term| Some(printer.term(*term)));
        facts.unwrap_or_else(|| Plan {
            inputs: Vec::new(),
            locals: Vec::new(),
            cores: Vec::new(),
            cells: Vec::new(),
            steps: None,
            style: self.plan.style.clone(),
            sample: 0,
        })
    }

    /// Reads a maze from its text; `None` if a term cannot be read, or the cells are not those of a maze.
    pub fn read(facts: &Plan<String>) -> Option<Maze> {
        let mut text = String::new();
        let parameters = facts.cores.iter().flat_map(|core| &core.parameters);
        let inputs = facts.inputs.iter().map(|it| (&it.name, it.sort));
        let locals = facts.locals.iter().map(|it| (&it.name, it.sort));
        for (name, sort) in inputs.chain(locals).chain(parameters.map(|(name, sort)| (name, *sort))) {
            text.push_str(&format!("(declare-const {} {})\n", smt::print::symbol_text(name), sort.text()));
        }
        // One command for each term keeps an unbalanced one from changing the others.
        let terms = facts.terms();
        for term in &terms {
            text.push_str(&format!("(get-value ({term}))\n"));
        }
        let script = smt::parse("maze", &text).ok()?;
        let mut read = script.commands.iter().filter_map(|command| match command {
            Command::GetValue(values) => values.first().copied(),
            _ => None,
        });
        let plan = facts.try_map(|_| read.next())?;
        let maze = Maze { script, plan };
        maze.is_well_formed().then_some(maze)
    }

    /// The symbol of an input, a local or a parameter.
    pub fn symbol(&self, name: &str) -> Option<SymbolId> {
        self.script.terms.find_symbol(name)
    }

    /// The columns of all variables for one input.
    pub fn values(&self, inputs: &[u64]) -> Option<super::columns::Columns> {
        super::truth::Points::one(self, inputs).map(|points| points.columns)
    }

    fn is_well_formed(&self) -> bool {
        let (terms, plan) = (&self.script.terms, &self.plan);
        let is_boolean = |term: &TermId| terms.sort(*term) == SortId::BOOL;
        let count = plan.cells.len();
        let conjunct = |it: &Conjunct<TermId>| match it {
            Conjunct::Term(term) => is_boolean(term),
            Conjunct::Core { core, arguments } => {
                plan.cores.get(*core).is_some_and(|core| core.parameters.len() == arguments.len())
            }
        };
        let passage = |it: &Passage<TermId>| it.to < count && it.guard.iter().all(conjunct);
        let cell = |it: &Cell<TermId>| {
            it.passages.iter().all(passage) && (it.check.is_none() || it.passages.is_empty())
        };
        let local = |it: &Local<TermId>| match &it.value {
            LocalValue::Term(term) => match (it.sort, terms.sort_of(terms.sort(*term))) {
                (Bits::Bool, smt::Sort::Bool) => true,
                (Bits::Vector(width), smt::Sort::BitVec(found)) => width == *found,
                _ => false,
            },
            LocalValue::Table { index, entries } => match terms.sort_of(terms.sort(*index)) {
                smt::Sort::BitVec(width) => *width <= 16 && entries.len() == 1 << *width,
                _ => false,
            },
        };
        count > 0
            && plan.cells.iter().all(cell)
            && plan.cores.iter().all(|core| core.parts.iter().all(is_boolean))
            && plan.locals.iter().all(local)
    }
}

/// Declares a constant and returns its term.
pub(super) fn declare(terms: &mut Terms, name: &str, sort: Bits) -> (SymbolId, Option<TermId>) {
    let result = sort.sort(terms);
    let info = FunctionInfo {
        parameters: Box::default(),
        result,
        kind: FunctionKind::Declared,
        definition: None,
        recursive: false,
        name_reused: false,
    };
    let symbol = terms.add_function(name, info);
    (symbol, terms.make(smt::Head::Function(symbol), &[]).ok())
}

/// A grid of cells that are connected by a tree, without guards.
pub(super) fn cells_of(tree: &super::tree::Tree) -> Vec<Cell<TermId>> {
    let mut checks = 0;
    let cell = |children: &Vec<usize>| {
        let check = children.is_empty().then(|| {
            checks += 1;
            checks
        });
        let passages = children.iter().map(|to| Passage { to: *to, guard: Vec::new() }).collect();
        Cell { passages, check }
    };
    tree.children.iter().map(cell).collect()
}
