//! Shares of kinds, such as `micro=60,typed=25,seed=15`.

use model::Random;

/// How often each kind is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shares<T>(Vec<(T, usize)>);

impl<T: Copy> Shares<T> {
    /// Reads percentages by name; kinds that are not named have none. One name alone stands for all of it.
    pub fn parse(text: &str, names: &[(&str, T)]) -> Result<Shares<T>, String> {
        let find = |name: &str| {
            let known = || names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            let found = names.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
            found.ok_or_else(|| format!("there is no `{name}`; there are {}", known()))
        };
        let mut shares = Vec::new();
        let mut sum = 0usize;
        for part in text.split(',') {
            let (name, percent) = part.split_once('=').unwrap_or((part, "100"));
            let percent: usize =
                percent.trim().parse().map_err(|_| format!("`{percent}` is no percentage"))?;
            sum = sum.saturating_add(percent);
            shares.push((find(name.trim())?, percent));
        }
        match sum {
            100 => Ok(Shares(shares)),
            _ => Err(format!("the shares add up to {sum}, not to 100")),
        }
    }

    /// One of the kinds.
    pub fn draw(&self, random: &mut Random) -> Option<T> {
        let mut left = random.below(100);
        for (kind, percent) in &self.0 {
            if left < *percent {
                return Some(*kind);
            }
            left -= percent;
        }
        None
    }
}

/// A list of numbers and ranges of numbers, such as `8,16,32` or `1-4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbers(Vec<(u32, u32)>);

impl Numbers {
    /// Reads a list of numbers between two bounds.
    pub fn parse(text: &str, least: u32, most: u32) -> Result<Numbers, String> {
        let number = |text: &str| match text.trim().parse::<u32>() {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            _ => Err(format!("`{text}` is no number from {least} to {most}")),
        };
        let range = |part: &str| {
            let (low, high) = part.split_once('-').unwrap_or((part, part));
            let (low, high) = (number(low)?, number(high)?);
            if low <= high { Ok((low, high)) } else { Err(format!("`{part}` is empty")) }
        };
        text.split(',').map(range).collect::<Result<_, _>>().map(Numbers)
    }

    /// One of the ranges, and a number of it.
    pub fn draw(&self, random: &mut Random) -> u32 {
        let (low, high) = random.choose(&self.0).copied().unwrap_or((1, 1));
        random.between(low as usize, high as usize) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up() {
        let names = [("micro", 'm'), ("typed", 't')];
        let shares = Shares::parse("micro=75,typed=25", &names).unwrap();
        let mut random = Random::for_case(1, 1);
        let drawn: String = (0..1000).filter_map(|_| shares.draw(&mut random)).collect();
        assert_eq!(drawn.len(), 1000);
        assert!((700..800).contains(&drawn.matches('m').count()));
        assert_eq!(Shares::parse("typed", &names), Ok(Shares(vec![('t', 100)])));
        for (text, expected) in [
            ("micro=75", "add up to 75"),
            ("micro=75,typed=26", "add up to 101"),
            ("macro=100", "no `macro`; there are micro, typed"),
            ("micro=many", "`many` is no percentage"),
        ] {
            let error = Shares::parse(text, &names).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn numbers_are_lists_of_ranges() {
        let numbers = Numbers::parse("8,16-18", 1, 64).unwrap();
        let mut random = Random::for_case(1, 1);
        assert!((0..100).all(|_| matches!(numbers.draw(&mut random), 8 | 16..=18)));
        for text in ["", "0", "65", "4-2", "x"] {
            assert!(Numbers::parse(text, 1, 64).is_err(), "{text}");
        }
    }
}
