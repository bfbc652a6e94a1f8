//! Candidates: the expressions of a program that checks can be about, each with the place of its checks.
//!
//! A candidate has no effects, reads a variable, and is evaluated by the statement at whose start the check is put, in
//! any case and in the state before that statement: see [`super::evaluated`]. So a check has no undefined behaviour that
//! the program does not have right after it. Places are those of [`c::sites`].

use super::evaluated::{Evaluated, Evaluation, has_variable_length};
use super::tree::{Stop, stops};
use c::edit::operand_text;
use c::syntax::{EntityKind, ExpressionId, ExpressionKind, StatementId, UnaryOperator};
use c::types::{IntegerKind, RealKind};
use c::{Program, Readable, Site, Type, TypeKind};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A candidate with a longer text is left out, because its checks would be unreadable.
const LONGEST: u32 = 240;

/// An expression that checks can be about.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The byte before which its checks stand.
    pub place: u32,
    /// The expression, in parentheses if it could not stand next to any operator without them.
    pub text: Arc<str>,
    /// The expression in the program.
    pub expression: ExpressionId,
    /// What it is.
    pub kind: Kind,
    /// How deep it is in the syntax tree of its function, statements and expressions counted; at least 1.
    pub depth: u32,
    /// The position of its statement in [`Candidates::stops`].
    pub stop: usize,
    /// The number of elements, if it selects one of an array.
    pub length: Option<u64>,
}

/// What a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer of at most 64 bits, before the integer promotions.
    Integer {
        /// Its width; 1 for `_Bool`, that of the field for a bit-field.
        bits: u32,
        /// Whether it has negative values.
        signed: bool,
    },
    /// A pointer in memory.
    Pointer,
    /// A `float` or a `double`.
    Real {
        /// True for `float`.
        single: bool,
    },
}

/// The candidates of a program.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// The candidates, those of one statement next to each other.
    pub all: Vec<Candidate>,
    /// The statements of the program.
    pub stops: Arc<[Stop]>,
    /// For each statement, its candidates.
    pub ranges: Arc<[Range<usize>]>,
    /// The first candidate in `main`, or the first of all if `main` has none.
    pub first: Option<usize>,
    /// For each statement, the integers that can be read at its start, by name.
    pub integers: Vec<Arc<[Arc<str>]>>,
}

impl Candidates {
    /// Finds the candidates of a program.
    pub fn of(program: &Program) -> Candidates {
        let stops = stops(program);
        let sites = c::sites(program);
        let mut names = Names::new(program);
        let mut candidates = Candidates {
            all: Vec::new(),
            stops: [].into(),
            ranges: [].into(),
            first: None,
            integers: Vec::new(),
        };
        let mut ranges = Vec::new();
        let has_reals = program.types.size(Type::LONG) == Some(8);
        let finder = Finder { program, evaluation: Evaluation::of(program), has_reals };
        for (number, stop) in stops.iter().enumerate() {
            let start = candidates.all.len();
            let site = site_before(program, &sites, stop.statement);
            if let Some(site) = site {
                finder.push_candidates(stop, number, site.place, &mut candidates.all);
            }
            ranges.push(start..candidates.all.len());
            // Only statements with candidates are ever asked for others.
            let numbers = site.filter(|_| start < candidates.all.len()).map(|site| &site.numbers);
            candidates.integers.push(numbers.map(|numbers| names.of(numbers)).unwrap_or_default());
        }
        candidates.first = first_in_main(program, &stops, &candidates.all);
        candidates.stops = stops.into();
        candidates.ranges = ranges.into();
        candidates
    }

    /// The candidates of the statement that a candidate belongs to.
    pub fn beside(&self, candidate: usize) -> Range<usize> {
        let stop = self.all.get(candidate).map(|candidate| candidate.stop);
        stop.and_then(|stop| self.ranges.get(stop).cloned()).unwrap_or(0..0)
    }

    /// How many statements there are.
    pub fn statements(&self) -> usize {
        self.stops.len()
    }
}

/// The site at the start of a statement.
fn site_before<'a>(program: &Program, sites: &'a [Site], statement: StatementId) -> Option<&'a Site> {
    let start = program.statements[statement].span.start;
    let found = sites.binary_search_by_key(&start, |site| site.place).ok()?;
    sites.get(found)
}

