//! Prints assignments: for people to read, and as commands that pin a solver to them.

use crate::model::assignment::{
    Assignment, FunctionTable, Interpretation, declared_functions, declared_sorts,
};
use crate::print;
use crate::script::Script;
use crate::term::function::{FunctionInfo, FunctionKind};
use crate::term::sort::SortId;
use crate::term::symbol::SymbolId;
use crate::value::Value;
use crate::value::text::{element_name, value_text, write_value};
use std::collections::BTreeMap;
use std::fmt::Write;

impl Assignment {
    /// The assignment as `define-fun` commands, with the elements of declared sorts named in comments.
    ///
    /// [`crate::model::reader::read_model`] reads it back.
    pub fn describe(&self, script: &Script) -> String {
        let mut out = String::new();
        for sort in declared_sorts(script) {
            let names = self.element_names(script, sort).join(" ");
            let _ = writeln!(out, "; universe of {}: {names}", print::sort(&script.terms, sort));
        }
        for (symbol, interpretation) in self.interpretations() {
            if script.function(symbol).is_none()
                && let Interpretation::Definition { variables, body } = interpretation
            {
                let sort = script.terms.sort(*body);
                self.describe_definition(script, symbol, variables, sort, *body, &mut out);
            }
        }
        for symbol in declared_functions(script) {
            self.describe_function(script, symbol, &mut out);
        }
        out
    }

    /// Commands that make a solver check exactly this assignment: equalities for constants, and for functions and
    /// arrays at the entries of their tables.
    ///
    /// Elements of declared sorts become new constants that are asserted to be distinct. Returns `None` if two
    /// functions of the script have the same name, because the text could not distinguish them.
    pub fn pins(&self, script: &Script) -> Option<String> {
        let symbols = declared_functions(script);
        let is_reused = |symbol: &SymbolId| script.function(*symbol).is_some_and(|info| info.name_reused);
        if symbols.iter().any(is_reused) {
            return None;
        }
        let mut out = String::new();
        for sort in declared_sorts(script) {
            self.pin_universe(script, sort, &mut out);
        }
        for symbol in symbols {
            self.pin_function(script, symbol, &mut out);
        }
        Some(out)
    }

    /// The assignment as definitions that replace the declarations of the script's functions, which leaves a solver
    /// nothing to choose. Elements of declared sorts become new constants that are asserted to be distinct.
    ///
    /// Returns `None` if two functions of the script have the same name, or if it has functions that are not
    /// evaluated here.
    pub fn definitions(&self, script: &Script) -> Option<String> {
        let declared = |info: &FunctionInfo| info.kind == FunctionKind::Declared;
        let all = script.terms.functions().filter(|(_, info)| declared(info)).count();
        let symbols = declared_functions(script);
        let is_reused = |symbol: &SymbolId| script.function(*symbol).is_some_and(|info| info.name_reused);
        if symbols.len() != all || symbols.iter().any(is_reused) {
            return None;
        }
        let mut out = String::new();
        for sort in declared_sorts(script) {
            self.pin_universe(script, sort, &mut out);
        }
        let described = self.describe(script);
        out.extend(described.lines().filter(|line| !line.starts_with(';')).flat_map(|line| [line, "\n"]));
        Some(out)
    }

    /// The table of a declared function; the default of its sort if it has no meaning here.
    fn table(&self, script: &Script, symbol: SymbolId, info: &FunctionInfo) -> Option<FunctionTable> {
        match self.interpretation(symbol) {
            Some(Interpretation::Table(table)) => Some(table.clone()),
            Some(Interpretation::Definition { .. }) => None,
            None => {
                let default = self.domains(script).default_value(info.result)?;
                Some(FunctionTable { default, entries: BTreeMap::new() })
            }
        }
    }

    fn element_names(&self, script: &Script, sort: SortId) -> Vec<String> {
        let count = self.domains(script).universe(sort);
        (0..count).map(|index| print::symbol_text(&element_name(&script.terms, sort, index))).collect()
    }

