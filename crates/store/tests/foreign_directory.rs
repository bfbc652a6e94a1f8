//! An untrusted campaign directory: links, pipes and SQLite's own mechanisms reach nothing outside of it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

use anyhow::Result;
use rusqlite::Connection;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use store::{Folder, Permissions, Store};
use tempfile::TempDir;

/// What stands in the place of a file or directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trap {
    LinkToFile,
    LinkToDirectory,
    DanglingLink,
    Loop,
    Pipe,
    Directory,
    SecondName,
}

use Trap::{DanglingLink, Directory, LinkToDirectory, LinkToFile, Loop, Pipe, SecondName};

const TRAPS: [Trap; 7] = [LinkToFile, LinkToDirectory, DanglingLink, Loop, Pipe, Directory, SecondName];

/// Every name that juvenal reads, writes, appends to, removes or locks, and its temporary names.
const NAMES: [&str; 19] = [
    "campaign.toml",
    "campaign.toml.partial",
    "store.db",
    "store.db-wal",
    "store.db-shm",
    "store.db-journal",
    "lock",
    "stats.jsonl",
    "weaknesses.txt",
    "weaknesses.txt.partial",
    "findings",
    "findings/F0001-kept",
    "findings/F0001-kept/README.md",
    "findings/F0001-kept/README.md.partial",
    "findings/F0001-kept/run",
    "findings/F0002-gone",
    "compare.html",
    "compare.html.partial",
    "complete.txt",
];

/// A campaign, and what must not change.
struct Scene(TempDir);

impl Scene {
    fn new() -> Scene {
        let scene = Scene(TempDir::new().unwrap());
        fs::create_dir_all(scene.outside().join("F0002-gone")).unwrap();
        fs::write(scene.outside().join("precious"), "precious").unwrap();
        fs::write(scene.outside().join("F0002-gone/precious"), "precious").unwrap();
        drop(Store::create(&scene.campaign(), "a = 1\n").unwrap());
        for name in ["findings/F0001-kept", "findings/F0002-gone"] {
            fs::create_dir(scene.campaign().join(name)).unwrap();
        }
        scene
    }

    fn campaign(&self) -> PathBuf {
        self.0.path().join("campaign")
    }

    fn outside(&self) -> PathBuf {
        self.0.path().join("outside")
    }

    fn plant(&self, name: &str, trap: Trap) {
        let path = self.campaign().join(name);
        match fs::symlink_metadata(&path) {
            Ok(about) if about.is_dir() => fs::remove_dir_all(&path).unwrap(),
            Ok(_) => fs::remove_file(&path).unwrap(),
            Err(_) => {}
        }
        let outside = self.outside();
        match trap {
            LinkToFile => symlink(outside.join("precious"), &path).unwrap(),
            LinkToDirectory => symlink(&outside, &path).unwrap(),
            DanglingLink => symlink(outside.join("new"), &path).unwrap(),
            Loop => symlink(path.file_name().unwrap(), &path).unwrap(),
            Pipe => mknodat(CWD, &path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap(),
            Directory => fs::create_dir(&path).unwrap(),
            SecondName => fs::hard_link(outside.join("precious"), &path).unwrap(),
        }
    }

    /// The paths and texts outside.
    fn untouchable(&self) -> BTreeMap<PathBuf, String> {
        let mut all = BTreeMap::new();
        let mut left = vec![self.outside()];
        while let Some(directory) = left.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    left.push(path.clone());
                    all.insert(path, String::new());
                } else {
                    all.insert(path.clone(), fs::read_to_string(path).unwrap());
                }
            }
        }
        all
    }
}

/// Everything that juvenal does with the files of a campaign.
fn use_everything(campaign: &Path) -> Vec<Result<()>> {
    let reading = Store::open_for_reading(campaign).and_then(|store| store.directory.campaign().map(drop));
    let mut results = vec![reading];
    let store = match Store::open(campaign) {
        Ok(store) => store,
        Err(problem) => {
            results.push(Err(problem));
            return results;
        }
    };
    let directory = &store.directory;
    let write = |name: &str| directory.write_file(Path::new(name), b"new");
    results.extend([
        directory.append_statistics("{}"),
        directory.add_weaknesses(&["something".to_owned()]),
        directory.keep_finding_directories(&BTreeSet::from(["F0001-kept".to_owned()])),
        write("findings/F0001-kept/README.md"),
        write("findings/F0001-kept/run/program.c"),
        write("findings/F0001-kept/replay.sh"),
        write("compare.html"),
        directory.has_file("complete.txt").map(drop),
        write("complete.txt"),
        directory.write_campaign("a = 2\n"),
    ]);
    results
}

#[test]
fn nothing_outside_changes_whatever_stands_in_the_place_of_a_file() {
    for name in NAMES {
        for trap in TRAPS {
            let scene = Scene::new();
            scene.plant(name, trap);
            let before = scene.untouchable();
            let results = use_everything(&scene.campaign());
            assert_eq!(scene.untouchable(), before, "{name}: {trap:?}");
            for problem in results.into_iter().filter_map(Result::err) {
                let shown = format!("{problem:#}");
                let is_said = shown.contains(name) || shown.contains("the store in");
                assert!(is_said, "{name}, {trap:?}: {shown}");
            }
        }
    }
}

