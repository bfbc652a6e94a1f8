//! A prepared seed: its predicates, its declarations and the theories that it needs.

use super::rename;
use model::{Random, SmtInfo, SmtInput};
use smt::print::{Printer, write_command};
use smt::{Command, FunctionKind, Head, Script, Sort, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The prefix of the names that instances declare.
pub const OWN_NAMES: &str = "juvenal!";

/// A parsed seed.
pub struct Prepared {
    /// The script. Removing annotations adds terms to it.
    pub script: Script,
    /// The assertions of all scopes, without annotations and with named terms expanded.
    pub assertions: Vec<TermId>,
    /// Declarations and definitions, printed.
    pub declarations: Arc<str>,
    /// The keywords and commands of the options that the seed sets.
    options: Vec<(String, String)>,
    /// The logic that the seed sets.
    pub logic: Option<Arc<str>>,
    /// Whether the declarations have a different meaning without that logic.
    pub needs_logic: bool,
    /// The theories that an analyzer must support.
    pub theories: BTreeSet<&'static str>,
    /// The seed itself as an instance; `None` if it has no check or resets itself.
    pub itself: Option<SmtInput>,
    /// Whether the seed has one scope and one plain check, which checks all its assertions.
    pub flat: bool,
}

/// Why a seed cannot be used.
pub struct Unusable {
    /// One of a few reasons.
    pub reason: &'static str,
    /// The details.
    pub detail: String,
}

impl Prepared {
    /// Parses and decomposes a seed.
    pub fn new(name: &str, text: &str) -> Result<Prepared, Unusable> {
        let parse = |text: &str| {
            smt::parse(name, text)
                .map_err(|error| Unusable { reason: "the seed does not parse", detail: error.to_string() })
        };
        let mut script = parse(text)?;
        let renaming = rename_dangerous(&script);
        if !renaming.is_empty() {
            script = parse(&rename::apply(text, &renaming))?;
        }
        let unusable = |reason, detail: &str| Err(Unusable { reason, detail: format!("{name}: {detail}") });
        if script.logic() == Some("HORN") {
            return unusable("the seed is in the logic HORN", "HORN changes what check-sat means");
        }
        if let Some(shared) = reused_name(&script) {
            return unusable("the seed declares a name twice", &shared);
        }
        let asserted: Vec<TermId> = script.assertions().collect();
        if asserted.is_empty() {
            return unusable("the seed asserts nothing", "there is no assert command");
        }
        let Some(assertions) = strip_annotations(&mut script, &asserted) else {
            return unusable(
                "the seed cannot be taken apart",
                "removing annotations left an ill-sorted term",
            );
        };
        if uses_recursion(&script, &assertions) {
            return unusable("the seed uses recursive functions", "their totality is not provable here");
        }
        Ok(Prepared {
            declarations: declarations(&script).into(),
            options: options(&script),
            logic: script.logic().map(Arc::from),
            needs_logic: definitions_need_logic(&script),
            theories: theories(&script, &assertions),
            itself: itself(&script),
            flat: is_flat(&script),
            assertions,
            script,
        })
    }
}

impl Prepared {
    /// Returns true if the analyzer supports every theory of the seed, and its logic if it lists logics by name.
    pub fn is_supported_by(&self, member: &SmtInfo) -> bool {
        let theories = self.theories.iter().all(|theory| member.theories.iter().any(|taken| taken == theory));
        let logic = match &self.logic {
            Some(logic) if !member.logics.is_empty() => member.logics.iter().any(|known| **known == **logic),
            _ => true,
        };
        theories && logic
    }

    /// Keeps, widens or drops the logic. A solver that supports only some logics by name gets the seed's.
    pub fn draw_logic(&self, subject: &SmtInfo, random: &mut Random) -> Option<Arc<str>> {
        if !subject.logics.is_empty() || self.needs_logic {
            return self.logic.clone();
        }
        self.draw_any_logic(random)
    }

    /// Keeps, widens or drops the logic for a solver that supports any logic.
    pub fn draw_any_logic(&self, random: &mut Random) -> Option<Arc<str>> {
        match random.below(4) {
            0 | 1 => self.logic.clone(),
            2 => Some("ALL".into()),
            _ => None,
        }
    }

    /// Returns the options of the seed that cannot change the meaning of a script: those that the subject's description
    /// declares sound, and a few of the standard.
    pub fn options_for(&self, subject: &SmtInfo) -> String {
        let standard = [":produce-models", ":produce-unsat-cores", ":produce-assignments", ":random-seed"];
        let is_listed = |command: &str| {
            subject.options.iter().any(|choice| {
                let written = |value: &String| format!("(set-option :{} {value})", choice.name) == command;
                choice.values.iter().any(written)
            })
        };
        let is_sound = |keyword: &str, command: &str| standard.contains(&keyword) || is_listed(command);
        let kept = self.options.iter().filter(|(keyword, command)| is_sound(keyword, command));
        kept.map(|(_, command)| format!("{command}\n")).collect()
    }
}

/// Returns new names for symbols that are named like an operator or like those that we declare. In another logic than the
/// seed's, a solver would read `sin` as its sine.
fn rename_dangerous(script: &Script) -> BTreeMap<String, String> {
    let terms = &script.terms;
    let names = terms.functions().map(|(symbol, _)| terms.symbol(symbol));
    let dangerous = names.filter(|name| smt::is_builtin_name(name) || name.starts_with(OWN_NAMES));
    dangerous
        .map(|name| (smt::print::symbol_text(name), smt::print::symbol_text(&format!("seed!{name}"))))
        .collect()
}

/// Returns a name that two symbols share, because it is declared again after a pop.
fn reused_name(script: &Script) -> Option<String> {
    let reused = script.terms.functions().find(|(_, info)| info.name_reused);
    reused.map(|(symbol, _)| script.terms.symbol(symbol).to_owned())
}

/// Removes annotations and expands named terms, which allows using any subterm any number of times. Numerals that are reals
/// only because of the logic become decimals, which allows dropping the logic.
fn strip_annotations(script: &mut Script, assertions: &[TermId]) -> Option<Vec<TermId>> {
    smt::rebuild(&mut script.terms, assertions, transparent, |terms, term, children| match terms.head(term) {
        Head::Numeral { value, real: true } => {
            let digits = format!("{}.0", terms.integer_value(value));
            let decimal = terms.intern_decimal(&digits)?;
            terms.make(Head::Decimal(decimal), &[]).ok()
        }
        _ => smt::same_head(terms, term, children),
    })
}

/// Returns true if a definition needs the logic to make its numerals reals.
fn definitions_need_logic(script: &Script) -> bool {
    let bodies: Vec<TermId> =
        script.terms.functions().filter_map(|(_, info)| Some(info.definition.as_ref()?.body)).collect();
    let terms = &script.terms;
    reachable(script, &bodies)
        .into_iter()
        .any(|term| matches!(terms.head(term), Head::Numeral { real: true, .. }))
}

/// Returns the term without its annotation, or the term that a name refers to.
fn transparent(terms: &Terms, term: TermId) -> Option<TermId> {
    match terms.head(term) {
        Head::Annotated(_) => terms.children(term).first().copied(),
        Head::Function(symbol) => {
            let info = terms.function(symbol)?;
            (info.kind == FunctionKind::Named).then_some(info.definition.as_ref()?.body)
        }
        _ => None,
    }
}

/// Returns every term below the roots once, including the bodies of defined functions.
pub fn reachable(script: &Script, roots: &[TermId]) -> Vec<TermId> {
    let mut seen: BTreeSet<TermId> = BTreeSet::new();
    let mut order = Vec::new();
    let mut stack: Vec<TermId> = roots.iter().rev().copied().collect();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        order.push(term);
        stack.extend(script.terms.children(term).iter().rev());
        if let Head::Function(symbol) = script.terms.head(term) {
            let definition = script.terms.function(symbol).and_then(|info| info.definition.as_ref());
            stack.extend(definition.map(|definition| definition.body));
        }
    }
    order
}

