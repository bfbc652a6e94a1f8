//! Whether reduced programs may still be asked about.

use super::super::material::front_end;
use model::{Annotation, CInput};
use std::collections::{BTreeMap, BTreeSet};

/// True if the text is a program and every annotation stands at a place where all it reads has a value.
pub fn is_valid(programs: &[CInput]) -> bool {
    let Some(first) = programs.first() else { return false };
    let Ok(program) = c::parse("reduced", first.base.as_ref(), front_end(first.data_model)) else {
        return false;
    };
    let mut readable: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for site in c::sites(&program) {
        let words = site.numbers.iter().flat_map(|number| names(&number.text)).map(str::to_owned);
        readable.insert(site.place, words.collect());
    }
    let fits = |annotation: &Annotation| {
        let here = readable.get(&annotation.place);
        here.is_some_and(|here| names(&annotation.condition).all(|name| here.contains(name)))
    };
    programs.iter().all(|program| program.annotations.iter().all(fits) && is_ordered(&program.annotations))
}

fn is_ordered(annotations: &[Annotation]) -> bool {
    annotations.windows(2).all(|pair| pair[0].place <= pair[1].place)
}

/// The names of variables in a condition.
fn names(condition: &str) -> impl Iterator<Item = &str> {
    const TYPE_WORDS: [&str; 8] = ["signed", "unsigned", "char", "short", "int", "long", "float", "double"];
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '.';
    let words = condition.split(move |character| !is_part(character));
    // A word that begins with a digit is a number, its suffix and exponent included.
    words.filter(|word| {
        word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && !TYPE_WORDS.contains(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_numbers_and_types() {
        let found: Vec<&str> = names("((unsigned long)x_1 < 3ULL) && (y != 1.5e-7f)").collect();
        assert_eq!(found, ["x_1", "y"]);
    }
}
