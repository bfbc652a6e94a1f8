//! Reduction passes: what can be removed from a script while the accusation still holds.
//!
//! Every candidate is parsed, edited and printed, and parsed again before any solver sees it, so no reduction yields invalid
//! SMT-LIB. If an assignment is the proof, the candidate must hold under it, so its correct answer stays the same.

use super::judge;
use super::narrow::{self, Narrowing};
use super::prepared::reachable;
use super::relation::ScriptRelation;
use super::{refuzz, rename};
use crate::{Pass, Patch};
use model::{Exhibit, Input, Mode, Relation, SmtInput};
use smt::print::{Printer, write_command};
use smt::{Command, Evaluator, Head, Operator, Script, Sort, SortId, TermId, Terms, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The request for a model, as it follows the check.
pub const GET_MODEL: &str = "(get-model)\n";

/// A change to the script of an exhibit. Commands and terms refer to the parsed script; parsing is deterministic.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptPatch {
    /// Drop the command at this position.
    DropCommand(usize),
    /// Replace the check at this position by a plain `(check-sat)`.
    PlainCheck(usize),
    /// Drop the `push` at this position and the `pop` that belongs to it.
    DropScope(usize),
    /// Run every script in its own process.
    OwnProcess,
    /// Replace an application of a defined function by the function's body.
    Inline(TermId),
    /// Replace a term by one of its children.
    Child {
        /// The term.
        term: TermId,
        /// The child.
        child: TermId,
    },
    /// Replace a term by a literal.
    Value {
        /// The term.
        term: TermId,
        /// Which of the term's values.
        choice: usize,
    },
    /// Make bit-vectors narrower.
    Narrow(Narrowing),
    /// Give symbols short names.
    Rename(BTreeMap<String, String>),
    /// Draw another instance from the formulas of the script, with this number as the random seed.
    Redraw(usize),
}

/// A pass over the script of an exhibit.
pub struct ScriptPass {
    name: &'static str,
    proposals: fn(&Subject, &Exhibit) -> Vec<ScriptPatch>,
}

/// The passes that remove most come first.
pub const PASSES: &[&dyn Pass] = &[
    &ScriptPass { name: "assertions", proposals: |it, _| it.commands(drop_assertion) },
    &ScriptPass { name: "checks", proposals: |it, _| it.commands(drop_check) },
    &ScriptPass { name: "scopes", proposals: |it, _| it.commands(drop_scope) },
    &ScriptPass { name: "settings", proposals: |it, _| it.commands(drop_setting) },
    &ScriptPass { name: "mode", proposals: |_, exhibit| own_process(exhibit) },
    &ScriptPass { name: "definitions", proposals: |it, _| it.definitions() },
    &ScriptPass { name: "children", proposals: |it, _| it.children() },
    &ScriptPass { name: "values", proposals: |it, _| it.values() },
    &ScriptPass { name: "widths", proposals: |it, _| it.narrowings() },
    &ScriptPass { name: "names", proposals: |it, _| it.renaming() },
    &ScriptPass { name: "fuzz again", proposals: |it, _| it.redrawings() },
];

impl Pass for ScriptPass {
    fn name(&self) -> &'static str {
        self.name
    }

    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch> {
        let Some(subject) = Subject::of(exhibit) else { return Vec::new() };
        (self.proposals)(&subject, exhibit).into_iter().map(Patch::Script).collect()
    }

    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit> {
        let patch = |patch: &Patch| match patch {
            Patch::Script(patch) => Some(patch.clone()),
            _ => None,
        };
        let patches: Vec<ScriptPatch> = patches.iter().map(patch).collect::<Option<_>>()?;
        carried_over(patched(exhibit, &patches)?)
    }
}

