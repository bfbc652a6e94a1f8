//! Prints sorts, terms and commands as text that reads back as the same.

pub(crate) mod assignment;
pub(crate) mod binder_names;
pub(crate) mod term_printer;

use crate::parse::lexer::is_plain_symbol;
pub use crate::print::term_printer::Printer;
use crate::script::{Command, Script};
use crate::term::sort::{Sort, SortId};
use crate::term::symbol::SymbolId;
use crate::term::{TermId, Terms};
use std::fmt::Write;

/// The text of a script, one command on each line.
pub fn script(script: &Script) -> String {
    let mut printer = Printer::new(&script.terms);
    let mut out = String::new();
    for command in &script.commands {
        write_command(&mut printer, command, &mut out);
        out.push('\n');
    }
    out
}

/// The text of a command.
pub fn command(terms: &Terms, command: &Command) -> String {
    let mut out = String::new();
    write_command(&mut Printer::new(terms), command, &mut out);
    out
}

/// The text of a term. To print many terms, keep a [`Printer`].
pub fn term(terms: &Terms, term: TermId) -> String {
    let mut out = String::new();
    Printer::new(terms).write_term(term, &mut out);
    out
}

/// The text of a sort.
pub fn sort(terms: &Terms, sort: SortId) -> String {
    let mut out = String::new();
    write_sort(terms, sort, &mut out);
    out
}

/// A symbol as it must be written: in bars if it is reserved or has characters that a plain symbol cannot have.
pub fn symbol_text(name: &str) -> String {
    let mut out = String::new();
    write_symbol(name, &mut out);
    out
}

/// Appends a symbol as it must be written.
pub(crate) fn write_symbol(name: &str, out: &mut String) {
    if is_plain_symbol(name) {
        out.push_str(name);
    } else {
        out.push('|');
        out.push_str(name);
        out.push('|');
    }
}

