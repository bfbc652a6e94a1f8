//! Values of command-line options, and their defaults.

use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use std::path::PathBuf;
use std::time::Duration;

/// Reads a number of workers or cases.
pub fn at_least_one<T: TryFrom<u64> + Clone + Send + Sync + 'static>() -> RangedU64ValueParser<T>
where
    <T as TryFrom<u64>>::Error: Send + Sync + 'static + std::error::Error,
{
    RangedU64ValueParser::new().range(1..)
}

/// Reads one of these values by its name; the help shows the summaries.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    values: &'static [T],
    name: fn(T) -> &'static str,
    summary: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let possible = values.iter().map(move |value| PossibleValue::new(name(*value)).help(summary(*value)));
    PossibleValuesParser::new(possible).try_map(move |given| {
        values.iter().copied().find(|value| name(*value) == given).ok_or("not one of the possible values")
    })
}

/// The number of cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The first of juvenal-out, juvenal-out-2, … that does not exist.
pub fn free_directory() -> PathBuf {
    let mut number = 1u32;
    loop {
        let name = if number == 1 { "juvenal-out".to_owned() } else { format!("juvenal-out-{number}") };
        let path = PathBuf::from(name);
        if !path.exists() {
            return path;
        }
        number += 1;
    }
}

/// Reads 90s, 10m, 2h or 500ms.
pub fn parse_duration(text: &str) -> Result<Duration> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 =
        number.parse().with_context(|| format!("expected a time such as 60s, found `{text}`"))?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" => number,
        "m" => number * 60.0,
        "h" => number * 3600.0,
        "" => bail!("expected a time with its unit, such as {text}s or {text}m, found `{text}`"),
        _ => bail!("expected a time in ms, s, m or h, found `{text}`"),
    };
    let time =
        Duration::try_from_secs_f64(seconds).with_context(|| format!("the time `{text}` is too long"))?;
    if time.is_zero() {
        bail!("expected a time above zero, found `{text}`");
    }
    Ok(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, milliseconds) in [("60s", 60_000), ("1.5m", 90_000), ("2h", 7_200_000), ("5ms", 5)] {
            assert_eq!(parse_duration(text).unwrap(), Duration::from_millis(milliseconds), "{text}");
        }
        for text in ["", "s", "1d", "-1s", "1.2.3s", "0s", "0", "10"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
