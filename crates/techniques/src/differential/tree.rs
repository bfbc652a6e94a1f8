//! The statements of a program as places to walk between.
//!
//! Compound statements are no stops: their statements stand next to those around them. The statements in a body or a
//! branch are inside the statement that has it.

use c::Program;
use c::analyze::{evaluated_expressions, for_each_inner, instrumentable_functions};
use c::syntax::{EntityId, ExpressionKind, FunctionId, StatementId, StatementKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A statement of a function that may have checks.
#[derive(Clone, Debug)]
pub struct Stop {
    /// The statement.
    pub statement: StatementId,
    /// The function that it is in.
    pub function: FunctionId,
    /// How deep it is in its function; 1 for the statements of the outermost block.
    pub depth: u32,
    /// The statement around it.
    pub outer: Option<usize>,
    /// The first statement in its bodies and branches.
    pub inner: Option<usize>,
    /// The statement after it.
    pub next: Option<usize>,
    /// The statement before it.
    pub previous: Option<usize>,
    /// The first statements of the functions that it names.
    pub called: Vec<usize>,
    /// The statements that name its function, which all outermost statements of the function share.
    pub callers: Arc<[usize]>,
}

/// All stops: function by function, outer ones first, otherwise in order of the text.
pub fn stops(program: &Program) -> Vec<Stop> {
    let mut stops = Vec::new();
    let mut firsts: BTreeMap<EntityId, usize> = BTreeMap::new();
    for function in instrumentable_functions(program) {
        let first = stops.len();
        push_stops(program, function, &mut stops);
        if stops.len() > first {
            firsts.insert(program.functions[function].entity, first);
        }
    }
    connect_calls(program, &firsts, &mut stops);
    stops
}

fn push_stops(program: &Program, function: FunctionId, stops: &mut Vec<Stop>) {
    let mut last_inside: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    let mut waiting = vec![(program.functions[function].body, None, 0)];
    while let Some((statement, outer, depth)) = waiting.pop() {
        let is_block = matches!(program.statements[statement].kind, StatementKind::Compound { .. });
        let around = if is_block {
            outer
        } else {
            let stop = stops.len();
            let previous = last_inside.insert(outer, stop);
            match (previous, outer) {
                (Some(previous), _) => stops[previous].next = Some(stop),
                (None, Some(outer)) => stops[outer].inner = Some(stop),
                (None, None) => {}
            }
            stops.push(Stop {
                statement,
                function,
                depth,
                outer,
                inner: None,
                next: None,
                previous,
                called: Vec::new(),
                callers: [].into(),
            });
            Some(stop)
        };
        let before = waiting.len();
        for_each_inner(program, statement, |inner| waiting.push((inner, around, depth + 1)));
        waiting[before..].reverse();
    }
}

/// Notes which statements name which functions. A function that is only named may be called later, by way of a
/// pointer.
fn connect_calls(program: &Program, firsts: &BTreeMap<EntityId, usize>, stops: &mut [Stop]) {
    let mut callers: BTreeMap<FunctionId, Vec<usize>> = BTreeMap::new();
    for number in 0..stops.len() {
        let mut called: Vec<usize> = evaluated_expressions(program, stops[number].statement)
            .into_iter()
            .flat_map(|root| program.walk(root))
            .filter_map(|expression| match program.expressions[expression].kind {
                ExpressionKind::Name(entity) => firsts.get(&entity).copied(),
                _ => None,
            })
            .collect();
        called.sort_unstable();
        called.dedup();
        for first in &called {
            callers.entry(stops[*first].function).or_default().push(number);
        }
        stops[number].called = called;
    }
    let callers: BTreeMap<FunctionId, Arc<[usize]>> =
        callers.into_iter().map(|(function, callers)| (function, callers.into())).collect();
    for stop in stops.iter_mut().filter(|stop| stop.outer.is_none()) {
        stop.callers = callers.get(&stop.function).cloned().unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_know_their_neighbours() {
        let text = "static int f(int x) { if (x) { x++; { x--; } } else { x = 2; } return x; }
int main(void) { int a = f(1); while (a) { a = f(a - 1); } return a; }";
        let program = c::parse("row.c", text, c::DataModel::Lp64).unwrap();
        let stops = stops(&program);
        let text = |stop: usize| program.text_of(program.statements[stops[stop].statement].span).into_owned();
        assert_eq!(stops.len(), 9);
        assert_eq!((text(1), text(2), text(3)), ("x++;".into(), "x--;".into(), "x = 2;".into()));
        let branch = &stops[0];
        assert_eq!((branch.inner, branch.next, branch.outer, branch.depth), (Some(1), Some(4), None, 1));
        assert_eq!((stops[2].previous, stops[2].next, stops[2].outer), (Some(1), Some(3), Some(0)));
        assert_eq!((stops[1].depth, stops[2].depth), (3, 4));
        assert_eq!((&stops[5].called, &stops[7].called), (&vec![0], &vec![0]));
        assert_eq!(*branch.callers, [5, 7]);
    }
}
