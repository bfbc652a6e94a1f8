//! Surveys generated programs: prints, for each feature, the share of programs or relations that have it.
//!
//! `survey` generates 3,000 programs with the default options and as many with all features; `survey 500` generates 500
//! of each.

use datalog::generate::{Options, generate};
use datalog::reference::{self, Evaluation};
use datalog::strata::{self, Edge, Strata};
use datalog::{
    Ancestry, Constant, Literal, Program, Relation, RelationId, Rule, Storage, Term, Type, ancestry, check,
};
use model::Random;
use std::collections::{BTreeMap, BTreeSet};

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(3_000);
    let plain = survey(&Options::default(), count);
    let rich = survey(&Options::rich(), count);
    println!("{:44} {:>9} {:>9}", "", "plain", "rich");
    for (name, share) in &plain.shares {
        let other = rich.shares.get(name).copied().unwrap_or_default();
        println!("{:44} {:>7.1} % {:>7.1} %", name.1, share.percent(), other.percent());
    }
    for (name, survey) in [("plain", plain), ("rich", rich)] {
        let mut rows = survey.rows;
        rows.sort_unstable();
        let at = |percent: usize| rows.get(rows.len() * percent / 100).copied().unwrap_or(0);
        println!(
            "rows of outputs, {name}: {} in the least quarter, {} in the middle, {} in the greatest quarter, {} in 99 of 100",
            at(25),
            at(50),
            at(75),
            at(99)
        );
    }
}

/// A part of a whole.
#[derive(Clone, Copy, Default)]
struct Share {
    having: usize,
    all: usize,
}

impl Share {
    fn percent(self) -> f64 {
        100.0 * self.having as f64 / self.all.max(1) as f64
    }
}

/// The shares by name, in order of first use.
#[derive(Default)]
struct Survey {
    shares: BTreeMap<(usize, &'static str), Share>,
    order: Vec<&'static str>,
    rows: Vec<usize>,
}

impl Survey {
    fn add(&mut self, name: &'static str, has: bool) {
        let place = self.order.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.order.push(name);
            self.order.len() - 1
        });
        let share = self.shares.entry((place, name)).or_default();
        share.having += usize::from(has);
        share.all += 1;
    }
}

fn survey(options: &Options, count: u64) -> Survey {
    let mut survey = Survey::default();
    for number in 0..count {
        let program = generate(options, &mut Random::for_case(1, number));
        match check(&program) {
            Ok(strata) => add_program(&program, &strata, &mut survey),
            Err(problem) => eprintln!("{problem}\n{program}"),
        }
    }
    survey
}

fn add_program(program: &Program, strata: &Strata, survey: &mut Survey) {
    let edges = strata::edges(program);
    recursion(program, strata, &edges, survey);
    if let Some(output) = program.outputs().next() {
        negation(program, strata, &edges, output, survey);
    }
    rules(program, survey);
    relations(program, survey);
    let evaluation = reference::evaluate(program, strata, 200_000);
    survey.add("programs that cannot be computed in time", evaluation.is_err());
    if let Ok(evaluation) = evaluation {
        outputs(program, &evaluation, survey);
    }
}

fn recursion(program: &Program, strata: &Strata, edges: &[Edge], survey: &mut Survey) {
    let mut uses: BTreeMap<usize, usize> = BTreeMap::new();
    for edge in edges.iter().filter(|edge| strata.are_together(edge.from, edge.to)) {
        *uses.entry(edge.rule).or_default() += 1;
    }
    let is_mutual = |group: &Vec<RelationId>| group.len() > 1;
    survey.add("recursion", !uses.is_empty());
    survey.add("recursion, linear", uses.values().any(|uses| *uses == 1));
    survey.add("recursion, not linear", uses.values().any(|uses| *uses > 1));
    survey.add("recursion, mutual", strata.groups.iter().any(is_mutual));
    let negates = |rule: &Rule| rule.body.iter().any(|literal| matches!(literal, Literal::Negative(_)));
    survey.add(
        "recursion with a negation in the same rule",
        uses.keys().any(|rule| negates(&program.rules[*rule])),
    );
}

fn negation(program: &Program, strata: &Strata, edges: &[Edge], output: RelationId, survey: &mut Survey) {
    let mut depths = vec![0usize; program.relations.len()];
    // Groups are in evaluation order, and members of a group do not negate each other.
    for (group, members) in strata.groups.iter().enumerate() {
        let into = edges.iter().filter(|edge| strata.group_of[edge.to.index()] == group);
        let through =
            |edge: &Edge| depths[edge.from.index()] + usize::from(edge.needs_all && !edge.is_aggregated);
        let depth = into.map(through).max().unwrap_or(0);
        members.iter().for_each(|member| depths[member.index()] = depth);
    }
    let depth = depths[output.index()];
    survey.add("negation, one or more below the output", depth >= 1);
    survey.add("negation, two or more below the output", depth >= 2);
    survey.add("negation, three or more below the output", depth >= 3);
    let found = ancestry(program, output);
    survey.add("a relation of negative ancestry", found.contains(&Ancestry::Negative));
    survey.add("a relation of both ancestries", found.contains(&Ancestry::Both));
    for (_, ancestry) in found.iter().enumerate().filter(|(place, _)| *place != output.index()) {
        survey.add("relations: positive ancestry", *ancestry == Ancestry::Positive);
        survey.add("relations: negative ancestry", *ancestry == Ancestry::Negative);
        survey.add("relations: both ancestries", *ancestry == Ancestry::Both);
        survey.add("relations: no ancestry", *ancestry == Ancestry::None);
    }
}

