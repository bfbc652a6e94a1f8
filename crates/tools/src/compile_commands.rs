//! Compilation databases: how each file of a C or C++ project is compiled.

use crate::directories::{Directories, is_outside};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// A compilation database, reduced to what changes the meaning of the sources: include directories, macros, and the
/// version of the language. Paths below the root of the project are relative to it, so that they hold for a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileCommands {
    flags: BTreeMap<String, Vec<Flag>>,
    /// Files outside of the project that compilers were to include before each source. They are left out: a report would
    /// show what is in them.
    left_out: BTreeSet<String>,
}

/// An argument of a compiler, and what of it is a path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Flag {
    text: String,
    /// A path that follows the text without a blank.
    path: Option<String>,
}

#[derive(Deserialize)]
struct Entry {
    directory: String,
    file: String,
    #[serde(default)]
    arguments: Option<Vec<String>>,
    #[serde(default)]
    command: Option<String>,
}

/// Flags with a path, which follows as part of the argument or as the next one.
const WITH_PATH: [&str; 6] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"];
/// Those whose path is a file that is read whatever a source says.
const WITH_FILE: [&str; 2] = ["-include", "-imacros"];
/// Flags with a text, which follows as part of the argument or as the next one.
const WITH_TEXT: [&str; 2] = ["-D", "-U"];
/// Flags that are complete.
const ALONE: [&str; 13] = [
    "-ansi",
    "-fblocks",
    "-fms-extensions",
    "-fno-exceptions",
    "-fno-rtti",
    "-fopenmp",
    "-fshort-enums",
    "-fsigned-char",
    "-funsigned-char",
    "-m32",
    "-m64",
    "-nostdinc",
    "-pthread",
];

impl CompileCommands {
    /// Reads the text of a `compile_commands.json`. `root` is the root of the project for which it was written. The error
    /// says what is wrong with the text.
    pub fn parse(text: &str, root: &str) -> Result<CompileCommands, String> {
        let expected = "expected the list of a compilation database";
        let entries: Vec<Entry> =
            serde_json::from_str(text).map_err(|error| format!("{expected}: {error}"))?;
        let (mut flags, mut left_out) = (BTreeMap::new(), BTreeSet::new());
        for entry in entries {
            let directories = Directories { root, scratch: "" };
            let at = |path: &str| directories.relative(&joined(&entry.directory, path));
            let split = entry.command.as_deref().map(words);
            let arguments = entry.arguments.clone().or(split).unwrap_or_default();
            // A file that is compiled in several ways is analyzed in the first.
            flags.entry(at(&entry.file)).or_insert_with(|| flags_of(&arguments, at, &mut left_out));
        }
        Ok(CompileCommands { flags, left_out })
    }

    /// The files outside of the project that the database includes, which tools are not told.
    pub fn left_out(&self) -> impl Iterator<Item = &str> {
        self.left_out.iter().map(String::as_str)
    }

    /// The flags of a file of the project for the copy in `root`.
    pub(crate) fn flags(&self, file: &str, root: &str) -> Vec<String> {
        let flags = self.flags.get(file).map_or(&[][..], Vec::as_slice);
        flags.iter().map(|flag| flag.text.clone() + &flag.path_in(root)).collect()
    }
}

impl Flag {
    fn path_in(&self, root: &str) -> String {
        match &self.path {
            Some(path) => joined(root, path),
            None => String::new(),
        }
    }
}

/// The database with one command for each named file, for the copy in `root`.
pub(crate) fn rendered(commands: Option<&CompileCommands>, named: &[&str], root: &str) -> String {
    let entries = named.iter().map(|file| {
        let flags = commands.map_or_else(Vec::new, |commands| commands.flags(file, root));
        let mut arguments = vec!["cc".to_owned()];
        arguments.extend(flags);
        let path = joined(root, file);
        arguments.extend(["-c".to_owned(), path.clone()]);
        serde_json::json!({ "directory": root, "file": path, "arguments": arguments })
    });
    serde_json::Value::Array(entries.collect()).to_string()
}

