//! A seed made ready: its predicates, its declarations, the theories it needs.

use super::rename;
use model::{Random, SmtInfo, SmtInput};
use smt::{Command, FunctionKind, Head, Script, Sort, SymbolId, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the names begin with that instances declare.
pub const OWN_NAMES: &str = "juvenal!";

/// A parsed seed.
pub struct Prepared {
    /// The script; its terms grow while annotations are taken off.
    pub script: Script,
    /// The assertions of every scope, without annotations and with named terms written out.
    pub assertions: Vec<TermId>,
    /// Declarations and definitions, printed.
    pub declarations: Arc<str>,
    /// The options that the seed sets, each as its keyword and its command.
    options: Vec<(String, String)>,
    /// The logic that the seed sets.
    pub logic: Option<Arc<str>>,
    /// True if the declarations mean something else without that logic.
    pub needs_logic: bool,
    /// The theories that an analyzer must take.
    pub theories: BTreeSet<&'static str>,
    /// The seed itself as an instance; none if it holds no check or resets itself.
    pub itself: Option<SmtInput>,
    /// True if the seed itself has one scope and one plain check, so that its assertions are what was checked.
    pub flat: bool,
}

/// Why a seed is of no use, with the details.
pub struct Unusable {
    /// The reason, one of a few.
    pub reason: &'static str,
    /// What exactly.
    pub detail: String,
}

impl Prepared {
    /// Parses a seed and takes it apart.
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
    /// True if the analyzer takes every theory of the seed, and its logic where it knows logics by name.
    pub fn is_taken_by(&self, member: &SmtInfo) -> bool {
        let theories = self.theories.iter().all(|theory| member.theories.iter().any(|taken| taken == theory));
        let logic = match &self.logic {
            Some(logic) if !member.logics.is_empty() => member.logics.iter().any(|known| **known == **logic),
            _ => true,
        };
        theories && logic
    }

    /// The logic kept, widened or dropped. A solver that only knows some logics by name keeps the seed's.
    pub fn draw_logic(&self, subject: &SmtInfo, random: &mut Random) -> Option<Arc<str>> {
        if !subject.logics.is_empty() || self.needs_logic {
            return self.logic.clone();
        }
        self.draw_any_logic(random)
    }

    /// The same for one that takes any logic.
    pub fn draw_any_logic(&self, random: &mut Random) -> Option<Arc<str>> {
        match random.below(4) {
            0 | 1 => self.logic.clone(),
            2 => Some("ALL".into()),
            _ => None,
        }
    }

    /// The seed's own options, as far as they cannot change what a script means: those that the subject's
    /// description declares sound, and a few of the standard.
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

/// New names for what is declared under the name of an operator or of our own making. In another logic than the
/// seed's a solver would take `sin` for its sine.
fn rename_dangerous(script: &Script) -> BTreeMap<String, String> {
    let terms = &script.terms;
    let names = terms.functions().map(|(symbol, _)| terms.symbol(symbol));
    let dangerous = names.filter(|name| smt::is_builtin_name(name) || name.starts_with(OWN_NAMES));
    dangerous
        .map(|name| (smt::print::symbol_text(name), smt::print::symbol_text(&format!("seed!{name}"))))
        .collect()
}

/// A name that stands for two symbols: after a pop it was declared again.
fn reused_name(script: &Script) -> Option<String> {
    let reused = script.terms.functions().find(|(_, info)| info.name_reused);
    reused.map(|(symbol, _)| script.terms.symbol(symbol).to_owned())
}

/// Takes annotations off and writes named terms out, so that any sub-term may be used any number of times.
/// Numerals that are reals only because of the logic become decimals, so that the logic may be dropped.
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

/// True if a definition that is kept as it stands needs the logic to make its numerals reals.
fn definitions_need_logic(script: &Script) -> bool {
    let bodies: Vec<TermId> =
        script.terms.functions().filter_map(|(_, info)| Some(info.definition.as_ref()?.body)).collect();
    let terms = &script.terms;
    reachable(script, &bodies)
        .into_iter()
        .any(|term| matches!(terms.head(term), Head::Numeral { real: true, .. }))
}

/// What an annotated term or the name of a named term stands for.
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

/// Every term below the roots, the bodies of defined functions included, each once.
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

/// True if an assertion or a definition that is kept calls a recursive function.
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

/// Declarations and definitions. Recursive definitions are left out: nothing that is kept uses them, and an
/// unused `f(x) = 1 + f(x)` would make every instance unsatisfiable.
fn declarations(script: &Script) -> String {
    let mut text = String::new();
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
            // Older solvers know only the longer form.
            Command::DeclareConst(symbol) => text.push_str(&declare_fun(script, *symbol)),
            _ if kept => text.push_str(&smt::print::command(&script.terms, command)),
            _ => continue,
        }
        text.push('\n');
    }
    text
}

