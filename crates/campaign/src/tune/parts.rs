//! The functions of the only program, divided into parts, some of which can be held out.
//!
//! Every part is analyzed with the whole program. It counts what is open in its functions, and an even share of the time.

use super::trials::Trial;
use std::collections::BTreeMap;
use std::sync::Arc;
use techniques::assess::OpenPart;
use tuning::Outcome;

/// The most names of functions in the name of a part.
const SHOWN_FUNCTIONS: usize = 3;

/// One part.
#[derive(Clone, Debug)]
pub(super) struct Part {
    number: u64,
    count: u64,
    /// The part of each function in which the defaults leave something open or settle something.
    parts: Arc<BTreeMap<String, u64>>,
}

impl Part {
    /// Divides the functions into up to so many parts with about as much to settle. Nothing if fewer than two functions have
    /// anything.
    pub(super) fn divide(default: &Trial, wanted: usize) -> Vec<Part> {
        let mut functions: Vec<(&String, &OpenPart)> =
            default.by_function.iter().filter(|(_, open)| open.total > 0).collect();
        functions.sort_by_key(|(name, open)| (std::cmp::Reverse(open.total), (*name).clone()));
        let count = wanted.min(functions.len());
        if count < 2 {
            return Vec::new();
        }
        let mut sizes = vec![0u64; count];
        let mut parts = BTreeMap::new();
        for (name, open) in functions {
            let smallest = (0..count).min_by_key(|number| sizes[*number]).unwrap_or(0);
            sizes[smallest] += u64::from(open.total);
            parts.insert(name.clone(), smallest as u64);
        }
        let parts = Arc::new(parts);
        let part = |number| Part { number, count: count as u64, parts: Arc::clone(&parts) };
        (0..count as u64).map(part).collect()
    }

    /// The name of the part of a program.
    pub(super) fn name(&self, program: &str) -> String {
        let functions: Vec<&str> =
            self.parts.keys().filter(|name| self.has(name)).map(String::as_str).collect();
        let shown = functions.iter().take(SHOWN_FUNCTIONS).copied().collect::<Vec<&str>>().join(", ");
        match functions.len().saturating_sub(SHOWN_FUNCTIONS) {
            0 => format!("{program}: {shown}"),
            more => format!("{program}: {shown} and {more} more functions"),
        }
    }

    /// A function in which only some recipes leave something open belongs to a part, too.
    fn has(&self, function: &str) -> bool {
        let sum = || function.bytes().map(u64::from).sum::<u64>() % self.count;
        self.parts.get(function).copied().unwrap_or_else(sum) == self.number
    }

    /// The outcome of a trial in this part.
    pub(super) fn outcome(&self, trial: &Trial, whole: &Outcome) -> Outcome {
        let own = trial.by_function.iter().filter(|(name, _)| self.has(name));
        let (unresolved, total) =
            own.fold((0, 0), |(open, all), (_, part)| (open + part.unresolved, all + part.total));
        let share = |time: u64| time / self.count + u64::from(self.number < time % self.count);
        Outcome {
            unresolved,
            total,
            cpu_microseconds: share(whole.cpu_microseconds),
            wall_microseconds: share(whole.wall_microseconds),
            ..whole.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuning::State;

    fn trial(functions: &[(&str, u32, u32)]) -> Trial {
        let part = |(name, unresolved, total): &(&str, u32, u32)| {
            ((*name).to_owned(), OpenPart { unresolved: *unresolved, total: *total })
        };
        Trial {
            outcome: Outcome {
                state: State::Finished,
                unresolved: functions.iter().map(|it| it.1).sum(),
                total: functions.iter().map(|it| it.2).sum(),
                cpu_microseconds: 11,
                wall_microseconds: 20,
                peak_memory_bytes: 7,
            },
            by_function: functions.iter().map(part).collect(),
            charge: 11,
            accused: Vec::new(),
        }
    }

    #[test]
    fn every_function_is_in_one_part_and_times_are_shared() {
        let default = trial(&[("f", 5, 9), ("g", 1, 3), ("h", 2, 4), ("main", 0, 0)]);
        let parts = Part::divide(&default, 2);
        let outcomes: Vec<Outcome> =
            parts.iter().map(|part| part.outcome(&default, &default.outcome)).collect();
        let shown: Vec<(u32, u32, u64)> =
            outcomes.iter().map(|it| (it.unresolved, it.total, it.cpu_microseconds)).collect();
        assert_eq!(shown, [(5, 9, 6), (3, 7, 5)]);
        assert_eq!(parts[1].name("a.c"), "a.c: g, h");
        let other = trial(&[("f", 1, 9), ("new", 2, 2)]);
        let open: u32 = parts.iter().map(|part| part.outcome(&other, &other.outcome).unresolved).sum();
        assert_eq!(open, 3);
    }

    #[test]
    fn one_function_is_not_divided() {
        assert!(Part::divide(&trial(&[("f", 5, 9), ("g", 0, 0)]), 3).is_empty());
    }
}
