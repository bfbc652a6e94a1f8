//! Reduction passes: what might be taken away from a script so that the accusation still stands.
//!
//! Every candidate is parsed, edited and printed, and parsed again before it is asked, so no reduction slips to
//! invalid SMT-LIB. Where an assignment is the proof, the candidate must hold under it, so that its right answer
//! stays the same.

use super::judge::{self, ASSIGNMENT, CLAIMED, SATISFIABLE};
use super::prepared::reachable;
use super::{narrow, refuzz, rename};
use crate::Edit;
use model::{Exhibit, Input, Mode, SmtInput};
use smt::{Command, Evaluator, Head, Operator, Script, Sort, SortId, TermId, Terms, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The passes, the ones that take most away first.
pub const PASSES: &[&str] = &[
    "assertions",
    "checks",
    "scopes",
    "settings",
    "mode",
    "definitions",
    "children",
    "values",
    "widths",
    "names",
    "fuzz again",
];

/// The edits of a pass.
pub fn edits(exhibit: &Exhibit, pass: &str) -> Vec<Edit> {
    let Some(subject) = Subject::of(exhibit) else { return Vec::new() };
    match pass {
        "mode" => one_edit_if(exhibit.queries.first().is_some_and(|query| query.mode != Mode::Process)),
        "names" => one_edit_if(!rename::renaming(&subject.script).is_empty()),
        "widths" => numbered(narrow::narrowings(&subject.script).len()),
        "fuzz again" => numbered(if subject.assignment.is_some() { refuzz::PROPOSALS } else { 0 }),
        "definitions" => subject.definition_edits(),
        "children" => subject.child_edits(),
        "values" => subject.value_edits(),
        _ => subject.command_edits(pass),
    }
}

/// The exhibit after some edits of a pass; none if it would not be valid.
pub fn apply(exhibit: &Exhibit, pass: &str, edits: &[Edit]) -> Option<Exhibit> {
    let mut subject = Subject::of(exhibit)?;
    match pass {
        "mode" => {
            let mut simpler = exhibit.clone();
            simpler.queries.iter_mut().for_each(|query| query.mode = Mode::Process);
            return Some(simpler);
        }
        "names" => {
            let renaming = rename::renaming(&subject.script);
            return retold(exhibit, |text| Some(rename::apply(text, &renaming)));
        }
        "widths" => {
            let [edit] = edits else { return None };
            let narrowing = narrow::narrowings(&subject.script).into_iter().nth(edit.place)?;
            return retold(exhibit, |text| narrowing.apply(text));
        }
        "fuzz again" => {
            let [edit] = edits else { return None };
            subject.script = refuzz::instance(exhibit, subject.assignment.as_ref()?, edit.place)?;
            return subject.finish(exhibit).filter(|candidate| body_length(candidate) < body_length(exhibit));
        }
        "definitions" => subject.replace_by_bodies(edits)?,
        "children" => subject.replace_by_children(edits)?,
        "values" => subject.replace_by_values(edits)?,
        _ => subject.edit_commands(pass, edits),
    }
    subject.finish(exhibit)
}

fn one_edit_if(condition: bool) -> Vec<Edit> {
    numbered(usize::from(condition))
}

fn body_length(exhibit: &Exhibit) -> usize {
    exhibit.queries.first().and_then(|query| query.input.smt()).map_or(0, |input| input.body.len())
}

fn numbered(count: usize) -> Vec<Edit> {
    (0..count).map(|place| Edit { place, choice: 0 }).collect()
}

/// The script of an exhibit, open for editing.
struct Subject {
    script: Script,
    /// What must satisfy the script before and after.
    assignment: Option<String>,
    /// What gives terms their values where nothing must satisfy the script.
    hint: Option<String>,
}

impl Subject {
    fn of(exhibit: &Exhibit) -> Option<Subject> {
        let input = exhibit.queries.first()?.input.smt()?;
        let script = smt::parse("exhibit", &input.text()).ok()?;
        let assignment = (exhibit.relation.name == SATISFIABLE)
            .then(|| exhibit.relation.facts.get(ASSIGNMENT).cloned().unwrap_or_default());
        let hint = exhibit.relation.facts.get(CLAIMED).cloned();
        Some(Subject { script, assignment, hint })
    }

    /// Prints the edited script and makes sure that the accusation would still be fair.
    fn finish(mut self, exhibit: &Exhibit) -> Option<Exhibit> {
        drop_unused_declarations(&mut self.script);
        let input = to_input(&self.script);
        if input.checks == 0 || !models_follow_checks(&self.script) {
            return None;
        }
        let fair = match &self.assignment {
            Some(assignment) => judge::holds(&input, &assignment_for(&self.script, assignment)?),
            None => smt::parse("candidate", &input.text()).is_ok(),
        };
        if !fair {
            return None;
        }
        let mut candidate = exhibit.clone();
        if let Some(assignment) = &self.assignment {
            let kept = assignment_for(&self.script, assignment)?;
            candidate.relation.facts.insert(ASSIGNMENT.to_owned(), kept);
        }
        candidate.queries.first_mut()?.input = Input::Smt(input);
        Some(candidate)
    }

    // Commands.

    fn command_edits(&self, pass: &str) -> Vec<Edit> {
        let commands = self.script.commands.iter().enumerate();
        commands
            .filter(|(_, command)| concerns(pass, command))
            .map(|(place, _)| Edit { place, choice: 0 })
            .collect()
    }

    fn edit_commands(&mut self, pass: &str, edits: &[Edit]) {
        let places: BTreeSet<usize> = edits.iter().map(|edit| edit.place).collect();
        if pass == "scopes" {
            self.script.commands = without_scopes(&self.script.commands, &places);
            return;
        }
        let mut kept = Vec::new();
        for (index, command) in self.script.commands.drain(..).enumerate() {
            match (&command, places.contains(&index)) {
                (_, false) => kept.push(command),
                (Command::CheckSatUsing(_) | Command::CheckSatAssuming(_), true) if pass == "settings" => {
                    kept.push(Command::CheckSat);
                }
                _ => {}
            }
        }
        self.script.commands = kept;
    }

    // Terms.

    fn roots(&self) -> Vec<TermId> {
        judge::what_must_hold(&self.script)
    }

    fn definition_edits(&self) -> Vec<Edit> {
        let defined = |term: &TermId| {
            matches!(self.script.terms.head(*term), Head::Function(symbol)
            if self.script.terms.function(symbol).is_some_and(|info| info.definition.is_some() && !info.recursive))
        };
        let order = reachable(&self.script, &self.roots());
        order
            .iter()
            .enumerate()
            .filter(|(_, term)| defined(term))
            .map(|(place, _)| Edit { place, choice: 0 })
            .collect()
    }

    fn replace_by_bodies(&mut self, edits: &[Edit]) -> Option<()> {
        let order = reachable(&self.script, &self.roots());
        let mut replacements = BTreeMap::new();
        for edit in edits {
            let term = *order.get(edit.place)?;
            replacements.insert(term, self.body_of(term)?);
        }
        self.substitute(&replacements)
    }

    /// The body of a defined function with the arguments of this application in place of its parameters.
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

    fn child_edits(&self) -> Vec<Edit> {
        let terms = &self.script.terms;
        let mut edits = Vec::new();
        for (place, term) in reachable(&self.script, &self.roots()).into_iter().enumerate() {
            for (choice, child) in terms.children(term).iter().enumerate() {
                if terms.sort(*child) == terms.sort(term) {
                    edits.push(Edit { place, choice });
                }
            }
        }
        edits
    }

    fn replace_by_children(&mut self, edits: &[Edit]) -> Option<()> {
        let order = reachable(&self.script, &self.roots());
        let mut replacements = BTreeMap::new();
        for edit in edits {
            let term = *order.get(edit.place)?;
            replacements.insert(term, *self.script.terms.children(term).get(edit.choice)?);
        }
        self.substitute(&replacements)
    }

    fn value_edits(&self) -> Vec<Edit> {
        let terms = &self.script.terms;
        let choices = |term: TermId| match (&self.assignment, &self.hint, terms.sort_of(terms.sort(term))) {
            (Some(_), _, _) => 1,
            (None, None, Sort::Bool) | (None, Some(_), _) => 2,
            (None, None, _) => 1,
        };
        let mut edits = Vec::new();
        for (place, term) in reachable(&self.script, &self.roots()).into_iter().enumerate() {
            if terms.is_closed(term) && !is_literal(terms, term) && has_literals(terms, terms.sort(term)) {
                edits.extend((0..choices(term)).map(|choice| Edit { place, choice }));
            }
        }
        edits
    }

    fn replace_by_values(&mut self, edits: &[Edit]) -> Option<()> {
        let order = reachable(&self.script, &self.roots());
        let chosen: Vec<(TermId, usize)> =
            edits.iter().filter_map(|edit| Some((*order.get(edit.place)?, edit.choice))).collect();
        let values = self.values_of(&chosen)?;
        let mut replacements = BTreeMap::new();
        for ((term, _), value) in chosen.iter().zip(values) {
            let sort = self.script.terms.sort(*term);
            replacements.insert(*term, literal(&mut self.script.terms, sort, &value)?);
        }
        self.substitute(&replacements)
    }

    /// Under an assignment a term has one value; without one, that of the claimed model and plain ones are tried.
    fn values_of(&mut self, chosen: &[(TermId, usize)]) -> Option<Vec<Value>> {
        let source = self.assignment.as_ref().or(self.hint.as_ref());
        let read = source.and_then(|text| smt::model_reader::read_model(&mut self.script, text).ok());
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

    /// Replaces terms everywhere. A replacement is itself rebuilt, for it may hold other replaced terms.
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

/// True if every question for a model comes right after a check.
fn models_follow_checks(script: &Script) -> bool {
    let is_check = |command: &Command| {
        matches!(command, Command::CheckSat | Command::CheckSatAssuming(_) | Command::CheckSatUsing(_))
    };
    let starts_with_model = matches!(script.commands.first(), Some(Command::GetModel));
    let mut pairs = script.commands.windows(2);
    !starts_with_model && pairs.all(|pair| !matches!(pair[1], Command::GetModel) || is_check(&pair[0]))
}

/// Does a pass over commands concern this one?
fn concerns(pass: &str, command: &Command) -> bool {
    match pass {
        "assertions" => matches!(command, Command::Assert(_)),
        "checks" => {
            matches!(command, Command::CheckSat | Command::CheckSatAssuming(_) | Command::CheckSatUsing(_))
        }
        "scopes" => matches!(command, Command::Push(_)),
        "settings" => matches!(
            command,
            Command::SetLogic(_)
                | Command::SetOption { .. }
                | Command::CheckSatUsing(_)
                | Command::CheckSatAssuming(_)
                | Command::GetModel
        ),
        _ => false,
    }
}

/// The commands without some pushes and the levels of the pops that belong to them.
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

/// Drops declarations of functions that nothing uses any more, and sorts that no declaration needs.
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

/// The part of an assignment that concerns the symbols still declared.
fn assignment_for(script: &Script, assignment: &str) -> Option<String> {
    let input = to_input(script);
    let mut script = smt::parse("candidate", &input.text()).ok()?;
    let read = smt::model_reader::read_model(&mut script, assignment).ok()?;
    Some(read.assignment.describe(&script))
}

/// Takes a script apart again for the session.
fn to_input(script: &Script) -> SmtInput {
    let (mut options, mut body, mut checks) = (String::new(), String::new(), 0);
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
        target.push_str(&smt::print::command(&script.terms, command));
        target.push('\n');
    }
    SmtInput { options: options.into(), logic: script.logic().map(Arc::from), body: body.into(), checks }
}

/// The exhibit with its script and its assignment written in other words, if it would still be fair.
fn retold(exhibit: &Exhibit, rewrite: impl Fn(&str) -> Option<String>) -> Option<Exhibit> {
    let mut candidate = exhibit.clone();
    let Input::Smt(input) = &mut candidate.queries.first_mut()?.input else { return None };
    input.body = rewrite(&input.body)?.into();
    let facts = &mut candidate.relation.facts;
    for fact in [ASSIGNMENT, CLAIMED] {
        if let Some(text) = facts.get_mut(fact) {
            *text = rewrite(text)?;
        }
    }
    let fair = match facts.get(ASSIGNMENT) {
        Some(assignment) => judge::holds(input, assignment),
        None => smt::parse("candidate", &input.text()).is_ok(),
    };
    fair.then_some(candidate)
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
    use model::{AnalyzerId, Query};

    fn exhibit(body: &str, assignment: &str) -> Exhibit {
        let input = SmtInput { options: "".into(), logic: None, body: body.into(), checks: 1 };
        let query = Query::new(AnalyzerId::new("z3", "1", &[]), Input::Smt(input), Mode::Process);
        judge::wrong_unsat("satisfiable", &query, assignment, judge::WRONG_UNSAT).unwrap()
    }

    fn body(exhibit: &Exhibit) -> &str {
        &exhibit.queries[0].input.smt().unwrap().body
    }

    /// Every edit of every pass, alone, keeps the accusation fair or is refused.
    #[test]
    fn no_edit_leaves_a_script_that_its_assignment_does_not_satisfy() {
        let wide = "(declare-fun a () (_ BitVec 32))\n(declare-fun p () Bool)\n\
            (assert (or p (bvult a #x0000000f)))\n(assert (= ((_ extract 15 0) a) #x0003))\n(check-sat)\n";
        let original =
            exhibit(wide, "(define-fun a () (_ BitVec 32) #x00000003)\n(define-fun p () Bool false)\n");
        let mut accepted = BTreeMap::new();
        for pass in PASSES {
            for edit in edits(&original, pass) {
                let Some(candidate) = apply(&original, pass, &[edit]) else { continue };
                let input = candidate.queries[0].input.smt().unwrap();
                assert!(judge::holds(input, &candidate.relation.facts[ASSIGNMENT]), "{pass}: {}", input.body);
                *accepted.entry(*pass).or_insert(0) += 1;
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
        let narrow =
            edits(&original, "widths").into_iter().find_map(|edit| apply(&original, "widths", &[edit]));
        let narrow = narrow.unwrap();
        assert_eq!(body(&narrow), "(declare-fun a () (_ BitVec 2))\n(assert (bvult a #b11))\n(check-sat)\n");
        assert_eq!(narrow.relation.facts[ASSIGNMENT], "(define-fun a () (_ BitVec 2) #b01)\n");
    }

    #[test]
    fn fuzzing_again_gives_shorter_scripts_and_the_same_ones_each_time() {
        let long = "(declare-fun p () Bool)\n(declare-fun q () Bool)\n(assert (or (and p q) (xor p q) q))\n\
            (assert (=> (or p q) (or q p)))\n(check-sat)\n";
        let original = exhibit(long, "(define-fun p () Bool false)\n(define-fun q () Bool true)\n");
        let draw = || -> Vec<Exhibit> {
            let all = edits(&original, "fuzz again");
            all.into_iter().filter_map(|edit| apply(&original, "fuzz again", &[edit])).collect()
        };
        let drawn = draw();
        assert!(!drawn.is_empty() && drawn.iter().all(|smaller| body(smaller).len() < long.len()));
        assert_eq!(drawn, draw());
    }
}
