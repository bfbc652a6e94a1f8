//! Small random programs that gcc accepts: every arithmetic type, structures, arrays, and every kind of statement.

use super::Numbers;

const TYPES: [&str; 20] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "__int128",
    "float",
    "double",
    "long double",
    "_Float128",
    "const int",
    "volatile long",
    "word",
];

/// The beginning of every program.
const HEAD: &str = "typedef unsigned short word;
enum colour { RED = -3, GREEN, BLUE = 40 };
struct pair { int first; unsigned second : 5; char name[3]; };
struct nest { struct pair inner[2]; union { int i; float f; } either; struct { long deep; }; double *link; };
union both { int i; float f; };
static int calls;
";

/// A program under construction.
struct Writer<'a> {
    numbers: &'a mut Numbers,
    text: String,
    /// The assignable names, innermost last.
    assignable: Vec<String>,
    next: usize,
    /// Whether the block may still declare `shared`, which each block may do once.
    may_share: bool,
}

/// Writes a program.
pub fn small_program(numbers: &mut Numbers) -> String {
    let mut writer =
        Writer { numbers, text: HEAD.to_owned(), assignable: Vec::new(), next: 0, may_share: false };
    for _ in 0..=writer.numbers.below(6) {
        writer.declaration(true);
        writer.text.push('\n');
    }
    let functions = writer.numbers.below(3);
    for number in 0..functions {
        writer.function(&format!("f{number}"), number);
    }
    writer.function("main", functions);
    writer.text
}

impl Writer<'_> {
    fn pick<'b>(&mut self, choices: &[&'b str]) -> &'b str {
        choices[self.numbers.below(choices.len() as u64) as usize]
    }

    /// Draws a new name, or sometimes one that shadows another.
    fn name(&mut self) -> String {
        self.next += 1;
        if self.may_share && self.numbers.below(6) == 0 {
            self.may_share = false;
            return "shared".to_owned();
        }
        format!("v{}", self.next)
    }

    fn declaration(&mut self, is_global: bool) {
        let name = self.name();
        let storage = self.pick(&["", "", "", "static "]);
        let r#type = self.pick(&TYPES);
        // The shadowed name cannot be used here, not even in the initializer.
        self.assignable.retain(|other| *other != name);
        let constant = self.constant(is_global || !storage.is_empty());
        let is_constant = r#type.starts_with("const");
        let declared = match self.numbers.below(12) {
            0 => format!("{type} {name}[3] = {{ {constant} }};"),
            1 => format!("{storage}struct pair {name} = {{ {constant}, 3 }};"),
            2 => format!("{storage}struct nest {name};"),
            3 => format!("{storage}union both {name};"),
            4 => format!("{storage}enum colour {name} = GREEN;"),
            5 => format!("{storage}int *{name} = 0;"),
            6 if !is_constant => format!("{storage}{type} {name};"),
            _ => format!("{storage}{type} {name} = {constant};"),
        };
        let is_number = declared.starts_with(&format!("{storage}{type} {name}")) && !declared.contains('[');
        self.text.push_str(&declared);
        if is_number && !is_constant {
            self.assignable.push(name);
        }
    }

    fn constant(&mut self, must_be_constant: bool) -> String {
        if !must_be_constant && !self.assignable.is_empty() && self.numbers.below(2) == 0 {
            return self.variable();
        }
        match self.numbers.below(5) {
            0 => format!("{}.5f", self.numbers.below(100)),
            1 => "BLUE".to_owned(),
            2 => format!("-{}", self.numbers.below(1 << 31)),
            _ => self.numbers.below(1000).to_string(),
        }
    }

    fn variable(&mut self) -> String {
        match self.numbers.below(self.assignable.len() as u64 + 1) as usize {
            index if index < self.assignable.len() => self.assignable[index].clone(),
            _ => "calls".to_owned(),
        }
    }

    fn function(&mut self, name: &str, callees: u64) {
        let outer = self.assignable.len();
        self.text.push_str(&format!("int {name}(int a, unsigned char b) {{\n"));
        self.assignable.extend(["a".to_owned(), "b".to_owned()]);
        for callee in 0..callees {
            self.text.push_str(&format!("calls += f{callee}(a, calls);\n"));
        }
        self.block(3);
        self.text.push_str(&format!("if (a > 9) goto out_{name};\n"));
        self.block(2);
        self.text.push_str(&format!("out_{name}: return a;\n}}\n"));
        self.assignable.truncate(outer);
    }

    /// Statements in braces.
    fn block(&mut self, depth: u32) {
        let outer = (self.assignable.clone(), self.may_share);
        self.may_share = true;
        self.text.push_str("{\n");
        for _ in 0..self.numbers.below(5) {
            match self.numbers.below(3) {
                0 => self.declaration(false),
                _ => self.statement(depth),
            }
            self.text.push('\n');
        }
        self.text.push_str("}\n");
        (self.assignable, self.may_share) = outer;
    }

    fn statement(&mut self, depth: u32) {
        let (variable, constant) = (self.variable(), self.constant(false));
        if depth == 0 {
            self.text.push_str(&format!("{variable} = {constant};"));
            return;
        }
        match self.numbers.below(10) {
            0 => {
                self.text.push_str(&format!("if ({variable} < {constant}) "));
                self.block(depth - 1);
                self.text.push_str("else ");
                self.block(depth - 1);
            }
            1 => {
                self.text
                    .push_str(&format!("for (int i = 0, n; i < 3; i++, n = i, (void) n) {variable} = i;\n"));
                self.text.push_str("for (int i = 0; i < 3; i++) ");
                self.block(depth - 1);
            }
            2 => {
                self.text.push_str("while (calls++ < 3) ");
                self.block(depth - 1);
            }
            3 => {
                self.text.push_str("do ");
                self.block(depth - 1);
                self.text.push_str(&format!("while ({variable} == {constant} && calls++ < 9);"));
            }
            4 => {
                self.text.push_str("switch ((int) calls) { case 1: calls = 2; ");
                self.block(depth - 1);
                self.text.push_str("break; case 2 ... 5: ; default: ");
                self.block(depth - 1);
                self.text.push('}');
            }
            5 => self.text.push_str(&format!("{variable} = ({{ int z = calls; z + 1; }});")),
            6 => self.block(depth - 1),
            7 => self.text.push_str(&format!("if ({variable}) ; else if (calls) {variable} = {constant};")),
            _ => self.text.push_str(&format!("{variable} = {constant};")),
        }
    }
}
