//! Generating around a program leaves it as it is and adds well-formed relations that are rarely empty.
//!
//! `JUVENAL_DATALOG_SEEDS` may name a directory with more programs for Soufflé.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test helpers fail by panicking")]

use datalog::generate::{Options, around, generate};
use datalog::strata::edges;
use datalog::{
    Ancestry, Dialect, Literal, Program, RelationId, Storage, ancestry, check, parse, parse_with_facts,
    reference,
};
use model::Random;
use std::path::{Path, PathBuf};

/// Collects the `.dl` files in a directory.
fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "dl") {
            found.push(path);
        }
    }
    found.sort();
}

fn own_seeds() -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../seeds/datalog")), &mut found);
    found
}

/// Reads a program. Returns `None` if it cannot be used, for example because it needs other files.
fn read(path: &Path) -> Option<Program> {
    let text = std::fs::read_to_string(path).ok()?;
    let directory = path.parent()?;
    let facts = |name: &str| std::fs::read_to_string(directory.join(name)).ok();
    let program = parse_with_facts(&path.to_string_lossy(), &text, &facts).ok()?;
    check(&program).ok().map(|_| program)
}

fn options(number: u64) -> Options {
    if number.is_multiple_of(2) { Options::default() } else { Options::rich() }
}

/// Generates around a program, checks the result and returns whether the new output has rows.
fn generate_and_check(seed: &Program, number: u64, name: &Path) -> bool {
    let (program, output) = around(seed, &options(number), &mut Random::for_case(4, number));
    let name = name.display();
    check(&program).unwrap_or_else(|problem| panic!("{name}: {problem}\n{program}"));
    assert_eq!(program.relations[..seed.relations.len()], seed.relations, "{name}");
    assert_eq!(program.rules[..seed.rules.len()], seed.rules, "{name}");
    assert_eq!(program.opaque, seed.opaque, "{name}");
    let is_new = |id: RelationId| id.index() >= seed.relations.len();
    assert!(is_new(output) && program.relation(output).is_output, "{name}");
    for rule in &program.rules[seed.rules.len()..] {
        assert!(is_new(rule.head.relation), "{name}: {}", program.rule_text(rule));
        for atom in
            rule.body.iter().filter(|it| !matches!(it, Literal::Positive(_))).filter_map(Literal::atom)
        {
            assert!(!program.relation(atom.relation).is_inlined, "{name}: {}", program.rule_text(rule));
        }
    }
    let text = program.to_string();
    let again = parse("around.dl", &text).unwrap_or_else(|problem| panic!("{name}: {problem}\n{text}"));
    assert_eq!(again.to_string(), text, "{name}");
    if !program.opaque.is_empty() {
        return true;
    }
    let strata = check(&program).unwrap();
    match reference::evaluate(&program, &strata, 20_000_000) {
        Ok(evaluation) => evaluation.count(output) > 0,
        Err(_) => false,
    }
}

/// Returns true if new rules use relations of the seed.
fn uses_seed(seed: &Program, program: &Program) -> bool {
    let is_given =
        |literal: &Literal| literal.atom().is_some_and(|it| it.relation.index() < seed.relations.len());
    program.rules[seed.rules.len()..].iter().any(|rule| rule.body.iter().any(is_given))
}

#[test]
fn seeds_stay_as_they_are() {
    let (mut full, mut pure, mut used, mut all) = (0, 0, 0, 0);
    for path in own_seeds() {
        let seed = read(&path).unwrap();
        for number in 0..20 {
            let has_rows = generate_and_check(&seed, number, &path);
            if seed.opaque.is_empty() {
                pure += 1;
                full += usize::from(has_rows);
            }
            let (program, _) = around(&seed, &options(number), &mut Random::for_case(4, number));
            used += usize::from(uses_seed(&seed, &program));
            all += 1;
        }
    }
    println!("{full} of {pure} outputs have rows; {used} of {all} programs use the seed");
    assert_eq!(all, 500);
    assert!(full * 10 >= pure * 9 && used * 10 >= all * 9, "{full} of {pure}; {used} of {all}");
}

