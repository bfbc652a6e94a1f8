//! Counters: what a technique counts of the work that it does in vain.

/// A counter of empty work: what was empty, and of how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The name under which the part is counted and shown.
    pub name: &'static str,
    /// The name of the counter of which it is a part.
    pub whole: &'static str,
    /// True if the counter of the whole includes the part.
    pub is_included: bool,
    /// True if the technique counts both under its own name, as [`scoped`] says.
    pub is_scoped: bool,
}

/// The name of a counter that a technique keeps for itself, where other techniques have one of the same name.
pub fn scoped(technique: &str, name: &str) -> String {
    format!("{technique}: {name}")
}

impl Counter {
    /// The percentage of empty work, given all counts by name; `None` if there was no work.
    pub fn percent(&self, technique: &str, count: impl Fn(&str) -> u64) -> Option<f64> {
        let count = |name: &str| if self.is_scoped { count(&scoped(technique, name)) } else { count(name) };
        let part = count(self.name);
        let total = count(self.whole) + if self.is_included { 0 } else { part };
        (total > 0).then(|| 100.0 * part as f64 / total as f64)
    }
}