/// The exhibit with a changed script in its first query.
fn patched(exhibit: &Exhibit, patches: &[ScriptPatch]) -> Option<Exhibit> {
    let mut subject = Subject::of(exhibit)?;
    match patches.first()? {
        ScriptPatch::DropCommand(_) | ScriptPatch::PlainCheck(_) | ScriptPatch::DropScope(_) => {
            subject.edit_commands(patches);
        }
        ScriptPatch::Inline(_) | ScriptPatch::Child { .. } | ScriptPatch::Value { .. } => {
            subject.replace_terms(patches)?;
        }
        ScriptPatch::OwnProcess => return Some(in_own_processes(exhibit)),
        ScriptPatch::Rename(renaming) => {
            return rewritten(exhibit, |text| Some(rename::apply(text, renaming)));
        }
        ScriptPatch::Narrow(narrowing) if patches.len() == 1 => {
            return rewritten(exhibit, |text| narrowing.apply(text));
        }
        ScriptPatch::Redraw(number) if patches.len() == 1 => {
            subject.script = refuzz::instance(exhibit, subject.assignment.as_ref()?, *number)?;
            let candidate = subject.finish(exhibit)?;
            return (body_length(&candidate) < body_length(exhibit)).then_some(candidate);
        }
        ScriptPatch::Narrow(_) | ScriptPatch::Redraw(_) => return None,
    }
    subject.finish(exhibit)
}

/// Asks all other solvers about the script of the first query, each with a request for a model if it had one.
fn carried_over(mut exhibit: Exhibit) -> Option<Exhibit> {
    let input = exhibit.queries.first()?.input.smt()?;
    let body = input.body.strip_suffix(GET_MODEL).unwrap_or(&input.body).to_owned();
    for query in exhibit.queries.iter_mut().skip(1) {
        let Input::Smt(input) = &mut query.input else { return None };
        let request = if input.body.ends_with(GET_MODEL) { GET_MODEL } else { "" };
        input.body = format!("{body}{request}").into();
    }
    Some(exhibit)
}

fn own_process(exhibit: &Exhibit) -> Vec<ScriptPatch> {
    let is_warm = exhibit.queries.first().is_some_and(|query| query.mode != Mode::Process);
    is_warm.then_some(ScriptPatch::OwnProcess).into_iter().collect()
}

fn in_own_processes(exhibit: &Exhibit) -> Exhibit {
    let mut simpler = exhibit.clone();
    simpler.queries.iter_mut().for_each(|query| query.mode = Mode::Process);
    simpler
}

fn drop_assertion(position: usize, command: &Command) -> Option<ScriptPatch> {
    matches!(command, Command::Assert(_)).then_some(ScriptPatch::DropCommand(position))
}

fn drop_check(position: usize, command: &Command) -> Option<ScriptPatch> {
    is_check(command).then_some(ScriptPatch::DropCommand(position))
}

fn drop_scope(position: usize, command: &Command) -> Option<ScriptPatch> {
    matches!(command, Command::Push(_)).then_some(ScriptPatch::DropScope(position))
}

fn drop_setting(position: usize, command: &Command) -> Option<ScriptPatch> {
    match command {
        Command::SetLogic(_) | Command::SetOption { .. } | Command::GetModel => {
            Some(ScriptPatch::DropCommand(position))
        }
        Command::CheckSatUsing(_) | Command::CheckSatAssuming(_) => Some(ScriptPatch::PlainCheck(position)),
        _ => None,
    }
}

fn body_length(exhibit: &Exhibit) -> usize {
    exhibit.queries.first().and_then(|query| query.input.smt()).map_or(0, |input| input.body.len())
}

/// The script of an exhibit, open for editing.
struct Subject {
    script: Script,
    /// The assignment that must satisfy the script before and after the change.
    assignment: Option<String>,
    /// The assignment that gives terms their values if no assignment must satisfy the script.
    hint: Option<String>,
}

impl Subject {
    fn of(exhibit: &Exhibit) -> Option<Subject> {
        let input = exhibit.queries.first()?.input.smt()?;
        let script = smt::parse("exhibit", &input.text()).ok()?;
        let (assignment, hint) = match ScriptRelation::of(exhibit)? {
            ScriptRelation::Satisfiable { assignment } => (Some(assignment), None),
            ScriptRelation::ModelSatisfies { claimed_model } => (None, Some(claimed_model)),
            ScriptRelation::DoesNotCrash { .. }
            | ScriptRelation::Accepts { .. }
            | ScriptRelation::SolversAgree { .. } => (None, None),
        };
        Some(Subject { script, assignment, hint })
    }

