//! Programs whose executions prove nothing, because they could reach the harness that observes them.
//!
//! A program under test shares its process with the harness, so what it may do is listed here, and everything else is
//! refused: attributes, directives, assembly, functions of the library that the harness does not model, and pointers
//! that are made of something else. A program
//! that is free of undefined behaviour and uses only what is listed computes, and does nothing else.

use super::forged_pointers::why_forged_pointer;
use crate::Program;
use crate::syntax::{EntityKind, ExpressionKind, Linkage, Storage};
use crate::types::TypeKind;
use std::collections::BTreeSet;

/// The functions through which checks report to the harness. A program that calls them itself forges a report.
const HOOKS: [&str; 5] = [
    "juvenal_reached",
    "juvenal_violated",
    "juvenal_assumption_failed",
    "juvenal_program_main",
    "juvenal_note_",
];

/// Attributes that change neither which code runs, nor when, nor what sanitizers see of it.
const HARMLESS_ATTRIBUTES: [&str; 45] = [
    "access",
    "aligned",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cold",
    "common",
    "const",
    "deprecated",
    "designated_init",
    "error",
    "fallthrough",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "leaf",
    "malloc",
    "may_alias",
    "maybe_unused",
    "mode",
    "ms_struct",
    "gcc_struct",
    "nocommon",
    "nodiscard",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noreturn",
    "nothrow",
    "packed",
    "pure",
    "returns_nonnull",
    "returns_twice",
    "sentinel",
    "scalar_storage_order",
    "transparent_union",
    "unused",
    "vector_size",
    "warn_unused_result",
    "warning",
];

/// Beginnings of names that belong to the harness, the sanitizers, the linker and the start of a process.
const RESERVED: [&str; 21] = [
    "__asan",
    "__ubsan",
    "__msan",
    "__tsan",
    "__lsan",
    "__hwasan",
    "__sanitizer",
    "__interceptor",
    "__wrap_",
    "__real_",
    "__cxa_",
    "__libc_",
    "__stack_chk",
    "__tls_",
    "_dl_",
    "_start",
    "_init",
    "_fini",
    "__errno",
    "__fork",
    "_GLOBAL_",
];

/// Functions of the library that the harness itself relies on; a program that defines one would be asked by the harness.
const USED_BY_HARNESS: [&str; 8] =
    ["syscall", "juvenal_call", "_edata", "_end", "_etext", "__bss_start", "__ehdr_start", "environ"];

/// Functions of the compiler that reach frames, registers or code.
const REACHING_BUILTINS: [&str; 12] = [
    "__builtin_apply",
    "__builtin_apply_args",
    "__builtin_return",
    "__builtin_return_address",
    "__builtin_extract_return_addr",
    "__builtin_frob_return_addr",
    "__builtin_frame_address",
    "__builtin_eh_return",
    "__builtin_unwind_init",
    "__builtin_longjmp",
    "__builtin___clear_cache",
    "__builtin_thread_pointer",
];

/// The structure of the C library's streams. Its members are pointers that the library writes through.
const STREAM: &str = "_IO_FILE";

/// Pragmas that change neither names nor code.
const HARMLESS_PRAGMAS: [&str; 6] =
    ["pack", "STDC", "once", "GCC diagnostic", "clang diagnostic", "GCC visibility"];

/// Why an execution of the program proves nothing. Returns `None` if it can only compute. `is_modelled` tells which
/// undefined functions and objects the harness models or the library computes without side effects.
pub fn why_no_evidence(program: &Program, is_modelled: impl Fn(&str) -> bool) -> Option<String> {
    if !program.asms.is_empty() {
        return Some("it has assembly code".to_owned());
    }
    for name in program.attribute_names.iter().map(|name| program.name(*name)) {
        if !HARMLESS_ATTRIBUTES.contains(&name.as_ref()) {
            return Some(format!("it has the attribute {name}"));
        }
    }
    why_renamed(program, &is_modelled)
        .or_else(|| why_pragma(&program.text))
        .or_else(|| why_defined(program))
        .or_else(|| why_used(program, &is_modelled))
        .or_else(|| why_forged_pointer(program))
}

