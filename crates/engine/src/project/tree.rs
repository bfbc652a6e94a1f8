//! The files below a directory.

use super::stop_if;
use anyhow::{Context, Result, bail};
use globset::{Glob, GlobSet, GlobSetBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
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

/// A larger file is neither copied nor analyzed.
pub(super) const LARGEST_FILE: u64 = 256 << 20;
/// The most that is taken of a project: a mistake in its directory, such as `/`, is noticed before the disk is full.
const MOST_ENTRIES: usize = 1_000_000;
const MOST_BYTES: u64 = 16 << 30;
/// Folders of installed packages that tools can see: as many as a confined program can be shown.
const MOST_PACKAGES: usize = 24;
/// Links that lead to links are followed so often, as systems do, and through so many folders.
const MOST_LINKS: usize = 40;
const MOST_FOLDERS: usize = 1000;

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
    ///
    /// # Errors
    ///
    /// Fails if juvenal is to stop, if the directory cannot be read, and if there is too much in it.
    pub fn list(root: &Path, options: &TreeOptions, stop: &dyn Fn() -> bool) -> Result<ProjectTree> {
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
        let mut listing =
            Listing { tree: ProjectTree::default(), excluded, output, root, entries: 0, bytes: 0 };
        listing.list(stop)?;
        listing.keep_packages();
        listing.keep_links(stop)?;
        let mut tree = listing.tree;
        tree.files.sort();
        tree.packages.sort();
        tree.left.sort();
        Ok(tree)
    }

    /// Leaves out files that were listed.
    pub(super) fn leave_files(&mut self, files: Vec<Left>) {
        let paths: BTreeSet<&Path> = files.iter().map(|left| left.path.as_path()).collect();
        self.files.retain(|file| !paths.contains(file.as_path()));
        self.left.extend(files);
        self.left.sort();
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
    /// What was found so far.
    entries: usize,
    bytes: u64,
}

impl Listing {
    fn list(&mut self, stop: &dyn Fn() -> bool) -> Result<()> {
        let mut waiting = vec![PathBuf::new()];
        while let Some(folder) = waiting.pop() {
            let entries = match fs::read_dir(self.root.join(&folder)) {
                Err(_) if folder != Path::new("") => {
                    self.leave(folder, "a folder that cannot be read");
                    continue;
                }
                entries => entries.with_context(|| format!("cannot read {}", self.root.display()))?,
            };
            for entry in entries {
                stop_if(stop)?;
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
        self.entries += 1;
        if self.entries > MOST_ENTRIES {
            bail!(self.too_large(&format!("{MOST_ENTRIES} files and folders")));
        }
        if self.is_excluded(&path) {
            self.leave(path, "excluded by --exclude");
        } else if kind.is_dir() {
            return Ok(self.folder(entry, path));
        } else if kind.is_symlink() {
            let target = fs::read_link(self.root.join(&path)).unwrap_or_default();
            self.tree.links.insert(path, target);
        } else if kind.is_file() {
            self.file(entry, path)?;
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

    fn file(&mut self, entry: &DirEntry, path: PathBuf) -> Result<()> {
        let bytes = match entry.metadata() {
            Ok(about) if about.len() > LARGEST_FILE => {
                self.leave(path, "a file of more than 256 MB, which is the limit");
                return Ok(());
            }
            Ok(about) => about.len(),
            Err(_) => {
                self.leave(path, "a file that cannot be read");
                return Ok(());
            }
        };
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MOST_BYTES {
            bail!(self.too_large(&format!("{} GB in its files", MOST_BYTES >> 30)));
        }
        self.tree.files.push(path);
        Ok(())
    }

    fn too_large(&self, limit: &str) -> String {
        format!(
            "the project in {} has more than {limit}, which is the limit; name a smaller directory with --root, or leave out \
             what is no source with --exclude, such as --exclude 'data/**'",
            self.root.display()
        )
    }

    /// Keeps the folders of packages that tools can see, those near to the root first.
    fn keep_packages(&mut self) {
        self.tree.packages.sort_by_cached_key(|path| (path.components().count(), path.clone()));
        let kept = self.tree.packages.len().min(MOST_PACKAGES);
        let hidden: BTreeSet<PathBuf> = self.tree.packages.split_off(kept).into_iter().collect();
        for left in self.tree.left.iter_mut().filter(|left| hidden.contains(&left.path)) {
            left.reason = "installed packages in too many folders: tools do not see these";
        }
    }

    /// Keeps the links that stay inside, also where they lead through other links.
    fn keep_links(&mut self, stop: &dyn Fn() -> bool) -> Result<()> {
        let links = std::mem::take(&mut self.tree.links);
        let packages: BTreeSet<PathBuf> = self.tree.packages.iter().cloned().collect();
        for (path, target) in &links {
            stop_if(stop)?;
            match end_of(path, &links, &packages) {
                LinkEnd::Inside => {
                    self.leave(
                        path.clone(),
                        "a symbolic link: tools see it, but only its target is analyzed",
                    );
                    self.tree.links.insert(path.clone(), target.clone());
                }
                LinkEnd::Outside => {
                    self.leave(path.clone(), "a symbolic link that leads out of the project");
                }
                LinkEnd::Nowhere => self.leave(path.clone(), "a symbolic link that leads in a circle"),
            }
        }
        Ok(())
    }

    fn leave(&mut self, path: PathBuf, reason: &'static str) {
        self.tree.left.push(Left { path, reason });
    }
}

/// Where a link leads.
#[derive(Debug, PartialEq, Eq)]
enum LinkEnd {
    Inside,
    Outside,
    /// In a circle, or through more links than a system follows.
    Nowhere,
}

/// One step on the way of a path.
enum Step {
    Into(OsString),
    Up,
    Out,
}

/// Follows a link as the system does in a copy, where folders of packages are links out of it: nothing may go up from there.
fn end_of(link: &Path, links: &BTreeMap<PathBuf, PathBuf>, packages: &BTreeSet<PathBuf>) -> LinkEnd {
    let mut at = PathBuf::new();
    let mut left: Vec<Step> = steps(link);
    let (mut followed, mut passed) = (0, 0);
    while let Some(step) = left.pop() {
        passed += 1;
        match step {
            _ if passed > MOST_FOLDERS => return LinkEnd::Nowhere,
            Step::Out => return LinkEnd::Outside,
            Step::Up => {
                if at.ancestors().any(|folder| packages.contains(folder)) || !at.pop() {
                    return LinkEnd::Outside;
                }
            }
            Step::Into(name) => {
                at.push(name);
                let Some(target) = links.get(&at) else { continue };
                followed += 1;
                if followed > MOST_LINKS {
                    return LinkEnd::Nowhere;
                }
                at.pop();
                left.extend(steps(target));
            }
        }
    }
    LinkEnd::Inside
}

/// The steps of a path, the first one last.
fn steps(path: &Path) -> Vec<Step> {
    let steps = path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(Step::Into(name.to_owned())),
        Component::ParentDir => Some(Step::Up),
        Component::CurDir => None,
        Component::RootDir | Component::Prefix(_) => Some(Step::Out),
    });
    let mut steps: Vec<Step> = steps.collect();
    steps.reverse();
    steps
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
    use std::fs::File;
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
            // Folder by folder both stay inside; what they lead through does not.
            ("here", "."),
            ("sub/through", "../here/../../secret"),
            ("packages", "sub/node_modules/../.."),
            ("package", "sub/node_modules/c.js"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        File::create(root.join("sparse.py")).unwrap().set_len(1 << 40).unwrap();
        let _listener = UnixListener::bind(root.join("socket")).unwrap();
        let options =
            TreeOptions { exclude: vec!["*_pb2.py".to_owned(), "old/".to_owned()], output: root.join("out") };
        let tree = ProjectTree::list(&root, &options, &|| false).unwrap();
        let names: Vec<&str> = tree.files.iter().filter_map(|path| path.to_str()).collect();
        assert_eq!(names, ["a.py", "gen/f.py", "sub/b.py"]);
        let left: Vec<String> =
            tree.left.iter().map(|left| format!("{}: {}", left.path.display(), left.reason)).collect();
        assert_eq!(
            left,
            [
                ".git: a folder of version control or of caches",
                "abs: a symbolic link that leads out of the project",
                "circle: a symbolic link that leads in a circle",
                "dir: a symbolic link: tools see it, but only its target is analyzed",
                "env: installed packages: tools see them, but they are not analyzed",
                "gen/e_pb2.py: excluded by --exclude",
                "here: a symbolic link: tools see it, but only its target is analyzed",
                "old: excluded by --exclude",
                "out: the output directory",
                "package: a symbolic link: tools see it, but only its target is analyzed",
                "packages: a symbolic link that leads out of the project",
                "socket: a socket",
                "sparse.py: a file of more than 256 MB, which is the limit",
                "sub/node_modules: installed packages: tools see them, but they are not analyzed",
                "sub/out: a symbolic link that leads out of the project",
                "sub/through: a symbolic link that leads out of the project",
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
            let listed = ProjectTree::list(&directory.path().join(root), &options(exclude), &|| false);
            let error = format!("{:#}", listed.err().unwrap());
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn what_is_too_large_and_what_is_to_stop_ends_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let options = TreeOptions { exclude: Vec::new(), output: directory.path().join("out") };
        for number in 0..=(MOST_BYTES / LARGEST_FILE) {
            let file = File::create(directory.path().join(format!("{number}.bin"))).unwrap();
            file.set_len(LARGEST_FILE).unwrap();
        }
        let listed = |stop: &dyn Fn() -> bool| ProjectTree::list(directory.path(), &options, stop).err();
        let error = format!("{:#}", listed(&|| false).unwrap());
        assert!(error.contains("more than 16 GB in its files") && error.contains("--exclude"), "{error}");
        assert!(crate::is_interruption(&listed(&|| true).unwrap()));
    }

    #[test]
    fn folders_of_packages_beyond_what_can_be_shown_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let options = TreeOptions { exclude: Vec::new(), output: directory.path().join("out") };
        for number in 0..MOST_PACKAGES {
            fs::create_dir_all(directory.path().join(format!("a/{number}/node_modules"))).unwrap();
        }
        fs::create_dir_all(directory.path().join("z/node_modules")).unwrap();
        let tree = ProjectTree::list(directory.path(), &options, &|| false).unwrap();
        assert_eq!(tree.packages.len(), MOST_PACKAGES);
        assert!(tree.packages.contains(&PathBuf::from("z/node_modules")), "it is nearest to the root");
        let hidden = tree.left.iter().filter(|left| left.reason.contains("tools do not see these"));
        assert_eq!(hidden.count(), 1);
    }
}
