//! Inlines typedefs, drops parameters and members that nothing names, moves definitions up to their declarations, and
//! drops pragmas. Programs of Csmith consist of little else once they are small.

use super::{Alternatives, Proposal};
use crate::syntax::{Declaration, EntityId, EntityKind, ExpressionKind, Function, StatementKind, Storage};
use crate::types::RecordId;
use crate::{Edit, Program, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// For each typedef, parameter and early declaration: its removal.
pub fn proposals(program: &Program) -> Vec<Alternatives> {
    let proposals = [
        inlined_typedefs(program),
        dropped_parameters(program),
        earlier_definitions(program),
        dropped_members(program),
        dropped_pragmas(program),
    ];
    proposals.concat().into_iter().map(|proposal| vec![proposal]).collect()
}

/// The file-scope declarations of a single entity, with their bytes.
fn single_declarations(
    program: &Program,
) -> impl Iterator<Item = (Span, &Declaration, &crate::syntax::Declarator)> {
    program.items.iter().filter_map(|id| {
        let statement = &program.statements[*id];
        let StatementKind::Declaration(declaration) = statement.kind else { return None };
        let declaration = &program.declarations[declaration];
        match &program.declarators[declaration.declarators] {
            [only] => Some((statement.span, declaration, only)),
            _ => None,
        }
    })
}

/// Replaces every use of a file-scope typedef for a type that is a few words by these words.
fn inlined_typedefs(program: &Program) -> Vec<Proposal> {
    let mut meanings: BTreeMap<String, (Span, String)> = BTreeMap::new();
    for (span, declaration, declarator) in single_declarations(program) {
        let specifiers = program.text_of(declaration.specifiers);
        let name = program.text_of(declarator.name).into_owned();
        let is_plain = declarator.span == declarator.name && is_words(&specifiers);
        let is_only = program.entities.iter().filter(|it| program.name(it.name) == name).count() == 1;
        if let Some(meaning) = specifiers.strip_prefix("typedef ")
            && is_plain
            && is_only
            && program.entities[declarator.entity].kind == EntityKind::Typedef
        {
            meanings.insert(name, (span, meaning.trim().to_owned()));
        }
    }
    let text = String::from_utf8_lossy(&program.text);
    let proposal = |(name, (span, _)): (&String, &(Span, String))| {
        let meaning = last_meaning(&meanings, name)?;
        let uses = words(&text).filter(|word| &text[word.clone()] == name);
        let outside = uses.filter(|word| !span.range().contains(&word.start));
        let replace =
            |word: Range<usize>| Edit::replace(Span::new(word.start as u32, word.end as u32), &*meaning);
        Some(outside.map(replace).chain([Edit::replace(*span, "")]).collect())
    };
    meanings.iter().filter_map(proposal).collect()
}

/// The type that a name stands for after replacing typedefs by typedefs. A text with cyclic typedefs does not parse.
fn last_meaning(meanings: &BTreeMap<String, (Span, String)>, name: &str) -> Option<String> {
    let mut meaning = &meanings.get(name)?.1;
    for _ in 0..meanings.len() {
        match meanings.get(meaning) {
            Some((_, further)) => meaning = further,
            None => break,
        }
    }
    Some(meaning.clone())
}

fn is_words(text: &str) -> bool {
    text.bytes().all(|byte| is_part(byte) || byte == b' ')
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The names and numbers in a text.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let start = text.as_ptr() as usize;
    text.split(|letter: char| !letter.is_ascii() || !is_part(letter as u8))
        .filter(|word| !word.is_empty())
        .map(move |word| {
            let place = word.as_ptr() as usize - start;
            place..place + word.len()
        })
}

/// Drops every parameter that its function does not read, together with its arguments.
fn dropped_parameters(program: &Program) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    for function in program.functions.iter() {
        let Some(lists) = lists_of(program, function) else { continue };
        let parameters = &program.entity_lists[function.parameters];
        for (index, parameter) in parameters.iter().enumerate() {
            let is_read = program.expressions.iter().any(|it| is_name_of(it, *parameter));
            let fits = lists.iter().all(|list| list.parts.len() == parameters.len());
            if !is_read && fits {
                proposals.push(lists.iter().map(|list| list.without(index)).collect());
            }
        }
    }
    proposals
}

fn is_name_of(expression: &crate::syntax::Expression, entity: EntityId) -> bool {
    matches!(expression.kind, ExpressionKind::Name(named) if named == entity)
}

/// Parameters or arguments between two parentheses.
struct List {
    parts: Vec<Range<usize>>,
    is_declaration: bool,
}

impl List {
    /// The edit that removes one part. A declaration that is left without parameters gets `void`.
    fn without(&self, index: usize) -> Edit {
        let part = &self.parts[index];
        let range = match (self.parts.get(index + 1), index.checked_sub(1).and_then(|it| self.parts.get(it)))
        {
            (Some(next), _) => part.start..next.start,
            (None, Some(previous)) => previous.end..part.end,
            (None, None) => part.clone(),
        };
        let is_last = self.parts.len() == 1 && self.is_declaration;
        Edit::replace(Span::new(range.start as u32, range.end as u32), if is_last { "void" } else { "" })
    }
}

