//! The directories of a run, and how paths and texts become free of them.

use model::{FileFailure, ProjectReport, RelatedPlace, ResultPlace, Rule, ToolResult};
use std::collections::BTreeMap;

/// The directories of a run: absolute paths without symbolic links and without a `/` at their ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directories<'a> {
    /// The root of the copy of the project, in which commands are started.
    pub root: &'a str,
    /// An empty directory for files that are no part of the project.
    pub scratch: &'a str,
}

/// True for a file of a report that is not below the root of the project: its path is absolute or a URI.
pub fn is_outside(file: &str) -> bool {
    is_absolute(file) || has_scheme(file)
}

impl Directories<'_> {
    /// The path from the root, with `/` between folders, of a path that a tool printed; an absolute path if it is not below
    /// the root.
    pub(crate) fn relative(&self, printed: &str) -> String {
        if has_scheme(printed) || printed.is_empty() {
            return printed.to_owned();
        }
        let root = normal(self.root);
        let absolute =
            if is_absolute(printed) { normal(printed) } else { normal(&format!("{root}/{printed}")) };
        match absolute.strip_prefix(&root) {
            Some("") => ".".to_owned(),
            Some(rest) if rest.starts_with('/') => rest[1..].to_owned(),
            _ => absolute,
        }
    }

    /// The text without the directories of the run, which differ from run to run.
    pub(crate) fn cleaned(&self, text: &str) -> String {
        let mut directories = [self.root, self.scratch];
        // One may be inside of the other.
        directories.sort_by_key(|directory| std::cmp::Reverse(directory.len()));
        directories.into_iter().fold(text.to_owned(), |text, directory| without_directory(&text, directory))
    }

    /// The report with relative paths, and with texts that do not name the directories.
    pub(crate) fn clean(&self, report: &mut ProjectReport) {
        report.rules.iter_mut().for_each(|rule| self.clean_rule(rule));
        report.results.iter_mut().for_each(|result| self.clean_result(result));
        for FileFailure { file, message } in &mut report.failures {
            *file = file.as_ref().filter(|file| !file.is_empty()).map(|file| self.relative(file));
            *message = self.cleaned(message);
        }
    }

    fn clean_rule(&self, rule: &mut Rule) {
        for text in [&mut rule.name, &mut rule.description, &mut rule.help].into_iter().flatten() {
            *text = self.cleaned(text);
        }
    }

    fn clean_result(&self, result: &mut ToolResult) {
        result.message = self.cleaned(&result.message);
        result.place.iter_mut().for_each(|place| self.clean_place(place));
        for RelatedPlace { place, message } in &mut result.related {
            self.clean_place(place);
            *message = self.cleaned(message);
        }
        let fingerprints = std::mem::take(&mut result.fingerprints).into_iter();
        result.fingerprints =
            fingerprints.map(|(name, value)| (name, self.cleaned(&value))).collect::<BTreeMap<_, _>>();
    }

    fn clean_place(&self, place: &mut ResultPlace) {
        place.file = self.relative(&place.file);
    }
}

/// The path that a URI stands for; a URI that is no file stays one.
pub fn path_of_uri(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix("file:") else {
        return if has_scheme(uri) { uri.to_owned() } else { percent_decoded(uri) };
    };
    // After `//` comes the name of a machine, which is usually empty.
    let path = match rest.strip_prefix("//") {
        Some(with_machine) => with_machine.find('/').map_or("/", |slash| &with_machine[slash..]),
        None => rest,
    };
    let path = percent_decoded(path);
    match path.strip_prefix('/') {
        Some(without_slash) if has_drive(without_slash) => without_slash.to_owned(),
        _ => path,
    }
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut decoded, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let code = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.filter(|_| bytes[at] == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || has_drive(path)
}

/// True for `C:/` and `C:\`.
fn has_drive(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'/' | b'\\')
}

/// True for `https://…`, but not for `C:/…`.
fn has_scheme(path: &str) -> bool {
    path.split_once("://").is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
    })
}

/// An absolute path with `/` between folders, without `.`, `..` and empty folders.
fn normal(absolute: &str) -> String {
    let absolute = &absolute.replace('\\', "/");
    let (drive, path) = absolute.split_at(if has_drive(absolute) { 2 } else { 0 });
    let mut folders: Vec<&str> = Vec::new();
    for folder in path.split('/') {
        match folder {
            "" | "." => {}
            ".." => {
                folders.pop();
            }
            _ => folders.push(folder),
        }
    }
    format!("{drive}/{}", folders.join("/"))
}

