//! Pages of the book that list the fields of description files. They are generated from the doc comments of the types that
//! read these files, so they cannot disagree with the code.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::repository;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A page that lists fields.
pub struct FieldPage<'a> {
    /// The page below the root of the repository.
    pub page: &'a str,
    /// What it begins with.
    pub introduction: &'a str,
    /// The folders with the types, below the root of the repository.
    pub sources: &'a [&'a str],
    /// The type that stands for the whole file.
    pub whole: &'a str,
    /// The command that writes the page.
    pub command: &'a str,
}

impl FieldPage<'_> {
    /// Compares the page with the code, or writes it if the environment variable `JUVENAL_UPDATE` is set.
    ///
    /// # Panics
    ///
    /// Panics if the page differs from the code.
    pub fn check(&self) {
        let mut types = BTreeMap::new();
        for folder in self.sources {
            types.extend(types_below(&repository().join(folder)));
        }
        let mut sections = Vec::new();
        add_sections(&mut sections, &types, self.whole, "");
        assert!(sections.len() > 10, "only {sections:?} were found");
        let mut page = self.introduction.to_owned();
        for (name, section) in &sections {
            write_section(&mut page, &sections, &types, name, section);
        }
        let path = repository().join(self.page);
        if std::env::var_os("JUVENAL_UPDATE").is_some() {
            fs::write(&path, &page).unwrap();
        }
        let stored = fs::read_to_string(&path).unwrap_or_default();
        assert!(stored == page, "{} differs from the doc comments; run {}", self.page, self.command);
    }
}

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
    /// True if the fields of its type stand in its place.
    is_flattened: bool,
    documentation: String,
}

/// Lists a type under the name of its section, then the types of its fields. A type is listed once.
fn add_sections(
    sections: &mut Vec<(String, String)>,
    types: &BTreeMap<String, Type>,
    name: &str,
    section: &str,
) {
    let Some(found) = types.get(name) else { return };
    if sections.iter().any(|(earlier, _)| earlier == name) {
        return;
    }
    sections.push((name.to_owned(), section.to_owned()));
    for field in fields_of(found, types) {
        for word in words(&field.type_text) {
            add_sections(sections, types, word, &below(section, &field.name));
        }
    }
}

fn write_section(
    page: &mut String,
    sections: &[(String, String)],
    types: &BTreeMap<String, Type>,
    name: &str,
    section: &str,
) {
    let found = &types[name];
    let heading = if section.is_empty() { "The whole file".to_owned() } else { format!("`{section}`") };
    writeln!(page, "\n## {heading}\n\n{}\n", found.documentation).unwrap();
    page.push_str(if found.is_enum { "| value | meaning |\n" } else { "| field | meaning |\n" });
    page.push_str("|---|---|\n");
    for field in fields_of(found, types) {
        let (open, close) = if field.is_optional { ("[", "]") } else { ("", "") };
        let here = below(section, &field.name);
        let elsewhere = words(&field.type_text)
            .find_map(|word| sections.iter().find(|(name, section)| name == word && *section != here));
        let see = elsewhere.map_or(String::new(), |(_, section)| format!(" See `{section}`."));
        let meaning = field.documentation.replace('|', "\\|");
        writeln!(page, "| {open}`{}`{close} | {meaning}{see} |", field.name).unwrap();
    }
}

/// The fields of a type, with those of flattened types in their place.
fn fields_of<'a>(found: &'a Type, types: &'a BTreeMap<String, Type>) -> Vec<&'a Field> {
    let mut fields = Vec::new();
    for field in &found.fields {
        match words(&field.type_text).find_map(|word| types.get(word)) {
            Some(inner) if field.is_flattened => fields.extend(fields_of(inner, types)),
            _ => fields.push(field),
        }
    }
    fields
}

fn words(type_text: &str) -> impl Iterator<Item = &str> {
    type_text.split(|letter: char| !letter.is_alphanumeric())
}

fn below(section: &str, field: &str) -> String {
    if section.is_empty() { field.to_owned() } else { format!("{section}.{field}") }
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
                let fields =
                    fields_in(&body, attributes.contains("default)") || attributes.contains("default,"));
                types.push((name.to_owned(), Type { documentation, is_enum, fields }));
            }
            documentation.clear();
            attributes.clear();
        }
    }
    types
}

/// The fields in the body of a type. All of them are optional if the type has a default.
fn fields_in(body: &[&str], has_default: bool) -> Vec<Field> {
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
                    is_optional: !type_text.is_empty() && (has_default || attributes.contains("default")),
                    is_flattened: attributes.contains("flatten"),
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