/// Returns true if an assertion or a kept definition calls a recursive function.
fn uses_recursion(script: &Script, assertions: &[TermId]) -> bool {
    let definitions = script.terms.functions().filter(|(_, info)| !info.recursive);
    let mut roots: Vec<TermId> =
        definitions.filter_map(|(_, info)| Some(info.definition.as_ref()?.body)).collect();
    roots.extend(assertions);
    reachable(script, &roots).into_iter().any(|term| match script.terms.head(term) {
        Head::Function(symbol) => script.terms.function(symbol).is_some_and(|info| info.recursive),
        _ => false,
    })
}

/// Prints declarations and definitions except for recursive ones: nothing uses these, and an unused `f(x) = 1 + f(x)` would
/// make every instance unsatisfiable.
fn declarations(script: &Script) -> String {
    let mut text = String::new();
    let mut printer = Printer::new(&script.terms);
    for command in &script.commands {
        let kept = matches!(
            command,
            Command::DeclareSort { .. }
                | Command::DefineSort { .. }
                | Command::DeclareDatatypes { .. }
                | Command::DeclareFun(_)
                | Command::DefineFun(_)
                | Command::DefineConst(_)
        );
        match command {
            // Older solvers support only the longer form.
            Command::DeclareConst(symbol) => {
                write_command(&mut printer, &Command::DeclareFun(*symbol), &mut text);
            }
            _ if kept => write_command(&mut printer, command, &mut text),
            _ => continue,
        }
        text.push('\n');
    }
    text
}

