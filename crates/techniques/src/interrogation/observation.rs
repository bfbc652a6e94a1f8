//! What executions of the seed show of its variables, and of conditions over them.
//!
//! A constant at the bound of what a variable can be makes a check that just holds or just fails, and an assumption
//! that excludes little: about such conditions an analyzer can contradict itself. Arbitrary constants mostly make
//! checks that fail at once, after which nothing is executed. So the values of variables are noted first, then how
//! often conditions hold. Soundness does not depend on these observations.

use super::condition::Condition;
use super::material::{Candidate, Material, Number, Seen, Tendency, Variable};
use crate::execution;
use model::{Annotation, AnnotationKind, CInput, ChecksClaim, Random};

/// At most this many notes are taken at once, because large programs take long to compile.
const MOST_NOTES: usize = 300;
/// No more conditions than this are tried at one point.
const MOST_CANDIDATES: usize = 16;

/// The sign of an integer and of a floating value.
const SIGN: u64 = 1 << 63;

/// The program with a check for each variable at each point, which cannot fail and notes its value, for
/// `execute-c`, which declares the functions for that.
pub fn noting_values(material: &Material) -> CInput {
    noting(
        material,
        observed(material).map(|(point, variable)| {
            let variable = &material.points[point].variables[variable];
            (point, noting_function(variable), variable.name.to_string())
        }),
    )
}

/// Keeps the values that were noted with the variables.
pub fn keep_values(material: &mut Material, executed: &ChecksClaim) {
    let looked_at: Vec<(usize, usize)> = observed(material).collect();
    for (number, values) in noted(executed) {
        if let Some((point, variable)) = looked_at.get(number) {
            let variable = &mut material.points[*point].variables[*variable];
            variable.seen = seen(variable.number, values);
        }
    }
}

/// Conditions that could stand at points, with the numbers of the points.
pub type Trial = Vec<(usize, Condition)>;

/// Some conditions for every point; for some points, if there are many.
pub fn trial(material: &Material, random: &mut Random) -> Trial {
    let mut points: Vec<usize> = (0..material.points.len()).collect();
    points.retain(|point| !material.points[*point].variables.is_empty());
    random.shuffle(&mut points);
    points.truncate(MOST_NOTES);
    let each = (MOST_NOTES / points.len().max(1)).min(MOST_CANDIDATES);
    points.sort_unstable();
    let mut trial = Trial::new();
    for point in points {
        let variables = &material.points[point].variables;
        for number in 0..each {
            let draw = if number % 2 == 0 { Condition::draw_anew } else { Condition::draw_lenient_anew };
            trial.push((point, draw(material, variables, random)));
        }
    }
    trial.retain(|(_, condition)| !matches!(condition, Condition::Constant(_)));
    trial
}

/// The program that notes how often conditions hold.
pub fn noting_conditions(material: &Material, trial: &Trial) -> CInput {
    let notes =
        trial.iter().map(|(point, condition)| (*point, "juvenal_note_condition", condition.to_string()));
    noting(material, notes)
}

/// Keeps the conditions at points that were reached, in place of those tried earlier.
pub fn keep_conditions(material: &mut Material, trial: Trial, executed: &ChecksClaim) {
    material.points.iter_mut().for_each(|point| point.candidates.clear());
    for ((point, condition), number) in trial.into_iter().zip(1..) {
        if let Some(counts) = execution::noted_counts(executed, number) {
            let candidate = Candidate { condition, tendency: tendency(counts) };
            material.points[point].candidates.push(candidate);
        }
    }
}

/// The program with checks that cannot fail and note something.
fn noting(material: &Material, notes: impl Iterator<Item = (usize, &'static str, String)>) -> CInput {
    let annotation = |((point, function, what), number): ((usize, &str, String), u32)| {
        Annotation::new(
            material.points[point].offset,
            AnnotationKind::Check(number),
            format!("({function}({number}, {what}), 1)"),
        )
    };
    CInput { annotations: notes.zip(1..).map(annotation).collect(), ..material.bare() }
}

/// What was noted, with the numbers of the notes from 0.
fn noted(executed: &ChecksClaim) -> impl Iterator<Item = (usize, &str)> {
    executed.checks.iter().filter_map(|claim| {
        let number = (claim.check as usize).checked_sub(1)?;
        Some((number, claim.values.as_deref()?))
    })
}

/// The points and variables that are observed: all of them, or an even selection.
fn observed(material: &Material) -> impl Iterator<Item = (usize, usize)> {
    let all = material.points.iter().map(|point| point.variables.len()).sum::<usize>();
    let variables = |point: usize| (0..material.points[point].variables.len()).map(move |it| (point, it));
    (0..material.points.len()).flat_map(variables).step_by(all.div_ceil(MOST_NOTES).max(1))
}

fn noting_function(variable: &Variable) -> &'static str {
    match variable.number {
        Number::Integer { signed: true, .. } => "juvenal_note_signed",
        Number::Integer { signed: false, .. } => "juvenal_note_unsigned",
        Number::Real { .. } => "juvenal_note_real",
    }
}

