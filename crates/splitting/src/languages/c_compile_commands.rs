//! C and C++: what `compile_commands.json` says about where headers are.

use super::file_table::{FileTable, join, parent};
use super::{LONGEST_PATH, Links, Project};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The command that compiles one file.
#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    directory: String,
    file: String,
    #[serde(default)]
    command: String,
    #[serde(default)]
    arguments: Vec<String>,
}

/// Where the commands for one file look for headers, as paths from the root of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct SearchPaths {
    /// `-iquote`
    pub(super) quoted: Vec<String>,
    /// `-I`, then `-isystem` and `-idirafter`
    pub(super) all: Vec<String>,
    /// `-include`
    pub(super) forced: Vec<String>,
}

/// What all commands together say.
#[derive(Default)]
pub(super) struct CompileCommands {
    paths: Vec<SearchPaths>,
    by_file: FxHashMap<u32, usize>,
    /// The folders of all commands, for files that have none of their own, such as headers.
    pub(super) folders: FxHashSet<String>,
}

impl CompileCommands {
    /// Reads all `compile_commands.json`. Those that cannot be read are listed.
    pub(super) fn read(project: &Project, links: &mut Links) -> CompileCommands {
        let mut commands = CompileCommands::default();
        let mut numbers = FxHashMap::default();
        for (name, text) in project.configured() {
            match serde_json::from_str::<Vec<Entry>>(text) {
                Ok(entries) => commands.add(&project.files, parent(name), &entries, &mut numbers),
                Err(reason) => links.unread_configuration.push((name.to_owned(), reason.to_string())),
            }
        }
        commands
    }

    fn add(
        &mut self,
        files: &FileTable,
        folder: &str,
        entries: &[Entry],
        numbers: &mut FxHashMap<SearchPaths, usize>,
    ) {
        let root = Root::of(files, folder, entries);
        for entry in entries {
            let Some(file) = root.path(&entry.directory, &entry.file).and_then(|path| files.find(&path))
            else {
                continue;
            };
            let paths = root.search_paths(entry);
            let next = self.paths.len();
            let number = *numbers.entry(paths.clone()).or_insert(next);
            if number == next {
                self.folders.extend(paths.quoted.iter().chain(&paths.all).cloned());
                self.paths.push(paths);
            }
            // A file that is compiled several times takes the first command.
            self.by_file.entry(file).or_insert(number);
        }
    }

    /// What the command of this file says, if it has one.
    pub(super) fn of(&self, file: u32) -> Option<&SearchPaths> {
        self.paths.get(*self.by_file.get(&file)?)
    }
}

/// Where the project was when the commands were written.
struct Root<'f> {
    /// The absolute path, which most names of files confirm.
    absolute: String,
    /// The folder in which the commands are, for those that name no directory.
    folder: &'f str,
}

impl<'f> Root<'f> {
    fn of(files: &FileTable, folder: &'f str, entries: &[Entry]) -> Root<'f> {
        let mut votes: BTreeMap<String, usize> = BTreeMap::new();
        for entry in entries {
            if let Some(root) = root_of(files, &absolute(&entry.directory, &entry.file)) {
                *votes.entry(root).or_default() += 1;
            }
        }
        let best = votes.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
        Root { absolute: best.map_or_else(String::new, |(root, _)| root), folder }
    }

    /// A path from the root of the project, if it is in there.
    fn path(&self, directory: &str, path: &str) -> Option<String> {
        if directory.is_empty() && !path.starts_with('/') {
            return join(self.folder, path);
        }
        let path = absolute(directory, path);
        let rest = path.strip_prefix(&self.absolute)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/').to_owned())
    }

    fn search_paths(&self, entry: &Entry) -> SearchPaths {
        let words = if entry.arguments.is_empty() { split(&entry.command) } else { entry.arguments.clone() };
        let mut paths = SearchPaths::default();
        let mut late = Vec::new();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let Some((option, value)) = option_in(&word) else { continue };
            let value = if value.is_empty() { words.next().unwrap_or_default() } else { value.to_owned() };
            let Some(path) = self.path(&entry.directory, &value) else { continue };
            match option {
                "-iquote" => paths.quoted.push(path),
                "-include" => paths.forced.push(path),
                "-I" => paths.all.push(path),
                _ => late.push(path),
            }
        }
        paths.all.extend(late);
        paths
    }
}

/// Options that name a folder or a header, each before those whose start it is not.
const OPTIONS: &[&str] = &["-include", "-iquote", "-isystem", "-idirafter", "-I"];

fn option_in(word: &str) -> Option<(&'static str, &str)> {
    let value_of = |option: &'static str| Some((option, word.strip_prefix(option)?.trim_start_matches('=')));
    OPTIONS
        .iter()
        .find_map(|option| value_of(option))
        .filter(|(option, value)| *option != "-include" || value.is_empty())
}

/// The path without `.` and `..`, which begins with a slash.
fn absolute(directory: &str, path: &str) -> String {
    let joined =
        if path.starts_with('/') { join("", path) } else { join(directory.trim_start_matches('/'), path) };
    format!("/{}", joined.unwrap_or_default())
}

/// What stands before the longest end of a path that names a file of the project.
fn root_of(files: &FileTable, path: &str) -> Option<String> {
    if path.len() > LONGEST_PATH {
        return None;
    }
    let slashes = path.match_indices('/').map(|(at, _)| at);
    slashes.into_iter().find(|&at| files.find(&path[at + 1..]).is_some()).map(|at| path[..at].to_owned())
}

/// The words of a command, as a shell splits them.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let words = split("cc  -I'a b' \"-Ic\\\"d\" -D\\ x '' \"open");
        assert_eq!(words, ["cc", "-Ia b", "-Ic\"d", "-D x", "", "open"]);
    }
}