fn flags_of(arguments: &[String], at: impl Fn(&str) -> String, left_out: &mut BTreeSet<String>) -> Vec<Flag> {
    let mut flags = Vec::new();
    let mut arguments = arguments.iter().skip(1);
    while let Some(argument) = arguments.next() {
        let is_alone = ALONE.contains(&argument.as_str()) || argument.starts_with("-std=");
        if is_alone {
            flags.push(Flag { text: argument.clone(), path: None });
        } else if let Some((flag, path)) = split_flag(argument, &WITH_PATH) {
            let path = path.map(str::to_owned).or_else(|| arguments.next().cloned()).unwrap_or_default();
            let path = at(&path);
            if WITH_FILE.contains(&flag) && is_outside(&path) {
                left_out.insert(path);
                continue;
            }
            // Names that follow as the next argument stay one of their own, as `-isystem` and others want it.
            let parts =
                [Flag { text: flag.to_owned(), path: None }, Flag { text: String::new(), path: Some(path) }];
            flags.extend(parts);
        } else if let Some((flag, text)) = split_flag(argument, &WITH_TEXT) {
            let text = text.map(str::to_owned).or_else(|| arguments.next().cloned()).unwrap_or_default();
            flags.push(Flag { text: flag.to_owned() + &text, path: None });
        }
    }
    flags
}

/// The flag that an argument begins with, and the rest of the argument unless that is empty.
fn split_flag<'a>(argument: &'a str, flags: &[&'static str]) -> Option<(&'static str, Option<&'a str>)> {
    let flag = flags.iter().find(|flag| argument.starts_with(**flag))?;
    Some((flag, Some(&argument[flag.len()..]).filter(|rest| !rest.is_empty())))
}

fn joined(directory: &str, path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("{directory}/{path}") }
}

/// The words of a command as a shell splits them.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            (letter, Some(open)) if letter == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(letters.next()),
            (letter, None) if letter.is_whitespace() => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_hold_for_a_copy() {
        let text = r#"[
            { "directory": "/home/me/project/build", "file": "../src/a.c",
              "command": "gcc -O2 -Wall -I../include -isystem /opt/x -DNAME=\\\"a\\ b\\\" -D 'C=1' -std=c99 -o a.o -c ../src/a.c" },
            { "directory": "/home/me/project", "file": "/home/me/project/src/b.c",
              "arguments": ["cc", "-include", "config.h", "-c", "src/b.c"] },
            { "directory": "/home/me/project", "file": "src/b.c", "arguments": ["cc", "-DSECOND", "src/b.c"] }
        ]"#;
        let commands = CompileCommands::parse(text, "/home/me/project").unwrap();
        let expected = ["-I", "/copy/include", "-isystem", "/opt/x", "-DNAME=\"a b\"", "-DC=1", "-std=c99"];
        assert_eq!(commands.flags("src/a.c", "/copy"), expected);
        assert_eq!(commands.flags("src/b.c", "/copy"), ["-include", "/copy/config.h"]);
        assert!(commands.flags("src/c.c", "/copy").is_empty());
        assert_eq!(
            rendered(Some(&commands), &["src/b.c"], "/copy"),
            r#"[{"arguments":["cc","-include","/copy/config.h","-c","/copy/src/b.c"],"directory":"/copy","file":"/copy/src/b.c"}]"#
        );
    }

    #[test]
    fn files_outside_of_the_project_are_not_included() {
        let text = r#"[{ "directory": "/p/build", "file": "/p/a.c", "arguments":
            ["cc", "-include", "/etc/passwd", "-imacros", "../../secret", "-include/dev/zero", "-include", "../ok.h"] }]"#;
        let commands = CompileCommands::parse(text, "/p").unwrap();
        assert_eq!(commands.flags("a.c", "/copy"), ["-include", "/copy/ok.h"]);
        assert_eq!(commands.left_out().collect::<Vec<_>>(), ["/dev/zero", "/etc/passwd", "/secret"]);
    }

    #[test]
    fn what_is_no_database_is_refused() {
        for text in ["", "{}", "[1]", "[{}]", "[{\"directory\":1,\"file\":\"a\"}]", &"[".repeat(100_000)] {
            assert!(CompileCommands::parse(text, "/").is_err(), "{}", &text[..text.len().min(30)]);
        }
        assert_eq!(CompileCommands::parse("[]", "/"), Ok(CompileCommands::default()));
    }

    #[test]
    fn commands_are_split_as_a_shell_does() {
        assert_eq!(words(r#"a "b c" 'd "e' f\ g "" "h\"i"#), ["a", "b c", "d \"e", "f g", "", "h\"i"]);
    }
}
