//! Whether a text is C. Compilers and analyzers only warn of much that is not, and a reducer that may write it will.

use anyhow::Result;
use engine::RunDirectory;
use model::Limits;
use process::Ending;
use std::ffi::OsString;

/// What gcc refuses besides what it always does.
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

/// True if gcc takes a text without objections; none if there is no gcc.
pub fn is_accepted(text: &str) -> Result<Option<bool>> {
    let Some(gcc) = engine::on_search_path("gcc") else { return Ok(None) };
    let directory = RunDirectory::create()?;
    directory.write(PROGRAM, text.as_bytes())?;
    let mut command = process::Command::new(&gcc, directory.path());
    command.arguments = ARGUMENTS.iter().chain([&PROGRAM]).map(OsString::from).collect();
    command.environment = std::env::vars_os().collect();
    let outcome = process::Runner::probe().run_until(&command, &Limits::default(), &|| false)?;
    Ok(Some(outcome.ending == Ending::Exited(0)))
}