#[test]
fn what_would_be_read_or_written_in_place_is_refused_by_name() {
    let links = [LinkToFile, LinkToDirectory, DanglingLink, Loop, Pipe];
    for name in [
        "campaign.toml",
        "store.db",
        "store.db-wal",
        "store.db-shm",
        "lock",
        "stats.jsonl",
        "weaknesses.txt",
        "findings",
    ] {
        for trap in links {
            let scene = Scene::new();
            scene.plant(name, trap);
            let problems: Vec<String> = use_everything(&scene.campaign())
                .into_iter()
                .filter_map(Result::err)
                .map(|it| format!("{it:#}"))
                .collect();
            let what = if trap == Pipe { "a named pipe" } else { "a symbolic link" };
            assert!(
                problems.iter().any(|it| it.contains(what) && it.contains("remove it")),
                "{name}, {trap:?}: {problems:?}"
            );
        }
    }
    for name in ["store.db", "store.db-wal", "store.db-shm", "stats.jsonl"] {
        let scene = Scene::new();
        let path = scene.campaign().join(name);
        if !path.exists() {
            fs::write(&path, "").unwrap();
        }
        fs::hard_link(&path, scene.outside().join("second")).unwrap();
        let problems: Vec<String> = use_everything(&scene.campaign())
            .into_iter()
            .filter_map(Result::err)
            .map(|it| format!("{it:#}"))
            .collect();
        assert!(
            problems.iter().any(|it| it.contains("second name") && it.contains("copy")),
            "{name}: {problems:?}"
        );
    }
}

#[test]
fn links_in_the_place_of_made_files_are_replaced() {
    for name in
        ["compare.html", "compare.html.partial", "findings/F0001-kept/README.md", "complete.txt.partial"]
    {
        let scene = Scene::new();
        scene.plant(name, LinkToFile);
        use_everything(&scene.campaign()).into_iter().for_each(|result| result.unwrap());
        let made = scene.campaign().join(name.trim_end_matches(".partial"));
        assert!(fs::symlink_metadata(&made).unwrap().is_file(), "{name}");
        assert!(!scene.campaign().join("compare.html.partial").exists());
    }
}

#[test]
fn removed_directories_take_nothing_along() {
    let scene = Scene::new();
    let gone = scene.campaign().join("findings/F0002-gone");
    fs::create_dir(gone.join("inner")).unwrap();
    symlink(scene.outside(), gone.join("inner/away")).unwrap();
    symlink(scene.outside().join("precious"), gone.join("file")).unwrap();
    let before = scene.untouchable();
    use_everything(&scene.campaign()).into_iter().for_each(|result| result.unwrap());
    assert!(!gone.exists());
    assert_eq!(scene.untouchable(), before);
}

#[test]
fn the_user_may_name_the_directory_by_a_link() {
    let scene = Scene::new();
    let link = scene.0.path().join("link");
    symlink(scene.campaign(), &link).unwrap();
    use_everything(&link).into_iter().for_each(|result| result.unwrap());
    assert_eq!(fs::read_to_string(scene.campaign().join("compare.html")).unwrap(), "new");
}

#[test]
fn names_stay_in_their_directory() {
    let scene = Scene::new();
    let folder = Folder::open(&scene.campaign()).unwrap();
    for name in ["../outside/new", "a/../../outside/new", "/tmp/juvenal-new", "..", ""] {
        let result = folder.write(Path::new(name), b"new", Permissions::Plain);
        assert!(result.is_err(), "{name}");
    }
    assert!(!scene.outside().join("new").exists());
    assert_eq!(folder.read("campaign.toml", 100).unwrap(), b"a = 1\n");
    assert!(folder.read("campaign.toml", 5).unwrap_err().to_string().contains("larger than 5 bytes"));
}

#[test]
fn scripts_are_executable_and_other_files_are_not() {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::new();
    use_everything(&scene.campaign()).into_iter().for_each(|result| result.unwrap());
    for (name, expected) in [("replay.sh", true), ("README.md", false)] {
        let path = scene.campaign().join("findings/F0001-kept").join(name);
        let is_executable = fs::metadata(path).unwrap().permissions().mode() & 0o111 != 0;
        assert_eq!(is_executable, expected, "{name}");
    }
}

#[test]
fn a_foreign_schema_is_refused() {
    for statement in [
        "CREATE TRIGGER evil AFTER INSERT ON cases BEGIN DELETE FROM findings; END",
        "CREATE VIEW evil AS SELECT * FROM findings",
        "CREATE INDEX evil ON findings (abs(case_number))",
        "CREATE TABLE evil (a)",
        "DROP TABLE bugs; CREATE VIEW bugs AS SELECT 1 AS number, '' AS fingerprint, 1 AS hits",
        "DROP TABLE bugs",
    ] {
        let scene = Scene::new();
        let connection = Connection::open(scene.campaign().join("store.db")).unwrap();
        connection.execute_batch(statement).unwrap();
        drop(connection);
        for problem in use_everything(&scene.campaign()).into_iter().take(2) {
            let shown = format!("{:#}", problem.unwrap_err());
            assert!(shown.contains("is damaged"), "{statement}: {shown}");
        }
    }
}

/// SQLite removes the file that a rollback journal names at its end.
#[test]
fn a_rollback_journal_removes_nothing() {
    let scene = Scene::new();
    fs::write(scene.campaign().join("store.db-journal"), "anything").unwrap();
    let problems = use_everything(&scene.campaign());
    assert_eq!(problems.len(), 2);
    for problem in problems {
        let shown = format!("{:#}", problem.unwrap_err());
        assert!(shown.contains("store.db-journal is not a file of juvenal"), "{shown}");
    }
}
