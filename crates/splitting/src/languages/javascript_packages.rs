//! JavaScript: what the `package.json` files of a project say.

use super::file_table::{ancestors, base_name, inside, parent};
use super::{LONGEST_PATH, Links, Project, tolerant_json};
use rustc_hash::FxHashMap;
use serde_json::Value;

/// One `package.json`.
pub(super) struct Package {
    /// The folder in which it is.
    pub(super) folder: String,
    text: Value,
}

/// All packages of a project, by folder and by name.
#[derive(Default)]
pub(super) struct Packages {
    all: Vec<Package>,
    by_folder: FxHashMap<String, usize>,
    /// The first package of a name in a folder or below it, by both.
    by_name: FxHashMap<String, FxHashMap<String, usize>>,
}

impl Packages {
    /// Reads all `package.json` files. Those that cannot be read are listed.
    pub(super) fn read(project: &Project, links: &mut Links) -> Packages {
        let mut packages = Packages::default();
        for (name, text) in project.configured().filter(|(name, _)| base_name(name) == "package.json") {
            match tolerant_json::read(text) {
                Ok(text) => packages.add(parent(name), text),
                Err(reason) => links.unread_configuration.push((name.to_owned(), reason)),
            }
        }
        packages
    }

    fn add(&mut self, folder: &str, text: Value) {
        let number = self.all.len();
        self.by_folder.insert(folder.to_owned(), number);
        if let Some(name) = text.get("name").and_then(Value::as_str) {
            let places = self.by_name.entry(name.to_owned()).or_default();
            for place in std::iter::once(folder).chain(ancestors(folder)) {
                places.entry(place.to_owned()).or_insert(number);
            }
        }
        self.all.push(Package { folder: folder.to_owned(), text });
    }

    /// The package in exactly this folder.
    pub(super) fn in_folder(&self, folder: &str) -> Option<&Package> {
        self.all.get(*self.by_folder.get(folder)?)
    }

    /// The package to which a file belongs.
    pub(super) fn around(&self, file: &str) -> Option<&Package> {
        ancestors(file).find_map(|folder| self.in_folder(folder))
    }

    /// The package of this name that shares the deepest folder with the file.
    pub(super) fn named(&self, name: &str, from: &str) -> Option<&Package> {
        let places = self.by_name.get(name)?;
        self.all.get(*ancestors(from).find_map(|folder| places.get(folder))?)
    }
}

/// Each mention of a package is looked up in so many patterns and targets of it, which is more than real ones have.
pub(super) const MOST_PATTERNS: usize = 1000;
pub(super) const MOST_TARGETS: usize = 100;

impl Package {
    /// The paths, seen from the package, that may stand for `package/subpath`. The subpath is empty for the package itself.
    pub(super) fn entries(&self, subpath: &str) -> Vec<String> {
        let key = if subpath.is_empty() { ".".to_owned() } else { format!("./{subpath}") };
        let mut found = self.exported(&key);
        if subpath.is_empty() {
            let fields = ["source", "types", "typings", "module", "main", "browser"];
            found.extend(fields.iter().filter_map(|field| self.text.get(field)?.as_str()).map(str::to_owned));
            found.push("index".to_owned());
            found.push("src/index".to_owned());
        } else {
            found.push(subpath.to_owned());
            found.push(inside("src", subpath));
        }
        found
    }

    fn exported(&self, key: &str) -> Vec<String> {
        let mut found = Vec::new();
        match self.text.get("exports") {
            Some(Value::Object(map)) if map.keys().any(|key| key.starts_with('.')) => {
                select(map, key, &mut found)
            }
            Some(whole) if key == "." => targets(whole, "", &mut found),
            _ => {}
        }
        found
    }

    /// The paths or packages that `#name` may stand for inside of the package.
    pub(super) fn imported(&self, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(Value::Object(map)) = self.text.get("imports") {
            select(map, name, &mut found);
        }
        found
    }
}

/// The targets of a key, or of the longest pattern with a `*` that fits it.
fn select(map: &serde_json::Map<String, Value>, key: &str, found: &mut Vec<String>) {
    if let Some(value) = map.get(key) {
        return targets(value, "", found);
    }
    let patterns = map.iter().take(MOST_PATTERNS).filter_map(|(pattern, value)| {
        let (start, end) = pattern.split_once('*')?;
        let star = key.strip_prefix(start)?.strip_suffix(end)?;
        Some((start.len(), value, star))
    });
    if let Some((_, value, star)) = patterns.max_by_key(|(length, ..)| *length) {
        targets(value, star, found);
    }
}

/// All paths in the value of a key, whatever their conditions, in order. Which conditions hold depends on who asks.
fn targets(value: &Value, star: &str, found: &mut Vec<String>) {
    let mut left = vec![value];
    let mut seen = 0;
    while let Some(value) = left.pop() {
        seen += 1;
        match value {
            _ if seen > MOST_TARGETS => return,
            Value::String(path) if path.len() + path.matches('*').count() * star.len() > LONGEST_PATH => {}
            Value::String(path) => found.push(path.replace('*', star)),
            Value::Array(values) => left.extend(values.iter().take(MOST_TARGETS).rev()),
            Value::Object(map) => {
                let values: Vec<&Value> = map.values().take(MOST_TARGETS).collect();
                left.extend(values.into_iter().rev());
            }
            _ => {}
        }
    }
}
