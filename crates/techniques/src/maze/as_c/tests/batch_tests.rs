//! Many terms in one program, which two compilers translate with sanitizers.
#![cfg(test)]
#![allow(clippy::disallowed_methods, reason = "the tests run compilers and what they compile")]

use crate::maze::as_c::machine::{CType, type_of_sort};
use crate::maze::as_c::{AsC, NumberBox, Spelling, USUAL_BOX, Wide};
use model::Random;
use smt::{
    Assignment, Command, Evaluator, FunctionKind, FunctionTable, Script, SortId, SymbolId, Terms, Value,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command as Process;

/// The meanings of the declared functions of a script, in order.
pub(super) type Row = Vec<FunctionTable>;

/// The meaning of a constant.
pub(super) fn constant(value: Value) -> FunctionTable {
    FunctionTable { default: value, entries: BTreeMap::new() }
}

/// Terms of one script, and the inputs to try them on.
pub(super) struct Group<'a> {
    /// The script; its last command asks for the values of the terms.
    pub(super) script: &'a Script,
    pub(super) spelling: Spelling,
    /// The boxes of the declared functions, in order; the others have the usual one.
    pub(super) boxes: Vec<NumberBox>,
    pub(super) rows: &'a [Row],
}

/// A program in the making.
#[derive(Default)]
pub(super) struct Batch {
    definitions: String,
    defined: BTreeSet<String>,
    tables: String,
    functions: String,
    calls: String,
    cases: Vec<Case>,
    table_names: BTreeMap<Vec<Vec<u64>>, usize>,
}

/// A term with what its values must be, on each row.
struct Case {
    term: String,
    expected: Vec<String>,
}

const PRELUDE: &str = "#include <stdio.h>\n\
    static void put(unsigned long long value) { printf(\"%llx.\", value); }\n";

impl Batch {
    /// Adds the terms of a group, and returns why some are refused.
    pub(super) fn add(&mut self, group: &Group<'_>, random: Random) -> Vec<String> {
        let script = group.script;
        let Some(Command::GetValue(terms)) = script.commands.last() else { panic!("nothing is asked") };
        let mut as_c = AsC::new(&script.terms, group.spelling, random);
        let declared: Vec<SymbolId> = script
            .terms
            .functions()
            .filter(|(_, info)| info.kind == FunctionKind::Declared)
            .map(|(symbol, _)| symbol)
            .collect();
        let mut boxes: BTreeMap<SymbolId, NumberBox> = BTreeMap::new();
        for (symbol, number_box) in declared.iter().zip(&group.boxes) {
            as_c.bound(*symbol, *number_box);
            boxes.insert(*symbol, *number_box);
        }
        let variables = Variables { terms: &script.terms, wide: group.spelling.wide, boxes };
        let named: Vec<(usize, SymbolId, CType)> = declared
            .iter()
            .enumerate()
            .filter_map(|(place, symbol)| Some((place, *symbol, variables.c_type_of(*symbol)?)))
            .collect();
        for (place, symbol, _) in &named {
            as_c.name(*symbol, format!("x{place}"));
        }
        let (mut said, mut refused) = (Vec::new(), Vec::new());
        for term in terms {
            match as_c.snippet(*term) {
                Ok(snippet) => said.push((*term, snippet)),
                Err(refusal) => refused.push(refusal.to_string()),
            }
        }
        if said.is_empty() {
            return refused;
        }
        for definition in &as_c.definitions {
            if self.defined.insert(definition.clone()) {
                self.definitions.push_str(definition);
            }
        }
        let number = self.table_count();
        let mut body = format!("static void case_{number}(const unsigned long long *row) {{\n");
        for (place, _, c_type) in &named {
            let _ = writeln!(body, "  {} x{place};", c_type.name());
            load(c_type, &format!("x{place}"), &mut body);
        }
        for read in as_c.reads() {
            let c_type = type_of_sort(&script.terms, read.sort, group.spelling.wide).unwrap();
            let _ = writeln!(body, "  {} {};", c_type.name(), read.c_name);
            load(&c_type, &read.c_name, &mut body);
            for statement in &read.statements {
                let _ = writeln!(body, "  {statement}");
            }
        }
        for (term, snippet) in &said {
            body.push_str("  {\n");
            for statement in &snippet.statements {
                let _ = writeln!(body, "    {statement}");
            }
            let c_type = type_of_sort(&script.terms, script.terms.sort(*term), group.spelling.wide).unwrap();
            put(&c_type, &snippet.expression, &mut body);
            body.push_str("  }\n");
        }
        body.push_str("}\n");
        self.functions.push_str(&body);

        let mut cases: Vec<Case> = said
            .iter()
            .map(|(term, snippet)| Case {
                term: format!(
                    "{}\n{}\n{}",
                    smt::print::term(&script.terms, *term),
                    snippet.statements.join("\n"),
                    snippet.expression
                ),
                expected: Vec::new(),
            })
            .collect();
        let mut table = Vec::new();
        for row in group.rows {
            let assignment = assignment(&declared, row);
            let mut evaluator = Evaluator::new(script, &assignment);
            let mut words = Vec::new();
            for (place, symbol, c_type) in &named {
                variables.words(c_type, &row[*place].default, variables.box_of(*symbol), &mut words);
            }
            let mut seen = BTreeSet::new();
            for read in as_c.reads() {
                let arguments: Vec<Value> =
                    read.arguments.iter().map(|term| evaluator.value(*term).unwrap()).collect();
                let place = declared.iter().position(|symbol| *symbol == read.symbol).unwrap();
                let c_type = type_of_sort(&script.terms, read.sort, group.spelling.wide).unwrap();
                let before = words.len();
                let value = element(
                    &row[place],
                    script.terms.function(read.symbol).unwrap().parameters.len(),
                    &arguments,
                );
                variables.words(&c_type, &value, variables.box_of(read.symbol), &mut words);
                // The input for an element that was read before must not matter.
                if !seen.insert((read.symbol, arguments)) {
                    words.iter_mut().skip(before).for_each(|word| *word ^= 1);
                }
            }
            for ((term, _), case) in said.iter().zip(&mut cases) {
                let value = evaluator.value(*term).unwrap_or_else(|| panic!("no value of {}", case.term));
                let c_type =
                    type_of_sort(&script.terms, script.terms.sort(*term), group.spelling.wide).unwrap();
                let mut result = Vec::new();
                variables.words(&c_type, &value, USUAL_BOX, &mut result);
                case.expected.push(result.iter().map(|word| format!("{word:x}.")).collect());
            }
            table.push(words);
        }
        self.add_calls(number, table);
        self.cases.extend(cases);
        refused
    }

