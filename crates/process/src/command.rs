//! What to run, where, and with what environment.

use crate::confinement::Confinement;
use crate::run_error::RunError;
use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

const MINIMAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// A program with everything that it gets. It inherits nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The file to execute. A bare name is looked up in the PATH of `environment`; a relative path starts at
    /// juvenal's own working directory.
    pub program: PathBuf,
    /// The arguments, without the program's name.
    pub arguments: Vec<OsString>,
    /// The working directory.
    pub directory: PathBuf,
    /// The directory that a confined program may write to, where it is not the working directory but contains it.
    pub writable: Option<PathBuf>,
    /// The whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Written to standard input, which is then closed. A session ignores it.
    pub stdin: Vec<u8>,
    /// What the program and everything it starts is kept from.
    pub confinement: Confinement,
    /// What a confined program may read in home and temporary directories, beyond its working directory and its own
    /// file: files, and directories with everything in them. Of a directory that contains a home, only the files
    /// directly in it count, and not those whose names begin with a dot.
    pub readable: Vec<PathBuf>,
}

impl Command {
    /// A command without arguments, with a minimal environment and an empty standard input.
    pub fn new(
        program: impl Into<PathBuf>,
        directory: impl Into<PathBuf>,
        confinement: Confinement,
    ) -> Command {
        let directory = directory.into();
        let environment = vec![
            (OsString::from("PATH"), OsString::from(MINIMAL_PATH)),
            (OsString::from("LANG"), OsString::from("C")),
            (OsString::from("HOME"), directory.clone().into_os_string()),
            (OsString::from("TMPDIR"), directory.clone().into_os_string()),
        ];
        Command {
            program: program.into(),
            arguments: Vec::new(),
            directory,
            writable: None,
            environment,
            stdin: Vec::new(),
            confinement,
            readable: Vec::new(),
        }
    }

    /// The directory that belongs to the run.
    pub(crate) fn own_directory(&self) -> &Path {
        self.writable.as_deref().unwrap_or(&self.directory)
    }

    /// Turns everything into the form that the system calls take, because a forked process may not allocate.
    pub(crate) fn prepare(&self) -> Result<Prepared, RunError> {
        let zero_byte = || RunError::ZeroByte { program: self.program.clone() };
        let encode = |bytes: Vec<u8>| CString::new(bytes).map_err(|_| zero_byte());
        let mut arguments = vec![encode(self.program.as_os_str().as_bytes().to_vec())?];
        for argument in &self.arguments {
            arguments.push(encode(argument.as_bytes().to_vec())?);
        }
        let mut environment = Vec::new();
        for (name, value) in &self.environment {
            environment.push(encode([name.as_bytes(), b"=", value.as_bytes()].concat())?);
        }
        Ok(Prepared {
            program: encode(self.resolve()?.into_os_string().into_vec())?,
            arguments,
            environment,
            directory: encode(self.directory.as_os_str().as_bytes().to_vec())?,
        })
    }

    /// The file to execute, independent of the working directory.
    fn resolve(&self) -> Result<PathBuf, RunError> {
        let missing = || RunError::ProgramMissing { program: self.program.clone() };
        if self.program.as_os_str().is_empty() {
            return Err(missing());
        }
        if self.program.as_os_str().as_bytes().contains(&b'/') {
            return std::path::absolute(&self.program)
                .map_err(|error| RunError::system(self, "making its path absolute", error));
        }
        let path =
            self.environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_os_str());
        std::env::split_paths(path.unwrap_or(OsStr::new(MINIMAL_PATH)))
            .map(|directory| directory.join(&self.program))
            .find(|candidate| is_executable_file(candidate))
            .ok_or_else(missing)
    }
}

/// A command as zero-terminated strings.
pub(crate) struct Prepared {
    pub(crate) program: CString,
    pub(crate) arguments: Vec<CString>,
    pub(crate) environment: Vec<CString>,
    pub(crate) directory: CString,
}

fn is_executable_file(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}