fn rules(program: &Program, survey: &mut Survey) {
    let is_constant = |term: &Term| matches!(term, Term::Constant(_));
    let any =
        |wanted: &dyn Fn(&Literal) -> bool| program.rules.iter().any(|rule| rule.body.iter().any(wanted));
    let heads = || program.rules.iter().flat_map(|rule| &rule.head.arguments);
    let in_body = |wanted: &dyn Fn(&Term) -> bool| {
        any(&|literal| literal.atom().is_some_and(|atom| atom.arguments.iter().any(wanted)))
    };
    survey.add("constants in bodies", in_body(&is_constant));
    survey.add("constants in heads", heads().any(is_constant));
    survey.add("`_`", in_body(&|term| *term == Term::Wildcard));
    survey.add("comparisons", any(&|literal| matches!(literal, Literal::Compare(..))));
    survey.add("aggregates", any(&|literal| matches!(literal, Literal::Aggregate { .. })));
    survey.add("arithmetic", heads().any(|term| matches!(term, Term::Apply(..))));
    survey.add("a variable twice in one atom", any(&repeats));
    let negations = |rule: &Rule| rule.body.iter().filter(|it| matches!(it, Literal::Negative(_))).count();
    survey.add("two negations in one rule", program.rules.iter().any(|rule| negations(rule) > 1));
}

fn repeats(literal: &Literal) -> bool {
    let Some(atom) = literal.atom() else { return false };
    let variables: Vec<&Term> =
        atom.arguments.iter().filter(|term| matches!(term, Term::Variable(_))).collect();
    variables.iter().enumerate().any(|(place, term)| variables[..place].contains(term))
}

fn relations(program: &Program, survey: &mut Survey) {
    let any = |wanted: &dyn Fn(&Relation) -> bool| program.relations.iter().any(wanted);
    let has_type = |r#type: Type| any(&|relation| relation.columns.contains(&r#type));
    survey.add("five columns or more", any(&|relation| relation.columns.len() >= 5));
    survey.add("no columns", any(&|relation| relation.columns.is_empty()));
    survey.add("unsigned columns", has_type(Type::Unsigned));
    survey.add("float columns", has_type(Type::Float));
    survey.add("symbol columns", has_type(Type::Symbol));
    let without_rules = |relation: &RelationId| program.rules_of(*relation).next().is_none();
    let tables: Vec<&Relation> = program.ids().filter(without_rules).map(|it| program.relation(it)).collect();
    survey.add("an empty table of facts", tables.iter().any(|table| table.facts.is_empty()));
    survey.add("a skewed table of facts", tables.iter().any(|table| is_skewed(table)));
    survey.add(
        "facts and rules for one relation",
        program.ids().any(|id| !without_rules(&id) && !program.relation(id).facts.is_empty()),
    );
    for relation in &program.relations {
        survey.add("relations: with a storage", relation.storage != Storage::Any);
        survey.add("relations: inlined", relation.is_inlined);
    }
}

/// Returns true if there are at least five rows and more than half of them share a value.
fn is_skewed(relation: &Relation) -> bool {
    let rows = relation.facts.len();
    rows >= 5
        && (0..relation.columns.len()).any(|column| {
            let mut counts: BTreeMap<&Constant, usize> = BTreeMap::new();
            relation.facts.iter().for_each(|fact| *counts.entry(&fact[column]).or_default() += 1);
            counts.values().any(|count| count * 2 > rows)
        })
}

fn outputs(program: &Program, evaluation: &Evaluation<'_>, survey: &mut Survey) {
    for relation in program.ids() {
        survey.add("relations: empty", evaluation.count(relation) == 0);
    }
    let domain = domain(program);
    for output in program.outputs() {
        let (columns, count) = (&program.relation(output).columns, evaluation.count(output));
        let all: usize = columns.iter().map(|column| domain.get(column).map_or(0, BTreeSet::len)).product();
        survey.add("outputs that are empty", count == 0);
        survey.add("outputs that have every row there can be", count >= all);
        survey.add(
            "outputs that are all rows of another relation",
            program.ids().any(|other| {
                other != output
                    && program.relation(other).columns == *columns
                    && evaluation.count(other) == count
                    && evaluation.rows(other) == evaluation.rows(output)
            }),
        );
        survey.rows.push(count);
    }
}

/// Returns the values of each type that occur in facts and heads.
fn domain(program: &Program) -> BTreeMap<Type, BTreeSet<Constant>> {
    let mut domain: BTreeMap<Type, BTreeSet<Constant>> = BTreeMap::new();
    let facts = program.relations.iter().flat_map(|relation| &relation.facts).flatten();
    let heads = program.rules.iter().flat_map(|rule| &rule.head.arguments).filter_map(|term| match term {
        Term::Constant(constant) => Some(constant),
        _ => None,
    });
    for constant in facts.chain(heads) {
        domain.entry(constant.r#type()).or_default().insert(constant.clone());
    }
    domain
}
