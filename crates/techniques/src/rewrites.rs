//! Rewrites of Datalog programs whose effect on one relation is known: it keeps its rows, loses none, or gains none.
//!
//! A rewrite changes the rules or facts of one relation, and declares its effect on the rows of this relation if
//! everything else stays the same. The ancestry determines the effect on the compared relation: the same if more rows here
//! mean more rows there, the opposite if they mean fewer, and none if no path leads there. If both are possible, only
//! rewrites that keep all rows are allowed. Each rewrite has its own file, with its condition and the reason for its
//! effect. After every step the program is safe and stratified.

mod add_atom;
mod add_contradictory_rule;
mod add_fact;
mod add_relation;
mod add_rule;
mod add_self_rule;
mod copy_atom;
mod delete_atom;
mod delete_fact;
mod delete_relation;
mod delete_rule;
mod drop_copied_atom;
mod inline_rows;
mod merge_variables;
mod negate_twice;
mod rename_variable;
mod split_variable;

use datalog::strata::{Edge, Strata, edges};
use datalog::{
    Ancestry, Constant, Literal, Program, RelationId, Rule, Term, Type, Variable, ancestry_by, check_rule,
    named_in_opaque,
};
use model::Random;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The effect of a rewrite on the rows of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// They stay the same.
    Same,
    /// No row is added.
    Fewer,
    /// No row is removed.
    More,
}

impl Effect {
    /// Returns the effect through a negation.
    fn turned(self) -> Effect {
        match self {
            Effect::Same => Effect::Same,
            Effect::Fewer => Effect::More,
            Effect::More => Effect::Fewer,
        }
    }
}

/// A kind of rewrite.
pub trait Rewrite: Sync {
    /// Returns its name.
    fn name(&self) -> &'static str;
    /// Returns its effect on the rows of the changed relation if everything else stays the same.
    fn effect(&self) -> Effect;
    /// Changes one of the relations in a program. Returns false if it cannot. The result need not be stratified.
    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool;
}

/// Rewrites on the graph of relations.
pub const ON_GRAPHS: &[&dyn Rewrite] = &[
    &add_atom::AddAtom,
    &add_contradictory_rule::AddContradictoryRule,
    &add_fact::AddFact,
    &add_relation::AddRelation,
    &add_rule::AddRule,
    &add_self_rule::AddSelfRule,
    &delete_atom::DeleteAtom,
    &delete_fact::DeleteFact,
    &delete_relation::DeleteRelation,
    &delete_rule::DeleteRule,
    &inline_rows::InlineRows,
];

/// Rewrites of one rule as a conjunctive query.
pub const ON_QUERIES: &[&dyn Rewrite] = &[
    &add_atom::AddAtom,
    &copy_atom::CopyAtom,
    &delete_atom::DeleteAtom,
    &drop_copied_atom::DropCopiedAtom,
    &merge_variables::MergeVariables,
    &negate_twice::NegateTwice,
    &rename_variable::RenameVariable,
    &split_variable::SplitVariable,
];

/// The facts about a program that a rewrite may use.
pub struct View<'a> {
    /// The relations that may be changed, because the rewrite has the wanted effect there, in ascending order.
    pub choices: &'a [RelationId],
    /// All dependencies between relations.
    pub edges: &'a [Edge],
    /// The groups of relations that depend on each other, even by a negation.
    pub groups: &'a Strata,
    /// How each relation influences the compared one.
    pub ancestry: &'a [Ancestry],
    /// The relation that is compared.
    pub compared: RelationId,
}

