//! Placeholders that stand for options and for the time that is left.

use descriptions::fill;
use model::Limits;

/// The placeholder for all options of a run.
pub(crate) const OPTIONS: &str = "{options}";

/// The arguments with every placeholder replaced; an argument `{options}` becomes all of `options`.
pub(crate) fn fill_arguments(
    arguments: &[String],
    values: &[(&str, &str)],
    options: &[String],
) -> Vec<String> {
    let mut filled = Vec::with_capacity(arguments.len() + options.len());
    for argument in arguments {
        if argument == OPTIONS {
            filled.extend_from_slice(options);
        } else {
            filled.push(fill(argument, values));
        }
    }
    filled
}

/// The time that an analyzer may use by its own clock, for `{milliseconds}` and `{seconds}`.
pub(crate) struct OwnTime {
    milliseconds: String,
    seconds: String,
}

impl OwnTime {
    /// The wall limit less one part in `parts`, so that the analyzer can still report that it ran out of time.
    pub(crate) fn below(limits: &Limits, parts: u64) -> OwnTime {
        let milliseconds = (limits.wall_milliseconds - limits.wall_milliseconds / parts).max(1);
        let seconds = (milliseconds / 1000).max(1);
        OwnTime { milliseconds: milliseconds.to_string(), seconds: seconds.to_string() }
    }

    /// The values of the two placeholders.
    pub(crate) fn values(&self) -> [(&str, &str); 2] {
        [("milliseconds", &self.milliseconds), ("seconds", &self.seconds)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analyzer_stops_before_its_wall_limit() {
        let limits = |wall_milliseconds| Limits { wall_milliseconds, ..Limits::default() };
        let values = |wall, parts| {
            let time = OwnTime::below(&limits(wall), parts);
            time.values().map(|(name, value)| format!("{name}={value}")).join(" ")
        };
        assert_eq!(values(10_000, 10), "milliseconds=9000 seconds=9");
        assert_eq!(values(10_000, 2), "milliseconds=5000 seconds=5");
        assert_eq!(values(1, 10), "milliseconds=1 seconds=1");
    }
}
