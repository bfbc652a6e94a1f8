//! Which technique has which turn.

use techniques::Technique;

/// Techniques take turns. One whose cases are short takes several in a row, so that each gets its part of the time;
/// how many does not depend on how fast anything is here, or a campaign could not be run again.
pub struct Rota {
    in_a_row: Vec<u64>,
}

impl Rota {
    /// The turns of these techniques.
    pub fn new(techniques: &[&Technique]) -> Rota {
        Rota::with(techniques.iter().map(|technique| technique.cases_in_a_row).collect())
    }

    /// Turns of so many cases.
    pub(crate) fn with(in_a_row: Vec<u64>) -> Rota {
        Rota { in_a_row }
    }

    /// The place of the technique of a case, and how many cases that technique had before.
    pub fn place(&self, case: u64) -> (usize, u64) {
        let mut within = case % self.cases();
        for (technique, count) in self.in_a_row.iter().enumerate() {
            if within < *count {
                return (technique, case / self.cases() * count + within);
            }
            within -= count;
        }
        unreachable!("the remainder is less than the sum of the turns");
    }

    /// The number of a technique's case, from how many it had before.
    pub(crate) fn case(&self, technique: usize, before: u64) -> u64 {
        let count = self.in_a_row[technique];
        let first: u64 = self.in_a_row[..technique].iter().sum();
        before / count * self.cases() + first + before % count
    }

    /// How many techniques there are.
    pub(crate) fn techniques(&self) -> usize {
        self.in_a_row.len()
    }

    /// So many cases give each technique at least as many as are asked for, technique by technique.
    pub(crate) fn cases_for(&self, wanted: impl Iterator<Item = u64>) -> u64 {
        let rounds = self.in_a_row.iter().zip(wanted).map(|(count, wanted)| wanted.div_ceil(*count));
        rounds.max().unwrap_or(0) * self.cases()
    }

    /// The cases of one round.
    fn cases(&self) -> u64 {
        self.in_a_row.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Rota;

    #[test]
    fn short_cases_come_several_in_a_row() {
        let rota = Rota::with(vec![3, 1]);
        let places: Vec<_> = (0..9).map(|case| rota.place(case)).collect();
        assert_eq!(places, [(0, 0), (0, 1), (0, 2), (1, 0), (0, 3), (0, 4), (0, 5), (1, 1), (0, 6)]);
    }

    #[test]
    fn places_and_cases_belong_together() {
        let rota = Rota::with(vec![8, 8, 1, 1]);
        for case in 0..100 {
            let (technique, before) = rota.place(case);
            assert_eq!(rota.case(technique, before), case);
        }
    }

    #[test]
    fn a_round_brings_every_seed() {
        let rota = Rota::with(vec![3, 1]);
        assert_eq!(rota.cases_for([7, 2].into_iter()), 12);
        assert_eq!(rota.cases_for([0, 5].into_iter()), 20);
    }
}
