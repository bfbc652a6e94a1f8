//! Random C programs that are defined for every input and always terminate, by construction.
//!
//! Each program prints a checksum of its variables as one line and returns 0. Compilers must agree on it, and every
//! report of undefined behaviour in such a program is a false positive.
//!
//! The text is written straight into one buffer. The facts that make it safe are known while it is written: every
//! expression has an interval of values, every variable has a range that all writes keep to, every branch may rely on
//! its condition as long as nothing writes the tested variable, every loop has a counter that nothing else writes, and
//! no full expression contains two effects whose order would matter.

mod branch;
mod call;
mod condition;
mod declaration;
mod expression;
mod feature;
mod flow;
mod function;
mod getter;
mod interval;
mod jump;
mod loops;
mod lvalue;
mod operator;
mod pattern;
mod pointer;
mod program;
mod real;
mod scope;
mod statement;
mod text;
mod types;
mod value;

pub use feature::{Feature, Features};

use call::{Function, Parameter};
use expression::FullExpression;
use flow::Flow;
use getter::Getter;
use model::Random;
use scope::Variable;
use text::Text;
use types::{Field, Record};

/// The kind of programs to generate.
#[derive(Clone, Debug)]
pub struct Options {
    /// About how many statements a program has.
    pub size: usize,
    /// The features that programs may use. Without any, they are drawn for each program.
    pub features: Option<Features>,
    /// Whether programs read inputs, by the functions `__VERIFIER_nondet_int` and so on.
    pub inputs: bool,
    /// The greatest number of stars of a pointer.
    pub pointer_depth: usize,
    /// The prefix of all names at file scope, including `main`. With it, several programs can be put into one file.
    pub prefix: String,
}

impl Default for Options {
    fn default() -> Options {
        Options { size: 120, features: None, inputs: false, pointer_depth: 2, prefix: String::new() }
    }
}

/// Writes a program. The same options and the same random stream give the same text.
pub fn generate(options: &Options, random: &mut Random) -> String {
    let features = options.features.unwrap_or_else(|| Features::drawn(random));
    let mut generator = Generator {
        random,
        options,
        features,
        text: Text::default(),
        variables: Vec::new(),
        global_count: 0,
        records: Vec::new(),
        fields: Vec::new(),
        functions: Vec::new(),
        parameters: Vec::new(),
        getters: Vec::new(),
        current_function: None,
        level: 0,
        full: FullExpression::default(),
        flow: Flow::default(),
        pending_labels: Vec::new(),
        next_function: 0,
        next_local: 0,
        next_label: 0,
        inputs_used: 0,
    };
    generator.text.buffer.reserve(options.size * 128);
    generator.program();
    generator.text.buffer
}

/// A program that is being written.
struct Generator<'a> {
    random: &'a mut Random,
    options: &'a Options,
    features: Features,
    text: Text,
    /// The variables in scope, those at file scope first.
    variables: Vec<Variable>,
    global_count: usize,
    records: Vec<Record>,
    fields: Vec<Field>,
    functions: Vec<Function>,
    parameters: Vec<Parameter>,
    getters: Vec<Getter>,
    /// The function being written, unless it is `main`.
    current_function: Option<usize>,
    /// The nesting depth of the current block; 0 at file scope.
    level: u16,
    full: FullExpression,
    flow: Flow,
    /// Labels that will be placed further down, outside the current block.
    pending_labels: Vec<usize>,
    next_function: usize,
    next_local: usize,
    next_label: usize,
    /// A bit for each kind of input that is read.
    inputs_used: u16,
}

impl Generator<'_> {
    fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }
}
