//! JavaScript and TypeScript: which files are the modules that a file imports.

use super::file_table::{FileTable, ancestors, inside, join, parent};
use super::javascript_packages::{Package, Packages};
use super::javascript_paths::ModulePaths;
use super::{Links, Project};

/// Links each file to the modules that it imports.
///
/// A name that begins with a dot is a path; the ending may be missing, be that of the JavaScript which TypeScript is compiled
/// to, or the path may be that of a folder with a `package.json` or an `index`. Any other name is looked up in `paths` and
/// `baseUrl` of `tsconfig.json`, in `imports` of `package.json`, among the packages of the project, and in `node_modules`.
pub(super) fn resolve(project: &Project, links: &mut Links) {
    let packages = Packages::read(project, links);
    let paths = ModulePaths::read(project, links);
    let modules = Modules { files: &project.files, packages, paths };
    for (file, name, references) in project.sources() {
        for mention in &references.mentions {
            match modules.find(name, &mention.target) {
                Found::File(to) => links.need(file, to),
                Found::Missing => links.unresolved(file, mention),
                Found::Outside => links.outside(package_name(&mention.target)),
            }
        }
    }
}

enum Found {
    File(u32),
    Missing,
    Outside,
}

impl Found {
    fn or_missing(file: Option<u32>) -> Found {
        file.map_or(Found::Missing, Found::File)
    }
}

struct Modules<'p> {
    files: &'p FileTable<'p>,
    packages: Packages,
    paths: ModulePaths,
}

impl Modules<'_> {
    fn find(&self, from: &str, target: &str) -> Found {
        // A bundler takes what follows a question mark as an order of what to do with the file.
        let target = target.split('?').next().unwrap_or("");
        if target.starts_with("./") || target.starts_with("../") || target == "." || target == ".." {
            return Found::or_missing(join(parent(from), target).and_then(|path| self.module(from, &path)));
        }
        if let Some(file) = self.paths.targets(from, target).iter().find_map(|path| self.module(from, path)) {
            return Found::File(file);
        }
        if target.starts_with('#') {
            return self.imported(from, target);
        }
        self.in_package(from, target)
    }

    /// `#name`, as `imports` of the package has it.
    fn imported(&self, from: &str, target: &str) -> Found {
        let Some(package) = self.packages.around(from) else { return Found::Outside };
        let targets = package.imported(target);
        let (paths, names): (Vec<&String>, Vec<&String>) =
            targets.iter().partition(|path| path.starts_with('.'));
        let file = paths.into_iter().find_map(|path| self.in_folder(from, package, path));
        match (file, names.first()) {
            (None, Some(name)) => self.in_package(from, name),
            (file, _) => Found::or_missing(file),
        }
    }

    /// `name/path`, where the package is in the project.
    fn in_package(&self, from: &str, target: &str) -> Found {
        let name = package_name(target);
        let subpath = target[name.len()..].trim_start_matches('/');
        if let Some(package) = self.packages.named(name, from) {
            return Found::or_missing(self.entry(from, package, subpath));
        }
        let installed = ancestors(from).map(|folder| inside(&inside(folder, "node_modules"), target));
        installed
            .filter_map(|path| self.module(from, &path))
            .map(Found::File)
            .next()
            .unwrap_or(Found::Outside)
    }

    fn entry(&self, from: &str, package: &Package, subpath: &str) -> Option<u32> {
        package.entries(subpath).iter().find_map(|path| self.in_folder(from, package, path))
    }

    /// A path in a package. If it leads to a folder of built files that are not there, their sources are meant.
    fn in_folder(&self, from: &str, package: &Package, path: &str) -> Option<u32> {
        let path = path.trim_start_matches("./");
        let built = || {
            let (_, rest) = path.split_once('/').filter(|(folder, _)| BUILT.contains(folder))?;
            let rest =
                rest.strip_suffix(".d.ts").map_or_else(|| rest.to_owned(), |stem| format!("{stem}.ts"));
            self.file(from, &inside(&inside(&package.folder, "src"), &rest))
        };
        self.file(from, &join(&package.folder, path)?).or_else(built)
    }

    /// The file or folder of this path.
    fn module(&self, from: &str, path: &str) -> Option<u32> {
        self.file(from, path).or_else(|| {
            let package = self.packages.in_folder(path)?;
            self.entry(from, package, "")
        })
    }

    /// The file of this path, or the `index` in the folder.
    fn file(&self, from: &str, path: &str) -> Option<u32> {
        let index = || self.with_ending(from, &inside(path, "index"));
        self.written_as(from, path)
            .or_else(|| self.files.find(path))
            .or_else(|| self.with_ending(from, path))
            .or_else(index)
    }

    fn with_ending(&self, from: &str, path: &str) -> Option<u32> {
        let endings = if is_typescript(from) { ENDINGS_IN_TYPESCRIPT } else { ENDINGS_IN_JAVASCRIPT };
        self.first(path, endings)
    }

    /// The TypeScript for which a file says `.js`, unless a JavaScript file means its own kind.
    fn written_as(&self, from: &str, path: &str) -> Option<u32> {
        let (stem, ending) = path.rsplit_once('.')?;
        let endings: &[&str] = match ending {
            "js" => &[".ts", ".tsx", ".d.ts"],
            "jsx" => &[".tsx", ".d.ts"],
            "mjs" => &[".mts", ".d.mts"],
            "cjs" => &[".cts", ".d.cts"],
            _ => return None,
        };
        let own = if is_typescript(from) { None } else { self.files.find(path) };
        own.or_else(|| self.first(stem, endings))
    }

    fn first(&self, path: &str, endings: &[&str]) -> Option<u32> {
        let mut name = path.to_owned();
        endings.iter().find_map(|ending| {
            name.truncate(path.len());
            name.push_str(ending);
            self.files.find(&name)
        })
    }
}

/// Folders that hold what is built from `src`.
const BUILT: &[&str] = &["dist", "lib", "build", "out", "es", "esm", "cjs"];

const ENDINGS_IN_TYPESCRIPT: &[&str] =
    &[".ts", ".tsx", ".d.ts", ".mts", ".d.mts", ".cts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs", ".json"];
const ENDINGS_IN_JAVASCRIPT: &[&str] =
    &[".js", ".jsx", ".mjs", ".cjs", ".json", ".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts"];

fn is_typescript(name: &str) -> bool {
    [".ts", ".tsx", ".mts", ".cts"].iter().any(|ending| name.ends_with(ending))
}

/// The name of the package in `name/path` and `@scope/name/path`.
fn package_name(target: &str) -> &str {
    let slashes = if target.starts_with('@') { 2 } else { 1 };
    let slash = target.match_indices('/').nth(slashes - 1).filter(|(end, _)| *end > 0);
    slash.map_or(target, |(end, _)| &target[..end])
}
