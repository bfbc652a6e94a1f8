//! The order in which techniques take turns.

use techniques::Technique;

/// Techniques take turns. A technique with short cases runs several in a row, so each gets its share of the time. The number
/// of cases in a row is fixed: if it depended on speed, a campaign could not be repeated.
pub struct Turns {
    in_a_row: Vec<u64>,
}

impl Turns {
    /// The turns of some techniques.
    pub fn new(techniques: &[&Technique]) -> Turns {
        Turns::with(techniques.iter().map(|technique| technique.cases_in_a_row).collect())
    }

    /// Turns of these lengths.
    pub(crate) fn with(in_a_row: Vec<u64>) -> Turns {
        Turns { in_a_row }
    }

    /// The index of the technique of a case, and the number of earlier cases of that technique.
    pub fn turn_of(&self, case: u64) -> (usize, u64) {
        let mut within = case % self.cases();
        for (technique, count) in self.in_a_row.iter().enumerate() {
            if within < *count {
                return (technique, case / self.cases() * count + within);
            }
            within -= count;
        }
        unreachable!("the remainder is less than the sum of the turns");
    }

    /// The number of the case of a technique with this many earlier cases of that technique.
    pub(crate) fn case(&self, technique: usize, before: u64) -> u64 {
        let count = self.in_a_row[technique];
        let first: u64 = self.in_a_row[..technique].iter().sum();
        before / count * self.cases() + first + before % count
    }

    /// The number of techniques.
    pub(crate) fn techniques(&self) -> usize {
        self.in_a_row.len()
    }

    /// The number of cases that gives each technique at least as many as it wants.
    pub(crate) fn cases_for(&self, wanted: impl Iterator<Item = u64>) -> u64 {
        let rounds = self.in_a_row.iter().zip(wanted).map(|(count, wanted)| wanted.div_ceil(*count));
        rounds.max().unwrap_or(0) * self.cases()
    }

    /// The number of cases in which every technique has one turn.
    fn cases(&self) -> u64 {
        self.in_a_row.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;

    #[test]
    fn short_cases_come_several_in_a_row() {
        let turns = Turns::with(vec![3, 1]);
        let turns_of_cases: Vec<_> = (0..9).map(|case| turns.turn_of(case)).collect();
        assert_eq!(turns_of_cases, [(0, 0), (0, 1), (0, 2), (1, 0), (0, 3), (0, 4), (0, 5), (1, 1), (0, 6)]);
    }

    #[test]
    fn turns_and_cases_are_inverse() {
        let turns = Turns::with(vec![8, 8, 1, 1]);
        for case in 0..100 {
            let (technique, before) = turns.turn_of(case);
            assert_eq!(turns.case(technique, before), case);
        }
    }

    #[test]
    fn a_round_covers_every_seed() {
        let turns = Turns::with(vec![3, 1]);
        assert_eq!(turns.cases_for([7, 2].into_iter()), 12);
        assert_eq!(turns.cases_for([0, 5].into_iter()), 20);
    }
}
