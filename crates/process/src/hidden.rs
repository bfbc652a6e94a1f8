//! The directories that are hidden from a confined program.

use std::path::{Path, PathBuf};

/// Homes, temporary files of others, and what services keep for users. Their sockets cannot be reached anyway.
const ALWAYS: [&str; 7] = ["/root", "/home", "/tmp", "/var/tmp", "/dev/shm", "/run/user", "/run/secrets"];

/// Where programs share memory. It is hidden, but confined programs get one of their own.
const SHARED_MEMORY: &str = "/dev/shm";

/// The hidden directories, by their real paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hidden {
    /// None is inside another.
    places: Vec<PathBuf>,
    /// Also those inside others, as a home is in the directory of all homes.
    all: Vec<PathBuf>,
    /// The one for shared memory, unless it is inside another.
    shared_memory: Option<PathBuf>,
}

impl Hidden {
    /// Finds the hidden directories of this machine, with the home and the temporary directory of our user.
    pub(crate) fn find() -> Hidden {
        let own = [std::env::home_dir(), Some(std::env::temp_dir())].into_iter().flatten();
        let candidates = ALWAYS.iter().map(PathBuf::from).chain(own);
        Hidden::from_candidates(candidates.filter_map(|place| place.canonicalize().ok()).collect())
    }

    fn from_candidates(mut all: Vec<PathBuf>) -> Hidden {
        // Some services have the root directory as their home; without it there would be no program.
        all.retain(|place| place.parent().is_some() && place.is_dir());
        all.sort();
        let mut places: Vec<PathBuf> = Vec::new();
        for candidate in &all {
            if !places.iter().any(|place| candidate.starts_with(place)) {
                places.push(candidate.clone());
            }
        }
        let shared_memory = Path::new(SHARED_MEMORY).canonicalize().ok().filter(|path| places.contains(path));
        Hidden { places, all, shared_memory }
    }

    /// The hidden directories, none inside another.
    pub(crate) fn places(&self) -> &[PathBuf] {
        &self.places
    }

    /// Whether this hidden directory is the one for shared memory.
    pub(crate) fn is_shared_memory(&self, place: &Path) -> bool {
        self.shared_memory.as_deref() == Some(place)
    }

    /// The hidden directory that this path is or lies in.
    pub(crate) fn holding(&self, path: &Path) -> Option<&Path> {
        self.places.iter().find(|place| path.starts_with(place)).map(PathBuf::as_path)
    }

    /// A hidden directory that this directory is or contains.
    pub(crate) fn inside(&self, directory: &Path) -> Option<&Path> {
        self.all.iter().find(|place| place.starts_with(directory)).map(PathBuf::as_path)
    }
}

#[cfg(test)]
mod tests {
    use super::Hidden;
    use std::path::{Path, PathBuf};

    #[test]
    fn places_are_disjoint_and_never_the_root() {
        let rows: [(&[&str], &[&str]); 4] = [
            (&["/usr/lib", "/usr", "/etc"], &["/etc", "/usr"]),
            (&["/", "/usr"], &["/usr"]),
            (&["/usr", "/usr"], &["/usr"]),
            (&["/no/such/place"], &[]),
        ];
        for (candidates, expected) in rows {
            let hidden = Hidden::from_candidates(candidates.iter().map(PathBuf::from).collect());
            assert_eq!(hidden.places(), expected.iter().map(PathBuf::from).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_holds_and_what_is_inside() {
        let hidden = Hidden::from_candidates(vec![PathBuf::from("/usr/lib"), PathBuf::from("/usr/lib/gcc")]);
        let place = Some(Path::new("/usr/lib"));
        for (path, holding, inside) in [
            ("/usr/lib/x", place, None),
            ("/usr/lib", place, place),
            ("/usr/lib/gcc", place, Some(Path::new("/usr/lib/gcc"))),
            ("/usr", None, place),
            ("/usr/library", None, None),
        ] {
            assert_eq!(hidden.holding(Path::new(path)), holding, "{path}");
            assert_eq!(hidden.inside(Path::new(path)), inside, "{path}");
        }
    }
}