/// The text without this directory where it stands as a whole path or at the beginning of one.
fn without_directory(text: &str, directory: &str) -> String {
    let (mut cleaned, mut rest) = (String::with_capacity(text.len()), text);
    if directory.len() < 2 {
        return text.to_owned();
    }
    while let Some(start) = rest.find(directory) {
        let (before, after) = (&rest[..start], &rest[start + directory.len()..]);
        let goes_on =
            |letter: Option<char>| letter.is_some_and(|it| it.is_alphanumeric() || "_-.".contains(it));
        if goes_on(before.chars().next_back()) || goes_on(after.chars().next()) && !ends_sentence(after) {
            cleaned.push_str(&rest[..start + directory.len()]);
            rest = after;
            continue;
        }
        cleaned.push_str(before.strip_suffix("file://").unwrap_or(before));
        match after.strip_prefix('/') {
            Some(below) => rest = below,
            None => {
                cleaned.push('.');
                rest = after;
            }
        }
    }
    cleaned + rest
}

/// True if a full stop that ends a sentence follows.
fn ends_sentence(after: &str) -> bool {
    after.strip_prefix('.').is_some_and(|rest| rest.chars().next().is_none_or(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIRECTORIES: Directories<'_> = Directories { root: "/tmp/run/copy", scratch: "/tmp/run/scratch" };

    #[test]
    fn paths_are_relative_to_the_root_however_they_are_printed() {
        for (printed, expected) in [
            ("src/a.c", "src/a.c"),
            ("./src//a.c", "src/a.c"),
            ("src/../lib/a.c", "lib/a.c"),
            ("src\\a.c", "src/a.c"),
            ("/tmp/run/copy/src/a.c", "src/a.c"),
            ("/tmp/run/./copy/src/a.c", "src/a.c"),
            ("/tmp/run/copy", "."),
            ("/tmp/run/copying/a.c", "/tmp/run/copying/a.c"),
            ("../scratch/0.o", "/tmp/run/scratch/0.o"),
            ("../../../../../etc/passwd", "/etc/passwd"),
            ("/usr/include/stdio.h", "/usr/include/stdio.h"),
            ("C:\\include\\a.h", "C:/include/a.h"),
            ("https://example.org/a.c", "https://example.org/a.c"),
            ("a%20b.c", "a%20b.c"),
            ("", ""),
        ] {
            assert_eq!(DIRECTORIES.relative(printed), expected, "{printed}");
        }
        let windows = Directories { root: "D:\\work\\copy", scratch: "D:\\work\\scratch" };
        assert_eq!(windows.relative("D:/work/copy/a.c"), "a.c");
    }

    #[test]
    fn uris_are_decoded() {
        for (uri, expected) in [
            ("file:///tmp/run/copy/a%20b.c", "/tmp/run/copy/a b.c"),
            ("file://machine/tmp/a.c", "/tmp/a.c"),
            ("file:/tmp/a.c", "/tmp/a.c"),
            ("file:///C:/a.c", "C:/a.c"),
            ("src/%C3%A9.c", "src/é.c"),
            ("100%.c", "100%.c"),
            ("a%zz%4", "a%zz%4"),
            ("https://example.org/a%20b", "https://example.org/a%20b"),
        ] {
            assert_eq!(path_of_uri(uri), expected, "{uri}");
        }
    }

    #[test]
    fn texts_do_not_name_the_directories_of_the_run() {
        for (text, expected) in [
            ("see /tmp/run/copy/src/a.c:3 and '/tmp/run/copy'", "see src/a.c:3 and '.'"),
            ("in file:///tmp/run/copy/a.c", "in a.c"),
            ("cannot find /tmp/run/scratch/0.o", "cannot find 0.o"),
            ("below /tmp/run/copy.", "below .."),
            ("/tmp/run/copy2/a.c and /mnt/tmp/run/copy/a.c", "/tmp/run/copy2/a.c and /mnt/tmp/run/copy/a.c"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(DIRECTORIES.cleaned(text), expected, "{text}");
        }
        let nested = Directories { root: "/run", scratch: "/run/scratch" };
        assert_eq!(nested.cleaned("/run/scratch/a and /run/b"), "a and b");
    }

    #[test]
    fn files_outside_of_the_root_are_known() {
        let outside = ["/usr/include/stdio.h", "C:/a.h", "https://example.org/a.c"];
        assert!(outside.into_iter().all(is_outside));
        assert!(!["a.c", "src/a.c", "."].into_iter().any(is_outside));
    }
}
