//! What techniques count.

/// Something that a technique counts. Each technique declares its counts as constants. A name that two
/// techniques use is scoped, or counts the same in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count {
    name: &'static str,
    is_scoped: bool,
}

impl Count {
    /// A count that all techniques share under this name. Each `*` in the name stands for a word that is only known when
    /// something is counted.
    pub const fn new(name: &'static str) -> Count {
        Count { name, is_scoped: false }
    }

    /// A count that each technique keeps for itself, because other techniques count something else under this name.
    pub const fn scoped(name: &'static str) -> Count {
        Count { name, is_scoped: true }
    }

    /// The name without the technique.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// True if each technique keeps the count for itself.
    pub fn is_scoped(self) -> bool {
        self.is_scoped
    }

    /// The name in records and reports, with a word for each `*`.
    pub fn key(self, technique: &str, words: &[String]) -> String {
        let mut parts = self.name.split('*');
        let mut name = parts.next().unwrap_or_default().to_owned();
        let mut words = words.iter();
        for part in parts {
            name.push_str(words.next().map_or("*", String::as_str));
            name.push_str(part);
        }
        if self.is_scoped { format!("{technique}: {name}") } else { name }
    }
}

/// The share of work that could not have found anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The empty work.
    pub part: Count,
    /// All work of the kind.
    pub whole: Count,
    /// True if the count of the whole includes the part.
    pub is_included: bool,
}

impl Share {
    /// The percentage of empty work, given all counts by name; `None` if there was no work.
    pub fn percent(&self, technique: &str, count: impl Fn(&str) -> u64) -> Option<f64> {
        let count = |what: Count| count(&what.key(technique, &[]));
        let part = count(self.part);
        let total = count(self.whole) + if self.is_included { 0 } else { part };
        (total > 0).then(|| 100.0 * part as f64 / total as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words_and_scopes() {
        let words = ["claim".to_owned(), "z3@4.8".to_owned()];
        let starred = ["*".to_owned(), "z3".to_owned()];
        assert_eq!(Count::new("* by *").key("a", &starred), "* by z3");
        assert_eq!(Count::new("pairs").key("a", &[]), "pairs");
        assert_eq!(Count::new("seed answered * by *").key("a", &words), "seed answered claim by z3@4.8");
        assert_eq!(Count::scoped("pairs").key("a", &[]), "a: pairs");
    }
}