/// Returns the keywords and commands of the options that the seed sets.
fn options(script: &Script) -> Vec<(String, String)> {
    let mut printer = Printer::new(&script.terms);
    let option = |command: &Command| match command {
        Command::SetOption { keyword, .. } => {
            let mut text = String::new();
            write_command(&mut printer, command, &mut text);
            Some((keyword.clone(), text))
        }
        _ => None,
    };
    script.commands.iter().filter_map(option).collect()
}

/// Returns the seed as an instance: all commands except queries, messages and `exit`.
fn itself(script: &Script) -> Option<SmtInput> {
    let mut body = String::new();
    let mut checks = 0;
    let mut printer = Printer::new(&script.terms);
    for command in &script.commands {
        match command {
            Command::Reset | Command::ResetAssertions | Command::Other(_) => return None,
            // Nothing uses them, but they are axioms nevertheless.
            Command::DefineFunRec(_) | Command::DefineFunsRec(_) => return None,
            Command::SetLogic(_) | Command::SetOption { .. } | Command::SetInfo { .. } => continue,
            Command::GetAssertions
            | Command::GetAssignment
            | Command::GetInfo(_)
            | Command::GetModel
            | Command::GetOption(_)
            | Command::GetProof
            | Command::GetUnsatAssumptions
            | Command::GetUnsatCore
            | Command::GetValue(_)
            | Command::Echo(_) => continue,
            Command::Exit => break,
            Command::CheckSat | Command::CheckSatAssuming(_) | Command::CheckSatUsing(_) => checks += 1,
            _ => {}
        }
        write_command(&mut printer, command, &mut body);
        body.push('\n');
    }
    let input =
        SmtInput { options: "".into(), logic: script.logic().map(Arc::from), body: body.into(), checks };
    (checks > 0).then_some(input)
}

fn is_flat(script: &Script) -> bool {
    let checks = script.commands.iter().filter(|command| matches!(command, Command::CheckSat)).count();
    let last_assertion = script.commands.iter().rposition(|command| matches!(command, Command::Assert(_)));
    let check = script.commands.iter().position(|command| matches!(command, Command::CheckSat));
    checks == 1
        && last_assertion < check
        && !script.commands.iter().any(|command| {
            matches!(
                command,
                Command::Push(_) | Command::Pop(_) | Command::CheckSatAssuming(_) | Command::CheckSatUsing(_)
            )
        })
}

