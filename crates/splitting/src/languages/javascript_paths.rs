//! TypeScript: what the `tsconfig.json` files of a project say about names of modules.

use super::file_table::{ancestors, base_name, inside, join, parent};
use super::javascript_packages::{MOST_PATTERNS, MOST_TARGETS};
use super::{Links, Project, tolerant_json};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

/// Where names of modules lead to, below a folder.
#[derive(Clone, Default)]
struct Paths {
    /// `baseUrl`, from which all targets are seen if there is one.
    base: Option<String>,
    /// Patterns with at most one `*`, with their targets.
    patterns: Vec<(String, Vec<String>)>,
    /// The folder of the file that has them.
    patterns_folder: String,
}

/// The `paths` and `baseUrl` for each folder with a `tsconfig.json` or `jsconfig.json`.
pub(super) struct ModulePaths {
    by_folder: FxHashMap<String, Paths>,
}

impl ModulePaths {
    /// Reads all such files, with those that they extend.
    pub(super) fn read(project: &Project, links: &mut Links) -> ModulePaths {
        let mut values = FxHashMap::default();
        for (name, text) in project.configured().filter(|(name, _)| base_name(name) != "package.json") {
            match tolerant_json::read(text) {
                Ok(value) => drop(values.insert(name, value)),
                Err(reason) => links.unread_configuration.push((name.to_owned(), reason)),
            }
        }
        let mut by_folder = FxHashMap::default();
        for (name, _) in project.configured() {
            let is_main = matches!(base_name(name), "tsconfig.json" | "jsconfig.json");
            if is_main && values.contains_key(name) {
                by_folder.entry(parent(name).to_owned()).or_insert_with(|| paths_of(&values, name));
            }
        }
        ModulePaths { by_folder }
    }

    /// The paths from the root that a name of a module may stand for in this file.
    pub(super) fn targets(&self, from: &str, module: &str) -> Vec<String> {
        let Some(paths) = ancestors(from).find_map(|folder| self.by_folder.get(folder)) else {
            return Vec::new();
        };
        let fitting = paths
            .patterns
            .iter()
            .filter_map(|(pattern, targets)| Some((exactness(pattern), targets, star_of(pattern, module)?)));
        let mut found = Vec::new();
        let seen_from = paths.base.as_ref().unwrap_or(&paths.patterns_folder);
        if let Some((_, targets, star)) = fitting.max_by_key(|(exactness, ..)| *exactness) {
            let targets = targets.iter().map(|target| target.replacen('*', star, 1));
            found.extend(targets.filter_map(|target| join(seen_from, &target)));
        }
        found.extend(paths.base.iter().filter_map(|base| join(base, module)));
        found
    }
}

/// A pattern without `*` is the most exact, then the one with the longest text before it.
fn exactness(pattern: &str) -> usize {
    pattern.find('*').unwrap_or(usize::MAX)
}

fn star_of<'m>(pattern: &str, module: &'m str) -> Option<&'m str> {
    match pattern.split_once('*') {
        Some((start, end)) => module.strip_prefix(start)?.strip_suffix(end),
        None => (pattern == module).then_some(""),
    }
}

/// What a file says itself, and otherwise those that it extends, and otherwise those that it only refers to.
fn paths_of(values: &FxHashMap<&str, Value>, name: &str) -> Paths {
    let mut paths = Paths::default();
    let mut seen = FxHashSet::default();
    let mut left = vec![name.to_owned()];
    let mut referred = Vec::new();
    while let Some(name) = left.pop().or_else(|| referred.pop()) {
        if !seen.insert(name.clone()) {
            continue;
        }
        let Some(value) = values.get(name.as_str()) else { continue };
        paths.add(value, parent(&name));
        left.extend(texts(value.get("extends")).filter_map(|base| configuration_named(values, &name, base)));
        let references = value.get("references").and_then(Value::as_array).into_iter().flatten().rev();
        let references = references.filter_map(|reference| reference.get("path")?.as_str());
        // A project that another refers to is a project of its own, unless it is in the same folder.
        let beside = references.filter_map(|path| configuration_named(values, &name, path));
        referred.extend(beside.filter(|path| parent(path) == parent(&name)));
    }
    paths
}

impl Paths {
    /// Adds what is not said yet.
    fn add(&mut self, value: &Value, folder: &str) {
        let Some(options) = value.get("compilerOptions") else { return };
        let base = options.get("baseUrl").and_then(Value::as_str).and_then(|base| join(folder, base));
        if let Some(patterns) = options.get("paths").and_then(Value::as_object)
            && self.patterns.is_empty()
        {
            let rows = patterns.iter().take(MOST_PATTERNS).map(|(pattern, targets)| {
                (pattern.clone(), texts(Some(targets)).take(MOST_TARGETS).map(str::to_owned).collect())
            });
            self.patterns = rows.collect();
            self.patterns_folder = folder.to_owned();
        }
        self.base = self.base.take().or(base);
    }
}

/// The text, or the texts in the list.
fn texts(value: Option<&Value>) -> impl DoubleEndedIterator<Item = &str> {
    let values = match value {
        Some(Value::Array(values)) => values.as_slice(),
        Some(value) => std::slice::from_ref(value),
        None => &[],
    };
    values.iter().filter_map(Value::as_str)
}

/// The file that another one extends or refers to: a path with or without ending, or a folder.
fn configuration_named(values: &FxHashMap<&str, Value>, from: &str, path: &str) -> Option<String> {
    let path = join(parent(from), path)?;
    let candidates = [path.clone(), format!("{path}.json"), inside(&path, "tsconfig.json")];
    candidates.into_iter().find(|candidate| values.contains_key(candidate.as_str()))
}