/// Why a declaration that gives a function another name in the object file could be a way out.
fn why_renamed(program: &Program, is_modelled: &impl Fn(&str) -> bool) -> Option<String> {
    for span in &program.assembler_names {
        let text =
            String::from_utf8_lossy(&program.text[span.start as usize..span.end as usize]).into_owned();
        let name: String = text.split('"').skip(1).step_by(2).collect();
        if !is_modelled(&name) {
            return Some(format!("it gives something the name `{}` in the object file", name.escape_debug()));
        }
    }
    None
}

/// Why a directive could be a way out. The word counts wherever it stands: after a digraph, a comment or a line that
/// continues, and as an operator.
fn why_pragma(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text).replace("\\\n", "");
    for rest in text.split("ragma").skip(1) {
        let line = rest.lines().next().unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ");
        if !HARMLESS_PRAGMAS.iter().any(|known| line.starts_with(known)) {
            return Some(format!("it has the directive `#pragma {}`", line.escape_debug()));
        }
    }
    None
}

/// Why a name that the program defines could take the place of another.
fn why_defined(program: &Program) -> Option<String> {
    for entity in program.entities.iter().filter(|entity| entity.linkage == Linkage::External) {
        let name = program.name(entity.name);
        let is_object = matches!(entity.kind, EntityKind::Variable) && entity.storage != Storage::Extern;
        let is_defined = entity.is_initialized || is_object;
        let is_taken = RESERVED.iter().any(|start| name.starts_with(start)) || is_hook(&name);
        if is_defined && (is_taken || USED_BY_HARNESS.contains(&name.as_ref())) {
            return Some(format!("it defines {name}, which belongs to the harness or the system"));
        }
    }
    None
}

/// Why something that the program uses without defining it could be a way out.
fn why_used(program: &Program, is_modelled: &impl Fn(&str) -> bool) -> Option<String> {
    let mut seen = BTreeSet::new();
    for expression in program.expressions.iter() {
        if let ExpressionKind::Member { record, .. } = expression.kind
            && program.types.records[record].tag.is_some_and(|name| program.name(name) == STREAM)
        {
            return Some("it looks into a stream of the library".to_owned());
        }
        let ExpressionKind::Name(id) = expression.kind else { continue };
        if !seen.insert(id) {
            continue;
        }
        let entity = &program.entities[id];
        let name = program.name(entity.name);
        if is_hook(&name) {
            return Some(format!("it uses {name}, which belongs to the harness"));
        }
        let is_function = matches!(program.types.kind(entity.r#type), TypeKind::Function { .. });
        let is_foreign = (is_function || entity.storage == Storage::Extern) && !entity.is_initialized;
        if is_foreign && !is_compiler_function(&name) && !is_modelled(&name) {
            return Some(format!("it uses {name}, which the harness does not model"));
        }
    }
    None
}

/// The names of all functions that a program uses without defining them.
pub fn undefined_functions(program: &Program) -> BTreeSet<String> {
    let name_of = |expression: &crate::syntax::Expression| {
        let ExpressionKind::Name(id) = expression.kind else { return None };
        let entity = &program.entities[id];
        let is_function = matches!(program.types.kind(entity.r#type), TypeKind::Function { .. });
        (is_function && !entity.is_initialized).then(|| program.name(entity.name).into_owned())
    };
    program.expressions.iter().filter_map(name_of).collect()
}

fn is_hook(name: &str) -> bool {
    HOOKS.iter().any(|hook| name == *hook || hook.ends_with('_') && name.starts_with(hook))
}

fn is_compiler_function(name: &str) -> bool {
    (name.starts_with("__builtin_") || name.starts_with("__sync_") || name.starts_with("__atomic_"))
        && !REACHING_BUILTINS.contains(&name)
}
