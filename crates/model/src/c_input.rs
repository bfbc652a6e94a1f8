//! C programs with numbered checks and assumptions.

use crate::Hash;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A C program and what is asked about it. How checks and assumptions are spelled is the analyzer's affair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CInput {
    /// The program, never touched.
    pub base: Arc<str>,
    /// The sizes of its types.
    pub data_model: DataModel,
    /// Checks and assumptions by place; those of one place stand in the order in which they are executed.
    pub annotations: Vec<Annotation>,
}

/// The sizes of `int`, `long` and pointers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DataModel {
    /// 32, 64 and 64 bits.
    #[default]
    Lp64,
    /// 32 bits each.
    Ilp32,
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DataModel::Lp64 => "lp64",
            DataModel::Ilp32 => "ilp32",
        })
    }
}

/// A check or an assumption at a place between two statements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Annotation {
    /// The byte of the base text before which it stands.
    pub place: u32,
    /// A check, an assumption, or something else.
    pub what: AnnotationKind,
    /// The condition, a C expression without side effects and without undefined behaviour at this place.
    pub condition: Arc<str>,
    /// The check is evaluated only under this condition; for checks that the analyzer's engine evaluates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Arc<str>>,
    /// True if it stands inside an expression, before an operand, rather than between two statements.
    #[serde(default, skip_serializing_if = "is_false")]
    pub within: bool,
}

impl Annotation {
    /// An annotation between two statements.
    pub fn new(place: u32, what: AnnotationKind, condition: impl Into<Arc<str>>) -> Annotation {
        Annotation { place, what, condition: condition.into(), guard: None, within: false }
    }

    /// A statement that spells the annotation, under its guard, and made fit to stand inside of an expression if it does.
    pub fn in_its_place(&self, statement: &str) -> String {
        let guarded = match &self.guard {
            Some(guard) => format!("if ({guard}) {{ {statement} }}"),
            None => statement.to_owned(),
        };
        if self.within { format!("({{ {guarded} }}),") } else { guarded }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// What an annotation demands of its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnnotationKind {
    /// The analyzer must say whether it always holds; the number identifies the check.
    Check(u32),
    /// An execution in which it does not hold ends here, silently.
    Assume,
}

impl CInput {
    /// The numbers of all checks, in order of their places.
    pub fn checks(&self) -> impl Iterator<Item = u32> {
        self.annotations.iter().filter_map(|annotation| match annotation.what {
            AnnotationKind::Check(number) => Some(number),
            AnnotationKind::Assume => None,
        })
    }

    /// The hash under which answers to this input are kept.
    pub(crate) fn identity(&self) -> Hash {
        let mut head = vec![self.data_model as u8];
        let mut conditions: Vec<&[u8]> = Vec::with_capacity(self.annotations.len() + 2);
        for annotation in &self.annotations {
            let (kind, number) = match annotation.what {
                AnnotationKind::Check(number) => (0, number),
                AnnotationKind::Assume => (1, 0),
            };
            head.push(kind);
            head.extend_from_slice(&annotation.place.to_le_bytes());
            head.extend_from_slice(&number.to_le_bytes());
            head.push(u8::from(annotation.within));
            conditions.push(annotation.condition.as_bytes());
            conditions.push(annotation.guard.as_deref().unwrap_or_default().as_bytes());
        }
        conditions.push(self.base.as_bytes());
        Hash::of_parts(std::iter::once(head.as_slice()).chain(conditions))
    }

    /// The program as one text, annotations in a neutral spelling, for people.
    pub fn text(&self) -> String {
        self.render(|annotation| match annotation.what {
            AnnotationKind::Check(number) => {
                let check = format!("check({number}, {})", annotation.condition);
                match (&annotation.guard, annotation.within) {
                    (_, true) => format!("{check},"),
                    (Some(guard), false) => format!("if ({guard}) {check};"),
                    (None, false) => format!("{check};"),
                }
            }
            AnnotationKind::Assume => format!("assume({});", annotation.condition),
        })
    }

    /// The program with every annotation spelled out on a line of its own.
    pub fn render(&self, mut spell: impl FnMut(&Annotation) -> String) -> String {
        let mut text = String::with_capacity(self.base.len() + 64 * self.annotations.len());
        let mut done = 0;
        for annotation in &self.annotations {
            let place = annotation.place as usize;
            // No technique makes a place inside a character or after the end; if there is one, the text stays as it is.
            if let Some(between) = self.base.get(done..place) {
                text.push_str(between);
                done = place;
            }
            text.push('\n');
            text.push_str(&spell(annotation));
            text.push('\n');
        }
        text.push_str(self.base.get(done..).unwrap_or_default());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_stand_on_lines_of_their_own_and_the_rest_is_untouched() {
        let check =
            |place, number, condition: &str| Annotation::new(place, AnnotationKind::Check(number), condition);
        let assume = Annotation::new(15, AnnotationKind::Assume, "x > 0");
        let input = CInput {
            base: "int main(void){ int x; return 0; }".into(),
            data_model: DataModel::Lp64,
            annotations: vec![assume, check(15, 1, "x != 3"), check(23, 2, "1")],
        };
        let expected =
            "int main(void){\nassume(x > 0);\n\ncheck(1, x != 3);\n int x; \ncheck(2, 1);\nreturn 0; }";
        assert_eq!(input.text(), expected);
        assert_eq!(input.checks().collect::<Vec<_>>(), [1, 2]);
        let mut other = input.clone();
        other.annotations[0].what = AnnotationKind::Check(9);
        assert_ne!(input.identity(), other.identity());
    }
}
