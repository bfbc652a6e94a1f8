//! Installed packages of Python and Node.js: the lists of content that come with them stand for their files.

use crate::find::add_files;
use crate::read_given_file;
use anyhow::Result;
use model::PartHasher;
use serde::Deserialize;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use tools::path_of_uri;

/// The list of the files of a Python package, with their hashes.
const RECORD: &str = "RECORD";
/// The file that says where an editable package has its sources.
const DIRECT_URL: &str = "direct_url.json";
/// The file that every package of Node.js has.
const PACKAGE_JSON: &str = "package.json";
const NODE_MODULES: &str = "node_modules";
/// Folders of packages in the library of a Python.
const PYTHON_FOLDERS: [&str; 2] = ["site-packages", "dist-packages"];
/// The most bytes of a list that are read; that of the largest package has less.
const LARGEST_LIST: u64 = 64 << 20;

/// Adds the packages that a program can import, and its own package file by file: developers of a tool change it in place.
pub(super) fn add_packages_of(hasher: &mut PartHasher, program: &Path, interpreter: &str) -> Result<()> {
    if interpreter.contains("python") {
        for folder in program.parent().and_then(Path::parent).into_iter().flat_map(python_folders) {
            add_python_packages(hasher, &folder, program.file_name())?;
        }
    }
    let package = program.ancestors().skip(1).find(|folder| folder.join(PACKAGE_JSON).is_file());
    if let Some(package) = package.filter(|_| interpreter.contains("node") || is_script_of_node(program)) {
        let mut files = Vec::new();
        collect_code(package, &|_| true, &mut files);
        add_files(hasher, package, files)?;
        for folder in package.ancestors().map(|folder| folder.join(NODE_MODULES)) {
            add_node_packages(hasher, &folder);
        }
    }
    Ok(())
}

/// Adds the packages of a project: those of a folder `node_modules` or `site-packages`, or a virtual environment.
pub(super) fn add_packages_in(hasher: &mut PartHasher, folder: &Path) -> Result<()> {
    for folder in python_folders(folder).into_iter().chain([folder.to_owned()]) {
        add_python_packages(hasher, &folder, None)?;
    }
    add_node_packages(hasher, folder);
    Ok(())
}

fn is_script_of_node(program: &Path) -> bool {
    ["js", "mjs", "cjs"].iter().any(|ending| program.extension() == Some(OsStr::new(ending)))
}

/// The folders of packages below a prefix such as `/usr` or a virtual environment.
fn python_folders(prefix: &Path) -> Vec<PathBuf> {
    let libraries = entries(&prefix.join("lib"));
    let folders = libraries.iter().flat_map(|library| PYTHON_FOLDERS.map(|name| library.join(name)));
    folders.filter(|folder| folder.is_dir()).collect()
}

/// Adds the lists of all packages in a folder. For the tool's own packages, `program` is the name of its program: the files
/// of the package that has installed it count, and so do sources of editable packages. A project's lists may come from anyone
/// and are not followed.
fn add_python_packages(hasher: &mut PartHasher, folder: &Path, program: Option<&OsStr>) -> Result<()> {
    let is_information =
        |path: &PathBuf| path.extension().is_some_and(|ending| ending == "dist-info" || ending == "egg-info");
    for information in entries(folder).into_iter().filter(is_information) {
        hasher.add(information.file_name().unwrap_or_default().as_encoded_bytes());
        if let Some(sources) = program.and_then(|_| editable_sources(&information)) {
            let mut files = Vec::new();
            collect_code(&sources, &is_python, &mut files);
            add_files(hasher, &sources, files)?;
        }
        let Ok(record) = read_given_file(&information.join(RECORD), LARGEST_LIST) else { continue };
        hasher.add(&record);
        let record = String::from_utf8_lossy(&record);
        let names = || record.lines().filter_map(|line| line.split(',').next());
        let has_installed = |program| names().any(|name| Path::new(name).file_name() == Some(program));
        if program.is_some_and(has_installed) {
            let files = names().map(|name| folder.join(name)).filter(|file| !is_compiled(file));
            add_files(hasher, folder, files.filter(|file| file.is_file()).collect())?;
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct DirectUrl {
    url: String,
    #[serde(default)]
    dir_info: DirectoryInformation,
}

#[derive(Default, Deserialize)]
struct DirectoryInformation {
    #[serde(default)]
    editable: bool,
}

/// Where a package that `pip install --editable` installed has its sources.
fn editable_sources(information: &Path) -> Option<PathBuf> {
    let text = read_given_file(&information.join(DIRECT_URL), LARGEST_LIST).ok()?;
    let direct: DirectUrl = serde_json::from_slice(&text).ok()?;
    direct.dir_info.editable.then(|| PathBuf::from(path_of_uri(&direct.url))).filter(|path| path.is_dir())
}

/// Python writes these when it imports a module for the first time.
fn is_compiled(file: &Path) -> bool {
    file.extension() == Some(OsStr::new("pyc"))
}

fn is_python(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ["py", "pyi", "so"].iter().any(|known| ending == *known))
}

/// Adds the names and versions of the packages of Node.js in a folder, as their `package.json` has them.
fn add_node_packages(hasher: &mut PartHasher, folder: &Path) {
    for package in entries(folder) {
        let is_scope = package.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"@"));
        for package in if is_scope { entries(&package) } else { vec![package] } {
            let list = package.join(PACKAGE_JSON);
            if let Ok(list) = read_given_file(&list, LARGEST_LIST) {
                hasher.add(package.strip_prefix(folder).unwrap_or(&package).as_os_str().as_encoded_bytes());
                hasher.add(&list);
            }
        }
    }
}

