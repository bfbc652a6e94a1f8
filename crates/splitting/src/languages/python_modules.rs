//! Python: which files are the modules that a file imports.

use super::file_table::FileTable;
use super::file_table::{ancestors, base_name, inside, parent, push};
use super::python_standard_library::is_standard;
use super::{Links, MentionKind, Project};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// Links each file to the modules that it imports, and to the `__init__.py` of each package on the way to them.
///
/// The roots from which absolute names are looked up are the folders that hold packages and modules but are no packages
/// themselves. Tried are, in this order: the root of the importing file, the folders around it, `src` in each of these, and
/// the nearest root that has such a module. Modules of the standard library are looked for in the root of the file only.
pub(super) fn resolve(project: &Project, links: &mut Links) {
    let modules = Modules::new(project);
    for (file, name, references) in project.sources() {
        for mention in &references.mentions {
            let found = match mention.kind {
                MentionKind::Import => modules.import(name, &mention.target),
                _ => modules.member(name, &mention.target),
            };
            match found {
                Found::Files(files) => files.into_iter().for_each(|to| links.need(file, to)),
                Found::Missing => links.unresolved(file, mention),
                Found::Outside => links.outside(mention.target.split('.').next().unwrap_or("")),
            }
        }
    }
}

enum Found {
    /// It is these files. There may be none, if it is a folder without `__init__.py`, or a name inside of a module.
    Files(Vec<u32>),
    Missing,
    Outside,
}

/// Where a walk along a dotted name came to.
struct Place {
    files: Vec<u32>,
    /// The folder, if it is a package or may be one.
    folder: Option<String>,
    /// True if the last step was to a file, rather than to a folder without `__init__.py`.
    is_file: bool,
}

struct Modules<'p> {
    files: &'p FileTable<'p>,
    /// Modules and packages that are in no package, by name, in the order of their paths read backwards: those with the same
    /// end stand together.
    top: FxHashMap<&'p str, Vec<u32>>,
    /// Those of them that end with a path, in their order, for the paths that were looked for.
    ending_with: RefCell<FxHashMap<String, Vec<u32>>>,
    /// The names of folders that are no packages but have Python inside.
    plain: FxHashSet<&'p str>,
    folders: FxHashSet<&'p str>,
}

