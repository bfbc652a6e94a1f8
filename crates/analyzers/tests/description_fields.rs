//! `docs/description-fields.md` lists the fields of descriptions. It is generated from the doc comments of the types
//! that read them, so it cannot disagree with the code.
//!
//! `JUVENAL_UPDATE=1 cargo test -p analyzers --test description_fields` writes the page.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/description-fields.md";

const INTRODUCTION: &str = "# Fields of a description

Generated from the doc comments of `crates/analyzers` by its test `description_fields`; do not edit.
[Describing your own analyzer](describing-an-analyzer.md) is the introduction.
Fields in brackets are optional.
";

/// A struct or an enum that descriptions are made of.
struct Type {
    documentation: String,
    is_enum: bool,
    fields: Vec<Field>,
}

struct Field {
    name: String,
    /// The text of the field's type; empty for the variants of an enum.
    type_text: String,
    is_optional: bool,
    documentation: String,
}

#[test]
fn the_page_is_the_code() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let types = types_below(&root.join("crates/analyzers/src"));
    let mut page = INTRODUCTION.to_owned();
    let mut written = Vec::new();
    write_section(&mut page, &mut written, &types, "Description", "");
    assert!(written.len() > 15, "only {written:?} were found");
    let path = root.join(PAGE);
    if std::env::var_os("JUVENAL_UPDATE").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == page,
        "{PAGE} differs from the doc comments; run JUVENAL_UPDATE=1 cargo test -p analyzers --test description_fields"
    );
}

/// Writes the table of one type, then those of the types that its fields name.
fn write_section(
    page: &mut String,
    written: &mut Vec<String>,
    types: &BTreeMap<String, Type>,
    name: &str,
    section: &str,
) {
    let Some(found) = types.get(name) else { return };
    if written.iter().any(|earlier| earlier == name) {
        return;
    }
    written.push(name.to_owned());
    let heading = if section.is_empty() { "The whole file".to_owned() } else { format!("`{section}`") };
    writeln!(page, "\n## {heading}\n\n{}\n", found.documentation).unwrap();
    page.push_str(if found.is_enum { "| value | meaning |\n" } else { "| field | meaning |\n" });
    page.push_str("|---|---|\n");
    for field in &found.fields {
        let (open, close) = if field.is_optional { ("[", "]") } else { ("", "") };
        let meaning = field.documentation.replace('|', "\\|");
        writeln!(page, "| {open}`{}`{close} | {meaning} |", field.name).unwrap();
    }
    for field in &found.fields {
        let below = if section.is_empty() { field.name.clone() } else { format!("{section}.{}", field.name) };
        for word in field.type_text.split(|letter: char| !letter.is_alphanumeric()) {
            write_section(page, written, types, word, &below);
        }
    }
}

/// The types with `Deserialize` in the source files below a directory.
fn types_below(directory: &Path) -> BTreeMap<String, Type> {
    let mut types = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            types.extend(types_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            types.extend(types_in(&fs::read_to_string(&path).unwrap()));
        }
    }
    types
}

fn types_in(text: &str) -> Vec<(String, Type)> {
    let mut types = Vec::new();
    let (mut documentation, mut attributes) = (String::new(), String::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(comment) = line.strip_prefix("///") {
            append(&mut documentation, comment);
        } else if line.starts_with("#[") {
            attributes.push_str(line);
        } else {
            let header = line.strip_prefix("pub struct ").map(|rest| (rest, false));
            let header = header.or_else(|| line.strip_prefix("pub enum ").map(|rest| (rest, true)));
            if let Some((rest, is_enum)) = header
                && attributes.contains("Deserialize")
                && let Some(name) = rest.strip_suffix(" {")
            {
                let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "}").collect();
                let documentation = documentation.clone();
                let fields = fields_in(&body);
                types.push((name.to_owned(), Type { documentation, is_enum, fields }));
            }
            documentation.clear();
            attributes.clear();
        }
    }
    types
}

fn fields_in(body: &[&str]) -> Vec<Field> {
    let mut fields = Vec::new();
    let (mut documentation, mut attributes) = (String::new(), String::new());
    for line in body.iter().map(|line| line.trim()) {
        if let Some(comment) = line.strip_prefix("///") {
            append(&mut documentation, comment);
        } else if line.starts_with("#[") {
            attributes.push_str(line);
        } else if !line.is_empty() {
            let declaration = line.trim_start_matches("pub ").trim_end_matches(',');
            let (name, type_text) = declaration.split_once(": ").unwrap_or((declaration, ""));
            let renamed = attributes.split("rename = \"").nth(1).and_then(|rest| rest.split('"').next());
            if !attributes.contains("skip") && !documentation.is_empty() {
                fields.push(Field {
                    name: renamed.map_or_else(|| kebab_case(name), str::to_owned),
                    type_text: type_text.to_owned(),
                    is_optional: attributes.contains("default"),
                    documentation: documentation.clone(),
                });
            }
            documentation.clear();
            attributes.clear();
        }
    }
    fields
}

fn append(documentation: &mut String, comment: &str) {
    if !documentation.is_empty() {
        documentation.push(' ');
    }
    documentation.push_str(comment.trim());
}

/// `ReadsAll` and `reads_all` as `reads-all`.
fn kebab_case(name: &str) -> String {
    let mut kebab = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.extend(letter.to_lowercase());
    }
    kebab.replace('_', "-")
}