    /// Prints the edited script and checks that the accusation would still be fair.
    fn finish(mut self, exhibit: &Exhibit) -> Option<Exhibit> {
        drop_unused_declarations(&mut self.script);
        let input = to_input(&self.script);
        if input.checks == 0 || !models_follow_checks(&self.script) {
            return None;
        }
        let fair = match &self.assignment {
            Some(assignment) => judge::holds(&input, &assignment_for(&self.script, assignment)?),
            None => is_parsed(&input),
        };
        if !fair {
            return None;
        }
        let mut candidate = exhibit.clone();
        if let Some(assignment) = &self.assignment {
            let assignment = assignment_for(&self.script, assignment)?;
            candidate.relation = Relation::of(&ScriptRelation::Satisfiable { assignment });
        }
        candidate.queries.first_mut()?.input = Input::Smt(input);
        Some(candidate)
    }

    // Commands.

    fn commands(&self, patch: fn(usize, &Command) -> Option<ScriptPatch>) -> Vec<ScriptPatch> {
        let commands = self.script.commands.iter().enumerate();
        commands.filter_map(|(position, command)| patch(position, command)).collect()
    }

    fn edit_commands(&mut self, patches: &[ScriptPatch]) {
        let scope = |patch: &ScriptPatch| match patch {
            ScriptPatch::DropScope(position) => Some(*position),
            _ => None,
        };
        let scopes: BTreeSet<usize> = patches.iter().filter_map(scope).collect();
        if !scopes.is_empty() {
            self.script.commands = without_scopes(&self.script.commands, &scopes);
            return;
        }
        let mut kept = Vec::new();
        for (position, command) in self.script.commands.drain(..).enumerate() {
            if patches.contains(&ScriptPatch::PlainCheck(position)) {
                kept.push(Command::CheckSat);
            } else if !patches.contains(&ScriptPatch::DropCommand(position)) {
                kept.push(command);
            }
        }
        self.script.commands = kept;
    }

    // Terms.

    fn roots(&self) -> Vec<TermId> {
        judge::what_must_hold(&self.script)
    }

    fn definitions(&self) -> Vec<ScriptPatch> {
        let is_defined = |term: &TermId| {
            matches!(self.script.terms.head(*term), Head::Function(symbol)
            if self.script.terms.function(symbol).is_some_and(|info| info.definition.is_some() && !info.recursive))
        };
        let order = reachable(&self.script, &self.roots());
        order.into_iter().filter(is_defined).map(ScriptPatch::Inline).collect()
    }

    fn replace_terms(&mut self, patches: &[ScriptPatch]) -> Option<()> {
        let mut replacements = BTreeMap::new();
        let mut literals = Vec::new();
        for patch in patches {
            match patch {
                ScriptPatch::Inline(term) => drop(replacements.insert(*term, self.body_of(*term)?)),
                ScriptPatch::Child { term, child } => drop(replacements.insert(*term, *child)),
                ScriptPatch::Value { term, choice } => literals.push((*term, *choice)),
                _ => return None,
            }
        }
        if !literals.is_empty() {
            let values = self.values_of(&literals)?;
            for ((term, _), value) in literals.iter().zip(values) {
                let sort = self.script.terms.sort(*term);
                replacements.insert(*term, literal(&mut self.script.terms, sort, &value)?);
            }
        }
        self.substitute(&replacements)
    }

    /// Returns the body of a defined function with the arguments of this application in place of its parameters.
    fn body_of(&mut self, term: TermId) -> Option<TermId> {
        let Head::Function(symbol) = self.script.terms.head(term) else { return None };
        let definition = self.script.terms.function(symbol)?.definition.clone()?;
        let arguments: Vec<TermId> = self.script.terms.children(term).to_vec();
        let parameters: BTreeMap<_, _> = definition.variables.iter().copied().zip(arguments).collect();
        let put_argument = |terms: &mut Terms, term: TermId, children: &[TermId]| match terms.head(term) {
            Head::Bound(variable) => Some(parameters.get(&variable).copied().unwrap_or(term)),
            _ => smt::same_head(terms, term, children),
        };
        let terms = &mut self.script.terms;
        smt::rebuild(terms, &[definition.body], |_, _| None, put_argument)?.first().copied()
    }