    fn describe_function(&self, script: &Script, symbol: SymbolId, out: &mut String) {
        let Some(info) = script.function(symbol) else { return };
        if let Some(Interpretation::Definition { variables, body }) = self.interpretation(symbol) {
            return self.describe_definition(script, symbol, variables, info.result, *body, out);
        }
        let Some(table) = self.table(script, symbol, info) else { return };
        let name = print::symbol_text(script.terms.symbol(symbol));
        let parameters: Vec<String> = info
            .parameters
            .iter()
            .enumerate()
            .map(|(position, sort)| format!("(x!{position} {})", print::sort(&script.terms, *sort)))
            .collect();
        let _ = write!(
            out,
            "(define-fun {name} ({}) {}",
            parameters.join(" "),
            print::sort(&script.terms, info.result)
        );
        for (arguments, result) in &table.entries {
            out.push_str("\n  (ite ");
            write_condition(script, arguments, out);
            out.push(' ');
            write_value(&script.terms, result, out);
        }
        out.push_str(if table.entries.is_empty() { " " } else { "\n  " });
        write_value(&script.terms, &table.default, out);
        out.push_str(&")".repeat(table.entries.len() + 1));
        out.push('\n');
    }

    fn describe_definition(
        &self,
        script: &Script,
        symbol: SymbolId,
        variables: &[SymbolId],
        result: SortId,
        body: crate::TermId,
        out: &mut String,
    ) {
        let terms = &script.terms;
        let parameters: Vec<String> = variables
            .iter()
            .map(|variable| {
                let sort = terms.bound_sort(*variable).unwrap_or(SortId::UNKNOWN);
                format!("({} {})", print::symbol_text(terms.symbol(*variable)), print::sort(terms, sort))
            })
            .collect();
        let _ = writeln!(
            out,
            "(define-fun {} ({}) {}\n  {})",
            print::symbol_text(terms.symbol(symbol)),
            parameters.join(" "),
            print::sort(terms, result),
            print::term(terms, body)
        );
    }

    fn pin_universe(&self, script: &Script, sort: SortId, out: &mut String) {
        let names = self.element_names(script, sort);
        for name in &names {
            let _ = writeln!(out, "(declare-fun {name} () {})", print::sort(&script.terms, sort));
        }
        if names.len() > 1 {
            let _ = writeln!(out, "(assert (distinct {}))", names.join(" "));
        }
    }

    fn pin_function(&self, script: &Script, symbol: SymbolId, out: &mut String) {
        let Some(info) = script.function(symbol) else { return };
        let Some(table) = self.table(script, symbol, info) else { return };
        let name = print::symbol_text(script.terms.symbol(symbol));
        if info.parameters.is_empty() {
            return pin_value(script, &name, &table.default, out);
        }
        for (arguments, result) in &table.entries {
            if arguments.iter().any(is_array) {
                continue;
            }
            let texts: Vec<String> = arguments.iter().map(|argument| value_text(script, argument)).collect();
            pin_value(script, &format!("({name} {})", texts.join(" ")), result, out);
        }
    }
}

/// Array literals need constant arrays, which not every logic has.
fn is_array(value: &Value) -> bool {
    matches!(value, Value::Array(_))
}

/// Asserts that a term has a value; for an array, asserts its entries. Arrays of arrays nest only a little.
fn pin_value(script: &Script, term: &str, value: &Value, out: &mut String) {
    let Value::Array(array) = value else {
        let _ = writeln!(out, "(assert (= {term} {}))", value_text(script, value));
        return;
    };
    for (index, element) in array.entries() {
        if !is_array(index) {
            let element_term = format!("(select {term} {})", value_text(script, index));
            pin_value(script, &element_term, element, out);
        }
    }
}

fn write_condition(script: &Script, arguments: &[Value], out: &mut String) {
    let equalities: Vec<String> = arguments
        .iter()
        .enumerate()
        .map(|(position, value)| format!("(= x!{position} {})", value_text(script, value)))
        .collect();
    match equalities.as_slice() {
        [only] => out.push_str(only),
        _ => {
            let _ = write!(out, "(and {})", equalities.join(" "));
        }
    }
}
