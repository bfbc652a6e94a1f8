//! Reading a file that the user or a program under test has made. It may be anything: a pipe without a writer, a device
//! without an end, a link in a circle, larger than the memory.

use std::fmt;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

/// Why a file was not read.
#[derive(Debug)]
pub enum FileProblem {
    /// The system refused it.
    Unreadable(io::Error),
    /// It is not a regular file; the words say what it is.
    NotRegular(&'static str),
    /// It has more bytes than this.
    TooLarge(u64),
}

impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileProblem::Unreadable(error) => write!(f, "{error}"),
            FileProblem::NotRegular(what) => {
                write!(f, "it is {what}, not a regular file; copy its content into a file")
            }
            FileProblem::TooLarge(most) if most % (1 << 20) == 0 => {
                write!(f, "it has more than {} MB, which is the limit", most >> 20)
            }
            FileProblem::TooLarge(most) => write!(f, "it has more than {most} bytes, which is the limit"),
        }
    }
}

impl std::error::Error for FileProblem {}

/// The content of a regular file, if it is not longer than the limit. Anything else is refused at once.
pub fn read_given_file(path: &Path, most_bytes: u64) -> Result<Vec<u8>, FileProblem> {
    let file = open_given_file(path)?;
    let mut bytes = Vec::new();
    // The size may be unknown, as that of files in /proc, or change while the file is read.
    file.take(most_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(FileProblem::Unreadable)?;
    if bytes.len() as u64 > most_bytes {
        return Err(FileProblem::TooLarge(most_bytes));
    }
    Ok(bytes)
}

/// Opens a regular file for reading.
pub(crate) fn open_given_file(path: &Path) -> Result<File, FileProblem> {
    // Opening some devices has an effect of its own, so the kind is checked first.
    require_regular(fs::metadata(path).map_err(FileProblem::Unreadable)?.file_type())?;
    // It may have become a pipe in the meantime, and opening a pipe waits for a writer.
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path);
    let file = file.map_err(FileProblem::Unreadable)?;
    require_regular(file.metadata().map_err(FileProblem::Unreadable)?.file_type())?;
    Ok(file)
}

fn require_regular(kind: FileType) -> Result<(), FileProblem> {
    match kind {
        _ if kind.is_file() => Ok(()),
        _ if kind.is_dir() => Err(FileProblem::NotRegular("a directory")),
        _ if kind.is_fifo() => Err(FileProblem::NotRegular("a named pipe")),
        _ if kind.is_socket() => Err(FileProblem::NotRegular("a socket")),
        _ => Err(FileProblem::NotRegular("a device")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    fn make_pipe(path: &Path) {
        let name = std::ffi::CString::new(path.as_os_str().as_bytes()).unwrap();
        #[allow(unsafe_code, reason = "the standard library cannot make a named pipe")]
        let made = unsafe { libc::mkfifo(name.as_ptr(), 0o600) };
        assert_eq!(made, 0);
    }

    #[test]
    fn only_regular_files_up_to_the_limit_are_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        fs::write(path("four"), "text").unwrap();
        File::create(path("sparse")).unwrap().set_len(1 << 40).unwrap();
        make_pipe(&path("pipe"));
        let _listener = UnixListener::bind(path("socket")).unwrap();
        symlink("circle", path("circle")).unwrap();
        symlink("four", path("link")).unwrap();
        symlink("/dev/zero", path("zeros")).unwrap();
        for (name, expected) in [
            ("four", Ok("text")),
            ("link", Ok("text")),
            ("sparse", Err("it has more than 4 bytes")),
            ("pipe", Err("it is a named pipe")),
            ("socket", Err("it is a socket")),
            ("zeros", Err("it is a device")),
            (".", Err("it is a directory")),
            ("circle", Err("symbolic links")),
            ("missing", Err("No such file")),
        ] {
            match (read_given_file(&path(name), 4), expected) {
                (Ok(bytes), Ok(text)) => assert_eq!(bytes, text.as_bytes(), "{name}"),
                (Err(problem), Err(words)) => {
                    assert!(problem.to_string().contains(words), "{name}: {problem}")
                }
                (read, _) => panic!("{name}: {read:?}"),
            }
        }
    }

    #[test]
    fn a_file_without_a_size_is_limited_as_well() {
        let read = read_given_file(Path::new("/proc/self/status"), 10);
        assert!(matches!(read, Err(FileProblem::TooLarge(10))), "{read:?}");
    }
}
