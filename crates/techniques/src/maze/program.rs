//! Mazes as C programs.

use super::as_c::{AsC, Refusal, Snippet, Spelling, Wide, c_type};
use super::columns::{mask, signed};
use super::plan::{Bits, Cell, Conjunct, Core, Form, Input, LocalValue, Maze, Passage};
use model::{Annotation, AnnotationKind, CInput, DataModel, Random};
use smt::TermId;
use std::collections::BTreeMap;

/// Longer programs are not asked about.
pub(super) const LONGEST: usize = 1 << 20;

/// A program with the places where something can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program {
    /// The text without checks.
    pub text: String,
    /// Each check with its place, in order of the text.
    pub checks: Vec<(u32, u32)>,
    /// For each input the place where it has just been read.
    pub reads: Vec<u32>,
}

impl Program {
    /// The program with some of its checks.
    pub fn with_checks(&self, wanted: impl Fn(u32) -> bool) -> CInput {
        self.annotated(wanted, &[])
    }

    /// The program with some of its checks, in which only one input is followed.
    pub fn on_input(&self, maze: &Maze, inputs: &[u64], wanted: impl Fn(u32) -> bool) -> CInput {
        let named = maze.plan.inputs.iter().zip(inputs);
        let conditions: Vec<String> = named.map(|(input, bits)| is_input(input, *bits)).collect();
        self.annotated(wanted, &conditions)
    }

    fn annotated(&self, wanted: impl Fn(u32) -> bool, conditions: &[String]) -> CInput {
        let assumed = self.reads.iter().zip(conditions);
        let assumed = assumed.map(|(place, it)| Annotation::new(*place, AnnotationKind::Assume, it.as_str()));
        let checks = self.checks.iter().filter(|(number, _)| wanted(*number));
        let checks =
            checks.map(|(number, place)| Annotation::new(*place, AnnotationKind::Check(*number), "0"));
        let mut annotations: Vec<Annotation> = assumed.chain(checks).collect();
        annotations.sort_by_key(|it| it.place);
        CInput { base: self.text.as_str().into(), data_model: DataModel::Lp64, annotations }
    }
}

/// The condition that an input has a value.
fn is_input(input: &Input, bits: u64) -> String {
    format!("{} == {}", input.name, literal(input.sort, bits))
}

/// A constant of the type of a sort.
fn literal(sort: Bits, bits: u64) -> String {
    match sort {
        Bits::Bool => bits.to_string(),
        Bits::Vector(0..=32) => format!("{bits}U"),
        Bits::Vector(_) => format!("{bits}ULL"),
    }
}

/// The inputs in the form in which executions report them.
pub(super) fn inputs_text(inputs: &[Input], values: &[u64]) -> String {
    if inputs.is_empty() {
        return "-".to_owned();
    }
    let text = |(number, (input, value)): (usize, (&Input, &u64))| {
        let call = input.call.c();
        match call.is_signed {
            true => format!("{}:{}@{number}", call.name, signed(*value, call.bits)),
            false => format!("{}:{value}@{number}", call.name),
        }
    };
    let all: Vec<String> = (1..).zip(inputs.iter().zip(values)).map(text).collect();
    all.join(",")
}

/// Writes a maze as a program; an error names what cannot be said in C.
pub(super) fn write(maze: &Maze) -> Result<Program, Refusal> {
    let style = &maze.plan.style;
    // Wider terms cannot be evaluated in columns, so no maze has any.
    let wide = Wide::Refuse;
    let spelling = Spelling { functions: style.functions, casts: style.casts, wide };
    let terms = &maze.script.terms;
    let mut as_c = AsC::new(terms, spelling, Random::for_case(style.stream, 0));
    let parameters = maze.plan.cores.iter().flat_map(|core| &core.parameters).map(|(name, _)| name);
    let variables =
        maze.plan.inputs.iter().map(|it| &it.name).chain(maze.plan.locals.iter().map(|it| &it.name));
    for name in variables.chain(parameters) {
        if let Some(symbol) = maze.symbol(name) {
            as_c.name(symbol, name.clone());
        }
    }
    let types = types(maze, wide)?;
    let mut writer = Writer { maze, types, as_c, text: String::new(), checks: Vec::new(), reads: Vec::new() };
    writer.program()?;
    Ok(writer.finish())
}

/// The C type of each sort of a variable.
fn types(maze: &Maze, wide: Wide) -> Result<BTreeMap<Bits, String>, Refusal> {
    let plan = &maze.plan;
    let parameters = plan.cores.iter().flat_map(|core| &core.parameters).map(|(_, sort)| *sort);
    let sorts = plan.inputs.iter().map(|it| it.sort).chain(plan.locals.iter().map(|it| it.sort));
    let mut terms = smt::Terms::new();
    let mut types = BTreeMap::new();
    for sort in sorts.chain(parameters) {
        let id = sort.sort(&mut terms);
        types.insert(sort, c_type(&terms, id, wide)?);
    }
    Ok(types)
}

