//! `reproduce.c`: a file that does not need juvenal and exits with 107 when its inputs violate the check.

use super::call_site::INPUT_FUNCTION;
use super::input_bits::words;
use super::input_list::ConsumedInput;
use super::input_type::input_type;
use c::Program;
use model::{Annotation, AnnotationKind, CInput, DataModel, FailingCheck};
use std::collections::BTreeSet;

const TEMPLATE: &str = include_str!("reproduce.c.in");

/// The declarations of the functions that checks and assumptions call.
pub(super) const DECLARATIONS: &str =
    "void juvenal_violated(unsigned);\nvoid juvenal_assumption_failed(void);\n";

/// Other functions that programs may call, by name; none of them reaches the check.
const SUPPORT: &[(&str, &str)] = &[
    ("__VERIFIER_assume", "void NAME(int condition) { if (!condition) juvenal_end(0); }"),
    ("__VERIFIER_assert", "void NAME(int condition) { if (!condition) juvenal_end(0); }"),
    ("__VERIFIER_error", "void NAME(void) { juvenal_end(0); }"),
    ("reach_error", "void NAME(void) { juvenal_end(0); }"),
    ("__VERIFIER_atomic_begin", "void NAME(void) {}"),
    ("__VERIFIER_atomic_end", "void NAME(void) {}"),
    ("__VERIFIER_nondet_pointer", "void *NAME(void) { return 0; }"),
    ("__VERIFIER_nondet_pchar", "void *NAME(void) { return 0; }"),
    ("__VERIFIER_nondet_charp", "void *NAME(void) { return 0; }"),
    ("__VERIFIER_nondet_const_char_pointer", "void *NAME(void) { return 0; }"),
    (
        "__VERIFIER_nondet_memory",
        "void NAME(unsigned char *memory, __SIZE_TYPE__ size) { while (size--) *memory++ = juvenal_input_uchar(); }",
    ),
];

/// Returns the text of the file.
pub(super) fn text(
    input: &CInput,
    program: Option<&Program>,
    check: u32,
    consumed: &[ConsumedInput],
    failing_check: FailingCheck,
) -> String {
    let called = undefined_functions(&input.base, program);
    let inputs: Vec<&str> = consumed.iter().map(|input| input.text.as_str()).collect();
    let values: Vec<String> = consumed.iter().map(value_row).collect();
    let ends_run = u8::from(failing_check == FailingCheck::Ends).to_string();
    fill(|name| match name {
        "CHECK" => Some(check.to_string()),
        "FLAGS" => Some(flags(input.data_model).to_owned()),
        "LIBRARIES" => Some("-lm".to_owned()),
        "INPUTS" => Some(if inputs.is_empty() { "none".to_owned() } else { inputs.join(", ") }),
        "PROGRAM" => Some(DECLARATIONS.to_owned() + &input.render(spell)),
        "VALUES" => Some(values.join("\n")),
        "INPUT_FUNCTIONS" => Some(input_functions(&called)),
        "CHECK_ENDS_RUN" => Some(ends_run.clone()),
        "SUPPORT" => Some(support(&called)),
        _ => None,
    })
}

/// Replaces each `@NAME@` in the template. Replacements are not searched again, whatever a program contains.
fn fill(value_of: impl Fn(&str) -> Option<String>) -> String {
    let mut text = String::new();
    let mut parts = TEMPLATE.split('@');
    text.push_str(parts.next().unwrap_or_default());
    while let (Some(name), Some(after)) = (parts.next(), parts.next()) {
        text.push_str(&value_of(name).unwrap_or_default());
        text.push_str(after);
    }
    text
}

fn flags(data_model: DataModel) -> &'static str {
    match data_model {
        DataModel::Lp64 => "-w -std=gnu17 -ffp-contract=off",
        DataModel::Ilp32 => "-w -std=gnu17 -ffp-contract=off -m32 -msse2 -mfpmath=sse",
    }
}

pub(super) fn spell(annotation: &Annotation) -> String {
    let condition = &annotation.condition;
    annotation.in_its_place(&match annotation.what {
        AnnotationKind::Check(number) => format!("if (!({condition})) juvenal_violated({number});"),
        AnnotationKind::Assume => format!("if (!({condition})) juvenal_assumption_failed();"),
    })
}

fn value_row(input: &ConsumedInput) -> String {
    let [low, high] = words(input);
    format!("    {{{low:#x}ull, {high:#x}ull}}, /* {} */", input.text)
}

/// Returns those of our names that the text mentions and does not define. A superfluous one does no harm.
fn undefined_functions<'a>(text: &'a str, program: Option<&Program>) -> BTreeSet<&'a str> {
    let is_part_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words = text.split(|letter| !is_part_of_name(letter));
    let mut names: BTreeSet<&str> =
        words.filter(|word| word.starts_with("__VERIFIER_") || *word == "reach_error").collect();
    for function in
        program.into_iter().flat_map(|program| program.functions.iter().map(move |it| (program, it)))
    {
        let (program, function) = function;
        names.remove(&*program.name(program.entities[function.entity].name));
    }
    names
}

fn input_functions(called: &BTreeSet<&str>) -> String {
    let mut names: BTreeSet<&str> =
        called.iter().filter_map(|name| name.strip_prefix(INPUT_FUNCTION)).collect();
    if names.contains("memory") {
        names.insert("uchar");
    }
    let types = names.into_iter().filter_map(input_type);
    let rows: Vec<String> =
        types.map(|known| format!("JUVENAL_INPUT({}, {})", known.name, known.c_type)).collect();
    rows.join("\n")
}

fn support(called: &BTreeSet<&str>) -> String {
    let mut text = String::new();
    for (name, definition) in SUPPORT {
        if called.contains(name) {
            let own_name = format!("juvenal_{}", name.trim_start_matches('_'));
            let definition = definition.replace("NAME", &own_name);
            let head = definition.split(" {").next().unwrap_or_default();
            text.push_str(&format!("\n{head} JUVENAL_NAMED(\"{name}\");\n{definition}\n"));
        }
    }
    text
}
