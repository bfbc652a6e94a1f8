//! Programs of Csmith, as seeds, where it is installed.

use super::SeedLoader;
use super::prepare_c::Source;
use super::seed_files::SeedProblem;
use crate::find::on_search_path;
use crate::run_directory::RunDirectory;
use anyhow::Result;
use model::{DataModel, Limits, Seed};
use process::Ending;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Closed programs of a size that path-sensitive analyzers can cope with. They follow what is in local variables more
/// closely than globals, and bit-fields of Csmith make many of them give up.
const OPTIONS: [&str; 14] = [
    "--no-argc",
    "--no-volatiles",
    "--no-volatile-pointers",
    "--no-global-variables",
    "--no-bitfields",
    "--max-pointer-depth",
    "2",
    "--max-funcs",
    "3",
    "--max-block-size",
    "3",
    "--max-block-depth",
    "3",
    "--concise",
];

/// The headers of the library have declarations for one compiler alone, and the programs need three of them.
const INSTEAD_OF_LIBRARY: &str = "#define _MATH_H 1\n#define _STDIO_H 1\nint printf(const char *, ...);\n\
                                 float fabsf(float);\ndouble fabs(double);\n";

/// Where Csmith is; none if it is not installed.
pub fn csmith() -> Option<PathBuf> {
    on_search_path("csmith").filter(|program| headers(program).is_some())
}

/// The directory with the headers that its programs include.
fn headers(program: &Path) -> Option<PathBuf> {
    // The program on the search path may be a link to the one beside which the headers are.
    let program = fs::canonicalize(program).ok()?;
    let include = program.parent()?.parent()?.join("include");
    let entries = fs::read_dir(include).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    entries.filter(|directory| directory.join("csmith.h").is_file()).min()
}

impl SeedLoader<'_> {
    /// The program of Csmith with this number, ready to be used; none if Csmith is not here.
    pub fn csmith_program(&self, number: u32) -> Result<Option<Result<Seed, SeedProblem>>> {
        let Some((program, headers)) =
            csmith().and_then(|program| Some((program.clone(), headers(&program)?)))
        else {
            return Ok(None);
        };
        let directory = RunDirectory::create_in(self.directory.path())?;
        let mut command = process::Command::new(&program, directory.path());
        command.arguments = OPTIONS.iter().map(OsString::from).collect();
        command.arguments.extend(["--seed".into(), number.to_string().into()]);
        let name = format!("program {number} of Csmith");
        let outcome = match self.runner.run(&command, &Limits::default()) {
            Ok(outcome) => outcome,
            Err(error) => {
                let detail = format!("{}: {error}", program.display());
                return Ok(Some(Err(SeedProblem { reason: "Csmith cannot be run", detail })));
            }
        };
        let text = INSTEAD_OF_LIBRARY.to_owned() + &String::from_utf8_lossy(&outcome.stdout);
        if outcome.ending != Ending::Exited(0) {
            let detail = format!("{name}: {:?}", outcome.ending);
            return Ok(Some(Err(SeedProblem { reason: "Csmith makes no program", detail })));
        }
        let (path, directory) = (Path::new(&name), Some(headers.as_path()));
        let source = Source { path, text: &text, directory, data_model: DataModel::Lp64 };
        let prepared = self.prepare_c(&source)?;
        Ok(Some(prepared.map(|text| Seed::c(&name, &without_names(&text), DataModel::Lp64))))
    }
}

/// The header prints the names of variables through a pointer. Sanitizers do not look at what the library follows, so a
/// program that does so would not be used everywhere.
fn without_names(text: &str) -> String {
    text.replace(", vname, crc32_context", ", \"a variable\", crc32_context")
}
