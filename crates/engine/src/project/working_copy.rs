//! Copies of a project for tools to run on.

use super::{ProjectTree, stop_if_interrupted};
use crate::RunDirectory;
use anyhow::{Context, Result};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};

/// What distinguishes a file from another, or from itself after a change: its inode, size and times.
type Stamp = (u64, u64, i64, i64, i64, i64);

/// A copy of a project in a directory of its own, which goes with it.
pub struct WorkingCopy {
    directory: RunDirectory,
    /// What is in it, by its path, as it was when the copy was made.
    stamps: BTreeMap<PathBuf, Stamp>,
}

/// The copies of one project: the first, which no tool sees, and one for each tool that runs at the same time.
pub struct WorkingCopies {
    tree: ProjectTree,
    original: PathBuf,
    first: WorkingCopy,
    free: Mutex<Vec<WorkingCopy>>,
    /// What the copies are in. It goes after them.
    directory: RunDirectory,
}

impl WorkingCopies {
    /// Copies a project as it is now. `root` is where the tree was listed.
    pub fn new(root: &Path, tree: ProjectTree) -> Result<WorkingCopies> {
        let original = root.canonicalize().with_context(|| format!("cannot find {}", root.display()))?;
        let directory = RunDirectory::create()?;
        let mut first =
            WorkingCopy { directory: RunDirectory::create_in(directory.path())?, stamps: BTreeMap::new() };
        first.fill(&original, &tree, tree.files.iter(), &original)?;
        Ok(WorkingCopies { tree, original, first, free: Mutex::new(Vec::new()), directory })
    }

    /// What was listed.
    pub fn tree(&self) -> &ProjectTree {
        &self.tree
    }

    /// The project itself.
    pub(super) fn original(&self) -> &Path {
        &self.original
    }

    /// The copy that no tool sees.
    pub(super) fn untouched(&self) -> &Path {
        self.first.path()
    }

    /// Where the copies are.
    pub(super) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// The content of a file as it was copied; none if it vanished before that.
    pub fn read(&self, file: &Path) -> Result<Option<Vec<u8>>> {
        let path = self.first.path().join(file);
        match fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            read => Ok(Some(read.with_context(|| format!("cannot read the copy of {}", file.display()))?)),
        }
    }

    /// A copy of everything that no other tool uses. [`WorkingCopies::give_back`] takes it.
    pub fn whole(&self) -> Result<WorkingCopy> {
        // The lock is free again before anything is copied.
        let free = self.free.lock().pop();
        match free {
            Some(copy) => Ok(copy),
            None => self.of(self.tree.files.iter()),
        }
    }

    /// A copy of these files alone.
    pub fn of<'a>(&self, files: impl Iterator<Item = &'a PathBuf>) -> Result<WorkingCopy> {
        let directory = RunDirectory::create_in(self.directory.path())?;
        let mut copy = WorkingCopy { directory, stamps: BTreeMap::new() };
        copy.fill(self.first.path(), &self.tree, files, &self.original)?;
        Ok(copy)
    }

    /// Takes back a copy of everything that a tool has left as it was.
    pub fn give_back(&self, copy: WorkingCopy) {
        self.free.lock().push(copy);
    }
}

impl WorkingCopy {
    /// Where the copy is.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// What was done to the files since the copy was made.
    pub fn changes(&self) -> Result<Changes> {
        let mut changes = Changes::default();
        let now = stamps_below(self.path())?;
        for (path, stamp) in &self.stamps {
            match now.get(path) {
                Some(found) if found == stamp => {}
                Some(_) => changes.changed.push(path.clone()),
                None => changes.removed.push(path.clone()),
            }
        }
        changes.added = now.keys().filter(|path| !self.stamps.contains_key(*path)).cloned().collect();
        Ok(changes)
    }

    /// Copies files from a directory, and links what the tree has links for.
    fn fill<'a>(
        &mut self,
        from: &Path,
        tree: &ProjectTree,
        files: impl Iterator<Item = &'a PathBuf>,
        original: &Path,
    ) -> Result<()> {
        for file in files {
            stop_if_interrupted()?;
            self.copy(&from.join(file), file)?;
        }
        for (link, target) in &tree.links {
            self.link(link, target)?;
        }
        for packages in &tree.packages {
            self.link(packages, &original.join(packages))?;
        }
        self.stamps = stamps_below(self.path())?;
        Ok(())
    }

    fn copy(&self, from: &Path, file: &Path) -> Result<()> {
        let to = self.path().join(file);
        self.make_folder_of(&to)?;
        match fs::copy(from, &to) {
            // A file that was removed while the project was copied is not part of it.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            copied => copied.map(drop).with_context(|| {
                format!(
                    "cannot copy {}; is there room in the directory for temporary files (TMPDIR)?",
                    from.display()
                )
            }),
        }
    }

    fn link(&self, link: &Path, target: &Path) -> Result<()> {
        let place = self.path().join(link);
        self.make_folder_of(&place)?;
        symlink(target, &place).with_context(|| format!("cannot make the link {}", place.display()))
    }

    fn make_folder_of(&self, path: &Path) -> Result<()> {
        let Some(folder) = path.parent() else { return Ok(()) };
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
    }
}