fn declare_fun(script: &Script, constant: SymbolId) -> String {
    smt::print::command(&script.terms, &Command::DeclareFun(constant))
}

/// The options that the seed sets, each as its keyword and its command.
fn options(script: &Script) -> Vec<(String, String)> {
    let option = |command: &Command| match command {
        Command::SetOption { keyword, .. } => {
            Some((keyword.clone(), smt::print::command(&script.terms, command)))
        }
        _ => None,
    };
    script.commands.iter().filter_map(option).collect()
}

/// The seed as an instance: everything but questions, messages and `exit`.
fn itself(script: &Script) -> Option<SmtInput> {
    let mut body = String::new();
    let mut checks = 0;
    for command in &script.commands {
        match command {
            Command::Reset | Command::ResetAssertions | Command::Other(_) => return None,
            // Nothing that is kept uses them, but they are axioms all the same.
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
        body.push_str(&smt::print::command(&script.terms, command));
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

/// The theories that the declarations and the assertions use.
fn theories(script: &Script, assertions: &[TermId]) -> BTreeSet<&'static str> {
    let mut theories = BTreeSet::from(["core"]);
    let terms = &script.terms;
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
            Head::Opaque(identifier) => drop(theories.insert(theory_of(script, terms.symbol(identifier)))),
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
            Sort::Opaque(name) => drop(theories.insert(theory_of(script, terms.symbol(*name)))),
        }
    }
    theories
}

/// The theory, as descriptions call it, of a sort or an operator that is not evaluated.
fn theory_of(script: &Script, name: &str) -> &'static str {
    let is = |words: &[&str]| words.iter().any(|word| name.trim_start_matches("(_ ").starts_with(word));
    if is(&["fp", "Float", "RoundingMode", "to_fp", "RN", "RT", "round", "NaN", "+", "-"]) {
        "floats"
    } else if is(&["str.", "re.", "seq.", "String", "RegLan", "(Seq", "Seq", "char", "Char", "Unicode"]) {
        "strings"
    } else if script.commands.iter().any(|command| matches!(command, Command::DeclareDatatypes { .. })) {
        "datatypes"
    } else {
        "other"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(text: &str) -> Prepared {
        Prepared::new("test", text).unwrap_or_else(|unusable| panic!("{}", unusable.detail))
    }

    #[test]
    fn names_of_operators_and_of_our_own_are_not_kept() {
        let text = "(set-logic QF_UFLRA)(declare-fun sin (Real) Real)(declare-fun juvenal!assumed0 () Real)\
            (assert (> (sin juvenal!assumed0) 1.0))(check-sat)";
        let declarations = prepared(text).declarations;
        let expected = "(declare-fun seed!sin (Real) Real)\n(declare-fun seed!juvenal!assumed0 () Real)\n";
        assert_eq!(&*declarations, expected);
    }

    /// Rows: a script, and the theories that an analyzer must take for it.
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
