//! Versions of analyzers.

use std::cmp::Ordering;

/// Compares versions number by number.
pub fn compare_versions(left: &str, right: &str) -> Ordering {
    let numbers = |text: &str| -> Vec<u64> {
        let mut numbers: Vec<u64> =
            text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
        while numbers.last() == Some(&0) {
            numbers.pop();
        }
        numbers
    };
    numbers(left).cmp(&numbers(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        assert_eq!(compare_versions("4.8.7", "4.8.12"), Ordering::Less);
        assert_eq!(compare_versions("5.4.0", "4.16.0"), Ordering::Greater);
    }
}
