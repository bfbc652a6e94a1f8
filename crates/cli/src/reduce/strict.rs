//! Checks whether a text is valid C. Compilers and analyzers accept much invalid code with a warning, and a reducer would
//! soon produce nothing else.

use anyhow::Result;
use engine::{RunDirectory, Trust};
use model::Limits;
use process::Ending;
use std::ffi::OsString;

/// Warnings that are errors here.
const ARGUMENTS: [&str; 10] = [
    "-fsyntax-only",
    "-std=gnu17",
    "-Werror=implicit-int",
    "-Werror=implicit-function-declaration",
    "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types",
    "-Werror=return-type",
    "-Werror=main",
    "-Werror=strict-prototypes",
    "-Werror=sequence-point",
];
const PROGRAM: &str = "program.c";

/// Returns whether gcc accepts a text without complaint; `None` if gcc is not installed.
pub fn is_accepted(text: &str) -> Result<Option<bool>> {
    let Some(gcc) = engine::on_search_path("gcc") else { return Ok(None) };
    let directory = RunDirectory::create()?;
    directory.write(PROGRAM, text.as_bytes())?;
    let installation = engine::installation_of(&gcc);
    let mut command = engine::command(Trust::UnderTest(&installation), &gcc, directory.path());
    command.arguments = ARGUMENTS.iter().chain([&PROGRAM]).map(OsString::from).collect();
    let outcome = process::Runner::probe().run_until(&command, &Limits::default(), &|| false)?;
    Ok(Some(outcome.ending == Ending::Exited(0)))
}