#[test]
fn programs_in_the_given_directory_stay_as_they_are() {
    let Some(directory) = std::env::var_os("JUVENAL_DATALOG_SEEDS") else { return };
    let mut paths = Vec::new();
    files(Path::new(&directory), &mut paths);
    let (mut full, mut pure, mut read_well) = (0, 0, 0);
    for (number, path) in paths.iter().enumerate() {
        let Some(seed) = read(path) else { continue };
        read_well += 1;
        let has_rows = generate_and_check(&seed, number as u64, path);
        if seed.opaque.is_empty() {
            pure += 1;
            full += usize::from(has_rows);
        }
    }
    println!("{read_well} of {} programs are read; {full} of {pure} outputs have rows", paths.len());
    assert!(full * 10 >= pure * 8, "{full} of {pure}");
}

#[test]
fn new_names_do_not_clash_with_names_of_the_seed() {
    let text = ".decl r0(x:number)\n.decl r1(x:number)\nr0(1).\nr1(x) :- r0(x).\n.output r1\n";
    let seed = parse("t.dl", text).unwrap();
    let (program, output) = around(&seed, &Options::default(), &mut Random::for_case(1, 1));
    check(&program).unwrap();
    assert!(&*program.relation(output).name != "r0" && program.outputs().count() == 2, "{program}");
}

#[test]
fn only_relations_that_souffle_can_inline_are_inlined() {
    let text = ".decl a(x:number)\n.decl b(x:number) inline\n.decl c(x:number) inline\n.decl d(x:number)\n\
        .decl e(x:number) inline\na(1).\nb(x) :- a(x).\nc(x) :- a(x), a(y), x < y.\n\
        d(x) :- a(x), !b(x), !c(x).\nd(x) :- e(x).\ne(x) :- e(x), a(x).\ne(x) :- a(x).\n.output d\n";
    let rendered = Dialect::Souffle.render(&parse("t.dl", text).unwrap()).unwrap();
    assert!(rendered.contains(".decl b(c0:number) inline"), "{rendered}");
    assert!(rendered.contains(".decl c(c0:number)\n"), "{rendered}");
    assert!(rendered.contains(".decl e(c0:number)\n"), "{rendered}");
    let mut inlined = 0;
    for number in 0..500 {
        let program = generate(&options(number), &mut Random::for_case(6, number));
        inlined += program.relations.iter().filter(|relation| relation.is_inlined).count();
        assert_eq!(Dialect::Souffle.render(&program).unwrap(), program.to_string());
    }
    assert!(inlined > 100, "{inlined}");
}

/// Returns the percentage of programs with a property.
fn share(programs: &[Program], has: impl Fn(&Program) -> bool) -> usize {
    programs.iter().filter(|program| has(program)).count() * 100 / programs.len()
}

#[test]
fn important_features_are_common() {
    let make = |number| generate(&Options::default(), &mut Random::for_case(7, number));
    let programs: Vec<Program> = (0..1000).map(make).collect();
    let mutual = share(&programs, |it| check(it).unwrap().groups.iter().any(|group| group.len() > 1));
    let bears = |program: &Program, wanted| {
        program.outputs().any(|output| ancestry(program, output).contains(&wanted))
    };
    let negative = share(&programs, |it| bears(it, Ancestry::Negative));
    let both = share(&programs, |it| bears(it, Ancestry::Both));
    let any = |program: &Program, has: &dyn Fn(&datalog::Relation) -> bool| program.relations.iter().any(has);
    let wide = share(&programs, |it| any(it, &|relation| relation.columns.len() >= 5));
    let flags = share(&programs, |it| any(it, &|relation| relation.columns.is_empty()));
    let storage = share(&programs, |it| any(it, &|relation| relation.storage != Storage::Any));
    let inlined = share(&programs, |it| any(it, &|relation| relation.is_inlined));
    let empty = share(&programs, |it| {
        let is_table = |id: &RelationId| it.rules_of(*id).next().is_none();
        it.ids().filter(is_table).any(|id| it.relation(id).facts.is_empty())
    });
    let negated = share(&programs, |it| edges(it).iter().any(|edge| edge.needs_all));
    let shares = [mutual, negative, both, wide, flags, storage, inlined, empty, negated];
    assert!(shares.iter().all(|share| *share >= 15), "{shares:?}");
}
