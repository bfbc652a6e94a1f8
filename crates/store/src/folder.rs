//! A directory that may come from anyone: everything in it is data.
//!
//! Files are named by one word and opened relative to a handle, without following links, so nothing in the directory can
//! make juvenal read, write or remove a file elsewhere. What is neither a regular file nor a directory is refused by name.
//! Files are made under a temporary name and renamed, so a link or a special file in their place is replaced, not used.

use anyhow::{Context, Result, bail};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

/// How deep directories may be nested where one is removed; juvenal itself makes two levels.
const DEEPEST: u32 = 32;
/// Attempts to create a temporary file under a name that is still free.
const TRIES: u32 = 8;

/// An open directory.
pub struct Folder {
    handle: OwnedFd,
    /// Its path, for messages.
    path: PathBuf,
}

/// Whether a written file is a script.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Permissions {
    /// Readable.
    Plain,
    /// Readable and executable.
    Executable,
}

impl Folder {
    /// Opens a directory that the user named. The path itself may contain links.
    pub fn open(path: &Path) -> Result<Folder> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = rustix::fs::openat(CWD, path, flags, Mode::empty())
            .with_context(|| format!("cannot open the directory {}", path.display()))?;
        Ok(Folder { handle, path: path.to_owned() })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True if a path leads to this very directory.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        let here = rustix::fs::fstat(&self.handle);
        let there = rustix::fs::statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW);
        here.and_then(|here| Ok((here, there?)))
            .is_ok_and(|(here, there)| (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino))
    }

    /// The names of everything in it.
    pub fn names(&self) -> Result<Vec<String>> {
        let cannot_list = || format!("cannot list {}", self.path.display());
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.handle).with_context(cannot_list)? {
            let name = entry.with_context(cannot_list)?.file_name().to_string_lossy().into_owned();
            if name != "." && name != ".." {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// True if there is a regular file of this name. Anything else of this name is refused.
    pub fn has_file(&self, name: &str) -> Result<bool> {
        Ok(self.about_file(name)?.is_some())
    }

    /// Refuses a file that is written in place if it also has another name, which may be anywhere.
    pub(crate) fn refuse_second_name(&self, name: &str) -> Result<()> {
        match self.about_file(name)? {
            Some(about) => self.require_one_name(name, &about),
            None => Ok(()),
        }
    }

    /// Reads a regular file of at most this many bytes.
    pub fn read(&self, name: &str, most: u64) -> Result<Vec<u8>> {
        let file = self.open_file(name, OFlags::RDONLY, Mode::empty())?;
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes).with_context(|| self.cannot("read", name))?;
        if bytes.len() as u64 > most {
            bail!("{} is larger than {most} bytes; it is not a file of juvenal", self.shown(name));
        }
        Ok(bytes)
    }

    /// Opens a regular file to lock it, and creates it if it is missing.
    pub(crate) fn open_lock(&self, name: &str) -> Result<File> {
        self.open_file(name, OFlags::RDWR | OFlags::CREATE, readable())
    }

    /// Appends to a regular file, which is created if it is missing.
    pub(crate) fn append(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE;
        let mut file = self.open_file(name, flags, readable())?;
        let about = rustix::fs::fstat(&file).with_context(|| self.cannot("read", name))?;
        self.require_one_name(name, &about)?;
        file.write_all(bytes).with_context(|| self.cannot("write", name))
    }

    /// Writes a file atomically: a reader sees all of it or nothing. Directories on the way are made.
    pub fn write(&self, relative: &Path, bytes: &[u8], permissions: Permissions) -> Result<()> {
        match words(relative)?.as_slice() {
            [] => bail!("an empty name is not the name of a file"),
            [name] => self.write_here(name, bytes, permissions),
            [first, rest @ ..] => {
                self.made_subfolder(first)?.write(&rest.iter().collect::<PathBuf>(), bytes, permissions)
            }
        }
    }

    fn write_here(&self, name: &str, bytes: &[u8], permissions: Permissions) -> Result<()> {
        let partial = format!("{name}.partial");
        let mut file = self.create_new(&partial)?;
        let mut written = file.write_all(bytes);
        if permissions == Permissions::Executable {
            written = written.and_then(|()| Ok(rustix::fs::fchmod(&file, Mode::from_raw_mode(0o755))?));
        }
        written
            .and_then(|()| Ok(rustix::fs::renameat(&self.handle, &partial, &self.handle, name)?))
            .with_context(|| self.cannot("write", name))
    }

    /// Creates a file that did not exist. What a killed juvenal left under this name is removed; of a link, the link.
    fn create_new(&self, name: &str) -> Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for _ in 0..TRIES {
            match rustix::fs::openat(&self.handle, name, flags, readable()) {
                Ok(handle) => return Ok(File::from(handle)),
                Err(Errno::EXIST) => rustix::fs::unlinkat(&self.handle, name, AtFlags::empty())
                    .or_else(|error| if error == Errno::NOENT { Ok(()) } else { Err(error) })
                    .with_context(|| self.cannot("replace", name))?,
                Err(error) => return Err(error).with_context(|| self.cannot("write", name)),
            }
        }
        bail!("{}: another process writes this file", self.cannot("write", name))
    }

    /// Removes a directory of this name with everything in it; of a link, the link.
    pub fn remove(&self, name: &str) -> Result<()> {
        self.remove_below(name, DEEPEST).with_context(|| self.cannot("remove", name))
    }

    fn remove_below(&self, name: &str, levels: u32) -> Result<()> {
        match rustix::fs::unlinkat(&self.handle, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => return Ok(()),
            Err(Errno::ISDIR | Errno::PERM) => {}
            Err(error) => return Err(error).with_context(|| self.shown(name)),
        }
        if levels == 0 {
            bail!("{} is nested too deeply; remove it by hand", self.shown(name));
        }
        let inside = self.subfolder(name)?;
        inside.names()?.iter().try_for_each(|name| inside.remove_below(name, levels - 1))?;
        rustix::fs::unlinkat(&self.handle, name, AtFlags::REMOVEDIR).with_context(|| self.shown(name))
    }

    /// Opens a directory within this one, which must not be a link.
    pub fn subfolder(&self, name: &str) -> Result<Folder> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match rustix::fs::openat(&self.handle, name, flags, Mode::empty()) {
            Ok(handle) => Ok(Folder { handle, path: self.path.join(name) }),
            Err(Errno::LOOP | Errno::NOTDIR) => self.refuse(name, "directory"),
            Err(error) => Err(error).with_context(|| self.cannot("open", name)),
        }
    }

    /// The same, but a directory that is missing is made.
    pub fn made_subfolder(&self, name: &str) -> Result<Folder> {
        match rustix::fs::mkdirat(&self.handle, name, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => self.subfolder(name),
            Err(error) => Err(error).with_context(|| self.cannot("make", name)),
        }
    }

    /// Opens a named pipe for writing, which fails unless a process has it open for reading. Writing does not wait.
    pub fn open_pipe(&self, name: &str) -> Result<File> {
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        let handle = rustix::fs::openat(&self.handle, name, flags, Mode::empty())
            .with_context(|| self.cannot("open", name))?;
        let about = rustix::fs::fstat(&handle).with_context(|| self.cannot("read", name))?;
        if kind(&about) != FileType::Fifo {
            return self.refuse(name, "named pipe");
        }
        Ok(File::from(handle))
    }

    /// Opens a regular file. Opening a named pipe must not wait for its other end.
    fn open_file(&self, name: &str, flags: OFlags, mode: Mode) -> Result<File> {
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        let handle = match rustix::fs::openat(&self.handle, name, flags, mode) {
            Ok(handle) => handle,
            Err(Errno::LOOP | Errno::ISDIR | Errno::NXIO) => return self.refuse(name, "regular file"),
            Err(error) => return Err(error).with_context(|| self.cannot("open", name)),
        };
        let about = rustix::fs::fstat(&handle).with_context(|| self.cannot("read", name))?;
        if kind(&about) != FileType::RegularFile {
            return self.refuse(name, "regular file");
        }
        Ok(File::from(handle))
    }

    fn about_file(&self, name: &str) -> Result<Option<Stat>> {
        match rustix::fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(about) if kind(&about) == FileType::RegularFile => Ok(Some(about)),
            Ok(_) => self.refuse(name, "regular file"),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error).with_context(|| self.cannot("read", name)),
        }
    }

    fn require_one_name(&self, name: &str, about: &Stat) -> Result<()> {
        if about.st_nlink > 1 {
            bail!(
                "{} has a second name elsewhere (a hard link), where writing would change it too; work on a copy of {}",
                self.shown(name),
                self.path.display()
            );
        }
        Ok(())
    }

    /// Says what stands in the place of a file or a directory.
    fn refuse<T>(&self, name: &str, expected: &str) -> Result<T> {
        let about = rustix::fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW);
        let found = match about.map(|about| kind(&about)) {
            Ok(FileType::Symlink) => "a symbolic link",
            Ok(FileType::Directory) => "a directory",
            Ok(FileType::Fifo) => "a named pipe",
            Ok(FileType::Socket) => "a socket",
            Ok(FileType::CharacterDevice | FileType::BlockDevice) => "a device",
            Ok(FileType::RegularFile) => "a regular file",
            Ok(_) | Err(_) => "something else",
        };
        bail!(
            "{} is {found}, and juvenal makes a {expected} there; a campaign directory is not trusted, so remove it or \
             put the {expected} in its place",
            self.shown(name)
        )
    }

    fn shown(&self, name: &str) -> String {
        self.path.join(name).display().to_string()
    }

    fn cannot(&self, what: &str, name: &str) -> String {
        format!("cannot {what} {}", self.shown(name))
    }
}

fn kind(about: &Stat) -> FileType {
    FileType::from_raw_mode(about.st_mode)
}

fn readable() -> Mode {
    Mode::from_raw_mode(0o666)
}

/// The parts of a path that stays within its directory.
fn words(relative: &Path) -> Result<Vec<&str>> {
    let word = |part: Component<'_>| match part {
        Component::Normal(_) => Ok(()),
        _ => bail!("{} leads out of the campaign directory", relative.display()),
    };
    relative.components().try_for_each(word)?;
    let text = relative.to_str().with_context(|| format!("{} is not UTF-8", relative.display()))?;
    Ok(text.split('/').filter(|part| !part.is_empty() && *part != ".").collect())
}