    fn children(&self) -> Vec<ScriptPatch> {
        let terms = &self.script.terms;
        let mut patches = Vec::new();
        for term in reachable(&self.script, &self.roots()) {
            let alike = terms.children(term).iter().filter(|child| terms.sort(**child) == terms.sort(term));
            patches.extend(alike.map(|child| ScriptPatch::Child { term, child: *child }));
        }
        patches
    }

    fn values(&self) -> Vec<ScriptPatch> {
        let terms = &self.script.terms;
        let choices = |term: TermId| match (&self.assignment, &self.hint, terms.sort_of(terms.sort(term))) {
            (Some(_), _, _) => 1,
            (None, None, Sort::Bool) | (None, Some(_), _) => 2,
            (None, None, _) => 1,
        };
        let mut patches = Vec::new();
        for term in reachable(&self.script, &self.roots()) {
            if terms.is_closed(term) && !is_literal(terms, term) && has_literals(terms, terms.sort(term)) {
                patches.extend((0..choices(term)).map(|choice| ScriptPatch::Value { term, choice }));
            }
        }
        patches
    }

    // The whole script.

    fn narrowings(&self) -> Vec<ScriptPatch> {
        narrow::narrowings(&self.script).into_iter().map(ScriptPatch::Narrow).collect()
    }

    fn renaming(&self) -> Vec<ScriptPatch> {
        let renaming = rename::renaming(&self.script);
        if renaming.is_empty() { Vec::new() } else { vec![ScriptPatch::Rename(renaming)] }
    }

    fn redrawings(&self) -> Vec<ScriptPatch> {
        let count = if self.assignment.is_some() { refuzz::PROPOSALS } else { 0 };
        (0..count).map(ScriptPatch::Redraw).collect()
    }

    /// Under an assignment, a term has one value; otherwise the value in the claimed model and simple ones are tried.
    fn values_of(&mut self, chosen: &[(TermId, usize)]) -> Option<Vec<Value>> {
        let source = self.assignment.as_ref().or(self.hint.as_ref());
        let read = source.and_then(|text| smt::model::read_model(&mut self.script, text).ok());
        let terms = &self.script.terms;
        let plain = |term: TermId, choice: usize| plain_value(terms, terms.sort(term), choice);
        let Some(read) = read else {
            return chosen.iter().map(|(term, choice)| plain(*term, *choice)).collect();
        };
        let mut evaluator = Evaluator::new(&self.script, &read.assignment);
        let mut value = |term: TermId, choice: usize| match choice {
            0 => evaluator.value(term),
            other => plain(term, other - 1),
        };
        chosen.iter().map(|(term, choice)| value(*term, *choice)).collect()
    }

    /// Replaces terms everywhere. Replacements are rebuilt, too, because they may contain other replaced terms.
    fn substitute(&mut self, replacements: &BTreeMap<TermId, TermId>) -> Option<()> {
        let roots = self.roots();
        let redirect = |_: &Terms, term: TermId| replacements.get(&term).copied();
        let rebuilt = smt::rebuild(&mut self.script.terms, &roots, redirect, smt::same_head)?;
        let done: BTreeMap<TermId, TermId> = roots.into_iter().zip(rebuilt).collect();
        for command in &mut self.script.commands {
            match command {
                Command::Assert(term) => *term = *done.get(term)?,
                Command::CheckSatAssuming(literals) => {
                    for literal in literals {
                        *literal = *done.get(literal)?;
                    }
                }
                _ => {}
            }
        }
        Some(())
    }
}

fn is_check(command: &Command) -> bool {
    matches!(command, Command::CheckSat | Command::CheckSatAssuming(_) | Command::CheckSatUsing(_))
}