/// The parameter lists of a function and the argument lists of its calls. Returns `None` if it is used in any other
/// way.
fn lists_of(program: &Program, function: &Function) -> Option<Vec<List>> {
    if function.old_style || program.is_main(function.entity) {
        return None;
    }
    let mut lists = Vec::new();
    for declarator in program.declarators.iter().filter(|it| it.entity == function.entity) {
        lists.push(List { parts: parts_after(program, declarator.name.end)?, is_declaration: true });
    }
    // A definition has no declarator; its name is that of the entity.
    let span = program.entities[function.entity].span;
    let name = program.name(program.entities[function.entity].name);
    let end = span.start as usize + program.text_of(span).find(name.as_ref())? + name.len();
    lists.push(List { parts: parts_after(program, end as u32)?, is_declaration: true });
    let mut called = 0;
    for expression in program.expressions.iter() {
        let ExpressionKind::Call { function: callee, .. } = expression.kind else { continue };
        if is_name_of(&program.expressions[callee], function.entity) {
            called += 1;
            let end = program.expressions[callee].span.end;
            lists.push(List { parts: parts_after(program, end)?, is_declaration: false });
        }
    }
    let named = program.expressions.iter().filter(|it| is_name_of(it, function.entity)).count();
    (named == called).then_some(lists)
}

/// The parts between the next parentheses, split at commas. Returns `None` if literals or comments could hide a comma.
fn parts_after(program: &Program, place: u32) -> Option<Vec<Range<usize>>> {
    let text = &program.text;
    let mut at = place as usize;
    // The name may be in parentheses of its own.
    while text.get(at).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b')') {
        at += 1;
    }
    if text.get(at) != Some(&b'(') {
        return None;
    }
    let (mut depth, mut start, mut parts) = (0u32, at + 1, Vec::new());
    for (place, byte) in text.iter().enumerate().skip(at) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b'"' | b'\'' | b'/' => return None,
            _ => {}
        }
        if depth == 0 || (depth == 1 && *byte == b',') {
            parts.push(trimmed(text, start..place));
            start = place + 1;
        }
        if depth == 0 {
            return Some(parts);
        }
    }
    None
}

fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + inner.len() - inner.trim_ascii_start().len();
    start..(start + inner.trim_ascii().len())
}

/// Replaces every declaration of a function that is defined further down by the definition.
fn earlier_definitions(program: &Program) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    for (span, _, declarator) in single_declarations(program) {
        let defined = program.functions.iter().find(|function| function.entity == declarator.entity);
        if let Some(function) = defined.filter(|function| function.span.start >= span.end) {
            let text = program.text_of(function.span).into_owned();
            proposals.push(vec![Edit::replace(span, text), Edit::replace(function.span, "")]);
        }
    }
    proposals
}

