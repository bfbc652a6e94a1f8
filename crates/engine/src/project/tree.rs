//! The files below a directory.

use super::stop_if_interrupted;
use anyhow::{Context, Result, bail};
use globset::{Glob, GlobSet, GlobSetBuilder};
use std::collections::BTreeMap;
use std::fs::{self, DirEntry, FileType};
use std::os::unix::fs::FileTypeExt;
use std::path::{Component, Path, PathBuf};

/// Folders of installed packages. Tools may need them, so a copy has links to them; nothing in them is analyzed.
const PACKAGES: [&str; 2] = ["node_modules", "site-packages"];
/// The file that makes a folder a virtual environment of Python.
const VIRTUAL_ENVIRONMENT: &str = "pyvenv.cfg";
/// Folders that version control and tools write. A copy does not have them.
const DROPPINGS: [&str; 12] = [
    ".git",
    ".hg",
    ".svn",
    ".jj",
    "__pycache__",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".tox",
    ".nox",
    ".eggs",
    ".idea",
];

/// What to leave out.
pub struct TreeOptions {
    /// Patterns of names, such as `build/**` or `*_pb2.py`.
    pub exclude: Vec<String>,
    /// A directory that is not part of the project though it may be below the root: where the results go.
    pub output: PathBuf,
}

/// What is below a directory, by its path from there.
#[derive(Default)]
pub struct ProjectTree {
    /// The regular files, sorted.
    pub files: Vec<PathBuf>,
    /// Symbolic links that stay below the root, with their targets.
    pub(super) links: BTreeMap<PathBuf, PathBuf>,
    /// Folders of installed packages.
    pub(super) packages: Vec<PathBuf>,
    /// What is not part of the project, sorted.
    pub left: Vec<Left>,
}

/// Something below the root that is left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Left {
    /// Its path from the root.
    pub path: PathBuf,
    /// Why it is left out.
    pub reason: &'static str,
}

impl ProjectTree {
    /// Lists what is below a directory. Links are not followed, so no circle of links matters.
    pub fn list(root: &Path, options: &TreeOptions) -> Result<ProjectTree> {
        let about = fs::metadata(root).with_context(|| {
            format!("cannot read {}; name the directory of the project with --root", root.display())
        })?;
        if !about.is_dir() {
            bail!("{} is not a directory; name the directory of the project with --root", root.display());
        }
        let excluded = patterns(&options.exclude)?;
        // The output directory may not exist yet.
        let output = options.output.canonicalize().or_else(|_| std::path::absolute(&options.output));
        let output = output.with_context(|| format!("cannot find {}", options.output.display()))?;
        let root = root.canonicalize().with_context(|| format!("cannot find {}", root.display()))?;
        let mut listing = Listing { tree: ProjectTree::default(), excluded, output, root };
        listing.list()?;
        let mut tree = listing.tree;
        tree.files.sort();
        tree.packages.sort();
        tree.left.sort();
        Ok(tree)
    }
}

fn patterns(texts: &[String]) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for text in texts {
        let pattern = text.trim_end_matches('/');
        let advice = || format!("--exclude {text}: write a pattern such as `build/**` or `*_pb2.py`");
        set.add(Glob::new(pattern).with_context(advice)?);
    }
    set.build().context("--exclude: these patterns are too large together")
}

struct Listing {
    tree: ProjectTree,
    excluded: GlobSet,
    output: PathBuf,
    root: PathBuf,
}

impl Listing {
    fn list(&mut self) -> Result<()> {
        let mut waiting = vec![PathBuf::new()];
        while let Some(folder) = waiting.pop() {
            stop_if_interrupted()?;
            let entries = match fs::read_dir(self.root.join(&folder)) {
                Err(_) if folder != Path::new("") => {
                    self.leave(folder, "a folder that cannot be read");
                    continue;
                }
                entries => entries.with_context(|| format!("cannot read {}", self.root.display()))?,
            };
            for entry in entries {
                let entry = entry.with_context(|| format!("cannot read {}", self.root.display()))?;
                let path = folder.join(entry.file_name());
                if let Some(folder) = self.entry(&entry, path)? {
                    waiting.push(folder);
                }
            }
        }
        Ok(())
    }

    /// Takes one entry; returns it if it is a folder to look into.
    fn entry(&mut self, entry: &DirEntry, path: PathBuf) -> Result<Option<PathBuf>> {
        let kind = entry.file_type().with_context(|| format!("cannot read {}", entry.path().display()))?;
        if self.is_excluded(&path) {
            self.leave(path, "excluded by --exclude");
        } else if kind.is_dir() {
            return Ok(self.folder(entry, path));
        } else if kind.is_symlink() {
            self.link(path);
        } else if kind.is_file() {
            self.tree.files.push(path);
        } else {
            self.leave(path, special(kind));
        }
        Ok(None)
    }

