//! `parts.json`: the parts of a run by name, so that the next one keeps them where nothing changed.

use crate::{Part, SizeLimit, SourceFile};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The content of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PartsFile {
    /// What the user asked for.
    pub request: String,
    /// The largest size of a part.
    pub limit: SizeLimit,
    /// The parts.
    parts: Vec<NamedPart>,
}

/// A part with the names of its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedPart {
    /// The files that it owns.
    owned: Vec<String>,
    /// The files that these need.
    needed: Vec<String>,
}

impl PartsFile {
    /// Names the files of parts.
    pub fn new(request: String, limit: SizeLimit, parts: &[Part], files: &[SourceFile]) -> PartsFile {
        let name = |file: &u32| files.get(*file as usize).map(|file| file.name.clone());
        let named = |part: &Part| NamedPart {
            owned: part.owned.iter().filter_map(name).collect(),
            needed: part.files.iter().filter(|&&file| !part.owns(file)).filter_map(name).collect(),
        };
        PartsFile { request, limit, parts: parts.iter().map(named).collect() }
    }

    /// The parts with the numbers that their files have now. Files that are gone are left out.
    pub fn parts(&self, files: &[SourceFile]) -> Vec<Part> {
        let numbers: BTreeMap<&str, u32> =
            (0u32..).zip(files).map(|(number, file)| (file.name.as_str(), number)).collect();
        let known = |names: &[String]| -> Vec<u32> {
            names.iter().filter_map(|name| numbers.get(name.as_str()).copied()).collect()
        };
        let part = |part: &NamedPart| {
            let owned = known(&part.owned);
            Part::new([owned.clone(), known(&part.needed)].concat(), owned)
        };
        self.parts.iter().map(part).collect()
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    ///
    /// Those of reading JSON.
    pub fn parse(text: &[u8]) -> serde_json::Result<PartsFile> {
        serde_json::from_slice(text)
    }

    /// The text of the file. Hidden characters of names are escaped.
    ///
    /// # Errors
    ///
    /// Those of writing JSON.
    pub fn text(&self) -> serde_json::Result<String> {
        Ok(model::shown_json(&serde_json::to_string_pretty(self)?).into_owned() + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Measure;

    fn files(names: &[&str]) -> Vec<SourceFile> {
        names.iter().map(|name| SourceFile { name: (*name).to_owned(), bytes: 1, lines: 1 }).collect()
    }

    #[test]
    fn parts_are_found_again_by_name() {
        let parts = [Part::new(vec![0, 1, 2], vec![0, 1]), Part::new(vec![2], vec![2])];
        let limit = SizeLimit { most: 3, measure: Measure::Files };
        let file = PartsFile::new("2 parts".to_owned(), limit, &parts, &files(&["a", "b", "c"]));
        let read = PartsFile::parse(file.text().unwrap().as_bytes()).unwrap();
        assert_eq!(read, file);
        assert_eq!(read.parts(&files(&["a", "b", "c"])), parts);
        let later = [Part::new(vec![0, 2], vec![0]), Part::new(vec![2], vec![2])];
        assert_eq!(read.parts(&files(&["b", "bb", "c"])), later);
    }

    #[test]
    fn hidden_characters_are_escaped_and_read_again() {
        let limit = SizeLimit { most: 3, measure: Measure::Files };
        let parts = [Part::owning(vec![0])];
        let file = PartsFile::new("\u{202e}".to_owned(), limit, &parts, &files(&["a\u{1b}[2J\u{e0041}"]));
        let text = file.text().unwrap();
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{e0041}']), "{text}");
        assert_eq!(PartsFile::parse(text.as_bytes()).unwrap(), file);
    }
}
