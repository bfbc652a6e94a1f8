//! Whether reduced programs may still be asked about.

use super::super::condition::names;
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
