//! Copies of a project for tools to run on.

use super::stop_if;
use super::tree::{LARGEST_FILE, Left, ProjectTree};
use crate::RunDirectory;
use anyhow::{Context, Result};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// What distinguishes a file from another, or from itself after a change: its inode, size and times.
type Stamp = (u64, u64, i64, i64, i64, i64);

/// The folder with the copy, and the one with what is no part of the project, in the directory of a copy.
const PROJECT: &str = "project";
const SCRATCH: &str = "scratch";
/// The permissions that a copy of a file keeps: not those of programs that run as their owner.
const KEPT_PERMISSIONS: u32 = 0o777;
const OWNER_READS: u32 = 0o400;

/// A copy of a project in a directory of its own, which goes with it.
pub struct WorkingCopy {
    directory: RunDirectory,
    /// The copy itself.
    project: PathBuf,
    /// What is in it, by its path, as it was before a tool ran.
    stamps: Option<BTreeMap<PathBuf, Stamp>>,
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
    /// Copies a project as it is now. `root` is where the tree was listed. What cannot be read is left out.
    ///
    /// # Errors
    ///
    /// Fails if juvenal is to stop, and if there is no room for a copy.
    pub fn new(root: &Path, mut tree: ProjectTree, stop: &dyn Fn() -> bool) -> Result<WorkingCopies> {
        let original = root.canonicalize().with_context(|| format!("cannot find {}", root.display()))?;
        let directory = RunDirectory::create_enclosing()?;
        let first = WorkingCopy::new(directory.path())?;
        let left = first.fill(&original, &tree, tree.files.iter(), &original, stop)?;
        tree.leave_files(left);
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

    /// The folders of installed packages, which are not copied.
    pub(super) fn packages(&self) -> impl Iterator<Item = PathBuf> {
        self.tree.packages.iter().map(|packages| self.original.join(packages))
    }

    /// The content of a file as it was copied; none if it is not one of the listed files. Tools name any files in their
    /// reports.
    pub fn read(&self, file: &Path) -> Result<Option<Vec<u8>>> {
        if self.tree.files.binary_search_by(|known| known.as_path().cmp(file)).is_err() {
            return Ok(None);
        }
        let path = self.first.path().join(file);
        match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
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
        let copy = WorkingCopy::new(self.directory.path())?;
        copy.fill(self.first.path(), &self.tree, files, &self.original, &|| false)?;
        Ok(copy)
    }

    /// Takes back a copy of everything that a tool has left as it was.
    pub fn give_back(&self, copy: WorkingCopy) {
        self.free.lock().push(copy);
    }
}

impl WorkingCopy {
    fn new(among: &Path) -> Result<WorkingCopy> {
        let directory = RunDirectory::create_private_in(among)?;
        let project = directory.path().join(PROJECT);
        make_folder(&project)?;
        Ok(WorkingCopy { directory, project, stamps: None })
    }

    /// Where the copy is.
    pub fn path(&self) -> &Path {
        &self.project
    }

    /// The directory that the copy is in, which is all that a tool may write to.
    pub(super) fn enclosing(&self) -> &Path {
        self.directory.path()
    }

    /// An empty folder beside the copy.
    pub(super) fn make_scratch(&self) -> Result<PathBuf> {
        let scratch = self.directory.path().join(SCRATCH);
        make_folder(&scratch)?;
        Ok(scratch)
    }

    /// Removes what was written beside the copy. Returns false if that cannot be done.
    pub(super) fn clear_scratch(&self) -> bool {
        let entries = fs::read_dir(self.directory.path()).into_iter().flatten().flatten();
        entries.filter(|entry| entry.file_name() != PROJECT).all(|entry| {
            let removed = match entry.file_type() {
                Ok(kind) if kind.is_dir() => fs::remove_dir_all(entry.path()),
                _ => fs::remove_file(entry.path()),
            };
            removed.is_ok()
        })
    }

    /// Notes what is in the copy, unless that was done before.
    pub(super) fn remember(&mut self) -> Result<()> {
        if self.stamps.is_none() {
            self.stamps = Some(stamps_below(&self.project)?);
        }
        Ok(())
    }

    /// What was done to the files since the copy was noted.
    pub fn changes(&self) -> Result<Changes> {
        let mut changes = Changes::default();
        let Some(stamps) = &self.stamps else { return Ok(changes) };
        let now = stamps_below(self.path())?;
        for (path, stamp) in stamps {
            match now.get(path) {
                Some(found) if found == stamp => {}
                Some(_) => changes.changed.push(path.clone()),
                None => changes.removed.push(path.clone()),
            }
        }
        changes.added = now.keys().filter(|path| !stamps.contains_key(*path)).cloned().collect();
        Ok(changes)
    }

    /// Copies files from a directory, and links what the tree has links for. Returns the files that are not there or cannot be
    /// read, with the reasons.
    fn fill<'a>(
        &self,
        from: &Path,
        tree: &ProjectTree,
        files: impl Iterator<Item = &'a PathBuf>,
        original: &Path,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Left>> {
        let mut left = Vec::new();
        for file in files {
            stop_if(stop)?;
            left.extend(self.copy(&from.join(file), file)?.map(|reason| Left { path: file.clone(), reason }));
        }
        for (link, target) in &tree.links {
            self.link(link, target)?;
        }
        for packages in &tree.packages {
            self.link(packages, &original.join(packages))?;
        }
        Ok(left)
    }

