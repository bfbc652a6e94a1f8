//! Go: which files are the packages that a file imports.

use super::file_table::{ancestors, inside, join, parent};
use super::{Links, Project, References};
use std::collections::BTreeMap;

/// Links each file to the files of the packages that it imports, and the files of a package to each other.
///
/// Import paths are looked up by the names of modules in `go.mod`, with its replacements, and in folders named `vendor`.
/// Files of tests need all files of their folder; nothing else needs them.
pub(super) fn resolve(project: &Project, links: &mut Links) {
    let packages = Packages::new(project);
    for package in packages.by_folder.values() {
        package.link_together(links);
    }
    for (file, name, references) in project.sources() {
        for mention in &references.mentions {
            match packages.find(name, &mention.target) {
                Found::Package(package) => link_to(links, file, package.importable()),
                Found::Missing => links.unresolved(file, mention),
                Found::Outside => links.outside(&mention.target),
            }
        }
    }
}

/// In a package of more files, all depend on the first and the first on all, so that edges do not grow with the square.
const MOST_FILES_LINKED_PAIRWISE: usize = 100;

/// Links a file to all files of a list.
fn link_to(links: &mut Links, from: u32, files: &[u32]) {
    let count = if files.len() > MOST_FILES_LINKED_PAIRWISE { 1 } else { files.len() };
    files[..count].iter().for_each(|&to| links.need(from, to));
}

/// Links the files of a list to each other.
fn link_each_other(links: &mut Links, files: &[u32]) {
    files.iter().for_each(|&file| link_to(links, file, files));
    if let Some(&first) = files.first() {
        files.iter().for_each(|&to| links.need(first, to));
    }
}

/// Packages of one folder that are told apart; a compiler takes two. Others go with the last.
const MOST_PACKAGES: usize = 20;
/// Modules of one name in which a package is looked for, besides those around a file.
const MOST_MODULES: usize = 100;

/// The files of one folder.
#[derive(Default)]
struct Folder<'p> {
    /// Those that are no tests, by the package to which they say to belong. A folder has one, and maybe programs besides.
    sources: Vec<(&'p str, Vec<u32>)>,
    tests: Vec<u32>,
}

impl<'p> Folder<'p> {
    fn add(&mut self, file: u32, name: &str, references: &'p References) {
        let package = &*references.package;
        if name.ends_with("_test.go") {
            return self.tests.push(file);
        }
        let is_full = self.sources.len() >= MOST_PACKAGES;
        let last = self.sources.last().map_or("", |(name, _)| *name);
        match self.sources.iter_mut().find(|(name, _)| *name == package || is_full && *name == last) {
            Some((_, files)) => files.push(file),
            None => self.sources.push((package, vec![file])),
        }
    }

    /// The files of the package that others can import.
    fn importable(&self) -> &[u32] {
        let library =
            self.sources.iter().find(|(package, _)| *package != "main" && *package != "documentation");
        library.or(self.sources.first()).map_or(&[], |(_, files)| files.as_slice())
    }

    fn link_together(&self, links: &mut Links) {
        self.sources.iter().for_each(|(_, files)| link_each_other(links, files));
        link_each_other(links, &self.tests);
        for (_, files) in &self.sources {
            self.tests.iter().for_each(|&test| link_to(links, test, files));
        }
    }
}

enum Found<'a, 'p> {
    Package(&'a Folder<'p>),
    Missing,
    Outside,
}

struct Packages<'p> {
    by_folder: BTreeMap<&'p str, Folder<'p>>,
    /// The folders of modules, by their names.
    modules: BTreeMap<String, Vec<String>>,
}

impl<'p> Packages<'p> {
    fn new(project: &'p Project) -> Packages<'p> {
        let mut packages = Packages { by_folder: BTreeMap::new(), modules: BTreeMap::new() };
        for (file, name, references) in project.sources() {
            packages.by_folder.entry(parent(name)).or_default().add(file, name, references);
        }
        for (name, text) in project.configured() {
            for (module, folder) in modules_in(text) {
                let folder = join(parent(name), &folder);
                packages.modules.entry(module).or_default().extend(folder);
            }
        }
        for folders in packages.modules.values_mut() {
            folders.sort_unstable();
        }
        packages
    }

    fn find(&self, from: &str, path: &str) -> Found<'_, 'p> {
        if path.starts_with("./") || path.starts_with("../") {
            let folder = join(parent(from), path).and_then(|folder| self.folder(&folder));
            return folder.map_or(Found::Missing, Found::Package);
        }
        let mut vendored = ancestors(from).map(|folder| inside(&inside(folder, "vendor"), path));
        if let Some(folder) = vendored.find_map(|folder| self.folder(&folder)) {
            return Found::Package(folder);
        }
        let mut starts = std::iter::once(path).chain(ancestors(path)).filter(|start| !start.is_empty());
        let Some((module, folders)) = starts.find_map(|start| Some((start, self.modules.get(start)?))) else {
            return Found::Outside;
        };
        let rest = path[module.len()..].trim_start_matches('/');
        let found =
            nearest_first(folders, from).into_iter().find_map(|folder| self.folder(&inside(folder, rest)));
        found.map_or(Found::Missing, Found::Package)
    }

    fn folder(&self, folder: &str) -> Option<&Folder<'p>> {
        self.by_folder.get(folder).filter(|folder| !folder.importable().is_empty())
    }
}

/// The folders of modules of the same name, which are sorted, those around the file first.
fn nearest_first<'m>(folders: &'m [String], from: &str) -> Vec<&'m String> {
    let around = ancestors(from).filter_map(|folder| {
        let at = folders.binary_search_by(|known| known.as_str().cmp(folder)).ok()?;
        folders.get(at)
    });
    let mut around: Vec<&String> = around.collect();
    around.sort();
    let others = folders.iter().take(MOST_MODULES + around.len()).filter(|folder| !around.contains(folder));
    let others: Vec<&String> = others.take(MOST_MODULES).collect();
    around.into_iter().chain(others).collect()
}

/// The modules that a `go.mod` names with the folders in which they are: its own, and those replaced by folders.
fn modules_in(text: &str) -> Vec<(String, String)> {
    let mut modules = Vec::new();
    let mut block = "";
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or("");
        let words: Vec<&str> = line.split_whitespace().map(|word| word.trim_matches(['"', '`'])).collect();
        match (block, words.as_slice()) {
            (_, [")"]) => block = "",
            ("", [word, "("]) => block = word,
            ("", ["module", name]) | ("module", [name]) => modules.push(((*name).to_owned(), String::new())),
            ("", ["replace", rule @ ..]) | ("replace", rule) => modules.extend(replaced(rule)),
            _ => {}
        }
    }
    modules
}

/// `name [version] => ./folder`
fn replaced(rule: &[&str]) -> Option<(String, String)> {
    let arrow = rule.iter().position(|word| *word == "=>")?;
    let folder = rule.get(arrow + 1).filter(|folder| folder.starts_with('.'))?;
    Some(((*rule.first()?).to_owned(), (*folder).to_owned()))
}