/// Drops every member of a structure that nothing names and no initializer list counts. If there are unions, or if code
/// outside the program knows a structure, layouts are left alone.
fn dropped_members(program: &Program) -> Vec<Proposal> {
    if program.types.records.iter().any(|record| record.is_union) || shares_records(program) {
        return Vec::new();
    }
    let is_list = |it: &crate::syntax::Expression, id: RecordId| match it.kind {
        ExpressionKind::InitializerList(items) => {
            program.initializer_items[items].len() > 1 && program.types.holds_record(it.r#type, id)
        }
        _ => false,
    };
    let mut proposals = Vec::new();
    for id in program.types.records.ids() {
        let record = &program.types.records[id];
        let Some(spans) = member_declarations(program, record.span) else { continue };
        let is_counted = program.expressions.iter().any(|it| is_list(it, id));
        if is_counted || spans.len() != record.members.len() || spans.len() < 2 {
            continue;
        }
        for (place, span) in spans.into_iter().enumerate() {
            let names = |it: &crate::syntax::Expression| match it.kind {
                ExpressionKind::Member { record, index, .. } => record == id && index as usize == place,
                _ => false,
            };
            if !program.expressions.iter().any(names) {
                proposals.push(vec![Edit::replace(span, "")]);
            }
        }
    }
    proposals
}

/// True if an external function or variable involves structures.
fn shares_records(program: &Program) -> bool {
    let defined: BTreeSet<EntityId> = program.functions.iter().map(|function| function.entity).collect();
    program.entities.ids().any(|id| {
        let entity = &program.entities[id];
        let is_outside = match entity.kind {
            EntityKind::Variable => entity.storage == Storage::Extern,
            EntityKind::Function | EntityKind::ImplicitFunction => !defined.contains(&id),
            _ => false,
        };
        is_outside && program.types.knows_records(entity.r#type)
    })
}

/// The declarations in the braces of a structure or union. Returns `None` if one could be more than a single plain
/// member.
fn member_declarations(program: &Program, record: Span) -> Option<Vec<Span>> {
    let text = program.text_of(record);
    let start = text.find('{')? + 1;
    let inside = text.get(start..text.len().checked_sub(1)?)?;
    if inside.contains(['{', '(', ',', '"', '\'', '#', '/']) {
        return None;
    }
    let mut at = record.start as usize + start;
    let mut spans = Vec::new();
    for part in inside.split_inclusive(';').filter(|part| part.ends_with(';')) {
        spans.push(Span::new(at as u32, (at + part.len()) as u32));
        at += part.len();
    }
    Some(spans)
}

/// Drops all pragmas if there are no structures whose layout they could affect.
fn dropped_pragmas(program: &Program) -> Vec<Proposal> {
    let is_written = |record: &crate::types::Record| record.span.start < record.span.end;
    if program.types.records.iter().any(is_written) {
        return Vec::new();
    }
    let mut pragmas: Proposal = Vec::new();
    let mut start = 0;
    for line in program.text.split_inclusive(|byte| *byte == b'\n') {
        let end = start + line.len();
        let text = line.trim_ascii();
        let is_pragma =
            text.strip_prefix(b"#").is_some_and(|it| it.trim_ascii_start().starts_with(b"pragma"));
        if is_pragma && !text.ends_with(b"\\") {
            pragmas.push(Edit::replace(Span::new(start as u32, end as u32), ""));
        }
        start = end;
    }
    if pragmas.is_empty() { Vec::new() } else { vec![pragmas] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DataModel, edit::patch, parse};

    /// The results of all single proposals.
    fn results(text: &str) -> Vec<String> {
        let program = parse("test", text, DataModel::Lp64).expect("the program parses");
        let apply = |proposal: Proposal| {
            let bytes = patch::apply(text.as_bytes(), &proposal).expect("the edits fit");
            String::from_utf8(bytes).expect("the text is ASCII")
        };
        proposals(&program).concat().into_iter().map(apply).collect()
    }

    #[test]
    fn typedefs_give_way_to_what_they_stand_for() {
        let found = results(
            "typedef unsigned int word;typedef word cell;\nint main(void) { cell x = (cell)1; word y = x; return y; }",
        );
        for expected in [
            "typedef unsigned int word;\nint main(void) { unsigned int x = (unsigned int)1; word y = x; return y; }",
            "typedef unsigned int cell;\nint main(void) { cell x = (cell)1; unsigned int y = x; return y; }",
        ] {
            assert!(found.contains(&expected.to_owned()), "{found:?}");
        }
        assert!(
            results("typedef struct { int a; } s; typedef int *p; int main(void) { return 0; }").is_empty()
        );
    }

    #[test]
    fn unread_parameters_go_with_their_arguments() {
        let found = results(
            "static int f(int a, int *b); int main(void) { int x = 1; return f(x, &x); } static int f(int a, int *b) { return a; }",
        );
        let expected = "static int f(int a); int main(void) { int x = 1; return f(x); } static int f(int a) { return a; }";
        assert!(found.contains(&expected.to_owned()), "{found:?}");
        let found = results("int (f)(int a) { return 1; } int main(void) { return f(2); }");
        assert_eq!(found, ["int (f)(void) { return 1; } int main(void) { return f(); }"]);
        // It may be called through the pointer.
        let found =
            results("int f(int a) { return 1; } int main(void) { int (*g)(int) = f; return g(2) + f(1); }");
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn unnamed_members_go() {
        let main = "int main(void) { struct s x = {0}; return x.b; }";
        let found = results(&format!("struct s {{ int a; int b; }};{main}"));
        assert_eq!(found, [format!("struct s {{ int b; }};{main}")]);
        for text in [
            "struct s { int a; int b; }; int main(void) { struct s x = {1, 2}; return x.b; }",
            "struct s { int a, c; int b; }; int main(void) { struct s x = {0}; return x.b; }",
            "struct s { int b; }; int main(void) { struct s x = {0}; return 0; }",
            "struct s { int a; int b; }; int main(void) { struct s x[2] = {1, 2, 3, 4}; return x[1].b; }",
            "struct r { int quot; int rem; }; struct r div(int, int); int main(void) { return div(7, 2).rem; }",
            "struct s { int a; int b; }; union { struct s x; int y; } u; int main(void) { return u.x.b; }",
        ] {
            assert!(results(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn pragmas_go_where_there_are_no_structures() {
        let main = "int main(void) { return 0; }";
        let found = results(&format!("#pragma a\nint x;\n # pragma b\n{main}"));
        assert_eq!(found, [format!("int x;\n{main}")]);
        assert!(results(&format!("#pragma pack(1)\nstruct s {{ char a; }};{main}")).is_empty());
    }

    #[test]
    fn a_definition_takes_the_place_of_its_declaration() {
        let found = results("int f(void);int main(void) { return f(); }int f(void) { return 1; }");
        assert_eq!(found, ["int f(void) { return 1; }int main(void) { return f(); }"]);
    }
}