impl View<'_> {
    /// Returns true if a relation depends on another, directly or indirectly, or is the same.
    pub fn depends_on(&self, relation: RelationId, other: RelationId) -> bool {
        let mut uses: Vec<Vec<RelationId>> = vec![Vec::new(); self.ancestry.len()];
        self.edges.iter().for_each(|edge| uses[edge.to.index()].push(edge.from));
        let mut waiting = vec![relation];
        let mut seen = vec![false; self.ancestry.len()];
        while let Some(next) = waiting.pop() {
            if next == other {
                return true;
            }
            if !std::mem::replace(&mut seen[next.index()], true) {
                waiting.append(&mut uses[next.index()]);
            }
        }
        false
    }

    /// Returns true if a relation may be changed.
    pub fn may_change(&self, relation: RelationId) -> bool {
        self.choices.binary_search(&relation).is_ok()
    }

    /// Draws a suitable rule without aggregates of one of the relations that may be changed.
    pub fn choose_rule(
        &self,
        program: &Program,
        random: &mut Random,
        is_fit: impl Fn(&Rule) -> bool,
    ) -> Option<usize> {
        let fits = |place: &usize| {
            let rule = &program.rules[*place];
            self.may_change(rule.head.relation) && !has_aggregate(rule) && is_fit(rule)
        };
        let places: Vec<usize> = (0..program.rules.len()).filter(fits).collect();
        random.choose(&places).copied()
    }
}

/// A rewrite that was applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The name of the rewrite.
    pub name: &'static str,
    /// Its effect on the compared relation.
    pub effect: Effect,
}

