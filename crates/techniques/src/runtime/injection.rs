//! Injections: one real error on the executed path, made of two edits.
//!
//! The first edit prepares the error with a variable of the program, and the second commits it further down in the same
//! function. In between, the program is unchanged; an execution shows whether the error still happens, and where.
//!
//! The sanitizers of `execute-c` detect most errors. An uninitialized variable and a block whose only pointer is
//! overwritten are errors by their text: an execution only shows that the statements are reached.

use c::syntax::{EntityKind, ScopeId};
use c::types::{ArrayLength, Qualifiers};
use c::{Program, Readable, Site, TypeKind};
use model::{CInput, ErrorKind, Random};

/// An error that was put into a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injection {
    /// What goes wrong.
    pub kind: ErrorKind,
    /// The program with the error.
    pub program: CInput,
    /// The byte at which the preparing statement begins.
    pub preparing_at: u32,
    /// The byte at which the failing statement begins.
    pub failing_at: u32,
    /// The preparing statement.
    pub preparing: String,
    /// The failing statement.
    pub failing: String,
    /// The condition that holds before it as long as nothing has undone the preparation.
    pub prepared_state: String,
}

/// The kinds that can be injected.
pub const KINDS: [ErrorKind; 9] = [
    ErrorKind::NullDereference,
    ErrorKind::OutOfBounds,
    ErrorKind::DivisionByZero,
    ErrorKind::UseAfterFree,
    ErrorKind::DoubleFree,
    ErrorKind::ShiftOutOfRange,
    ErrorKind::Overflow,
    ErrorKind::UninitializedRead,
    ErrorKind::Leak,
];

/// True for errors that the text of the two statements shows, and no sanitizer of `execute-c`.
pub fn is_shown_by_text(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::UninitializedRead | ErrorKind::Leak)
}

/// What the edits use, at the beginning of the file. The sink is visible to others, so that no value goes unused.
const BEGINNING: &str =
    "void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);\nvoid free(void *);\nlong juvenal_sink;\n";

/// The two statements of an error.
struct Statements {
    preparing: String,
    /// What the preparing statement brings about.
    state: String,
    failing: String,
}

/// Puts an error of a kind between two sites that are executed; `None` if there is no fitting variable.
pub fn inject(
    program: &Program,
    input: &CInput,
    executed: &[&Site],
    kind: ErrorKind,
    random: &mut Random,
) -> Option<Injection> {
    let first = *random.choose(executed)?;
    let later = executed.iter().filter(|site| {
        site.function == first.function
            && site.place >= first.place
            && is_inside(program, site.scope, first.scope)
    });
    let later: Vec<&Site> = later.copied().collect();
    let second = *random.choose(&later)?;
    let statements = statements(program, first, second, kind, random)?;
    let head = BEGINNING.len() as u32;
    let base = &input.base;
    let (first_at, second_at) = (first.place as usize, second.place as usize);
    let preparing = format!("\n{}\n", statements.preparing);
    let failing = format!("\n{}\n", statements.failing);
    let text = [
        BEGINNING,
        base.get(..first_at)?,
        &preparing,
        base.get(first_at..second_at)?,
        &failing,
        base.get(second_at..)?,
    ]
    .concat();
    Some(Injection {
        kind,
        program: CInput { base: text.into(), ..input.clone() },
        preparing_at: head + first.place + 1,
        failing_at: head + second.place + preparing.len() as u32 + 1,
        preparing: statements.preparing,
        failing: statements.failing,
        prepared_state: statements.state,
    })
}

/// True if a scope is another one or is inside it.
fn is_inside(program: &Program, inner: ScopeId, outer: ScopeId) -> bool {
    let mut next = Some(inner);
    while let Some(scope) = next {
        if scope == outer {
            return true;
        }
        next = program.scopes[scope].parent;
    }
    false
}

/// The variables of the function that stand at both sites and may be written. Variables of the file are left out: at a
/// call of something unknown, analyzers may forget them.
fn shared<'a>(program: &Program, first: &'a [Readable], second: &[Readable]) -> Vec<&'a Readable> {
    let is_local = |it: &&Readable| program.entities[it.entity].function.is_some();
    let is_there =
        |it: &&Readable| second.iter().any(|other| other.entity == it.entity && other.text == it.text);
    let is_variable = |it: &&Readable| it.width.is_none() && it.r#type.qualifiers().is_empty();
    first.iter().filter(is_local).filter(is_variable).filter(is_there).collect()
}

