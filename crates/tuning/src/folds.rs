//! Cross-validation: programs are held out from the search, and the recipe that it finds is tried on them.

use model::Random;

/// One part of the programs is held out; the search sees the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The programs that the search sees.
    pub training: Vec<usize>,
    /// The programs that it does not see.
    pub held_out: Vec<usize>,
}

/// Divides the programs into so many parts of about the same size, each of which is held out once. No fold if there are
/// fewer than two programs or parts.
pub fn folds(programs: usize, parts: usize, random: &mut Random) -> Vec<Fold> {
    let parts = parts.min(programs);
    if parts < 2 {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..programs).collect();
    random.shuffle(&mut order);
    let part = |number: usize| {
        let is_held_out = |place: usize| place % parts == number;
        let mut fold = Fold { training: Vec::new(), held_out: Vec::new() };
        for (place, program) in order.iter().enumerate() {
            if is_held_out(place) { fold.held_out.push(*program) } else { fold.training.push(*program) }
        }
        fold.training.sort_unstable();
        fold.held_out.sort_unstable();
        fold
    };
    (0..parts).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_is_held_out_once() {
        for (programs, parts) in [(7, 3), (2, 3), (12, 5)] {
            let folds = folds(programs, parts, &mut Random::for_case(1, 0));
            assert_eq!(folds.len(), parts.min(programs));
            let mut held_out: Vec<usize> = folds.iter().flat_map(|fold| fold.held_out.clone()).collect();
            held_out.sort_unstable();
            assert_eq!(held_out, (0..programs).collect::<Vec<_>>());
            for fold in &folds {
                assert_eq!(fold.training.len() + fold.held_out.len(), programs);
                assert!(fold.training.iter().all(|program| !fold.held_out.contains(program)));
            }
        }
        assert!(folds(1, 3, &mut Random::for_case(1, 0)).is_empty());
        assert!(folds(9, 1, &mut Random::for_case(1, 0)).is_empty());
    }
}