    /// A pattern without `/` is about names in any folder.
    fn is_excluded(&self, path: &Path) -> bool {
        self.excluded.is_match(path) || path.file_name().is_some_and(|name| self.excluded.is_match(name))
    }

    fn folder(&mut self, entry: &DirEntry, path: PathBuf) -> Option<PathBuf> {
        let name = entry.file_name();
        let place = self.root.join(&path);
        if place == self.output {
            self.leave(path, "the output directory");
        } else if DROPPINGS.iter().any(|dropping| name == *dropping) {
            self.leave(path, "a folder of version control or of caches");
        } else if PACKAGES.iter().any(|packages| name == *packages)
            || place.join(VIRTUAL_ENVIRONMENT).is_file()
        {
            self.tree.packages.push(path.clone());
            self.leave(path, "installed packages: tools see them, but they are not analyzed");
        } else {
            return Some(path);
        }
        None
    }

    fn link(&mut self, path: PathBuf) {
        let target = fs::read_link(self.root.join(&path)).ok();
        match target.filter(|target| stays_inside(&path, target)) {
            Some(target) => {
                self.tree.links.insert(path.clone(), target);
                self.leave(path, "a symbolic link: tools see it, but only its target is analyzed");
            }
            None => self.leave(path, "a symbolic link that leads out of the project"),
        }
    }

    fn leave(&mut self, path: PathBuf, reason: &'static str) {
        self.tree.left.push(Left { path, reason });
    }
}

/// True if a link at this path leads to no place above the root.
fn stays_inside(link: &Path, target: &Path) -> bool {
    let mut depth = link.components().count() as i64 - 1;
    target.components().all(|component| {
        depth += match component {
            Component::Normal(_) => 1,
            Component::ParentDir => -1,
            Component::CurDir => 0,
            Component::RootDir | Component::Prefix(_) => return false,
        };
        depth >= 0
    })
}

fn special(kind: FileType) -> &'static str {
    match kind {
        _ if kind.is_fifo() => "a named pipe",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    #[test]
    fn every_entry_is_a_file_a_link_or_left_out_with_a_reason() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("project");
        for file in [
            "a.py",
            "sub/b.py",
            "sub/node_modules/c.js",
            ".git/config",
            "env/pyvenv.cfg",
            "env/d.py",
            "gen/e_pb2.py",
            "gen/f.py",
            "out/report.sarif",
            "old/g.py",
        ] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "").unwrap();
        }
        for (link, target) in [
            ("circle", "circle"),
            ("up", "sub/../a.py"),
            ("sub/out", "../../secret"),
            ("abs", "/etc"),
            ("dir", "sub"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        let _listener = UnixListener::bind(root.join("socket")).unwrap();
        let options =
            TreeOptions { exclude: vec!["*_pb2.py".to_owned(), "old/".to_owned()], output: root.join("out") };
        let tree = ProjectTree::list(&root, &options).unwrap();
        let names: Vec<&str> = tree.files.iter().filter_map(|path| path.to_str()).collect();
        assert_eq!(names, ["a.py", "gen/f.py", "sub/b.py"]);
        let left: Vec<String> =
            tree.left.iter().map(|left| format!("{}: {}", left.path.display(), left.reason)).collect();
        assert_eq!(
            left,
            [
                ".git: a folder of version control or of caches",
                "abs: a symbolic link that leads out of the project",
                "circle: a symbolic link: tools see it, but only its target is analyzed",
                "dir: a symbolic link: tools see it, but only its target is analyzed",
                "env: installed packages: tools see them, but they are not analyzed",
                "gen/e_pb2.py: excluded by --exclude",
                "old: excluded by --exclude",
                "out: the output directory",
                "socket: a socket",
                "sub/node_modules: installed packages: tools see them, but they are not analyzed",
                "sub/out: a symbolic link that leads out of the project",
                "up: a symbolic link: tools see it, but only its target is analyzed",
            ]
        );
    }

    #[test]
    fn what_is_no_directory_and_what_is_no_pattern_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("file"), "").unwrap();
        let options = |exclude: &[&str]| TreeOptions {
            exclude: exclude.iter().map(|it| (*it).to_owned()).collect(),
            output: directory.path().join("out"),
        };
        for (root, exclude, expected) in [
            ("file", &[][..], "is not a directory; name the directory of the project with --root"),
            ("missing", &[], "cannot read"),
            (".", &["a{"], "--exclude a{: write a pattern"),
        ] {
            let listed = ProjectTree::list(&directory.path().join(root), &options(exclude));
            let error = format!("{:#}", listed.err().unwrap());
            assert!(error.contains(expected), "{error}");
        }
    }
}