    fn table_count(&self) -> usize {
        self.calls.lines().count()
    }

    fn add_calls(&mut self, number: usize, table: Vec<Vec<u64>>) {
        let (rows, columns) = (table.len(), table.first().map_or(0, Vec::len).max(1));
        let next = self.table_names.len();
        let name = *self.table_names.entry(table.clone()).or_insert(next);
        if name == next {
            let _ =
                writeln!(self.tables, "static const unsigned long long table_{name}[{rows}][{columns}] = {{");
            for row in &table {
                let words: Vec<String> = row.iter().map(|word| format!("{word}ULL")).collect();
                let _ = writeln!(self.tables, "{{{}}},", words.join(","));
            }
            self.tables.push_str("};\n");
        }
        let _ = writeln!(
            self.calls,
            "  for (i = 0; i < {rows}; i++) {{ case_{number}(table_{name}[i]); putchar('\\n'); }}"
        );
    }

    /// Compiles and runs the program with both compilers. At least so many terms must be there.
    pub(super) fn check(&self, name: &str, least: usize) {
        assert!(self.cases.len() >= least, "{} cases", self.cases.len());
        let program = format!(
            "{PRELUDE}{}{}{}int main(void) {{\n  int i;\n{}  return 0;\n}}\n",
            self.definitions, self.tables, self.functions, self.calls
        );
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(format!("{name}.c"));
        std::fs::write(&path, &program).unwrap();
        for compiler in ["gcc", "clang"] {
            if test_support::has(compiler) {
                self.compare(compiler, &run(compiler, &path, &program));
            }
        }
    }

    fn compare(&self, compiler: &str, output: &str) {
        let mut lines = output.lines();
        let mut cases = self.cases.iter().peekable();
        while let Some(first) = cases.peek() {
            let rows = first.expected.len();
            // A line has the values of all terms of a group on one row; the lines of a group follow each other.
            let texts: Vec<&str> = lines.by_ref().take(rows).collect();
            assert_eq!(texts.len(), rows, "{compiler}: {}", first.term);
            let mut rests: Vec<&str> = texts;
            while rests.iter().any(|rest| !rest.is_empty()) {
                let case = cases.next().unwrap_or_else(|| panic!("{compiler}: more values than terms"));
                for (row, rest) in rests.iter_mut().enumerate() {
                    *rest = rest.strip_prefix(case.expected[row].as_str()).unwrap_or_else(|| {
                        panic!(
                            "{compiler}, row {row}: expected {} before {rest}: {}",
                            case.expected[row], case.term
                        )
                    });
                }
            }
        }
        assert_eq!(lines.find(|line| !line.is_empty()), None);
    }
}

/// Compiles and runs a program. Undefined behaviour ends it with an error.
fn run(compiler: &str, path: &Path, program: &str) -> String {
    let executable = path.with_extension(compiler);
    let compiled = Process::new(compiler)
        .args(["-w", "-std=c11", "-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all", "-o"])
        .args([&executable, path])
        .output()
        .unwrap();
    let kept = || {
        let kept = std::env::temp_dir().join("as-c-failure.c");
        std::fs::write(&kept, program).unwrap();
        kept.display().to_string()
    };
    let errors = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{compiler}, {}: {}", kept(), &errors[..errors.len().min(4000)]);
    let ran = Process::new(&executable).output().unwrap();
    let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{compiler}, {}: {}", kept(), &errors[..errors.len().min(4000)]);
    String::from_utf8(ran.stdout).unwrap()
}

