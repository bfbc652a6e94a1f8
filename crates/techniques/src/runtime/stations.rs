//! Stations: the evaluations that an execution must reach, one after the other, to have followed a path.
//!
//! The program that proves it counts its stations: each advances the count if the one before was passed last. A check
//! after the end of `main` fails if all stations were passed in order and the program ended.

use super::units::{Unit, Units};
use c::patch::Edit;
use c::{Program, TypeKind};
use model::{Annotation, AnnotationKind, CInput, Warning};
use std::collections::BTreeMap;

/// The check that fails if all stations were passed.
pub const PASSED: u32 = 1;
/// Where the program begins once its `main` has another name.
const BEGINNING: &str = "static unsigned juvenal_station;\n";
const MAIN: &str = "juvenal_main";

/// The stations of a warning: its path, and then the place of the warning. `None` if nothing is evaluated at the place of
/// the warning, or if the path does not begin in `main` although the bug finder shows paths.
pub fn stations(program: &Program, units: &Units, warning: &Warning, shows_paths: bool) -> Option<Vec<u32>> {
    let last = units.at_place(program, warning.place)?;
    let mut stations: Vec<Unit> = Vec::new();
    let mut in_function: BTreeMap<String, Unit> = BTreeMap::new();
    let places = warning.path.iter().map(|event| event.place).chain([warning.place]);
    for unit in places.filter_map(|place| units.at_place(program, place)) {
        let function = units.function(unit)?.to_owned();
        if stations.is_empty() && shows_paths && function != "main" {
            return None;
        }
        // What is said of an evaluation that has begun already, such as that a call has returned, is no new station.
        if in_function.get(&function) != Some(&unit) {
            stations.push(unit);
            in_function.insert(function, unit);
        }
    }
    let passes = stations.contains(&last);
    passes.then(|| stations.into_iter().map(Unit::place).collect())
}

/// True if an execution that passes all of `passed` in order passes all of `wanted` in order.
pub fn includes(passed: &[u32], wanted: &[u32]) -> bool {
    let mut rest = passed.iter();
    wanted.iter().all(|station| rest.any(|it| it == station))
}

/// The program that proves that an execution passes all stations; `None` if it has no `main` to be watched.
pub fn proving(input: &CInput, stations: &[u32]) -> Option<CInput> {
    let program = c::parse_input("watched", input).ok()?;
    let units = Units::of(&program);
    let mut edits = vec![Edit::insert(0, BEGINNING)];
    let mut numbers: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (number, station) in stations.iter().enumerate() {
        numbers.entry(*station).or_default().push(number);
    }
    for (station, numbers) in numbers {
        edits.extend(watched(units.at(&program, station)?, &numbers));
    }
    let text = c::patch::apply(&program.text, &edits).ok()?;
    let counting = CInput { base: String::from_utf8(text).ok()?.into(), ..input.clone() };
    let condition = format!("juvenal_station != {}", stations.len());
    with_end(&counting, |place| Annotation::new(place, AnnotationKind::Check(PASSED), condition))
}

/// The program with an annotation where `main` has returned; `None` if it has no `main` to be watched.
pub fn with_end(input: &CInput, annotation: impl FnOnce(u32) -> Annotation) -> Option<CInput> {
    let program = c::parse_input("watched", input).ok()?;
    let main = watched_main(&program)?;
    let mut edits = vec![Edit::replace(main.name, MAIN)];
    // Only a function that is called `main` returns 0 where it ends without a `return`.
    edits.extend(main.has_result.then(|| Edit::insert(main.end, " return 0; ")));
    let mut base = String::from_utf8(c::patch::apply(&program.text, &edits).ok()?).ok()?;
    base.push_str("\nint main(void) {\n    ");
    base.push_str(MAIN);
    base.push_str("();\n");
    let place = base.len() as u32;
    base.push_str("    return 0;\n}\n");
    let moved = |it: &Annotation| Annotation { place: c::patch::moved(it.place, &edits), ..it.clone() };
    let annotations = input.annotations.iter().map(moved).chain([annotation(place)]).collect();
    Some(CInput { base: base.into(), annotations, ..input.clone() })
}

/// The edits that let one unit count.
fn watched(unit: Unit, numbers: &[usize]) -> Vec<Edit> {
    let is_next: Vec<String> = numbers.iter().map(|number| format!("juvenal_station == {number}")).collect();
    let count = format!("({} ? ++juvenal_station : 0u)", is_next.join(" || "));
    match unit {
        Unit::Expression(span) => {
            vec![Edit::insert(span.start, format!("({count}, ")), Edit::insert(span.end, ")")]
        }
        Unit::Body(brace) => vec![Edit::insert(brace + 1, format!(" {count};"))],
    }
}

/// Where the definition of `main` is edited.
struct WatchedMain {
    /// The bytes of its name.
    name: c::Span,
    /// The place of its closing brace.
    end: u32,
    /// False if it returns `void`.
    has_result: bool,
}