/// Returns true if every `(get-model)` directly follows a check.
fn models_follow_checks(script: &Script) -> bool {
    let starts_with_model = matches!(script.commands.first(), Some(Command::GetModel));
    let mut pairs = script.commands.windows(2);
    !starts_with_model && pairs.all(|pair| !matches!(pair[1], Command::GetModel) || is_check(&pair[0]))
}

/// Returns the commands without some pushes and the matching levels of pops.
fn without_scopes(commands: &[Command], removed: &BTreeSet<usize>) -> Vec<Command> {
    let mut kept = Vec::new();
    let mut levels: Vec<bool> = Vec::new();
    for (index, command) in commands.iter().enumerate() {
        match command {
            Command::Push(count) => {
                let stays = !removed.contains(&index);
                levels.extend((0..*count).map(|_| stays));
                if stays {
                    kept.push(command.clone());
                }
            }
            Command::Pop(count) => {
                let start = levels.len().saturating_sub(*count as usize);
                let still = levels.drain(start..).filter(|stays| *stays).count();
                if still > 0 {
                    kept.push(Command::Pop(still as u32));
                }
            }
            other => kept.push(other.clone()),
        }
    }
    kept
}

/// Drops declarations of functions that are no longer used, and sorts that no declaration needs.
fn drop_unused_declarations(script: &mut Script) {
    let mut used = BTreeSet::new();
    let mut used_sorts = BTreeSet::new();
    let roots = judge::what_must_hold(script);
    for term in reachable(script, &roots) {
        if let Head::Function(symbol) = script.terms.head(term) {
            used.insert(symbol);
        }
        collect_sort_names(&script.terms, script.terms.sort(term), &mut used_sorts);
    }
    let has_datatypes =
        script.commands.iter().any(|command| matches!(command, Command::DeclareDatatypes { .. }));
    for symbol in &used {
        if let Some(info) = script.terms.function(*symbol) {
            for sort in info.parameters.iter().chain([&info.result]) {
                collect_sort_names(&script.terms, *sort, &mut used_sorts);
            }
        }
    }
    script.commands.retain(|command| match command {
        Command::DeclareFun(symbol)
        | Command::DeclareConst(symbol)
        | Command::DefineFun(symbol)
        | Command::DefineConst(symbol) => used.contains(symbol),
        Command::DeclareSort { name, .. } => used_sorts.contains(name) || has_datatypes,
        _ => true,
    });
}

fn collect_sort_names(terms: &Terms, sort: SortId, names: &mut BTreeSet<smt::SymbolId>) {
    let mut stack = vec![sort];
    while let Some(sort) = stack.pop() {
        match terms.sort_of(sort) {
            Sort::Array(index, element) => stack.extend([*index, *element]),
            Sort::Declared { name, arguments } => {
                names.insert(*name);
                stack.extend(arguments.iter());
            }
            _ => {}
        }
    }
}

/// Restricts an assignment to the symbols that are still declared.
fn assignment_for(script: &Script, assignment: &str) -> Option<String> {
    let input = to_input(script);
    let mut script = smt::parse("candidate", &input.text()).ok()?;
    let read = smt::model::read_model(&mut script, assignment).ok()?;
    Some(read.assignment.describe(&script))
}

/// Turns a script back into the input of a query.
fn to_input(script: &Script) -> SmtInput {
    let (mut options, mut body, mut checks) = (String::new(), String::new(), 0);
    let mut printer = Printer::new(&script.terms);
    for command in &script.commands {
        let target = match command {
            Command::SetLogic(_) => continue,
            Command::SetOption { .. } => &mut options,
            Command::CheckSat | Command::CheckSatAssuming(_) | Command::CheckSatUsing(_) => {
                checks += 1;
                &mut body
            }
            _ => &mut body,
        };
        write_command(&mut printer, command, target);
        target.push('\n');
    }
    SmtInput { options: options.into(), logic: script.logic().map(Arc::from), body: body.into(), checks }
}