/// The files of a folder without packages of others, hidden folders, virtual environments and what interpreters write.
fn collect_code(folder: &Path, is_code: &dyn Fn(&Path) -> bool, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_foreign = [NODE_MODULES, "__pycache__"].contains(&name.as_str()) || name.starts_with('.');
        // Links to directories could lead in circles.
        let is_folder = fs::symlink_metadata(&path).is_ok_and(|about| about.is_dir());
        if is_folder && !is_foreign && !path.join("pyvenv.cfg").exists() {
            collect_code(&path, is_code, files);
        } else if path.is_file() && is_code(&path) && !is_compiled(&path) {
            files.push(path);
        }
    }
}

/// What is in a folder, sorted; nothing if there is no such folder, or if it cannot be listed.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Hash;

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn hash(program: &Path, interpreter: &str) -> Hash {
        let mut hasher = PartHasher::default();
        add_packages_of(&mut hasher, program, interpreter).unwrap();
        hasher.finish()
    }

    /// Each write changes the hash or does not, as stated.
    fn check(root: &Path, program: &str, interpreter: &str, writes: &[(&str, &str, bool)]) {
        let program = root.join(program);
        let mut before = hash(&program, interpreter);
        for (name, text, counts) in writes {
            write(root, name, text);
            let after = hash(&program, interpreter);
            assert_eq!(before != after, *counts, "{name}");
            before = after;
        }
    }

    #[test]
    fn packages_of_python_count() {
        let root = tempfile::tempdir().unwrap();
        let sources = tempfile::tempdir().unwrap();
        let url = format!(
            "{{\"url\": \"file://{}\", \"dir_info\": {{\"editable\": true}}}}",
            sources.path().display()
        );
        let site = |name: &str| format!("lib/python3.11/site-packages/{name}");
        let record = "../../../bin/lint,sha256=1,9\nlint/main.py,sha256=2,9\nlint/__pycache__/main.pyc,,\n";
        write(root.path(), &site("lint-1.0.dist-info/RECORD"), record);
        write(root.path(), &site("lint/main.py"), "1");
        let rows = [
            (site("lint/main.py"), "2", true),
            (site("lint/__pycache__/main.pyc"), "2", false),
            (site("other-2.0.dist-info/RECORD"), "other/main.py,sha256=1,9\n", true),
            (site("other/main.py"), "its record stands for it", false),
            (site("other-2.0.dist-info/RECORD"), "other/main.py,sha256=2,9\n", true),
            (site("third-1.0.dist-info/direct_url.json"), &url, true),
        ];
        let rows = rows.each_ref().map(|(name, text, counts)| (name.as_str(), *text, *counts));
        check(root.path(), "bin/lint", "#!/venv/bin/python3", &rows);
        let program = root.path().join("bin/lint");
        let before = hash(&program, "python");
        write(sources.path(), "third/main.py", "1");
        assert_ne!(hash(&program, "python"), before, "the sources of an editable package");
        assert_eq!(hash(&program, ""), hash(Path::new("/bin/sh"), ""), "not of Python");
    }

    #[test]
    fn packages_of_node_count() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "node_modules/lint/package.json", "{}");
        check(
            root.path(),
            "node_modules/lint/bin/lint.js",
            "#!/usr/bin/env node",
            &[
                ("node_modules/lint/lib/rules.js", "1", true),
                ("node_modules/lint/lib/rules.js", "2", true),
                ("node_modules/plugin/package.json", "{ \"version\": \"1\" }", true),
                ("node_modules/plugin/index.js", "its version stands for it", false),
                ("node_modules/@scope/plugin/package.json", "{ \"version\": \"1\" }", true),
                ("node_modules/@scope/plugin/package.json", "{ \"version\": \"2\" }", true),
                ("elsewhere/index.js", "1", false),
            ],
        );
    }
}