fn first_in_main(program: &Program, stops: &[Stop], all: &[Candidate]) -> Option<usize> {
    let main = program.find("main");
    let is_in_main = |candidate: &Candidate| {
        let function = stops.get(candidate.stop).map(|stop| stop.function);
        function.is_some_and(|function| Some(program.functions[function].entity) == main)
    };
    all.iter().position(is_in_main).or((!all.is_empty()).then_some(0))
}

/// The integers among what can be read at sites. Sites share their lists, and so do we.
struct Names<'a> {
    program: &'a Program,
    known: BTreeMap<*const Readable, Arc<[Arc<str>]>>,
}

impl<'a> Names<'a> {
    fn new(program: &'a Program) -> Names<'a> {
        Names { program, known: BTreeMap::new() }
    }

    fn of(&mut self, numbers: &Arc<[Readable]>) -> Arc<[Arc<str>]> {
        let program = self.program;
        let is_integer = |readable: &&Readable| integer(program, readable.r#type, readable.width).is_some();
        let names = || numbers.iter().filter(is_integer).map(|readable| readable.text.clone()).collect();
        self.known.entry(numbers.as_ptr()).or_insert_with(names).clone()
    }
}

/// Looks for candidates in statements.
struct Finder<'a> {
    program: &'a Program,
    evaluation: Evaluation<'a>,
    /// False on 32 bits, where floating values are computed with more precision than they are stored with.
    has_reals: bool,
}

impl Finder<'_> {
    fn push_candidates(&self, stop: &Stop, number: usize, place: u32, found: &mut Vec<Candidate>) {
        for evaluated in self.evaluation.before(stop.statement) {
            if let Some((text, kind)) = self.candidate(evaluated, place) {
                found.push(Candidate {
                    place,
                    text: text.into(),
                    expression: evaluated.expression,
                    kind,
                    depth: stop.depth.saturating_add(evaluated.depth).max(1),
                    stop: number,
                    length: evaluated.length,
                });
            }
        }
    }

    /// The text and the kind of an expression that is a candidate.
    fn candidate(&self, evaluated: Evaluated, place: u32) -> Option<(String, Kind)> {
        let span = self.program.expressions[evaluated.expression].span;
        if !evaluated.is_read || span.end - span.start > LONGEST {
            return None;
        }
        let kind = self.kind(evaluated.expression)?;
        let nodes = || self.program.walk(evaluated.expression);
        let is_candidate = self.reads_memory(evaluated.expression)
            && nodes().any(|inner| self.is_variable(inner))
            && nodes().all(|inner| self.can_be_moved(inner, place));
        let text = operand_text(self.program, evaluated.expression).filter(|_| is_candidate)?;
        // The names in the operand of `typeof` are in no expression, so their meaning elsewhere is unknown.
        (!text.contains("typeof")).then_some((text, kind))
    }