/// Finds the definition of `main`; `None` if `main` takes arguments or is called or named elsewhere.
fn watched_main(program: &Program) -> Option<WatchedMain> {
    let main = program.find("main")?;
    let mut declarators = program.declarators.iter().filter(|declarator| declarator.entity == main);
    let is_named = program.expressions.iter().any(
        |expression| matches!(expression.kind, c::syntax::ExpressionKind::Name(entity) if entity == main),
    );
    let definition = program.functions.iter().find(|function| function.entity == main)?;
    let TypeKind::Function { result, parameters, .. } = program.types.kind(program.entities[main].r#type)
    else {
        return None;
    };
    let takes_arguments = !program.types.parameters(parameters).is_empty();
    if is_named || takes_arguments || declarators.next().is_some() {
        return None;
    }
    let body = program.statements[definition.body].span;
    let head = program.text.get(definition.span.start as usize..body.start as usize)?;
    let at = head.windows(4).position(|word| word == b"main")? as u32;
    let start = definition.span.start + at;
    Some(WatchedMain {
        name: c::Span::new(start, start + 4),
        end: body.end.checked_sub(1)?,
        has_result: program.types.is_arithmetic(result),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{DataModel, ErrorKind, PathEvent, Position};

    fn input(text: &str) -> CInput {
        CInput { base: text.into(), data_model: DataModel::Lp64, annotations: Vec::new() }
    }

    /// The stations of a warning at `@N` marks of a program, in the order of their numbers, the greatest last.
    fn stations_in(marked: &str) -> Option<Vec<String>> {
        let (mut text, mut marks) = (String::new(), BTreeMap::new());
        let mut rest = marked;
        while let Some(at) = rest.find('@') {
            text.push_str(&rest[..at]);
            let line = text.matches('\n').count() as u32 + 1;
            let column = (text.len() - text.rfind('\n').map_or(0, |at| at + 1)) as u32 + 1;
            marks.insert(rest[at + 1..at + 2].to_owned(), Position { line, column });
            rest = &rest[at + 2..];
        }
        text.push_str(rest);
        let mut places: Vec<Position> = marks.into_values().collect();
        let place = places.pop().unwrap();
        let event = |place| PathEvent { place, function: None, message: String::new() };
        let warning = Warning {
            kind: ErrorKind::NullDereference,
            place,
            checker: String::new(),
            message: String::new(),
            path: places.into_iter().map(event).collect(),
        };
        let input = input(&text);
        let program = c::parse_input("test", &input).unwrap();
        let units = Units::of(&program);
        let shown = |byte: u32| match units.at(&program, byte) {
            Some(Unit::Expression(span)) => program.text_of(span).into_owned(),
            Some(Unit::Body(_)) => "body".to_owned(),
            None => "nothing".to_owned(),
        };
        let found = stations(&program, &units, &warning, true)?;
        assert!(proving(&input, &found).is_some());
        Some(found.into_iter().map(shown).collect())
    }

    #[test]
    fn a_path_becomes_stations() {
        for (marked, expected) in [
            (
                "int @1main(void) { int x = @21; if (@3x) { x = @42; } return 0; }",
                Some(vec!["body", "1", "x", "x = 2"]),
            ),
            ("int main(void) { int x = 1; return @1x ? @22 : 3; }", Some(vec!["x ? 2 : 3", "2"])),
            ("int main(void) { int x = 1; return x && (@1x > 2); }", Some(vec!["(x > 2)"])),
            // A call that has returned is no station of its own.
            (
                "int f(void) { return @21; } int main(void) { int x = @1@3f(); return @4x; }",
                Some(vec!["f()", "1", "x"]),
            ),
            ("int f(int x) { return @1x + @21; } int main(void) { return f(1); }", None),
            ("int main(void) { return 0; @1}", None),
        ] {
            let expected: Option<Vec<String>> =
                expected.map(|list: Vec<&str>| list.into_iter().map(str::to_owned).collect());
            assert_eq!(stations_in(marked), expected, "{marked}");
        }
    }

    #[test]
    fn a_proving_program_counts_in_order_and_checks_at_the_end() {
        let watched = proving(&input("int main(void) { int x = 1; x = 2; return x; }"), &[25, 28]).unwrap();
        let expected = "static unsigned juvenal_station;\nint juvenal_main(void) { int x = \
                        ((juvenal_station == 0 ? ++juvenal_station : 0u), 1); \
                        ((juvenal_station == 1 ? ++juvenal_station : 0u), x = 2); return x;  return 0; }\n\
                        int main(void) {\n    juvenal_main();\n\ncheck(1, juvenal_station != 2);\n    return 0;\n}\n";
        assert_eq!(watched.text(), expected);
    }

    #[test]
    fn a_main_that_ends_without_a_return_still_has_its_result() {
        for text in ["int main(void) { 1; }", "void main(void) { 1; }"] {
            let watched = proving(&input(text), &[text.find('1').unwrap() as u32]).unwrap();
            assert_eq!(c::analyze::unchecked_ub::why_possible(&watched), None, "{text}");
        }
    }

    #[test]
    fn one_list_of_stations_includes_another_in_order() {
        assert!(includes(&[1, 2, 3, 2], &[1, 3, 2]));
        assert!(!includes(&[1, 2, 3], &[2, 1]));
        assert!(includes(&[1], &[]));
    }
}
