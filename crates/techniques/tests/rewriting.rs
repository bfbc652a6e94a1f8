//! `precedence_graph` and `conjunctive_query` with honest engines and with liars.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use datalog::{Comparison, Constant, Literal, Program, Term, Variable, check, parse, reference};
use model::{
    AnalyzerId, AnalyzerInfo, Answer, Claim, Cost, DatalogInfo, Exhibit, Language, Lineup, Mode, OutputRows,
    Query, Random, RoleInfo, Settings, Verdict,
};
use techniques::{
    Hearing, Judgement, Notes, Opening, Seeds, Step, Technique, conjunctive_query, precedence_graph,
};

fn engine() -> AnalyzerInfo {
    AnalyzerInfo {
        id: AnalyzerId::new("engine", "1", &[]),
        language: model::Language::DATALOG,
        family: "engine".to_owned(),
        modes: vec![Mode::Process],
        roles: vec![RoleInfo::Datalog(DatalogInfo {
            dialect: "souffle".to_owned(),
            is_reference: false,
            options: Vec::new(),
        })],
    }
}

/// A lie: it evaluates a different program from the one in the query.
type Lie = fn(&mut Program);

fn answer(query: &Query, lie: Lie) -> Answer {
    let asked = parse("asked", query.input.text_in(Language::DATALOG).unwrap()).unwrap();
    let mut program = asked.clone();
    lie(&mut program);
    let strata = check(&program).unwrap();
    // The program that a lie evaluates may have no result.
    let Ok(evaluation) = reference::evaluate(&program, &strata, 10_000_000) else {
        return Answer { verdict: Verdict::Unknown, cost: Cost::default(), output: Vec::new() };
    };
    let output = |id| OutputRows {
        relation: asked.relation(id).name.to_string(),
        rows: evaluation.rows(id).iter().map(|row| row.iter().map(Constant::to_string).collect()).collect(),
    };
    let verdict = Verdict::Claim(Claim::Rows(asked.outputs().map(output).collect()));
    Answer { verdict, cost: Cost::default(), output: Vec::new() }
}

/// The number of queries in some cases, and the exhibits.
fn walk(technique: &Technique, cases: u64, lie: Lie) -> (usize, Vec<Exhibit>) {
    let lineup = Lineup { subjects: vec![engine()], witnesses: Vec::new() };
    let settings = Settings::default();
    let (mut asked, mut exhibits) = (0, Vec::new());
    for number in 0..cases {
        let mut random = Random::for_case(1, number);
        let Seeds::Made(make_seed) = technique.seeds else { panic!("it makes its own seeds") };
        let seed = make_seed(&settings, random.split()).unwrap().program;
        let opening = Opening { seed: &seed, lineup: &lineup, settings: &settings, random };
        let mut case = (technique.open)(opening).unwrap();
        let mut notes = Notes::default();
        let mut answers = Vec::new();
        while let Step::Ask(queries) = case.next(&answers, &mut notes) {
            asked += queries.len();
            answers = queries.iter().map(|query| answer(query, lie)).collect();
        }
        exhibits.extend(notes.exhibits);
    }
    (asked, exhibits)
}

fn both() -> [&'static Technique; 2] {
    [&precedence_graph::TECHNIQUE, &conjunctive_query::TECHNIQUE]
}

#[test]
fn an_honest_engine_is_not_accused() {
    for technique in both() {
        let (asked, exhibits) = walk(technique, 400, |_| {});
        assert!(exhibits.is_empty(), "{exhibits:#?}");
        assert!(asked > 2000, "{asked}");
    }
}

/// Ignores repetitions of a variable in an atom.
fn forgets_repetitions(program: &mut Program) {
    for rule in &mut program.rules {
        let mut fresh = rule.fresh_variable().0;
        for literal in &mut rule.body {
            let Literal::Positive(atom) = literal else { continue };
            let mut seen: Vec<Variable> = Vec::new();
            for argument in &mut atom.arguments {
                if let Term::Variable(variable) = argument {
                    if seen.contains(variable) {
                        *argument = Term::Variable(Variable(fresh));
                        fresh += 1;
                    } else {
                        seen.push(*variable);
                    }
                }
            }
        }
    }
}

/// Negates a relation before its rules are applied.
fn negates_early(program: &mut Program) {
    let facts: Vec<_> = program.relations.clone();
    let count = facts.len() as u32;
    for relation in facts {
        let name = format!("{}_early", relation.name);
        program.relations.push(datalog::Relation { name: name.into(), is_output: false, ..relation });
    }
    for rule in &mut program.rules {
        for literal in &mut rule.body {
            if let Literal::Negative(atom) = literal {
                atom.relation.0 += count;
            }
        }
    }
}

/// Loses the last fact of every relation with many facts.
fn loses_facts(program: &mut Program) {
    for relation in program.relations.iter_mut().filter(|relation| relation.facts.len() > 6) {
        relation.facts.pop();
    }
}

/// Reads `<=` as `<`.
fn confuses_comparisons(program: &mut Program) {
    for rule in &mut program.rules {
        for literal in &mut rule.body {
            if let Literal::Compare(comparison @ Comparison::LessOrEqual, _, _) = literal {
                *comparison = Comparison::Less;
            }
        }
    }
}

#[test]
fn every_lie_is_caught_judged_and_reduced() {
    let lies: [(&str, Lie); 4] = [
        ("repetitions", forgets_repetitions),
        ("negation", negates_early),
        ("facts", loses_facts),
        ("comparisons", confuses_comparisons),
    ];
    let lineup = Lineup { subjects: vec![engine()], witnesses: Vec::new() };
    for technique in both() {
        for (name, lie) in lies {
            let (_, exhibits) = walk(technique, 200, lie);
            let exhibit = exhibits.first().unwrap_or_else(|| panic!("{name} is not caught"));
            let answers: Vec<Answer> = exhibit.queries.iter().map(|query| answer(query, lie)).collect();
            assert_eq!((technique.judge.judge)(exhibit, &answers), Judgement::Broken, "{name}");
            let honest: Vec<Answer> = exhibit.queries.iter().map(|query| answer(query, |_| {})).collect();
            assert_eq!((technique.judge.judge)(exhibit, &honest), Judgement::Intact, "{name}");
            let hearing = Hearing { answers: &answers, lineup: &lineup, asked: &[], witnesses: &[] };
            let weighed = (technique.judge.weigh)(exhibit, &hearing);
            assert!(!weighed.reasons.is_empty(), "{name}");
            let smaller = technique.passes.iter().flat_map(|pass| {
                let patches = pass.proposals(exhibit).into_iter();
                patches.filter_map(|patch| pass.apply(exhibit, &[patch]))
            });
            let holds = |it: &Exhibit| {
                let answers: Vec<Answer> = it.queries.iter().map(|query| answer(query, lie)).collect();
                (technique.judge.judge)(it, &answers) == Judgement::Broken
            };
            assert!(smaller.into_iter().any(|it| holds(&it)), "{name} cannot be reduced");
        }
    }
}