fn statements(
    program: &Program,
    first: &Site,
    second: &Site,
    kind: ErrorKind,
    random: &mut Random,
) -> Option<Statements> {
    let types = &program.types;
    let numbers = shared(program, &first.numbers, &second.numbers);
    let integers = |bits: u32| -> Vec<&Readable> {
        numbers
            .iter()
            .copied()
            .filter(|it| types.is_integer(it.r#type) && size(program, it) * 8 >= bits)
            .collect()
    };
    match kind {
        ErrorKind::NullDereference => {
            let pointers = shared(program, &first.pointers, &second.pointers);
            let to_scalars: Vec<&Readable> =
                pointers.into_iter().filter(|it| points_to_scalar(program, it)).collect();
            let pointer = &random.choose(&to_scalars)?.text;
            let failing = match random.coin() {
                true => format!("juvenal_sink += (*({pointer}) != 0);"),
                false => format!("juvenal_sink += (({pointer})[0] == 0);"),
            };
            let (preparing, state) = (format!("{pointer} = 0;"), format!("{pointer} == 0"));
            Some(Statements { preparing, state, failing })
        }
        ErrorKind::DivisionByZero => {
            let divisor = &random.choose(&integers(8))?.text;
            let operator = if random.coin() { '/' } else { '%' };
            let dividend = random.between(1, 100);
            Some(Statements {
                preparing: format!("{divisor} = 0;"),
                state: format!("{divisor} == 0"),
                failing: format!("juvenal_sink += {dividend} {operator} {divisor};"),
            })
        }
        ErrorKind::ShiftOutOfRange => {
            let count = &random.choose(&integers(8))?.text;
            let value = random.between(32, 100);
            Some(Statements {
                preparing: format!("{count} = {value};"),
                state: format!("{count} == {value}"),
                failing: format!("juvenal_sink += 1 << {count};"),
            })
        }
        ErrorKind::Overflow => {
            let wide: Vec<&Readable> = integers(32).into_iter().filter(|it| is_int(program, it)).collect();
            let number = &random.choose(&wide)?.text;
            let addend = random.between(1, 9);
            Some(Statements {
                preparing: format!("{number} = 2147483647;"),
                state: format!("{number} == 2147483647"),
                failing: format!("juvenal_sink += {number} + {addend};"),
            })
        }
        ErrorKind::OutOfBounds => {
            let arrays = arrays(program, second);
            let (array, length) = random.choose(&arrays)?;
            let index = &random.choose(&integers(16))?.text;
            let past = *length + random.below(3) as u64;
            let failing = match random.coin() {
                true => format!("juvenal_sink += ({array}[{index}] != 0);"),
                false => format!("{array}[{index}] = 0;"),
            };
            let (preparing, state) = (format!("{index} = {past};"), format!("{index} == {past}"));
            Some(Statements { preparing, state, failing })
        }
        ErrorKind::UseAfterFree | ErrorKind::DoubleFree | ErrorKind::Leak | ErrorKind::UninitializedRead => {
            // What `main` loses lives as long as the program, and some analyzers leave it alone on purpose.
            let is_harmless = kind == ErrorKind::Leak && is_in_main(program, first);
            // A declaration may not stand directly after a label.
            let fits = !follows_label(program, first.place) && !is_harmless;
            fits.then(|| with_own_variable(kind))
        }
        ErrorKind::UseAfterReturn => None,
    }
}

/// The statements of an error for which the program need not have a fitting variable.
fn with_own_variable(kind: ErrorKind) -> Statements {
    let (preparing, state, failing) = match kind {
        ErrorKind::DoubleFree => (
            "char *juvenal_block = calloc(1, 8); free(juvenal_block);",
            "juvenal_block != 0",
            "if (juvenal_block) free(juvenal_block);",
        ),
        ErrorKind::Leak => {
            ("char *juvenal_block = calloc(1, 8);", "juvenal_block != 0", "juvenal_block = 0;")
        }
        ErrorKind::UninitializedRead => ("int juvenal_value;", "1", "if (juvenal_value) juvenal_sink += 1;"),
        _ => (
            "char *juvenal_block = calloc(1, 8); free(juvenal_block);",
            "juvenal_block != 0",
            "if (juvenal_block) juvenal_sink += juvenal_block[0];",
        ),
    };
    Statements { preparing: preparing.to_owned(), state: state.to_owned(), failing: failing.to_owned() }
}

fn size(program: &Program, readable: &Readable) -> u32 {
    program.types.size(readable.r#type).map_or(0, |size| size as u32)
}

fn is_int(program: &Program, readable: &Readable) -> bool {
    program.types.is_signed(readable.r#type) && size(program, readable) == 4
}

fn points_to_scalar(program: &Program, readable: &Readable) -> bool {
    match program.types.kind(readable.r#type) {
        TypeKind::Pointer(target) => {
            let is_scalar = program.types.is_arithmetic(target) || program.types.is_pointer(target);
            is_scalar && !target.qualifiers().contains(Qualifiers::VOLATILE)
        }
        _ => false,
    }
}

/// The arrays of numbers that can be named at a site, with their lengths. Parts of larger arrays are left out: an
/// access past their end may still be inside the whole.
fn arrays(program: &Program, site: &Site) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    let mut hidden: Vec<c::Name> = Vec::new();
    let mut next = Some(site.scope);
    while let Some(scope) = next {
        let scope = &program.scopes[scope];
        for entity in program.entity_lists[scope.entities].iter().rev() {
            let entity = &program.entities[*entity];
            if entity.visible_from > site.place || hidden.contains(&entity.name) {
                continue;
            }
            hidden.push(entity.name);
            let TypeKind::Array { element, length: ArrayLength::Known(length) } =
                program.types.kind(entity.r#type)
            else {
                continue;
            };
            let is_plain = entity.kind == EntityKind::Variable
                && program.types.is_arithmetic(element)
                && element.qualifiers().is_empty();
            if is_plain && length <= 1000 {
                found.push((program.name(entity.name).into_owned(), length));
            }
        }
        next = scope.parent;
    }
    found
}

fn is_in_main(program: &Program, site: &Site) -> bool {
    program.is_main(program.functions[site.function].entity)
}

fn follows_label(program: &Program, place: u32) -> bool {
    let before = program.text.get(..place as usize).unwrap_or(&[]).trim_ascii_end();
    before.ends_with(b":")
}