    /// Copies a file; returns a reason if it is no regular file that can be read, as it was when it was listed.
    fn copy(&self, from: &Path, file: &Path) -> Result<Option<&'static str>> {
        let no_room = || {
            let place = self.path().display();
            format!(
                "cannot copy {} to {place}; make room there, or set TMPDIR to a directory with room",
                from.display()
            )
        };
        // It may have become a link or a pipe in the meantime; opening a pipe waits for a writer.
        let opened = File::options().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(from);
        let source = match opened {
            Ok(source) => source,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Some("it was removed")),
            Err(_) => return Ok(Some(UNREADABLE)),
        };
        let Ok(about) = source.metadata() else { return Ok(Some(UNREADABLE)) };
        if !about.is_file() {
            return Ok(Some("it is no regular file any more"));
        }
        let to = self.path().join(file);
        if to.as_os_str().len() > LONGEST_PATH {
            return Ok(Some("its path is too long for a copy"));
        }
        make_folder_of(&to)?;
        let mut target = File::create_new(&to).with_context(no_room)?;
        let reason = match std::io::copy(&mut source.take(LARGEST_FILE + 1), &mut target) {
            Ok(bytes) if bytes <= LARGEST_FILE => None,
            Ok(_) => Some("it grew while it was copied"),
            Err(error) if is_about_room(&error) => return Err(error).with_context(no_room),
            Err(_) => Some(UNREADABLE),
        };
        if reason.is_some() {
            fs::remove_file(&to).with_context(no_room)?;
            return Ok(reason);
        }
        let permissions = Permissions::from_mode(about.mode() & KEPT_PERMISSIONS | OWNER_READS);
        target.set_permissions(permissions).with_context(no_room)?;
        Ok(None)
    }

    fn link(&self, link: &Path, target: &Path) -> Result<()> {
        let place = self.path().join(link);
        make_folder_of(&place)?;
        symlink(target, &place).with_context(|| format!("cannot make the link {}", place.display()))
    }
}

/// The longest path that a file of a copy may have. Systems take 4,096 bytes, with what tools append.
const LONGEST_PATH: usize = 4000;

fn is_about_room(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
}

/// Why a file that cannot be opened or read is left out.
const UNREADABLE: &str = "a file that cannot be read";

fn make_folder_of(path: &Path) -> Result<()> {
    path.parent().map_or(Ok(()), make_folder)
}

fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| {
        format!("cannot make {}; make room there, or set TMPDIR to a directory with room", folder.display())
    })
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
    // A tool can put a link in the place of its copy.
    let is_folder = fs::symlink_metadata(root).is_ok_and(|about| about.is_dir());
    let mut waiting: Vec<PathBuf> = is_folder.then(PathBuf::new).into_iter().collect();
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
        WorkingCopies::new(root, ProjectTree::list(root, &options, &|| false).unwrap(), &|| false).unwrap()
    }

    #[test]
    fn a_copy_has_the_files_of_the_project_and_what_is_done_to_it_shows() {
        let root = tempfile::tempdir().unwrap();
        let copies = project(root.path());
        let mut copy = copies.whole().unwrap();
        copy.remember().unwrap();
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
    fn copies_are_private_and_what_is_in_them_runs_as_nobody_else() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("open")).unwrap();
        fs::write(root.path().join("open/tool"), "").unwrap();
        for (name, mode) in [("open/tool", 0o6755), ("open", 0o1777)] {
            fs::set_permissions(root.path().join(name), Permissions::from_mode(mode)).unwrap();
        }
        let copies = project(root.path());
        let mode = |path: &Path| fs::symlink_metadata(path).unwrap().mode() & 0o7777;
        for copy in [&copies.first, &copies.whole().unwrap(), &copies.of([].iter()).unwrap()] {
            assert_eq!(mode(copy.enclosing()), 0o700);
            // Its files can be found by nobody who guesses their names.
            assert_eq!(mode(copy.enclosing().parent().unwrap()), 0o711);
        }
        let copy = copies.whole().unwrap();
        assert_eq!(mode(&copy.path().join("open/tool")), 0o755);
        assert_eq!(mode(&copy.path().join("open")) & 0o7000, 0);
        for entry in fs::read_dir(copy.path()).unwrap().flatten().filter(|entry| entry.path().is_symlink()) {
            let target = fs::read_link(entry.path()).unwrap();
            let is_packages = entry.file_name() == "node_modules";
            assert_eq!(target.is_absolute(), is_packages, "{}", entry.path().display());
        }
    }

    #[test]
    fn only_listed_files_are_read() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("secret"), "secret").unwrap();
        let copies = project(&root.path().join("project"));
        let secret = root.path().join("secret").display().to_string();
        for name in [&*secret, "../secret", "../../secret", "link.py", "node_modules/c.js", "sub", "", "."] {
            assert!(copies.read(Path::new(name)).unwrap().is_none(), "{name}");
        }
        assert!(copies.read(Path::new("sub/b.py")).unwrap().is_some());
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
