//! Where the program of a tool may be.

use crate::tool::Tool;

/// A place to look for a program, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A file relative to the description of the tool.
    BesideDescription(String),
    /// A file below juvenal's own analyzer directory.
    InAnalyzerDirectory(String),
    /// A program with this name on the path that programs are searched on.
    OnPath(String),
}

impl Tool {
    /// Where its program may be, best first: beside its description, among juvenal's own tools, whose versions are those that
    /// descriptions were tested with, and then on the path.
    pub fn locations(&self) -> Vec<Location> {
        let (paths, names): (Vec<&String>, Vec<&String>) =
            self.find.programs.iter().partition(|program| program.contains('/'));
        let mut locations: Vec<Location> =
            paths.into_iter().cloned().map(Location::BesideDescription).collect();
        for (packages, folder) in
            [(&self.install.pip, "tools/python/bin"), (&self.install.npm, "tools/node/node_modules/.bin")]
        {
            let names = names.iter().filter(|_| !packages.is_empty());
            locations.extend(names.map(|name| Location::InAnalyzerDirectory(format!("{folder}/{name}"))));
        }
        locations.extend(names.iter().map(|name| Location::OnPath((*name).clone())));
        locations
    }
}
