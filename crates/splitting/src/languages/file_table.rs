//! The files of a project, found by name.

use rustc_hash::FxHashMap;

/// The files of a project, found by name. Their numbers are their positions in the sorted list.
pub(super) struct FileTable<'a> {
    names: &'a [String],
    numbers: FxHashMap<&'a str, u32>,
}

impl<'a> FileTable<'a> {
    pub(super) fn new(names: &'a [String]) -> FileTable<'a> {
        let numbers = names.iter().map(String::as_str).zip(0..).collect();
        FileTable { names, numbers }
    }

    /// All files with their names, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = (u32, &'a str)> + use<'a> {
        (0..).zip(self.names.iter().map(String::as_str))
    }

    /// The file of this name.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The name of a file.
    pub(super) fn name(&self, file: u32) -> &'a str {
        self.names.get(file as usize).map_or("", String::as_str)
    }

    /// Those of these files, which must be in order, that share the deepest folder with the file `from`.
    pub(super) fn nearest<'c>(&self, candidates: &'c [u32], from: &str) -> &'c [u32] {
        if candidates.len() < 2 {
            return candidates;
        }
        for folder in ancestors(from).filter(|folder| !folder.is_empty()) {
            let inside =
                |file: u32| self.name(file).strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
            let first = candidates.partition_point(|&file| self.is_before_folder(file, folder));
            let count = candidates[first..].partition_point(|&file| inside(file));
            if count > 0 {
                return &candidates[first..first + count];
            }
        }
        candidates
    }

    /// True if the file comes before everything in the folder.
    fn is_before_folder(&self, file: u32, folder: &str) -> bool {
        self.name(file).bytes().lt(folder.bytes().chain([b'/']))
    }
}

/// The folder of a file or folder. The root is the empty text.
pub(super) fn parent(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path.
pub(super) fn base_name(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, base)| base)
}

/// The folders around a file or folder, from the nearest to the root.
pub(super) fn ancestors(name: &str) -> impl Iterator<Item = &str> {
    let first = (!name.is_empty()).then(|| parent(name));
    std::iter::successors(first, |folder| if folder.is_empty() { None } else { Some(parent(folder)) })
}

/// A path from the root: `path`, seen from the folder. Nothing, if it leads out of the root.
pub(super) fn join(folder: &str, path: &str) -> Option<String> {
    let mut joined = String::with_capacity(folder.len() + path.len() + 1);
    joined.push_str(folder);
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if joined.is_empty() => return None,
            ".." => joined.truncate(parent(&joined).len()),
            name => push(&mut joined, name),
        }
    }
    Some(joined)
}

/// Adds a part to a path.
pub(super) fn push(path: &mut String, part: &str) {
    if !path.is_empty() && !part.is_empty() {
        path.push('/');
    }
    path.push_str(part);
}

/// The path of a name in a folder.
pub(super) fn inside(folder: &str, name: &str) -> String {
    let mut path = String::with_capacity(folder.len() + name.len() + 1);
    path.push_str(folder);
    push(&mut path, name);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_inside_of_the_root() {
        let rows = [
            ("a/b", "../c", Some("a/c")),
            ("", "./x", Some("x")),
            ("a", "..", Some("")),
            ("a", "../..", None),
            ("a/b", "", Some("a/b")),
        ];
        for (folder, path, expected) in rows {
            assert_eq!(join(folder, path).as_deref(), expected, "{folder} {path}");
        }
    }

    #[test]
    fn the_nearest_files_share_the_deepest_folder() {
        let names: Vec<String> = ["a-b/x.h", "a/b/x.h", "a/c/x.h", "ab/x.h", "b/x.h"]
            .iter()
            .map(|&name| name.to_owned())
            .collect();
        let table = FileTable::new(&names);
        let all = [0, 1, 2, 3, 4];
        let rows: [(&str, &[u32]); 5] =
            [("a/b/y.c", &[1]), ("a/y.c", &[1, 2]), ("a/d/e/y.c", &[1, 2]), ("ab/y.c", &[3]), ("y.c", &all)];
        for (from, expected) in rows {
            assert_eq!(table.nearest(&all, from), expected, "{from}");
        }
    }
}
