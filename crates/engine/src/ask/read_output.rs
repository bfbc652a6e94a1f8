//! Reading the file that an analyzer wrote. It may be anything: too large, a link, a pipe without a writer.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// No output file is read beyond this.
const LARGEST_FILE: u64 = 4 << 20;

/// The beginning of a file of the run directory; none if it is not a regular file.
pub(super) fn read_output(path: &Path) -> Option<Vec<u8>> {
    // A link could lead out of the run directory, and opening a pipe waits for a writer.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = File::options().read(true).custom_flags(flags).open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn only_the_beginning_of_a_regular_file_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        std::fs::write(path("small"), "text").unwrap();
        assert_eq!(read_output(&path("small")).as_deref(), Some(&b"text"[..]));
        // A sparse file takes no room on disk.
        File::create(path("large")).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read_output(&path("large")).unwrap().len() as u64, LARGEST_FILE);
        std::os::unix::fs::symlink(path("small"), path("link")).unwrap();
        assert_eq!(read_output(&path("link")), None);
        assert_eq!(read_output(&path("missing")), None);
        assert_eq!(read_output(directory.path()), None);
    }

    #[test]
    fn a_pipe_without_a_writer_does_not_hang() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pipe");
        let name = std::ffi::CString::new(path.as_os_str().as_bytes()).unwrap();
        #[allow(unsafe_code, reason = "the standard library cannot make a FIFO")]
        let made = unsafe { libc::mkfifo(name.as_ptr(), 0o600) };
        assert_eq!(made, 0);
        assert_eq!(read_output(&path), None);
    }
}
