//! Compiles the seeds of the project into the binary, so that `juvenal hunt` works wherever it is installed.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    write_table("smt", ".smt2")?;
    write_table("c", ".c")?;
    write_table("datalog", ".dl")
}

/// Writes the table of the seeds in one directory, `seeds/NAME`, as the file `seeds_NAME.rs`.
fn write_table(directory_name: &str, ending: &str) -> io::Result<()> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds").join(directory_name);
    println!("cargo::rerun-if-changed={}", directory.display());
    let mut names: Vec<String> = fs::read_dir(&directory)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(ending))
        .collect();
    names.sort();
    let mut table = String::from("&[\n");
    for name in names {
        let path = fs::canonicalize(directory.join(&name))?;
        writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string())
            .map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    let target = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&target).join(format!("seeds_{directory_name}.rs")), table)
}