/// A part of a sort that is still to be written.
enum SortPiece {
    Sort(SortId),
    Text(&'static str),
}

/// Appends the text of a sort.
pub(crate) fn write_sort(terms: &Terms, sort: SortId, out: &mut String) {
    let mut pieces = vec![SortPiece::Sort(sort)];
    while let Some(piece) = pieces.pop() {
        match piece {
            SortPiece::Text(text) => out.push_str(text),
            SortPiece::Sort(sort) => write_sort_head(terms, sort, &mut pieces, out),
        }
    }
}

fn write_sort_head(terms: &Terms, sort: SortId, pieces: &mut Vec<SortPiece>, out: &mut String) {
    match terms.sort_of(sort) {
        Sort::Bool => out.push_str("Bool"),
        Sort::Int => out.push_str("Int"),
        Sort::Real => out.push_str("Real"),
        Sort::BitVec(width) => {
            // Writing to a string cannot fail.
            let _ = write!(out, "(_ BitVec {width})");
        }
        Sort::Array(index, element) => {
            out.push_str("(Array");
            push_sort_arguments(&[*index, *element], pieces);
        }
        Sort::Declared { name, arguments } if arguments.is_empty() => write_symbol(terms.symbol(*name), out),
        Sort::Declared { name, arguments } => {
            out.push('(');
            write_symbol(terms.symbol(*name), out);
            push_sort_arguments(arguments, pieces);
        }
        Sort::Opaque(text) => {
            let text = terms.symbol(*text);
            // A sort with arguments or indices is kept as text, a plain name may need bars.
            if text.starts_with('(') { out.push_str(text) } else { write_symbol(text, out) }
        }
    }
}

fn push_sort_arguments(arguments: &[SortId], pieces: &mut Vec<SortPiece>) {
    pieces.push(SortPiece::Text(")"));
    for argument in arguments.iter().rev() {
        pieces.push(SortPiece::Sort(*argument));
        pieces.push(SortPiece::Text(" "));
    }
}

/// Appends the text of a command.
pub fn write_command(printer: &mut Printer<'_>, command: &Command, out: &mut String) {
    let terms = printer.terms();
    match command {
        Command::SetLogic(name) => write_parts(out, "set-logic", &[&symbol_text(terms.symbol(*name))]),
        Command::SetOption { keyword, value } => write_parts(out, "set-option", &[keyword, value]),
        Command::SetInfo { keyword, value } => write_parts(out, "set-info", &[keyword, value]),
        Command::DeclareSort { name, arity } => {
            write_parts(out, "declare-sort", &[&symbol_text(terms.symbol(*name)), &arity.to_string()]);
        }
        Command::DefineSort { name, parameters, body } => {
            let names: Vec<String> = parameters.iter().map(|name| symbol_text(terms.symbol(*name))).collect();
            let parameters = format!("({})", names.join(" "));
            write_parts(out, "define-sort", &[&symbol_text(terms.symbol(*name)), &parameters, body]);
        }
        Command::DeclareDatatypes { text, .. } | Command::Other(text) => out.push_str(text),
        Command::DeclareFun(symbol) => write_declaration(terms, "declare-fun", *symbol, out),
        Command::DeclareConst(symbol) => write_declaration(terms, "declare-const", *symbol, out),
        Command::DefineFun(symbol) => write_definition(printer, "define-fun", *symbol, out),
        Command::DefineConst(symbol) => write_definition(printer, "define-const", *symbol, out),
        Command::DefineFunRec(symbol) => write_definition(printer, "define-fun-rec", *symbol, out),
        Command::DefineFunsRec(symbols) => write_recursive_definitions(printer, symbols, out),
        Command::Assert(term) => {
            out.push_str("(assert ");
            printer.write_term(*term, out);
            out.push(')');
        }
        Command::CheckSatAssuming(terms) => write_term_list(printer, "check-sat-assuming", terms, out),
        Command::GetValue(terms) => write_term_list(printer, "get-value", terms, out),
        Command::CheckSatUsing(tactic) => write_parts(out, "check-sat-using", &[tactic]),
        Command::Push(count) => write_parts(out, "push", &[&count.to_string()]),
        Command::Pop(count) => write_parts(out, "pop", &[&count.to_string()]),
        Command::GetInfo(keyword) => write_parts(out, "get-info", &[keyword]),
        Command::GetOption(keyword) => write_parts(out, "get-option", &[keyword]),
        Command::Echo(text) => write_parts(out, "echo", &[&format!("\"{text}\"")]),
        Command::CheckSat => out.push_str("(check-sat)"),
        Command::GetAssertions => out.push_str("(get-assertions)"),
        Command::GetAssignment => out.push_str("(get-assignment)"),
        Command::GetModel => out.push_str("(get-model)"),
        Command::GetProof => out.push_str("(get-proof)"),
        Command::GetUnsatAssumptions => out.push_str("(get-unsat-assumptions)"),
        Command::GetUnsatCore => out.push_str("(get-unsat-core)"),
        Command::Exit => out.push_str("(exit)"),
        Command::Reset => out.push_str("(reset)"),
        Command::ResetAssertions => out.push_str("(reset-assertions)"),
    }
}

fn write_parts(out: &mut String, name: &str, parts: &[&str]) {
    out.push('(');
    out.push_str(name);
    for part in parts.iter().filter(|part| !part.is_empty()) {
        out.push(' ');
        out.push_str(part);
    }
    out.push(')');
}

fn write_declaration(terms: &Terms, command: &str, symbol: SymbolId, out: &mut String) {
    let Some(info) = terms.function(symbol) else { return };
    out.push('(');
    out.push_str(command);
    out.push(' ');
    write_symbol(terms.symbol(symbol), out);
    if command == "declare-fun" {
        out.push_str(" (");
        for (position, parameter) in info.parameters.iter().enumerate() {
            if position > 0 {
                out.push(' ');
            }
            write_sort(terms, *parameter, out);
        }
        out.push(')');
    }
    out.push(' ');
    write_sort(terms, info.result, out);
    out.push(')');
}

fn write_definition(printer: &mut Printer<'_>, command: &str, symbol: SymbolId, out: &mut String) {
    let terms = printer.terms();
    let Some(definition) = terms.function(symbol).and_then(|info| info.definition.as_ref()) else { return };
    out.push('(');
    out.push_str(command);
    out.push(' ');
    write_signature(terms, symbol, command != "define-const", out);
    out.push(' ');
    printer.write_term(definition.body, out);
    out.push(')');
}

/// `f ((x S) ...) R`, or `f R` for a constant.
fn write_signature(terms: &Terms, symbol: SymbolId, with_parameters: bool, out: &mut String) {
    let Some(info) = terms.function(symbol) else { return };
    write_symbol(terms.symbol(symbol), out);
    out.push(' ');
    if with_parameters {
        let variables = info.definition.as_ref().map_or(&[][..], |definition| &definition.variables);
        write_sorted_variables(terms, variables, out);
        out.push(' ');
    }
    write_sort(terms, info.result, out);
}

/// `((x S) ...)`.
pub(crate) fn write_sorted_variables(terms: &Terms, variables: &[SymbolId], out: &mut String) {
    out.push('(');
    for (position, variable) in variables.iter().enumerate() {
        out.push_str(if position > 0 { " (" } else { "(" });
        write_symbol(terms.symbol(*variable), out);
        out.push(' ');
        write_sort(terms, terms.bound_sort(*variable).unwrap_or(SortId::UNKNOWN), out);
        out.push(')');
    }
    out.push(')');
}

fn write_recursive_definitions(printer: &mut Printer<'_>, symbols: &[SymbolId], out: &mut String) {
    let terms = printer.terms();
    out.push_str("(define-funs-rec (");
    for (position, symbol) in symbols.iter().enumerate() {
        out.push_str(if position > 0 { " (" } else { "(" });
        write_signature(terms, *symbol, true, out);
        out.push(')');
    }
    out.push_str(") (");
    for (position, symbol) in symbols.iter().enumerate() {
        let Some(definition) = terms.function(*symbol).and_then(|info| info.definition.as_ref()) else {
            continue;
        };
        if position > 0 {
            out.push(' ');
        }
        printer.write_term(definition.body, out);
    }
    out.push_str("))");
}

fn write_term_list(printer: &mut Printer<'_>, command: &str, terms: &[TermId], out: &mut String) {
    out.push('(');
    out.push_str(command);
    out.push_str(" (");
    for (position, term) in terms.iter().enumerate() {
        if position > 0 {
            out.push(' ');
        }
        printer.write_term(*term, out);
    }
    out.push_str("))");
}