/// What a tool did to its copy.
#[derive(Default)]
pub struct Changes {
    /// Files with another content.
    pub changed: Vec<PathBuf>,
    /// Files that are gone.
    pub removed: Vec<PathBuf>,
    /// New files.
    pub added: Vec<PathBuf>,
}

impl Changes {
    /// True if the tool left everything as it was.
    pub fn are_none(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty() && self.added.is_empty()
    }
}

/// The stamps of everything below a directory, except for its folders, whose times change with their entries.
fn stamps_below(root: &Path) -> Result<BTreeMap<PathBuf, Stamp>> {
    let mut stamps = BTreeMap::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(folder) = waiting.pop() {
        // Another program may remove what is listed here at any time.
        for entry in fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            let path = folder.join(entry.file_name());
            match entry.metadata() {
                Ok(about) if about.is_dir() => waiting.push(path),
                Ok(about) => drop(stamps.insert(path, stamp(&about))),
                Err(_) => {}
            }
        }
    }
    Ok(stamps)
}

fn stamp(about: &Metadata) -> Stamp {
    (about.ino(), about.len(), about.mtime(), about.mtime_nsec(), about.ctime(), about.ctime_nsec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TreeOptions;

    fn project(root: &Path) -> WorkingCopies {
        for file in ["a.py", "sub/b.py", "node_modules/c.js"] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), file).unwrap();
        }
        symlink("sub/b.py", root.join("link.py")).unwrap();
        let options = TreeOptions { exclude: Vec::new(), output: root.join("out") };
        WorkingCopies::new(root, ProjectTree::list(root, &options).unwrap()).unwrap()
    }

    #[test]
    fn a_copy_has_the_files_of_the_project_and_what_is_done_to_it_shows() {
        let root = tempfile::tempdir().unwrap();
        let copies = project(root.path());
        let copy = copies.whole().unwrap();
        let read = |name: &str| fs::read_to_string(copy.path().join(name)).unwrap();
        assert_eq!(
            (read("link.py"), read("node_modules/c.js")),
            ("sub/b.py".into(), "node_modules/c.js".into())
        );
        assert!(copy.changes().unwrap().are_none());
        fs::write(copy.path().join("a.py"), "A.py").unwrap();
        fs::remove_file(copy.path().join("sub/b.py")).unwrap();
        fs::write(copy.path().join("sub/.cache"), "").unwrap();
        let changes = copy.changes().unwrap();
        let names = |paths: &[PathBuf]| paths.iter().map(|it| it.display().to_string()).collect::<Vec<_>>();
        assert_eq!(names(&changes.changed), ["a.py"]);
        assert_eq!(names(&changes.removed), ["sub/b.py"]);
        assert_eq!(names(&changes.added), ["sub/.cache"]);
        assert_eq!(
            fs::read_to_string(root.path().join("a.py")).unwrap(),
            "a.py",
            "the project itself is as it was"
        );
    }

    #[test]
    fn a_copy_that_was_given_back_is_used_again() {
        let root = tempfile::tempdir().unwrap();
        let copies = project(root.path());
        let (first, second) = (copies.whole().unwrap(), copies.whole().unwrap());
        let kept = first.path().to_owned();
        assert_ne!(kept, second.path());
        copies.give_back(first);
        assert_eq!(copies.whole().unwrap().path(), kept);
    }

    #[test]
    fn a_part_has_its_own_files_only() {
        let root = tempfile::tempdir().unwrap();
        let copies = project(root.path());
        let part = copies.of([PathBuf::from("sub/b.py")].iter()).unwrap();
        assert!(part.path().join("sub/b.py").exists() && !part.path().join("a.py").exists());
        assert_eq!(copies.read(Path::new("a.py")).unwrap().unwrap(), b"a.py");
        assert!(copies.read(Path::new("missing")).unwrap().is_none());
    }
}
