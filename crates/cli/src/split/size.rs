//! Sizes of parts on the command line.

use anyhow::{Context, Result, bail};
use splitting::{Measure, SizeLimit};

/// The largest size of a part, as the user says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaxSize {
    /// To be found out.
    Auto,
    /// This.
    Limit(SizeLimit),
}

/// The units and what they count.
const UNITS: [(&str, Measure, u64); 9] = [
    ("files", Measure::Files, 1),
    ("file", Measure::Files, 1),
    ("lines", Measure::Lines, 1),
    ("line", Measure::Lines, 1),
    ("B", Measure::Bytes, 1),
    ("kB", Measure::Bytes, 1_000),
    ("KB", Measure::Bytes, 1_000),
    ("MB", Measure::Bytes, 1_000_000),
    ("GB", Measure::Bytes, 1_000_000_000),
];

/// Reads `2MB`, `1.5MB`, `300 files`, `20000 lines` or `auto`.
pub fn parse_max_size(text: &str) -> Result<MaxSize> {
    if text == "auto" {
        return Ok(MaxSize::Auto);
    }
    let advice =
        || format!("expected a size such as 2MB, `300 files`, `20000 lines` or `auto`, found `{text}`");
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let known = UNITS.iter().find(|(name, ..)| *name == unit.trim());
    let Some(&(_, measure, factor)) = known else { bail!(advice()) };
    let number: f64 = number.parse().with_context(advice)?;
    let most = (number * factor as f64) as u64;
    if most == 0 {
        bail!("a part cannot be smaller than one {}; found `{text}`", measure.noun());
    }
    Ok(MaxSize::Limit(SizeLimit { most, measure }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        let limit = |most, measure| MaxSize::Limit(SizeLimit { most, measure });
        for (text, expected) in [
            ("2MB", limit(2_000_000, Measure::Bytes)),
            ("1.5 kB", limit(1_500, Measure::Bytes)),
            ("300 files", limit(300, Measure::Files)),
            ("300files", limit(300, Measure::Files)),
            ("20000 lines", limit(20_000, Measure::Lines)),
            ("auto", MaxSize::Auto),
        ] {
            assert_eq!(parse_max_size(text).unwrap(), expected, "{text}");
        }
        for text in ["", "2", "MB", "-1MB", "0 files", "0.5 files", "1.2.3MB", "2 parts", "nan files"] {
            assert!(parse_max_size(text).is_err(), "{text}");
        }
    }
}