/// Applies up to `steps` rewrites, each of which keeps the compared relation or has the wanted effect. Rewrites that turn
/// out not to be applicable are skipped.
pub fn rewrite(
    program: &mut Program,
    compared: RelationId,
    kinds: &[&'static dyn Rewrite],
    wanted: Effect,
    steps: usize,
    random: &mut Random,
) -> Vec<Taken> {
    let mut taken = Vec::new();
    let mut known = Known::of(program, compared);
    let changing: Vec<&'static dyn Rewrite> =
        kinds.iter().copied().filter(|kind| kind.effect() != Effect::Same).collect();
    for number in 1..=steps {
        // If rows should change, half of the steps use rewrites that can change them.
        let drawn = if wanted != Effect::Same && random.percent(50) { &changing } else { kinds };
        let Some(kind) = random.choose(drawn) else { break };
        if let Some(effect) = step(program, &known, *kind, wanted, random) {
            taken.push(Taken { name: kind.name(), effect });
            if number < steps {
                known = Known::of(program, compared);
            }
        }
    }
    taken
}

/// The data of a [`View`].
struct Known {
    edges: Vec<Edge>,
    groups: Strata,
    ancestry: Vec<Ancestry>,
    /// The relations that opaque statements mention, which must not change.
    named: Vec<bool>,
    compared: RelationId,
}

impl Known {
    fn of(program: &Program, compared: RelationId) -> Known {
        let edges = edges(program);
        let groups = Strata::ignoring_negation(program.relations.len(), &edges);
        let ancestry = ancestry_by(program, &edges, compared);
        let named = if program.opaque.is_empty() { Vec::new() } else { named_in_opaque(program) };
        Known { edges, groups, ancestry, named, compared }
    }
}

/// Tries one rewrite and returns its effect on the compared relation.
fn step(
    program: &mut Program,
    known: &Known,
    kind: &dyn Rewrite,
    wanted: Effect,
    random: &mut Random,
) -> Option<Effect> {
    let effect_at = |id: RelationId| match (known.ancestry[id.index()], kind.effect()) {
        _ if known.named.get(id.index()) == Some(&true) => None,
        (Ancestry::None, _) => Some(Effect::Same),
        (Ancestry::Positive, effect) => Some(effect),
        (Ancestry::Negative, effect) => Some(effect.turned()),
        (Ancestry::Both, Effect::Same) => Some(Effect::Same),
        (Ancestry::Both, _) => None,
    };
    // The effect on the compared relation is chosen first; otherwise most steps would be outside of the ancestry.
    let has = |effect: Effect| -> Vec<RelationId> {
        program.ids().filter(|id| effect_at(*id) == Some(effect)).collect()
    };
    let (changing, quiet) = (has(wanted), has(Effect::Same));
    let (choices, effect) = match (changing.is_empty(), quiet.is_empty()) {
        (true, true) => return None,
        (false, true) => (changing, wanted),
        (true, false) => (quiet, Effect::Same),
        (false, false) if random.percent(70) => (changing, wanted),
        (false, false) => (quiet, Effect::Same),
    };
    // A change far away from the compared relation often does not reach it.
    let used: BTreeSet<RelationId> =
        known.edges.iter().filter(|edge| edge.to == known.compared).map(|edge| edge.from).collect();
    let is_near = |id: &RelationId| *id == known.compared || used.contains(id);
    let near: Vec<RelationId> = choices.iter().copied().filter(is_near).collect();
    let choices = if !near.is_empty() && random.percent(50) { near } else { choices };
    let view = View {
        choices: &choices,
        edges: &known.edges,
        groups: &known.groups,
        ancestry: &known.ancestry,
        compared: known.compared,
    };
    let before = program.clone();
    if kind.apply(program, &view, random) && Strata::of(program).is_ok() {
        return Some(effect);
    }
    *program = before;
    None
}

fn has_aggregate(rule: &Rule) -> bool {
    rule.body.iter().any(|literal| matches!(literal, Literal::Aggregate { .. }))
}

/// Returns true if a changed rule is still well-formed.
fn is_safe(program: &Program, rule: &Rule) -> bool {
    check_rule(program, rule).is_ok()
}

/// Replaces a rule by another one if that is safe.
fn replace_rule(program: &mut Program, place: usize, rule: Rule) -> bool {
    let is_fit = is_safe(program, &rule);
    if is_fit {
        program.rules[place] = rule;
    }
    is_fit
}

/// Returns the indices of the positive atoms of a body.
fn positive_places(rule: &Rule) -> Vec<usize> {
    let is_positive = |place: &usize| matches!(rule.body[*place], Literal::Positive(_));
    (0..rule.body.len()).filter(is_positive).collect()
}

/// Returns the types of the variables that positive atoms of a rule bind.
fn bound_types(program: &Program, rule: &Rule) -> Vec<(Variable, Type)> {
    let mut found: Vec<(Variable, Type)> = Vec::new();
    let mut seen = BTreeSet::new();
    for literal in &rule.body {
        let Literal::Positive(atom) = literal else { continue };
        let columns = &program.relation(atom.relation).columns;
        for (argument, column) in atom.arguments.iter().zip(columns) {
            if let Term::Variable(variable) = argument
                && seen.insert(*variable)
            {
                found.push((*variable, *column));
            }
        }
    }
    found
}

/// Draws arguments for a head: a bound variable of the column's type, or a constant if there is none.
fn drawn_head(program: &Program, rule: &Rule, random: &mut Random) -> Vec<Term> {
    let bound = bound_types(program, rule);
    let mut arguments = Vec::new();
    for column in &program.relation(rule.head.relation).columns {
        let known: Vec<Variable> =
            bound.iter().filter(|(_, r#type)| r#type == column).map(|(variable, _)| *variable).collect();
        arguments.push(match random.choose(&known) {
            Some(variable) => Term::Variable(*variable),
            None => Term::Constant(some_constant(program, *column, random)),
        });
    }
    arguments
}

/// Draws a constant of a type that occurs in the program, or a new one.
fn some_constant(program: &Program, r#type: Type, random: &mut Random) -> Constant {
    let facts = program.relations.iter().flat_map(|relation| relation.facts.iter().flatten());
    let known: Vec<&Constant> = facts.filter(|constant| constant.r#type() == r#type).collect();
    match random.choose(&known) {
        Some(constant) if random.percent(85) => (*constant).clone(),
        _ => match r#type {
            Type::Signed => Constant::Signed(random.below(10) as i64),
            Type::Unsigned => Constant::Unsigned(random.below(10) as u64),
            Type::Float => Constant::float(random.below(10) as f64 / 4.0),
            Type::Symbol => Constant::Symbol(format!("s{}", random.below(10)).into()),
        },
    }
}

/// Returns an unused name for a relation.
fn fresh_name(program: &Program) -> String {
    let mut number = program.relations.len();
    loop {
        let name = format!("r{number}");
        if program.find(&name).is_none() {
            return name;
        }
        number += 1;
    }
}
