//! Programs whose calls of input functions report their numbers.

use super::call_site::{CallSite, call_sites};
use c::patch::{self, Edit};
use model::{Annotation, CInput};

/// Rewrites every call of a `__VERIFIER_nondet_` function as `(juvenal_call(n), call)`, where n counts the calls from 1 in
/// source order. Returns `None` if the program does not parse.
///
/// The preludes of analyzers that run programs declare `void juvenal_call(unsigned);`.
pub fn traced(input: &CInput) -> Option<CInput> {
    let sites = call_sites(&super::parsed(input)?);
    let insertions = insertions(&sites);
    let edits: Vec<Edit> =
        insertions.iter().map(|insertion| Edit::insert(insertion.place, insertion.text.as_str())).collect();
    let base = String::from_utf8(patch::apply(input.base.as_bytes(), &edits).ok()?).ok()?;
    let shifts = Shifts::new(&insertions);
    let mut annotations = Vec::with_capacity(input.annotations.len());
    for annotation in &input.annotations {
        let place = shifts.moved(annotation.place)?;
        annotations.push(Annotation { place, ..annotation.clone() });
    }
    Some(CInput { base: base.into(), data_model: input.data_model, annotations })
}

/// Text that is inserted at an offset.
struct Insertion {
    place: u32,
    text: String,
    /// Whether it belongs to the text after it, and so comes after an annotation at the same offset.
    opens: bool,
}

fn insertions(sites: &[CallSite]) -> Vec<Insertion> {
    let mut insertions = Vec::with_capacity(2 * sites.len());
    for (index, site) in sites.iter().enumerate() {
        let opening = format!("(juvenal_call({}), ", index + 1);
        insertions.push(Insertion { place: site.span.start, text: opening, opens: true });
        insertions.push(Insertion { place: site.span.end, text: ")".to_owned(), opens: false });
    }
    insertions.sort_by_key(|insertion| (insertion.place, insertion.opens));
    insertions
}

/// How far insertions move the bytes of a text.
struct Shifts {
    /// The offset of each insertion, whether it opens, and the number of bytes inserted so far; ascending.
    sums: Vec<((u32, bool), usize)>,
}

impl Shifts {
    fn new(insertions: &[Insertion]) -> Shifts {
        let mut sum = 0;
        let mut sums = Vec::with_capacity(insertions.len());
        for insertion in insertions {
            sum += insertion.text.len();
            sums.push(((insertion.place, insertion.opens), sum));
        }
        Shifts { sums }
    }

    /// Returns the new offset of an annotation.
    fn moved(&self, place: u32) -> Option<u32> {
        let before = self.sums.partition_point(|(key, _)| *key < (place, true));
        let shift = before.checked_sub(1).map_or(0, |last| self.sums[last].1);
        u32::try_from(place as usize + shift).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{AnnotationKind, DataModel};

    fn check(base: &str, expected: Option<&str>) {
        // Each `^` marks a check, numbered from 1.
        let mut annotations = Vec::new();
        let mut plain = String::new();
        for letter in base.chars() {
            if letter == '^' {
                let what = AnnotationKind::Check(annotations.len() as u32 + 1);
                annotations.push(Annotation::new(plain.len() as u32, what, "1"));
            } else {
                plain.push(letter);
            }
        }
        let input = CInput { base: plain.into(), data_model: DataModel::Lp64, annotations };
        let text = traced(&input).map(|traced| traced.render(|_| "^".to_owned()).replace("\n^\n", "^"));
        assert_eq!(text.as_deref(), expected);
    }

    #[test]
    fn calls_are_numbered_and_annotations_move_along() {
        let declarations =
            "int __VERIFIER_nondet_int(void); void __VERIFIER_nondet_memory(void *, unsigned);";
        let check = |body: &str, expected: Option<&str>| {
            let whole = |body: &str| format!("{declarations} int main(void) {{ {body} }}");
            check(&whole(body), expected.map(whole).as_deref());
        };
        check("^return 0;", Some("^return 0;"));
        check(
            "^int x = __VERIFIER_nondet_int(); ^return x;",
            Some("^int x = (juvenal_call(1), __VERIFIER_nondet_int()); ^return x;"),
        );
        check(
            "^__VERIFIER_nondet_int();^^return (__VERIFIER_nondet_int ( ));^",
            Some(
                "^(juvenal_call(1), __VERIFIER_nondet_int());^^return (juvenal_call(2), (__VERIFIER_nondet_int ( )));^",
            ),
        );
        check(
            "int m; __VERIFIER_nondet_memory(&m, __VERIFIER_nondet_int());^",
            Some(
                "int m; (juvenal_call(1), __VERIFIER_nondet_memory(&m, (juvenal_call(2), __VERIFIER_nondet_int())));^",
            ),
        );
        check(
            "int (*f)(void) = __VERIFIER_nondet_int; ^f();",
            Some("int (*f)(void) = __VERIFIER_nondet_int; ^f();"),
        );
        check(
            "int a[sizeof __VERIFIER_nondet_int()]; ^a[0] = 1;",
            Some("int a[sizeof (juvenal_call(1), __VERIFIER_nondet_int())]; ^a[0] = 1;"),
        );
        check("return 0", None);
    }

    #[test]
    fn a_hundred_thousand_calls_in_one_expression_are_traced() {
        let sum = vec!["__VERIFIER_nondet_int()"; 100_000].join(" + ");
        let base = format!("int __VERIFIER_nondet_int(void); int main(void) {{ return {sum}; }}");
        let input = CInput { base: base.into(), data_model: DataModel::Lp64, annotations: Vec::new() };
        assert_eq!(traced(&input).map(|traced| traced.base.matches("juvenal_call").count()), Some(100_000));
    }
}