struct Writer<'a> {
    maze: &'a Maze,
    types: BTreeMap<Bits, String>,
    as_c: AsC<'a>,
    text: String,
    checks: Vec<(u32, u32)>,
    reads: Vec<u32>,
}

impl Writer<'_> {
    /// Puts what the expressions need before the program.
    fn finish(self) -> Program {
        let mut before = String::new();
        let mut calls: Vec<_> = self.maze.plan.inputs.iter().map(|input| input.call).collect();
        calls.sort_unstable();
        calls.dedup();
        for call in calls {
            let call = call.c();
            before.push_str(&format!("extern {} __VERIFIER_nondet_{}(void);\n", call.c_type, call.name));
        }
        before.push_str(&self.as_c.definitions());
        let shift = before.len() as u32;
        let moved = |(number, place): (u32, u32)| (number, place + shift);
        Program {
            checks: self.checks.into_iter().map(moved).collect(),
            reads: self.reads.into_iter().map(|place| place + shift).collect(),
            text: before + &self.text,
        }
    }

    fn line(&mut self, indent: usize, text: &str) {
        for _ in 0..indent {
            self.text.push_str("  ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn here(&self) -> u32 {
        self.text.len() as u32
    }

    fn type_of(&self, sort: Bits) -> String {
        self.types.get(&sort).cloned().unwrap_or_default()
    }

    /// The type and name of each variable that guards can be about.
    fn variables(&self) -> Vec<(String, String)> {
        let plan = &self.maze.plan;
        let inputs = plan.inputs.iter().map(|it| (it.sort, &it.name));
        let all = inputs.chain(plan.locals.iter().map(|it| (it.sort, &it.name)));
        all.map(|(sort, name)| (self.type_of(sort), name.clone())).collect()
    }

    fn is_in_functions(&self) -> bool {
        self.maze.plan.style.form == Form::Calls
    }

    fn program(&mut self) -> Result<(), Refusal> {
        for index in 0..self.maze.plan.cores.len() {
            self.core(index)?;
        }
        if self.is_in_functions() {
            if !self.maze.plan.style.passes {
                for (c_type, name) in self.variables() {
                    self.line(0, &format!("static {c_type} {name};"));
                }
            }
            if self.maze.plan.steps.is_some() {
                self.line(0, "static unsigned int steps;");
            }
            self.cell_functions()?;
        }
        self.text.push_str("\nint main(void)\n{\n");
        self.read_inputs()?;
        match self.maze.plan.style.form {
            Form::Calls => {
                if self.maze.plan.steps.is_some() {
                    self.line(1, "steps = 0U;");
                }
                let arguments = self.arguments();
                self.line(1, &format!("cell_0({arguments});"));
            }
            Form::Nested => self.nested(0, 1)?,
            Form::Goto => self.labels()?,
            Form::Machine => self.machine()?,
        }
        self.text.push_str("  return 0;\n}\n");
        Ok(())
    }

    /// The statements that read the inputs and compute the locals.
    fn read_inputs(&mut self) -> Result<(), Refusal> {
        let maze = self.maze;
        let is_global = self.is_in_functions() && !maze.plan.style.passes;
        for input in &maze.plan.inputs {
            let c_type = self.type_of(input.sort);
            let call = input.call.c();
            let read = format!("__VERIFIER_nondet_{}()", call.name);
            let value = match input.sort {
                Bits::Vector(width) if width < call.bits => {
                    let unsigned = if width > 32 { "unsigned long long" } else { "unsigned int" };
                    format!("({unsigned}){read} & {}", literal(input.sort, mask(width)))
                }
                Bits::Vector(_) if call.is_signed => format!("({c_type}){read}"),
                _ => read,
            };
            self.assign(is_global, &c_type, &input.name, &value);
            let place = self.here();
            self.reads.push(place);
        }
        for local in &maze.plan.locals {
            let c_type = self.type_of(local.sort);
            let value = match &local.value {
                LocalValue::Term(term) => self.expression(*term, 1)?,
                LocalValue::Table { index, entries } => {
                    let entries: Vec<String> = entries.iter().map(|it| literal(local.sort, *it)).collect();
                    let table = format!("{}_values", local.name);
                    let size = entries.len();
                    self.line(
                        1,
                        &format!("static const {c_type} {table}[{size}] = {{{}}};", entries.join(", ")),
                    );
                    format!("{table}[{}]", self.expression(*index, 1)?)
                }
            };
            self.assign(is_global, &c_type, &local.name, &value);
        }
        Ok(())
    }

    fn assign(&mut self, is_global: bool, c_type: &str, name: &str, value: &str) {
        match is_global {
            true => self.line(1, &format!("{name} = {value};")),
            false => self.line(1, &format!("{c_type} {name} = {value};")),
        }
    }

    /// Writes what an expression needs before it, and returns the expression.
    fn expression(&mut self, term: TermId, indent: usize) -> Result<String, Refusal> {
        let Snippet { statements, expression } = self.as_c.snippet(term)?;
        for statement in statements {
            self.line(indent, &statement);
        }
        Ok(expression)
    }

    /// A core as a function of its parameters.
    fn core(&mut self, index: usize) -> Result<(), Refusal> {
        let Some(Core { parameters, parts }) = self.maze.plan.cores.get(index) else { return Ok(()) };
        let mut list = Vec::with_capacity(parameters.len());
        for (name, sort) in parameters {
            list.push(format!("{} {name}", self.type_of(*sort)));
        }
        self.line(0, &format!("static int core_{index}({})", list.join(", ")));
        self.line(0, "{");
        let parts = parts.iter().map(|part| self.expression(*part, 1)).collect::<Result<Vec<_>, _>>()?;
        let parts: Vec<String> = parts.into_iter().map(|it| format!("({it})")).collect();
        self.line(1, &format!("return {};", parts.join(" && ")));
        self.line(0, "}");
        Ok(())
    }

    /// A guard as an expression; what it needs is written before.
    fn guard(&mut self, guard: &[Conjunct<TermId>], indent: usize) -> Result<String, Refusal> {
        let mut parts = Vec::with_capacity(guard.len());
        for conjunct in guard {
            parts.push(match conjunct {
                Conjunct::Term(term) => self.expression(*term, indent)?,
                Conjunct::Core { core, arguments } => {
                    let arguments = arguments
                        .iter()
                        .map(|it| self.expression(*it, indent))
                        .collect::<Result<Vec<_>, _>>()?;
                    format!("core_{core}({})", arguments.join(", "))
                }
            });
        }
        Ok(match parts.as_slice() {
            [] => "1".to_owned(),
            [only] => only.clone(),
            parts => parts.iter().map(|it| format!("({it})")).collect::<Vec<_>>().join(" && "),
        })
    }

    /// The end of a walk, with the check of a dead end before it.
    fn end(&mut self, cell: &Cell<TermId>, indent: usize, leave: &str) {
        if let Some(check) = cell.check {
            let place = self.here();
            self.checks.push((check, place));
        }
        self.line(indent, leave);
    }

    /// The passages of a cell as an `if … else if` chain, or one after the other if each leaves.
    fn passages(
        &mut self,
        passages: &[Passage<TermId>],
        indent: usize,
        follow: &mut dyn FnMut(&mut Self, usize, usize) -> Result<(), Refusal>,
        leave: Option<&str>,
    ) -> Result<(), Refusal> {
        let mut open_blocks = 0;
        for (position, passage) in passages.iter().enumerate() {
            let depth = indent + open_blocks;
            let before = self.text.len();
            let is_else = position > 0 && leave.is_none();
            let guard = self.guard(&passage.guard, depth + usize::from(is_else))?;
            let mut level = depth;
            if is_else {
                // What the guard needs stands in a block of its own.
                let needed = self.text.split_off(before);
                let is_alone = needed.is_empty();
                self.text.truncate(self.text.trim_end().len());
                if is_alone {
                    self.text.push_str(&format!(" else if ({guard}) {{\n"));
                } else {
                    self.text.push_str(" else {\n");
                    self.text.push_str(&needed);
                    open_blocks += 1;
                    level = depth + 1;
                    self.line(level, &format!("if ({guard}) {{"));
                }
            } else {
                self.line(depth, &format!("if ({guard}) {{"));
            }
            follow(self, passage.to, level + 1)?;
            let is_left = self.maze.plan.style.form == Form::Nested
                && self.maze.plan.cells[passage.to].passages.is_empty();
            if let Some(leave) = leave.filter(|_| !is_left) {
                self.line(level + 1, leave);
            }
            self.line(level, "}");
        }
        for block in (0..open_blocks).rev() {
            self.line(indent + block, "}");
        }
        Ok(())
    }

    fn nested(&mut self, at: usize, indent: usize) -> Result<(), Refusal> {
        let maze = self.maze;
        let cell = &maze.plan.cells[at];
        if cell.passages.is_empty() {
            self.end(cell, indent, "return 0;");
            return Ok(());
        }
        let leave = maze.plan.style.returns.then_some("return 0;");
        let mut follow = |this: &mut Self, to: usize, indent: usize| this.nested(to, indent);
        self.passages(&cell.passages, indent, &mut follow, leave)
    }

    fn labels(&mut self) -> Result<(), Refusal> {
        let maze = self.maze;
        let has_steps = maze.plan.steps.is_some();
        if has_steps {
            self.line(1, "unsigned int steps = 0U;");
        }
        let mut is_entered = vec![false; maze.plan.cells.len()];
        is_entered[0] = true;
        for passage in maze.plan.cells.iter().flat_map(|cell| &cell.passages) {
            is_entered[passage.to] = true;
        }
        for (index, cell) in maze.plan.cells.iter().enumerate() {
            // A label that nothing jumps to is refused by some tools, and the first cell is entered from above.
            if index > 0 && is_entered[index] {
                self.line(0, &format!("cell_{index}:"));
                self.line(1, ";");
            } else if index > 0 {
                continue;
            } else if maze.plan.cells.iter().flat_map(|it| &it.passages).any(|it| it.to == 0) {
                self.line(0, "cell_0:");
                self.line(1, ";");
            }
            self.step(cell, 1, "return 0;");
            self.line(1, "{");
            let mut follow = |this: &mut Self, to: usize, indent: usize| {
                this.line(indent, &format!("goto cell_{to};"));
                Ok(())
            };
            if maze.plan.style.returns {
                self.passages_apart(&cell.passages, 2, &mut follow)?;
            } else {
                self.passages(&cell.passages, 2, &mut follow, None)?;
            }
            self.end(cell, 2, "return 0;");
            self.line(1, "}");
        }
        Ok(())
    }

    /// Passages one after the other, each of which leaves by itself.
    fn passages_apart(
        &mut self,
        passages: &[Passage<TermId>],
        indent: usize,
        follow: &mut dyn FnMut(&mut Self, usize, usize) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        for passage in passages {
            let guard = self.guard(&passage.guard, indent)?;
            self.line(indent, &format!("if ({guard}) {{"));
            follow(self, passage.to, indent + 1)?;
            self.line(indent, "}");
        }
        Ok(())
    }

    fn machine(&mut self) -> Result<(), Refusal> {
        let maze = self.maze;
        if maze.plan.steps.is_some() {
            self.line(1, "unsigned int steps = 0U;");
        }
        self.line(1, "unsigned int at = 0U;");
        self.line(1, "for (;;) {");
        self.line(2, "switch (at) {");
        for (index, cell) in maze.plan.cells.iter().enumerate() {
            self.line(2, &format!("case {index}U: {{"));
            self.step(cell, 3, "return 0;");
            let mut follow = |this: &mut Self, to: usize, indent: usize| {
                this.line(indent, &format!("at = {to}U;"));
                this.line(indent, "break;");
                Ok(())
            };
            self.passages_apart(&cell.passages, 3, &mut follow)?;
            self.end(cell, 3, "return 0;");
            self.line(2, "}");
        }
        self.line(2, "default:");
        self.line(3, "return 0;");
        self.line(2, "}");
        self.line(1, "}");
        Ok(())
    }

    /// Counts the cell and ends the walk after too many.
    fn step(&mut self, cell: &Cell<TermId>, indent: usize, leave: &str) {
        if let Some(steps) = self.maze.plan.steps.filter(|_| cell.check.is_none()) {
            self.line(indent, &format!("if (steps == {steps}U) {leave}"));
            self.line(indent, "steps = steps + 1U;");
        }
    }

    /// The variables as parameters, if functions get them.
    fn parameters(&self) -> String {
        if !self.maze.plan.style.passes {
            return "void".to_owned();
        }
        let variables: Vec<String> =
            self.variables().into_iter().map(|(c_type, name)| format!("{c_type} {name}")).collect();
        if variables.is_empty() { "void".to_owned() } else { variables.join(", ") }
    }

    fn arguments(&self) -> String {
        if !self.maze.plan.style.passes {
            return String::new();
        }
        let names: Vec<String> = self.variables().into_iter().map(|(_, name)| name).collect();
        names.join(", ")
    }

    fn cell_functions(&mut self) -> Result<(), Refusal> {
        let maze = self.maze;
        let (parameters, arguments) = (self.parameters(), self.arguments());
        // Without passages that lead back, each function stands before those that call it.
        if maze.plan.steps.is_some() {
            for index in 0..maze.plan.cells.len() {
                self.line(0, &format!("static void cell_{index}({parameters});"));
            }
        }
        for (index, cell) in maze.plan.cells.iter().enumerate().rev() {
            self.text.push('\n');
            self.line(0, &format!("static void cell_{index}({parameters})"));
            self.line(0, "{");
            self.step(cell, 1, "return;");
            let mut follow = |this: &mut Self, to: usize, indent: usize| {
                this.line(indent, &format!("cell_{to}({arguments});"));
                Ok(())
            };
            let leave = maze.plan.style.returns.then_some("return;");
            self.passages(&cell.passages, 1, &mut follow, leave)?;
            if cell.check.is_some() {
                self.end(cell, 1, "return;");
            }
            self.line(0, "}");
        }
        Ok(())
    }
}