impl<'p> Modules<'p> {
    fn new(project: &'p Project) -> Modules<'p> {
        let (top, ending_with, plain, folders) = Default::default();
        let mut modules = Modules { files: &project.files, top, ending_with, plain, folders };
        for (file, name, _) in project.sources() {
            let module = module_path(name);
            if !module.is_empty() && !modules.is_package(parent(module)) {
                modules.top.entry(base_name(module)).or_default().push(file);
            }
            for folder in ancestors(name).take_while(|folder| !folder.is_empty()) {
                if !modules.folders.insert(folder) {
                    break;
                }
                if !modules.is_package(folder) {
                    modules.plain.insert(base_name(folder));
                }
            }
        }
        let files = modules.files;
        let backwards = |file: &u32| module_path(files.name(*file)).bytes().rev();
        modules.top = modules
            .top
            .into_iter()
            .map(|(name, mut all)| {
                all.sort_by(|a, b| backwards(a).cmp(backwards(b)));
                (name, all)
            })
            .collect();
        modules
    }

    /// The nearest of the modules and packages that are in no package and whose path ends with this one.
    fn nearest_with_end(&self, from: &str, name: &str, path: &str) -> Option<u32> {
        let mut known = self.ending_with.borrow_mut();
        let found = known.entry(path.to_owned()).or_insert_with(|| {
            let all = self.top.get(name).map_or(&[][..], Vec::as_slice);
            let module = |file: &u32| module_path(self.files.name(*file));
            let first = all.partition_point(|file| module(file).bytes().rev().lt(path.bytes().rev()));
            let same = all[first..].iter().take_while(|file| module(file).ends_with(path));
            let mut found: Vec<u32> =
                same.filter(|file| root_before(module(file), path).is_some()).copied().collect();
            found.sort_unstable();
            found
        });
        self.files.nearest(found, from).first().copied()
    }

    fn is_package(&self, folder: &str) -> bool {
        !self.module(&inside(folder, "__init__")).is_empty()
    }

    /// The source and the stub of a module, by its path without ending.
    fn module(&self, path: &str) -> Vec<u32> {
        let mut name = String::with_capacity(path.len() + 4);
        name.push_str(path);
        name.push_str(".py");
        let source = self.files.find(&name);
        name.push('i');
        source.into_iter().chain(self.files.find(&name)).collect()
    }

    /// Looks for `import target`.
    fn import(&self, from: &str, target: &str) -> Found {
        let place = if target.starts_with('.') {
            self.relative(from, target).ok_or(Found::Missing)
        } else {
            self.absolute(from, target)
        };
        place.map_or_else(|found| found, |place| Found::Files(place.files))
    }

    /// Looks for the module that the last name of `target` may be. Only in a folder without `__init__.py` it must be one.
    fn member(&self, from: &str, target: &str) -> Found {
        let nothing = Found::Files(Vec::new());
        let name = target.rsplit('.').next().unwrap_or("");
        let module = &target[..target.len() - name.len()];
        if module.starts_with('.') {
            let rest = module.trim_start_matches('.');
            let dots = module.len() - rest.len();
            let module = format!("{}{}", &module[..dots], rest.trim_end_matches('.'));
            let Some(Place { folder: Some(folder), is_file, .. }) = self.relative(from, &module) else {
                return nothing;
            };
            let missing = if is_file { nothing } else { Found::Missing };
            return self.walk(folder, name).map_or(missing, |place| Found::Files(place.files));
        }
        let place = match self.absolute(from, module.trim_end_matches('.')) {
            Ok(Place { folder: Some(folder), is_file: true, .. }) => self.walk(folder, name),
            Ok(Place { is_file: true, .. }) => None,
            _ => self.absolute(from, target).ok(),
        };
        place.map_or(nothing, |place| Found::Files(place.files))
    }

    /// Where `..a.b` leads to.
    fn relative(&self, from: &str, target: &str) -> Option<Place> {
        let name = target.trim_start_matches('.');
        let folder = ancestors(from).nth((target.len() - name.len()).checked_sub(1)?)?;
        let packages = std::iter::once(folder).chain(ancestors(folder));
        let packages = packages.map(|folder| self.module(&inside(folder, "__init__")));
        let around: Vec<u32> = packages.take_while(|files| !files.is_empty()).flatten().collect();
        if name.is_empty() {
            return Some(Place {
                is_file: !around.is_empty(),
                files: around,
                folder: Some(folder.to_owned()),
            });
        }
        let mut place = self.walk(folder.to_owned(), name)?;
        place.files.extend(around);
        Some(place)
    }

    /// Where `a.b` leads to from the first root that has it. A folder without `__init__.py` is taken if nothing else is there.
    fn absolute(&self, from: &str, target: &str) -> Result<Place, Found> {
        let first = target.split('.').next().unwrap_or("");
        if !self.top.contains_key(first) && !self.plain.contains(first) {
            return Err(Found::Outside);
        }
        let mut otherwise = Err(Found::Outside);
        for root in self.roots(from, target, first) {
            match self.walk(root.clone(), target) {
                Some(place) if place.is_file => return Ok(place),
                Some(place) => otherwise = Ok(place),
                None if otherwise.is_err() && self.has_regular(&root, first) => {
                    otherwise = Err(Found::Missing)
                }
                None => {}
            }
        }
        otherwise
    }

    /// The roots in which a name is looked for.
    fn roots(&self, from: &str, target: &str, first: &str) -> impl Iterator<Item = String> {
        let own = self.root_of(from);
        let anywhere = !is_standard(first);
        let around = ancestors(own).map(str::to_owned);
        let sources = std::iter::once(own).chain(ancestors(own)).map(|folder| inside(folder, "src"));
        let elsewhere = std::iter::once_with(move || self.farther_roots(from, target)).flatten();
        let others = around.chain(sources).chain(elsewhere).filter(move |_| anywhere);
        std::iter::once(own.to_owned()).chain(others).filter(|root| self.is_root(root))
    }

    /// The nearest roots that have the first name of `target`, or the second in a folder named like the first, and so on.
    fn farther_roots(&self, from: &str, target: &str) -> Vec<String> {
        let mut roots = Vec::new();
        let mut path = String::new();
        for name in target.split('.') {
            push(&mut path, name);
            if !self.top.contains_key(name) {
                continue;
            }
            let nearest = self.nearest_with_end(from, name, &path);
            let root = nearest.and_then(|file| root_before(module_path(self.files.name(file)), &path));
            roots.extend(root.map(str::to_owned));
        }
        roots
    }

    fn is_root(&self, folder: &str) -> bool {
        (folder.is_empty() || self.folders.contains(folder)) && !self.is_package(folder)
    }

    /// The nearest folder around a file that is no package.
    fn root_of<'n>(&self, name: &'n str) -> &'n str {
        ancestors(name).find(|folder| !self.is_package(folder)).unwrap_or("")
    }

    /// True if the root has a module or a package of this name.
    fn has_regular(&self, root: &str, name: &str) -> bool {
        let path = inside(root, name);
        self.is_package(&path) || !self.module(&path).is_empty()
    }

    /// Goes from a folder along a dotted name.
    fn walk(&self, folder: String, target: &str) -> Option<Place> {
        let mut place = Place { files: Vec::new(), folder: Some(folder), is_file: false };
        for name in target.split('.') {
            let mut path = place.folder?;
            push(&mut path, name);
            let package = self.module(&inside(&path, "__init__"));
            let is_package = !package.is_empty();
            let module = if is_package { package } else { self.module(&path) };
            place.is_file = !module.is_empty();
            let is_folder = is_package || !place.is_file && self.folders.contains(path.as_str());
            if !place.is_file && !is_folder {
                return None;
            }
            place.files.extend(module);
            place.folder = is_folder.then_some(path);
        }
        Some(place)
    }
}

/// The path of a module without its ending, and of a package.
fn module_path(name: &str) -> &str {
    let path = name.strip_suffix(".pyi").or(name.strip_suffix(".py")).unwrap_or(name);
    if base_name(path) == "__init__" { parent(path) } else { path }
}

/// The folder in which a module has this path.
fn root_before<'n>(module: &'n str, path: &str) -> Option<&'n str> {
    let root = module.strip_suffix(path)?;
    if root.is_empty() { Some(root) } else { root.strip_suffix('/') }
}