struct Variables<'a> {
    terms: &'a Terms,
    wide: Wide,
    boxes: BTreeMap<SymbolId, NumberBox>,
}

impl Variables<'_> {
    /// The type of a constant that C can hold.
    fn c_type_of(&self, symbol: SymbolId) -> Option<CType> {
        let info = self.terms.function(symbol).unwrap();
        let c_type = type_of_sort(self.terms, info.result, self.wide).ok()?;
        info.parameters.is_empty().then_some(c_type)
    }

    fn box_of(&self, symbol: SymbolId) -> NumberBox {
        self.boxes.get(&symbol).copied().unwrap_or(USUAL_BOX)
    }

    /// The words that stand for a value of a type in the tables.
    fn words(&self, c_type: &CType, value: &Value, number_box: NumberBox, words: &mut Vec<u64>) {
        match (c_type, value) {
            (_, Value::Bool(value)) => words.push(u64::from(*value)),
            (_, Value::Element { index, .. }) => words.push(u64::from(*index)),
            (_, Value::Int(value)) => words.push(i64::try_from(value).unwrap() as u64),
            (_, Value::Real(value)) => {
                let scaled = value.numer() * number_box.denominator;
                assert_eq!(&scaled % value.denom(), 0.into());
                words.push(i64::try_from(&(scaled / value.denom())).unwrap() as u64);
            }
            (CType::Limbs(width), Value::BitVec { bits, .. }) => {
                let digits = bits.to_u32_digits();
                let count = width.div_ceil(32) as usize;
                words.extend((0..count).map(|place| u64::from(digits.get(place).copied().unwrap_or(0))));
            }
            (_, Value::BitVec { bits, .. }) => {
                let digits = bits.to_u64_digits();
                let count = if c_type.bits() == 128 { 2 } else { 1 };
                words.extend((0..count).map(|place| digits.get(place).copied().unwrap_or(0)));
            }
            (CType::Array { length, element, .. }, Value::Array(array)) => {
                for index in 0..u64::from(*length) {
                    let index = self.index(array.index_sort(), index);
                    self.words(element, array.select(&index), number_box, words);
                }
            }
            _ => panic!("{value:?} in {c_type:?}"),
        }
    }

    fn index(&self, sort: SortId, number: u64) -> Value {
        match self.terms.sort_of(sort) {
            smt::Sort::Bool => Value::Bool(number == 1),
            smt::Sort::BitVec(width) => Value::bitvec(*width, number),
            other => panic!("{other:?}"),
        }
    }
}

/// The value of a function, or an element of the array that it is, or both.
fn element(of: &FunctionTable, parameters: usize, arguments: &[Value]) -> Value {
    let (own, indices) = arguments.split_at(parameters);
    let value = of.entries.get(own).unwrap_or(&of.default).clone();
    indices.iter().fold(value, |value, index| match value {
        Value::Array(array) => array.select(index).clone(),
        value => panic!("{value:?} has no element"),
    })
}

fn assignment(declared: &[SymbolId], row: &Row) -> Assignment {
    let mut assignment = Assignment::new();
    for (symbol, table) in declared.iter().zip(row) {
        assignment.set_function(*symbol, table.clone());
    }
    assignment
}

/// Statements that load a variable from the row, which they advance.
fn load(c_type: &CType, name: &str, body: &mut String) {
    match c_type {
        CType::Limbs(width) => {
            for limb in 0..width.div_ceil(32) {
                let _ = writeln!(body, "  {name}.limb[{limb}] = (unsigned int)*row++;");
            }
        }
        CType::Array { length, element, .. } => {
            for place in 0..*length {
                load(element, &format!("{name}.at[{place}]"), body);
            }
        }
        CType::Unsigned(128) => {
            let _ = writeln!(body, "  {name} = *row++;\n  {name} |= (unsigned __int128)*row++ << 64;");
        }
        c_type => {
            let _ = writeln!(body, "  {name} = ({})*row++;", c_type.name());
        }
    }
}

/// Statements that print a value.
fn put(c_type: &CType, expression: &str, body: &mut String) {
    match c_type {
        CType::Limbs(width) => {
            let _ = writeln!(body, "    struct bits_{width} out = {expression};");
            for limb in 0..width.div_ceil(32) {
                let _ = writeln!(body, "    put(out.limb[{limb}]);");
            }
        }
        CType::Unsigned(128) => {
            let _ = writeln!(
                body,
                "    unsigned __int128 out = {expression};\n    put((unsigned long long)out);\n    \
                 put((unsigned long long)(out >> 64));"
            );
        }
        CType::Array { .. } => panic!("an array is no result"),
        CType::Signed(_) => {
            let _ = writeln!(body, "    put((unsigned long long)(long long)({expression}));");
        }
        c_type => {
            // The expression itself must be of the type.
            let _ = writeln!(
                body,
                "    _Static_assert(sizeof({expression}) == sizeof({}), \"type\");\n    put({expression});",
                c_type.name()
            );
        }
    }
}