/// Returns the exhibit with a rewritten script and assignment, if it would still be fair.
fn rewritten(exhibit: &Exhibit, rewrite: impl Fn(&str) -> Option<String>) -> Option<Exhibit> {
    let mut candidate = exhibit.clone();
    let Input::Smt(input) = &mut candidate.queries.first_mut()?.input else { return None };
    input.body = rewrite(&input.body)?.into();
    let mut relation = ScriptRelation::of(exhibit)?;
    let is_fair = match &mut relation {
        ScriptRelation::Satisfiable { assignment } => {
            *assignment = rewrite(assignment)?;
            judge::holds(input, assignment)
        }
        ScriptRelation::ModelSatisfies { claimed_model } => {
            *claimed_model = rewrite(claimed_model)?;
            is_parsed(input)
        }
        ScriptRelation::DoesNotCrash { .. }
        | ScriptRelation::Accepts { .. }
        | ScriptRelation::SolversAgree { .. } => is_parsed(input),
    };
    candidate.relation = Relation::of(&relation);
    is_fair.then_some(candidate)
}

fn is_parsed(input: &SmtInput) -> bool {
    smt::parse("candidate", &input.text()).is_ok()
}

fn is_literal(terms: &Terms, term: TermId) -> bool {
    match terms.head(term) {
        Head::Operator(Operator::True | Operator::False) | Head::Numeral { .. } | Head::Decimal(_) => true,
        Head::BitVec { .. } | Head::StringLiteral(_) => true,
        // Negative and fractional numbers are printed as applications to literals.
        Head::Operator(Operator::Negate | Operator::Divide) => terms
            .children(term)
            .iter()
            .all(|child| matches!(terms.head(*child), Head::Numeral { .. } | Head::Decimal(_))),
        _ => false,
    }
}

fn has_literals(terms: &Terms, sort: SortId) -> bool {
    matches!(terms.sort_of(sort), Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_))
}

fn plain_value(terms: &Terms, sort: SortId, choice: usize) -> Option<Value> {
    match terms.sort_of(sort) {
        Sort::Bool => Some(Value::Bool(choice == 0)),
        Sort::Int => Some(Value::integer(0)),
        Sort::Real => Some(Value::rational(0, 1)),
        Sort::BitVec(width) => Some(Value::bitvec(*width, 0u32)),
        _ => None,
    }
}

