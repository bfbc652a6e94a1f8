//! Java: which files define the types that a file names.

use super::file_table::FileTable;
use super::{Links, Mention, MentionKind, Project, References};
use rustc_hash::{FxHashMap, FxHashSet};

/// Links each file to those that define the types which it imports or uses.
///
/// A name is looked up as Java does: in the file, in its imports, in its package, in what it imports on demand, and then as
/// a name with its package. Among several types of one name that in the nearest folder is meant, so source roots and modules
/// need not be known.
pub(super) fn resolve(project: &Project, links: &mut Links) {
    let types = Types::new(project);
    for (file, name, references) in project.sources() {
        let place = Place { name, scope: types.scope(references) };
        for mention in &references.mentions {
            match mention.kind {
                MentionKind::Import => types.import(file, &place, mention, links),
                MentionKind::OnDemand => types.on_demand(file, &place, mention, links),
                _ => types.find(&place, &mention.target).into_iter().for_each(|to| links.need(file, to)),
            }
        }
    }
}

struct Place<'p> {
    name: &'p str,
    scope: Scope<'p>,
}

/// What names mean in one file.
struct Scope<'p> {
    /// The last names of the types that it defines and imports.
    known: FxHashSet<&'p str>,
    /// Packages and types of which all names are in scope, its own package first.
    on_demand: Vec<&'p str>,
}

/// Each name that a file uses is looked for in so many packages, which is more than any real file imports on demand.
const MOST_ON_DEMAND: usize = 100;

struct Types<'p> {
    files: &'p FileTable<'p>,
    /// The files that define a type, by its name with its package.
    by_name: FxHashMap<String, Vec<u32>>,
    packages: FxHashSet<&'p str>,
}

impl<'p> Types<'p> {
    fn new(project: &'p Project) -> Types<'p> {
        let mut types =
            Types { files: &project.files, by_name: FxHashMap::default(), packages: FxHashSet::default() };
        for (file, _, references) in project.sources() {
            types.packages.insert(&references.package);
            for definition in &references.definitions {
                let files = types.by_name.entry(dotted(&references.package, definition)).or_default();
                files.push(file);
            }
        }
        types
    }

    fn scope(&self, references: &'p References) -> Scope<'p> {
        let imports = references.of_kind(MentionKind::Import).map(|mention| &mention.target);
        let known = imports.chain(&references.definitions).map(|name| last_of(name)).collect();
        let on_demand = references.of_kind(MentionKind::OnDemand).map(|mention| &*mention.target);
        let of_project =
            on_demand.filter(|name| self.packages.contains(name) || self.by_name.contains_key(*name));
        let all = std::iter::once(&*references.package).chain(of_project);
        Scope { known, on_demand: all.take(MOST_ON_DEMAND).collect() }
    }

    /// `import a.b.C.d;`: the file of the longest start that is a type.
    fn import(&self, file: u32, place: &Place, mention: &Mention, links: &mut Links) {
        match self.longest(place, &mention.target) {
            Some(to) => links.need(file, to),
            None if self.should_exist(&mention.target) => links.unresolved(file, mention),
            None => links.outside(package_of(&mention.target)),
        }
    }

    /// `import a.b.*;`, where `a.b` may be a package, whose types are found where they are used.
    fn on_demand(&self, file: u32, place: &Place, mention: &Mention, links: &mut Links) {
        if !self.packages.contains(&*mention.target) {
            self.import(file, place, mention, links);
        }
    }

    /// True if the name is that of a type in a package of the project. By convention types begin with a capital letter.
    fn should_exist(&self, target: &str) -> bool {
        let package = package_of(target);
        package.len() < target.len() && self.packages.contains(package)
    }

    /// The file that defines a type which is used by this name.
    fn find(&self, place: &Place, name: &str) -> Option<u32> {
        let first = name.split('.').next().unwrap_or("");
        if place.scope.known.contains(first) {
            return None;
        }
        let mut scopes = place.scope.on_demand.iter();
        let in_scope = scopes.find_map(|scope| self.exactly(place, &dotted(scope, first)));
        in_scope.or_else(|| self.longest(place, name).filter(|_| name.contains('.')))
    }

    fn longest(&self, place: &Place, name: &str) -> Option<u32> {
        let mut starts = std::iter::successors(Some(name), |name| Some(name.rsplit_once('.')?.0));
        starts.find_map(|start| self.exactly(place, start))
    }

    fn exactly(&self, place: &Place, name: &str) -> Option<u32> {
        let candidates = self.by_name.get(name)?;
        self.files.nearest(candidates, place.name).first().copied()
    }
}

fn dotted(package: &str, name: &str) -> String {
    if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") }
}

fn last_of(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or("")
}

/// The part of a name before the first part with a capital letter.
fn package_of(name: &str) -> &str {
    let is_type = |part: &str| part.chars().next().is_some_and(char::is_uppercase);
    let length: usize = name.split('.').take_while(|part| !is_type(part)).map(|part| part.len() + 1).sum();
    &name[..length.saturating_sub(1).min(name.len())]
}