/// Returns the theories that the declarations and assertions use.
fn theories(script: &Script, assertions: &[TermId]) -> BTreeSet<&'static str> {
    let mut theories = BTreeSet::from(["core"]);
    let terms = &script.terms;
    let is_datatypes = |command: &Command| matches!(command, Command::DeclareDatatypes { .. });
    let other = if script.commands.iter().any(is_datatypes) { "datatypes" } else { "other" };
    let mut sorts: Vec<smt::SortId> = Vec::new();
    for (_, info) in terms.functions() {
        sorts.push(info.result);
        sorts.extend(info.parameters.iter());
        if info.kind == FunctionKind::Declared && !info.parameters.is_empty() {
            theories.insert("functions");
        }
    }
    for term in reachable(script, assertions) {
        sorts.push(terms.sort(term));
        match terms.head(term) {
            Head::Quantifier { .. } => drop(theories.insert("quantifiers")),
            Head::Opaque(identifier) => drop(theories.insert(theory_of(terms.symbol(identifier), other))),
            Head::Match(_) => drop(theories.insert("datatypes")),
            Head::StringLiteral(_) => drop(theories.insert("strings")),
            _ => {}
        }
    }
    let mut seen = BTreeSet::new();
    while let Some(sort) = sorts.pop() {
        if !seen.insert(sort) {
            continue;
        }
        match terms.sort_of(sort) {
            Sort::Bool => {}
            Sort::Int => drop(theories.insert("ints")),
            Sort::Real => drop(theories.insert("reals")),
            Sort::BitVec(_) => drop(theories.insert("bitvectors")),
            Sort::Array(index, element) => {
                theories.insert("arrays");
                sorts.extend([*index, *element]);
            }
            Sort::Declared { .. } => drop(theories.insert("functions")),
            Sort::Opaque(name) => drop(theories.insert(theory_of(terms.symbol(*name), other))),
        }
    }
    theories
}

/// Returns the theory, as named in descriptions, of a sort or an operator that is not evaluated; `other` if its name does
/// not tell.
fn theory_of(name: &str, other: &'static str) -> &'static str {
    let is = |words: &[&str]| words.iter().any(|word| name.trim_start_matches("(_ ").starts_with(word));
    if is(&["fp", "Float", "RoundingMode", "to_fp", "RN", "RT", "round", "NaN", "+", "-"]) {
        "floats"
    } else if is(&["str.", "re.", "seq.", "String", "RegLan", "(Seq", "Seq", "char", "Char", "Unicode"]) {
        "strings"
    } else {
        other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(text: &str) -> Prepared {
        Prepared::new("test", text).unwrap_or_else(|unusable| panic!("{}", unusable.detail))
    }

    #[test]
    fn symbols_named_like_operators_or_our_own_are_renamed() {
        let text = "(set-logic QF_UFLRA)(declare-fun sin (Real) Real)(declare-fun juvenal!assumed0 () Real)\
            (assert (> (sin juvenal!assumed0) 1.0))(check-sat)";
        let declarations = prepared(text).declarations;
        let expected = "(declare-fun seed!sin (Real) Real)\n(declare-fun seed!juvenal!assumed0 () Real)\n";
        assert_eq!(&*declarations, expected);
    }

    /// Rows: a script and the theories that an analyzer must support for it.
    #[test]
    fn theories_are_named_as_descriptions_name_them() {
        for (text, expected) in [
            ("(declare-fun x () Float32)(assert (fp.isNaN x))", &["core", "floats"][..]),
            ("(declare-fun x () String)(assert (= (str.len x) 2))", &["core", "ints", "strings"]),
            (
                "(declare-datatype L ((n) (c (h Bool))))(declare-fun x () L)(assert (h x))",
                &["core", "datatypes"],
            ),
        ] {
            let theories: Vec<&str> = prepared(text).theories.into_iter().collect();
            assert_eq!(theories, expected, "{text}");
        }
    }
}
