//! The documents are correct: the README's first code block holds the two commands, and every path and every link in a
//! document exists.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use test_support::repository;

/// Folders of the repository. A quoted word that begins with one of them is a path.
const FOLDERS: &[&str] = &["analyzers/", "bench/", "bugs/", "crates/", "docs/", "scripts/", "seeds/"];

/// The Markdown files of the repository that people read, as paths below its root.
fn documents() -> Vec<PathBuf> {
    let mut documents = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(repository().join(&directory)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let path = directory.join(&name);
            if entry.file_type().unwrap().is_dir() {
                let is_made = name == "target" || name == "recorded" || name.starts_with("juvenal-out");
                if !name.starts_with('.') && !is_made {
                    waiting.push(path);
                }
            } else if name.ends_with(".md") {
                documents.push(path);
            }
        }
    }
    documents
}

/// The text without its code blocks.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text);
    let headings = headings.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
            kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
        })
        .collect()
}

#[test]
fn the_first_code_block_of_the_readme_holds_the_two_commands() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let block = readme.split("```").nth(1).unwrap();
    let commands: Vec<&str> = block.lines().skip(1).filter(|line| !line.trim().is_empty()).collect();
    assert_eq!(commands, ["cargo run --release -p juvenal -- hunt", "scripts/test"]);
}

/// Three pages of sixty lines; a stranger reads it from beginning to end.
#[test]
fn the_architecture_fits_three_pages() {
    let text = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let lines: usize = text.lines().map(|line| lines_at(line, 100)).sum();
    assert!(lines <= 180, "ARCHITECTURE.md has {lines} lines of 100 columns");
}

/// The number of lines that a paragraph takes if it is broken between words.
fn lines_at(paragraph: &str, width: usize) -> usize {
    let (mut lines, mut column) = (1, 0);
    for word in paragraph.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > width {
            (lines, column) = (lines + 1, length);
        } else {
            column += 1 + length;
        }
    }
    lines
}

#[test]
fn quoted_paths_exist() {
    // The changelog also names paths of the past.
    for document in documents().into_iter().filter(|document| !document.ends_with("CHANGELOG.md")) {
        let text = fs::read_to_string(repository().join(&document)).unwrap();
        for word in prose(&text).split('`').skip(1).step_by(2) {
            let is_path = FOLDERS.iter().any(|folder| word.starts_with(folder));
            if is_path && !word.contains([' ', '*', '…']) && !word.contains("NAME") {
                assert!(repository().join(word).exists(), "{}: there is no {word}", document.display());
            }
        }
    }
}

#[test]
fn links_resolve() {
    let mut links = 0;
    for document in documents() {
        let text = fs::read_to_string(repository().join(&document)).unwrap();
        for rest in prose(&text).split("](").skip(1) {
            let target = rest.split(')').next().unwrap();
            if target.contains("://") {
                continue;
            }
            links += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let beside = document.parent().unwrap_or(Path::new(""));
            let file = if path.is_empty() { document.clone() } else { beside.join(path) };
            let file = repository().join(file);
            assert!(file.exists(), "{}: the link {target} leads nowhere", document.display());
            if !anchor.is_empty() {
                let text = fs::read_to_string(&file).unwrap();
                let known = anchors(&text);
                let is_known = known.iter().any(|known| known == anchor);
                assert!(is_known, "{}: {target} names no heading", document.display());
            }
        }
    }
    assert!(links > 50, "only {links} links were found");
}