fn tendency((held, failed): (u64, u64)) -> Tendency {
    match failed {
        0 => Tendency::Holds,
        _ if held > failed => Tendency::MostlyHolds,
        _ => Tendency::Fails,
    }
}

/// Reads `LEAST GREATEST ANOTHER nan`: hexadecimal numbers that are ordered as the values are.
fn seen(number: Number, values: &str) -> Seen {
    let read = |word: &str| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok();
    let numbers: Vec<u64> = values.split_ascii_whitespace().filter_map(read).collect();
    let numbers = <[u64; 3]>::try_from(numbers).ok();
    match (number, numbers) {
        (Number::Integer { signed: false, .. }, Some(numbers)) => Seen::Integers(numbers.map(i128::from)),
        (Number::Integer { signed: true, .. }, Some(numbers)) => {
            Seen::Integers(numbers.map(|it| i128::from((it ^ SIGN).cast_signed())))
        }
        (Number::Integer { .. }, None) => Seen::Nothing,
        (Number::Real { .. }, _) => {
            let real = |it: u64| f64::from_bits(if it & SIGN == 0 { !it } else { it ^ SIGN });
            Seen::Reals { numbers: numbers.map(|it| it.map(real)), nan: values.ends_with("nan") }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{CheckClaim, CheckStatus, DataModel};

    fn material(text: &str) -> Material {
        Material::new("seed.c", &text.into(), DataModel::Lp64).unwrap()
    }

    #[test]
    fn every_variable_is_noted_where_it_has_a_value() {
        let seed = material("int main(void) { unsigned char x = 1; float f = 2; return x; }");
        let noted = noting_values(&seed);
        let conditions: Vec<&str> = noted.annotations.iter().map(|it| &*it.condition).collect();
        assert_eq!(
            conditions,
            [
                "(juvenal_note_unsigned(1, x), 1)",
                "(juvenal_note_real(2, f), 1)",
                "(juvenal_note_unsigned(3, x), 1)"
            ]
        );
    }

    #[test]
    fn large_programs_are_looked_at_here_and_there() {
        let body: String = (0..60).map(|index| format!("int v{index} = {index}; ")).collect();
        let seed = material(&format!("int main(void) {{ {body} return v0; }}"));
        let count = noting_values(&seed).annotations.len();
        assert!(count <= MOST_NOTES && count > MOST_NOTES / 2, "{count}");
    }

    #[test]
    fn values_are_kept() {
        let mut seed = material("int main(void) { int i = 1; unsigned long u = 2; double d = 3; return i; }");
        let rows = [
            "0x7fffffffffffffff 0x8000000000000005 0x8000000000000000",
            "0x0 0xffffffffffffffff 0x7",
            "nonsense",
            "0x400fffffffffffff 0xfff0000000000000 0xc004000000000000 nan",
            "0xff 0x2",
            "0x8000000000000000 0x8000000000000000 0x8000000000000000",
        ];
        let claim = |(check, values): (u32, &str)| CheckClaim {
            values: Some(values.to_owned()),
            ..CheckClaim::new(check, CheckStatus::Unknown)
        };
        let checks = (1..).zip(rows).map(claim).chain([claim((77, "0x1 0x1 0x1"))]).collect();
        keep_values(&mut seed, &ChecksClaim { checks, undefined: None });
        let seen: Vec<Seen> = seed.points.iter().flat_map(|it| &it.variables).map(|it| it.seen).collect();
        assert_eq!(
            seen,
            [
                Seen::Integers([-1, 5, 0]),
                Seen::Integers([0, i128::from(u64::MAX), 7]),
                Seen::Nothing,
                Seen::Reals { numbers: Some([-1.0, f64::INFINITY, 2.5]), nan: true },
                Seen::Nothing,
                Seen::Integers([0, 0, 0]),
            ]
        );
    }

    #[test]
    fn conditions_are_kept_with_how_often_they_hold() {
        let mut seed = material("int main(void) { int i = 1; i++; return i; }");
        let trial = trial(&seed, &mut Random::for_case(1, 1));
        let program = noting_conditions(&seed, &trial);
        assert_eq!(program.annotations.len(), trial.len());
        assert!(program.annotations[0].condition.starts_with("(juvenal_note_condition(1, "));
        let rows = ["7 0", "7 6", "6 7", "0 7", "what"];
        let claim = |(check, values): (u32, &str)| CheckClaim {
            values: Some(values.to_owned()),
            ..CheckClaim::new(check, CheckStatus::Unknown)
        };
        let checks = (1..).zip(rows).map(claim).collect();
        keep_conditions(&mut seed, trial.clone(), &ChecksClaim { checks, undefined: None });
        let kept: Vec<(&Condition, Tendency)> =
            seed.points.iter().flat_map(|it| &it.candidates).map(|it| (&it.condition, it.tendency)).collect();
        let expected = [Tendency::Holds, Tendency::MostlyHolds, Tendency::Fails, Tendency::Fails];
        let expected: Vec<_> = trial.iter().map(|(_, it)| it).zip(expected).collect();
        assert_eq!(kept, expected);
    }
}
