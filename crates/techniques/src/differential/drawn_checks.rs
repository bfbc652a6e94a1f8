//! A program with checks, for whoever asks about all of them at once.

use super::budget::Budget;
use super::strategy::Strategy;
use super::synthesis::Synthesis;
use model::{Annotation, AnnotationKind, CInput, Random, Seed};

/// The program without its own assertions, with up to so many drawn checks. The checks are numbered by place, from 1. An error
/// says in one sentence why the program cannot be used.
pub fn drawn_checks(
    seed: &Seed,
    wanted: usize,
    mut random: Random,
) -> Result<CInput, (&'static str, String)> {
    let mut synthesis = Synthesis::new(seed, &Budget::constant(wanted), Strategy::Uniform)?;
    let mut drawn: Vec<(u32, String)> = Vec::new();
    for _ in 0..wanted {
        let Some(batch) = synthesis.draw(1, &mut random) else { break };
        let check = (batch.place, batch.condition());
        if !drawn.contains(&check) {
            drawn.push(check);
        }
    }
    drawn.sort();
    let annotations = (1..)
        .zip(drawn)
        .map(|(number, (place, condition))| Annotation::new(place, AnnotationKind::Check(number), condition))
        .collect();
    Ok(CInput { annotations, ..synthesis.bare() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::DataModel;

    fn checks(text: &str, wanted: usize) -> Vec<String> {
        let seed = Seed::c("seed.c", text, DataModel::Lp64);
        let input = drawn_checks(&seed, wanted, Random::for_case(1, 1)).unwrap();
        let mut places: Vec<u32> = input.annotations.iter().map(|it| it.place).collect();
        places.dedup();
        assert!(places.is_sorted());
        input.annotations.iter().map(|it| it.condition.to_string()).collect()
    }

    #[test]
    fn checks_are_drawn_for_programs_with_and_without_assertions() {
        let with = "void assert(int); int main(void) { int x = 1; assert(x == 1); return x; }";
        let without = "int main(void) { int x = 1; int y = x + 2; return y * x; }";
        for text in [with, without] {
            assert!((2..=10).contains(&checks(text, 10).len()), "{text}");
        }
        assert!(checks(without, 0).is_empty());
    }
}
