//! Shared by the tests: running gcc, and comparing our types, sizes and constants with those of gcc.
#![allow(clippy::disallowed_methods, reason = "the tests compare with gcc, so they must start it")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "each test uses its own part of this")]

pub mod condition;
pub mod repeated;
pub mod small_program;

use c::patch::{Edit, apply};
use c::syntax::{EntityKind, ExpressionId, ExpressionKind, StatementId, StatementKind};
use c::{DataModel, Program, TypeKind};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A fixed sequence of numbers, which makes test runs reproducible.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Runs gcc on a text. Returns its output, or its messages if it fails.
pub fn gcc(arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let mut child = Command::new("gcc")
        .args(arguments)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // gcc may exit before it has read everything.
        let _ = pipe.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    if output.status.success() {
        return Ok(output.stdout);
    }
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(complaints.lines().filter(|line| line.contains("error")).take(12).collect::<Vec<_>>().join("\n"))
}

/// Returns the folder of Csmith's header: `include/csmith` next to the folder of its binary.
fn csmith_include() -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folder = std::env::split_paths(&path).find(|folder| folder.join("csmith").is_file()).unwrap();
    format!("-I{}", folder.join("../include/csmith").display())
}

/// Returns a preprocessed program of Csmith, or `None` if Csmith or the preprocessor failed.
pub fn csmith(seed: u64, options: &[&str]) -> Option<Vec<u8>> {
    let mut command = Command::new("csmith");
    // Csmith writes a file with the sizes of types to its working directory.
    command.current_dir(std::env::temp_dir()).args(["--seed", &seed.to_string()]).args(options);
    let output = command.output().ok()?;
    gcc(&["-E", "-std=gnu17", &csmith_include(), "-x", "c"], &output.stdout).ok()
}

/// Preprocesses a text.
pub fn preprocess(text: &[u8]) -> Result<Vec<u8>, String> {
    gcc(&["-E", "-std=gnu17", "-x", "c"], text)
}

/// Returns whether gcc accepts a preprocessed text.
pub fn accepts(text: &[u8], data_model: DataModel) -> Result<(), String> {
    let width = if data_model == DataModel::Lp64 { "-m64" } else { "-m32" };
    gcc(&["-fsyntax-only", "-w", "-std=gnu17", width, "-x", "cpp-output"], text).map(|_| ())
}

/// Returns the files of a folder of this crate's tests, sorted.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Returns the expressions of a statement, without those of inner statements.
fn own_expressions(program: &Program, statement: StatementId) -> Vec<ExpressionId> {
    match program.statements[statement].kind {
        StatementKind::Expression(value)
        | StatementKind::Return(Some(value))
        | StatementKind::ComputedGoto(value)
        | StatementKind::If { condition: value, .. }
        | StatementKind::While { condition: value, .. }
        | StatementKind::Switch { value, .. } => vec![value],
        _ => Vec::new(),
    }
}

/// Writes assertions about the type, size and value of an expression.
fn claims(program: &Program, expression: ExpressionId) -> Option<String> {
    let node = &program.expressions[expression];
    let is_list =
        matches!(node.kind, ExpressionKind::InitializerList(_) | ExpressionKind::StatementExpression(_));
    // The program cannot name the type of an implicitly declared function.
    let is_implicit = matches!(node.kind, ExpressionKind::Name(entity)
        if program.entities[entity].kind == EntityKind::ImplicitFunction);
    if is_list
        || is_implicit
        || program.bit_width(expression).is_some()
        || node.span.end - node.span.start > 300
    {
        return None;
    }
    let text = program.text_of(node.span);
    if text.contains("({") {
        return None;
    }
    let r#type = program.declaration_text(node.r#type, "")?;
    let mut claims = format!(
        "_Static_assert(__builtin_types_compatible_p(__typeof__({text}\n), {}), \"type of {expression:?}\");",
        // A function type as type name needs the parameters of the declarator, which the text has.
        r#type
    );
    let is_sized = !matches!(program.types.kind(node.r#type), TypeKind::Void | TypeKind::Function { .. });
    if let Some(size) = program.types.size(node.r#type).filter(|_| is_sized) {
        claims.push_str(&format!("_Static_assert(sizeof({text}\n) == {size}, \"size of {expression:?}\");"));
    }
    if let Some(value) = program.constant(expression).filter(|_| program.types.is_integer(node.r#type)) {
        claims.push_str(&constant_claim(&text, value));
    }
    Some(claims)
}

fn constant_claim(text: &str, value: i128) -> String {
    // A literal has at most 64 bits.
    let (high, low) = ((value as u128 >> 64) as u64, value as u64);
    let bits = format!("((unsigned __int128)({text}\n))");
    if value < i128::from(i64::MIN) || value > i128::from(u64::MAX) {
        format!(
            "_Static_assert((unsigned long)({bits} >> 64) == {high}ul && (unsigned long){bits} == {low}ul, \"value\");"
        )
    } else if value < 0 {
        format!("_Static_assert(({text}\n) == {}ll - 1, \"value\");", value + 1)
    } else {
        format!("_Static_assert(({text}\n) == {value}ull, \"value\");")
    }
}

/// Returns a copy of the program with assertions about every `stride`-th expression, and the
/// number of assertions.
pub fn with_claims(program: &Program, stride: usize) -> (Vec<u8>, usize) {
    let mut edits = Vec::new();
    let mut seen = 0;
    for statement in program.statements.iter() {
        let StatementKind::Compound { items, .. } = statement.kind else {
            continue;
        };
        for item in &program.statement_lists[items] {
            for root in own_expressions(program, *item) {
                for expression in program.walk(root) {
                    seen += 1;
                    if seen % stride == 0
                        && let Some(text) = claims(program, expression)
                    {
                        edits.push(Edit::insert(program.statements[*item].span.start, text));
                    }
                }
            }
        }
    }
    let count = edits.len();
    edits.push(Edit::insert(program.text.len() as u32, layout_claims(program)));
    (apply(&program.text, &edits).unwrap(), count)
}

/// Writes assertions about the sizes and offsets of all structures and unions at file scope.
pub fn layout_claims(program: &Program) -> String {
    let mut claims = String::from("\n");
    for record in program.types.records.iter() {
        let (true, Some(tag)) = (record.complete, record.tag) else {
            continue;
        };
        let is_inside =
            program.scopes.iter().any(|scope| scope.parent.is_some() && scope.span.contains(record.span));
        if is_inside {
            continue;
        }
        let keyword = if record.is_union { "union" } else { "struct" };
        let name = format!("{keyword} {}", program.name(tag));
        if let Some(size) = record.size {
            let alignment = record.alignment;
            claims.push_str(&format!(
                "_Static_assert(sizeof({name}) == {size} && __alignof__({name}) == {alignment}, \"layout of {name}: {size} {alignment}\");\n"
            ));
        }
        for member in record.members.iter().filter(|member| member.width.is_none()) {
            if let Some(field) = member.name {
                let (field, offset) = (program.name(field), member.offset / 8);
                claims.push_str(&format!(
                    "_Static_assert(__builtin_offsetof({name}, {field}) == {offset}, \"offset of {field} in {name}\");\n"
                ));
            }
        }
    }
    claims
}