    fn kind(&self, expression: ExpressionId) -> Option<Kind> {
        let program = self.program;
        let node = &program.expressions[expression];
        match program.types.kind(node.r#type) {
            TypeKind::Real(RealKind::Float) => Some(Kind::Real { single: true }),
            TypeKind::Real(RealKind::Double) => Some(Kind::Real { single: false }),
            // That other pointers are null or not is plain to see.
            TypeKind::Pointer(_) => node.is_lvalue.then_some(Kind::Pointer),
            _ => integer(program, node.r#type, program.bit_width(expression)),
        }
    }

    fn is_variable(&self, expression: ExpressionId) -> bool {
        match self.program.expressions[expression].kind {
            ExpressionKind::Name(entity) => {
                let kind = self.program.entities[entity].kind;
                matches!(kind, EntityKind::Variable | EntityKind::Parameter)
            }
            _ => false,
        }
    }

    /// True if a variable, or what a pointer points to, is read. What is only measured or has only its address taken is
    /// not.
    fn reads_memory(&self, expression: ExpressionId) -> bool {
        let program = self.program;
        let mut waiting = vec![(expression, true)];
        while let Some((next, is_read)) = waiting.pop() {
            let node = &program.expressions[next];
            if is_read && node.is_lvalue && program.types.is_scalar(node.r#type) {
                return true;
            }
            match node.kind {
                ExpressionKind::SizeofExpression(_)
                | ExpressionKind::AlignofExpression(_)
                | ExpressionKind::HasAttribute(_) => {}
                ExpressionKind::Generic { selected, .. } | ExpressionKind::Choose { selected, .. } => {
                    waiting.push((selected, is_read));
                }
                ExpressionKind::Unary { operator: UnaryOperator::AddressOf, operand } => {
                    waiting.push((operand, false));
                }
                _ => program.for_each_operand(next, |operand| waiting.push((operand, true))),
            }
        }
        false
    }

    /// True for a node that means the same at the start of its statement.
    fn can_be_moved(&self, expression: ExpressionId, place: u32) -> bool {
        let program = self.program;
        let node = &program.expressions[expression];
        match node.kind {
            _ if !self.has_reals && program.types.is_real_floating(node.r#type) => false,
            ExpressionKind::Name(entity) => {
                let info = &program.entities[entity];
                info.visible_from <= place && info.kind != EntityKind::ImplicitFunction
            }
            ExpressionKind::LabelAddress(_) | ExpressionKind::StatementExpression(_) => false,
            ExpressionKind::Cast(_) => self.is_known_type(node.r#type, place),
            ExpressionKind::SizeofType(of)
            | ExpressionKind::AlignofType(of)
            | ExpressionKind::Offsetof { of, .. } => self.is_known_type(of, place),
            ExpressionKind::TypesCompatible { first, second } => {
                self.is_known_type(first, place) && self.is_known_type(second, place)
            }
            ExpressionKind::SizeofExpression(operand) => {
                !has_variable_length(program, program.expressions[operand].r#type)
            }
            _ => true,
        }
    }

    /// True if the type can be named before the statement, and naming it computes nothing.
    fn is_known_type(&self, r#type: Type, place: u32) -> bool {
        let types = &self.program.types;
        let mut current = r#type;
        let innermost = loop {
            current = match types.kind(current) {
                TypeKind::Array { element: inner, .. } | TypeKind::Pointer(inner) => inner,
                kind => break kind,
            };
        };
        let is_declared_before = match innermost {
            TypeKind::Record(record) => types.records[record].span.end <= place,
            TypeKind::Enumeration(id) => types.enumerations[id].span.end <= place,
            TypeKind::Function { .. } => false,
            _ => true,
        };
        is_declared_before && !has_variable_length(self.program, r#type)
    }
}

/// What an integer of at most 64 bits is; none for other types.
fn integer(program: &Program, r#type: Type, width: Option<u32>) -> Option<Kind> {
    let types = &program.types;
    if !types.is_integer(r#type)
        || matches!(types.integer_kind(r#type), Some(IntegerKind::Int128 | IntegerKind::UnsignedInt128))
    {
        return None;
    }
    let bits = width.or_else(|| types.integer_bits(r#type))?.clamp(1, 64);
    Some(Kind::Integer { bits, signed: types.is_signed(r#type) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str =
        "int f(int); int g(void); struct s { int m; unsigned b : 3; _Bool y; struct s *n; double d; };
static int t[7]; static volatile int v; enum e { A, B }; extern void *q; static __int128 w;";

    /// The candidates of a body, with the statement that they stand before.
    fn found(body: &str) -> Vec<String> {
        let text = format!(
            "{BEFORE} int main(void) {{ struct s s = {{0}}, *p = &s; int i = 0, j = 1; char c = 2; enum e k = A; double r = 1; float h = 2; {{ ; }} {body} }}"
        );
        let program = c::parse("row.c", &text, c::DataModel::Lp64).unwrap();
        let start = text.find("{ ; }").unwrap();
        let candidates = Candidates::of(&program);
        let after = candidates.all.iter().filter(|candidate| candidate.place as usize > start);
        after.map(|candidate| candidate.text.to_string()).collect()
    }

    #[test]
    fn candidates_are_what_is_evaluated_first_in_any_case() {
        let rows: &[(&str, &[&str])] = &[
            ("i = j + 3;", &["(j + 3)", "j"]),
            ("t[i] = j;", &["i", "j"]),
            ("t[i] += j;", &["t[i]", "i", "j"]),
            ("t[i]++;", &["t[i]", "i"]),
            ("*p = s; p->n->m = 1;", &["p", "p->n", "p"]),
            ("return i && t[j];", &["(i && t[j])", "i"]),
            ("return i ? j : c;", &["(i ? j : c)", "i"]),
            ("if (p && p->m) ;", &["(p && p->m)", "p"]),
            ("while (i < j) i++;", &["(i < j)", "i", "j"]),
            ("do i++; while (i < j);", &[]),
            ("for (i = j; i < 3; i += c) ;", &["j"]),
            ("for (; i < 3; i += c) ;", &["(i < 3)", "i"]),
            ("for (int z = j, y = z; y; ) ;", &["j"]),
            ("switch (k) { case A: i = j; j = c; }", &["k", "c"]),
            ("i = f(j) + c;", &[]),
            ("i = f(j + c);", &["(j + c)", "j", "c"]),
            ("t[i] = (char)f(j);", &["j"]),
            ("t[g()] = j;", &[]),
            ("f(f(j));", &[]),
            ("i = j = c;", &[]),
            ("i++, j = c;", &["i"]),
            ("(void)i; (void)t[j]; j;", &["j"]),
            ("v = i; i = v; i = j + v; v++; t[v] = j;", &["i"]),
            ("int *a = &t[i], *b = &j;", &["i"]),
            ("int a = j, b = a + i;", &["j", "i"]),
            ("int a = g(), b = i;", &[]),
            ("int a[3] = {i}, b = j; static int d = sizeof(i);", &["j"]),
            ("int a[i], b = j;", &[]),
            ("{ int i = i; }", &[]),
            ("{ int b = j, j = b; }", &["j"]),
            ("i = sizeof(j) + sizeof t[c] + A;", &[]),
            ("i = &t[2] - &t[1]; i = \"ab\"[1];", &[]),
            ("i = s.b + s.y;", &["(s.b + s.y)", "s.b", "s.y"]),
            ("r = h * 2;", &["(h * 2)", "h"]),
            ("i = (int)r;", &["((int)r)", "r"]),
            ("w = w + i;", &["i"]),
            ("x: i = j; j = c;", &["c"]),
            ("i = ({ j; }); i = _Generic(j, int: c);", &["(_Generic(j, int: c))", "c"]),
            ("if (__builtin_constant_p(t[i])) ; if (__builtin_expect(i, 1)) ;", &["i"]),
            ("return (i);", &["i"]),
            ("asm(\"\" : \"=r\"(i)); goto x; x: ;", &[]),
        ];
        for (body, expected) in rows {
            assert_eq!(found(body), *expected, "{body}");
        }
    }

    #[test]
    fn kinds_lengths_and_depths_are_known() {
        let text = "struct s { int a : 5; unsigned b : 3; _Bool c; } s; int t[7]; unsigned char u;
int main(void) { if (s.a) { t[u] = s.b + s.c; } return 0; }";
        let program = c::parse("row.c", text, c::DataModel::Lp64).unwrap();
        let candidates = Candidates::of(&program);
        let facts: Vec<_> =
            candidates.all.iter().map(|it| (it.text.as_ref(), it.kind, it.length, it.depth)).collect();
        let integer = |bits, signed| Kind::Integer { bits, signed };
        let expected = [
            ("s.a", integer(5, true), None, 2),
            ("u", integer(8, false), Some(7), 6),
            ("(s.b + s.c)", integer(32, true), None, 5),
            ("s.b", integer(3, false), None, 6),
            ("s.c", integer(1, false), None, 6),
        ];
        assert_eq!(facts, expected);
        assert_eq!(candidates.beside(2), 1..5);
        assert_eq!(candidates.statements(), 3);
        assert_eq!(candidates.first, Some(0));
        assert!(candidates.integers[0].iter().any(|name| name.as_ref() == "u"));
    }

    #[test]
    fn very_long_and_very_deep_programs_are_no_danger() {
        let sum = format!("i = {};", vec!["i"; 50_000].join(" + "));
        let blocks = format!("{}i = 1;{}", "if (i > 1) { ".repeat(100), " }".repeat(100));
        let branches = format!("{}{{ i = 1; }}", "if (i > 1) { i = 2; } else ".repeat(2_000));
        for body in [sum, blocks, branches] {
            let text = format!("int main(void) {{ int i = 0; {body} return i; }}");
            let program = c::parse("row.c", &text, c::DataModel::Lp64).unwrap();
            assert!(!Candidates::of(&program).all.is_empty());
        }
    }
}