fn literal(terms: &mut Terms, sort: SortId, value: &Value) -> Option<TermId> {
    match (terms.sort_of(sort), value) {
        (Sort::Bool, Value::Bool(value)) => Some(terms.boolean(*value)),
        (Sort::Int, Value::Int(value)) => Some(terms.integer(value)),
        (Sort::Real, Value::Real(value)) => Some(terms.rational(value)),
        (Sort::BitVec(width), Value::BitVec { bits, .. }) => {
            let width = *width;
            Some(terms.bitvec(width, &bits.clone().into()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{AnalyzerId, Kind, Query, SmtStatus};

    fn exhibit(body: &str, assignment: &str) -> Exhibit {
        let input = SmtInput { options: "".into(), logic: None, body: body.into(), checks: 1 };
        let query = Query::new(AnalyzerId::new("z3", "1", &[]), Input::Smt(input), Mode::Process);
        judge::wrong_unsat("satisfiable", &query, assignment, judge::WRONG_UNSAT).unwrap()
    }

    fn assignment_of(exhibit: &Exhibit) -> String {
        match ScriptRelation::of(exhibit) {
            Some(ScriptRelation::Satisfiable { assignment }) => assignment,
            other => panic!("{other:?}"),
        }
    }

    fn body(exhibit: &Exhibit) -> &str {
        &exhibit.queries[0].input.smt().unwrap().body
    }

    /// Returns the results of applying each patch of a pass alone to an exhibit.
    fn candidates(exhibit: &Exhibit, pass: &str) -> Vec<Exhibit> {
        let pass = PASSES.iter().find(|it| it.name() == pass).unwrap();
        pass.proposals(exhibit).into_iter().filter_map(|patch| pass.apply(exhibit, &[patch])).collect()
    }

    /// Every patch of every pass, applied alone, keeps the accusation fair or is rejected.
    #[test]
    fn every_patch_yields_a_script_that_its_assignment_satisfies() {
        let wide = "(declare-fun a () (_ BitVec 32))\n(declare-fun p () Bool)\n\
            (assert (or p (bvult a #x0000000f)))\n(assert (= ((_ extract 15 0) a) #x0003))\n(check-sat)\n";
        let original =
            exhibit(wide, "(define-fun a () (_ BitVec 32) #x00000003)\n(define-fun p () Bool false)\n");
        let mut accepted = BTreeMap::new();
        for pass in PASSES {
            for patch in pass.proposals(&original) {
                let Some(candidate) = pass.apply(&original, &[patch]) else { continue };
                let input = candidate.queries[0].input.smt().unwrap();
                assert!(judge::holds(input, &assignment_of(&candidate)), "{}: {}", pass.name(), input.body);
                *accepted.entry(pass.name()).or_insert(0) += 1;
            }
        }
        for pass in ["assertions", "children", "values", "widths", "fuzz again"] {
            assert!(accepted.get(pass).is_some_and(|count| *count > 0), "{pass}: {accepted:?}");
        }
    }

    #[test]
    fn widths_shrink_in_the_script_and_in_the_assignment() {
        let wide = "(declare-fun a () (_ BitVec 32))\n(assert (bvult a #x0000000f))\n(check-sat)\n";
        let original = exhibit(wide, "(define-fun a () (_ BitVec 32) #x00000001)\n");
        let narrow = candidates(&original, "widths").swap_remove(0);
        assert_eq!(body(&narrow), "(declare-fun a () (_ BitVec 2))\n(assert (bvult a #b11))\n(check-sat)\n");
        assert_eq!(assignment_of(&narrow), "(define-fun a () (_ BitVec 2) #b01)\n");
    }

    #[test]
    fn fuzzing_again_gives_shorter_scripts_deterministically() {
        let long = "(declare-fun p () Bool)\n(declare-fun q () Bool)\n(assert (or (and p q) (xor p q) q))\n\
            (assert (=> (or p q) (or q p)))\n(check-sat)\n";
        let original = exhibit(long, "(define-fun p () Bool false)\n(define-fun q () Bool true)\n");
        let drawn = candidates(&original, "fuzz again");
        assert!(!drawn.is_empty() && drawn.iter().all(|smaller| body(smaller).len() < long.len()));
        assert_eq!(drawn, candidates(&original, "fuzz again"));
    }

    #[test]
    fn all_solvers_get_the_smaller_script() {
        let query = |name: &str, logic: Option<&str>, question: &str| {
            let body = "(declare-fun a () Int)\n(assert (> a 0))\n(assert (< a 9))\n(check-sat)\n";
            let body = format!("{body}{question}").into();
            let input = SmtInput { options: "".into(), logic: logic.map(Into::into), body, checks: 1 };
            Query::new(AnalyzerId::new(name, "1", &[]), Input::Smt(input), Mode::Push)
        };
        let exhibit = Exhibit {
            technique: "solver_differential".to_owned(),
            kind: Kind::Soundness,
            title: String::new(),
            queries: vec![
                query("a", None, GET_MODEL),
                query("b", Some("QF_LIA"), ""),
                query("c", None, GET_MODEL),
            ],
            relation: Relation::of(&ScriptRelation::SolversAgree { said: SmtStatus::Unsat, opponents: 2 }),
            sample_key: None,
        };
        let smaller = candidates(&exhibit, "assertions").swap_remove(0);
        let plain = "(declare-fun a () Int)\n(assert (< a 9))\n(check-sat)\n";
        let texts: Vec<String> = smaller.queries.iter().map(|query| query.input.text()).collect();
        let expected = [
            format!("{plain}{GET_MODEL}"),
            format!("(set-logic QF_LIA)\n{plain}"),
            format!("{plain}{GET_MODEL}"),
        ];
        assert_eq!(texts, expected);
        let fresh = candidates(&exhibit, "mode").swap_remove(0);
        assert!(fresh.queries.iter().all(|query| query.mode == Mode::Process));
    }
}
