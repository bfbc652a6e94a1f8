//! A printed script is read back as the same graph, for shared, deep and shipped scripts.

#![allow(clippy::panic, reason = "a panic is how the shared check of a test fails")]

use smt::{AttributeValue, Command, Head, Operator, Script, TermId, parse, print};
use std::collections::HashMap;

/// Prints the graph of all terms in a script: one line for each term, children first.
fn graph(script: &Script) -> Vec<String> {
    let mut numbers: HashMap<TermId, usize> = HashMap::new();
    let mut lines = Vec::new();
    for root in roots(script) {
        let mut pending = vec![root];
        while let Some(&term) = pending.last() {
            if numbers.contains_key(&term) {
                pending.pop();
                continue;
            }
            let children = script.terms.children(term);
            let waiting: Vec<TermId> =
                children.iter().rev().copied().filter(|child| !numbers.contains_key(child)).collect();
            if !waiting.is_empty() {
                pending.extend(waiting);
                continue;
            }
            let children: Vec<usize> = children.iter().map(|child| numbers[child]).collect();
            let sort = print::sort(&script.terms, script.terms.sort(term));
            lines.push(format!("{} {children:?} {sort}", head_text(script, script.terms.head(term))));
            numbers.insert(term, lines.len() - 1);
            pending.pop();
        }
        lines.push(format!("root {}", numbers[&root]));
    }
    lines
}

fn roots(script: &Script) -> Vec<TermId> {
    let body = |symbol| script.function(symbol).and_then(|info| info.definition.as_ref()).map(|it| it.body);
    let mut roots = Vec::new();
    for command in &script.commands {
        match command {
            Command::Assert(term) => roots.push(*term),
            Command::CheckSatAssuming(terms) | Command::GetValue(terms) => roots.extend(terms),
            Command::DefineFun(symbol) | Command::DefineFunRec(symbol) | Command::DefineConst(symbol) => {
                roots.extend(body(*symbol));
            }
            Command::DefineFunsRec(symbols) => {
                roots.extend(symbols.iter().filter_map(|symbol| body(*symbol)))
            }
            _ => {}
        }
    }
    roots
}

fn head_text(script: &Script, head: Head) -> String {
    let terms = &script.terms;
    match head {
        Head::Operator(Operator::ConstArray(sort)) => format!("const {}", print::sort(terms, sort)),
        Head::Operator(operator) => format!("{operator:?}"),
        Head::Numeral { value, real } => format!("{} {real}", terms.integer_value(value)),
        Head::Decimal(decimal) => terms.decimal_value(decimal).digits.to_string(),
        Head::BitVec { width, value } => format!("{width} {}", terms.integer_value(value)),
        Head::StringLiteral(symbol) => format!("{:?}", terms.symbol(symbol)),
        Head::Function(symbol) => format!("function {}", terms.symbol(symbol)),
        Head::Bound(symbol) => format!("bound {}", terms.symbol(symbol)),
        Head::Opaque(symbol) => format!("opaque {}", terms.symbol(symbol)),
        Head::Quantifier { quantifier, variables } => {
            let names: Vec<&str> = terms.symbol_list(variables).iter().map(|it| terms.symbol(*it)).collect();
            format!("{quantifier:?} {names:?}")
        }
        Head::Match(cases) => {
            let constructors: Vec<Option<&str>> = terms
                .match_cases(cases)
                .iter()
                .map(|case| case.constructor.map(|it| terms.symbol(it)))
                .collect();
            format!("match {constructors:?}")
        }
        Head::Annotated(list) => {
            let attributes = terms.attributes(list).iter().map(|attribute| {
                let value = match attribute.value {
                    AttributeValue::Name(symbol) | AttributeValue::Text(symbol) => terms.symbol(symbol),
                    AttributeValue::None | AttributeValue::Term | AttributeValue::Terms(_) => "",
                };
                format!("{} {value}", terms.symbol(attribute.keyword))
            });
            format!("annotated {:?}", attributes.collect::<Vec<_>>())
        }
    }
}

/// Reads, prints and reads a script again. Returns the printed text.
fn check(name: &str, text: &str) -> String {
    let script = parse(name, text).unwrap_or_else(|error| panic!("{error}"));
    let printed = print::script(&script);
    let again = parse(name, &printed).unwrap_or_else(|error| panic!("printed {error}"));
    assert!(print::script(&again) == printed, "{name}: printing is no fixpoint");
    assert!(graph(&again) == graph(&script), "{name}: the graphs differ");
    assert_eq!(again.commands.len(), script.commands.len(), "{name}");
    printed
}

#[test]
fn a_doubling_graph_prints_short() {
    let mut text = "(declare-const x Int)(assert (let ((a0 (+ x x 1))) ".to_owned();
    for level in 1..=64 {
        text += &format!("(let ((a{level} (+ a{0} a{0} 1))) ", level - 1);
    }
    text += &format!("(> a64 0){}))", ")".repeat(64));
    let printed = check("doubling", &text);
    assert!(printed.len() < 3_000, "{} bytes", printed.len());
}

#[test]
fn a_doubling_graph_under_a_binder_prints_short() {
    let mut text = "(assert (forall ((x Int)) (let ((a0 (+ x x 1))) ".to_owned();
    for level in 1..=64 {
        text += &format!("(let ((a{level} (+ a{0} a{0} 1))) ", level - 1);
    }
    text += &format!("(> a64 0){})))", ")".repeat(64));
    let printed = check("doubling under a binder", &text);
    assert!(printed.len() < 3_000, "{} bytes", printed.len());
}

const DEPTH: usize = 100_000;

/// Nests a text between repeated openings and closings.
fn nested(open: &str, core: &str, close: &str) -> String {
    format!("{}{core}{}", open.repeat(DEPTH), close.repeat(DEPTH))
}

#[test]
fn deeply_nested_scripts_are_read_back() {
    let lets: String =
        (0..DEPTH).map(|level| format!("(let ((b{0} (and b{level} p true))) ", level + 1)).collect();
    let array = nested("(Array Int ", "Int", ")");
    let rows = [
        ("not", format!("(assert {})", nested("(not ", "true", ")"))),
        ("right argument", format!("(declare-const x Int)(assert (= 0 {}))", nested("(+ x 1 ", "x", ")"))),
        ("left argument", format!("(declare-const x Int)(assert (= 0 {}))", nested("(- ", "x", " 1)"))),
        (
            "sequential lets",
            format!(
                "(declare-const p Bool)(assert (let ((b0 p)) {lets}(or b{DEPTH} p){}))",
                ")".repeat(DEPTH)
            ),
        ),
        (
            "lets of one name",
            format!(
                "(declare-const p Bool)(assert (let ((b p)) {}))",
                nested("(let ((b (not b))) ", "b", ")")
            ),
        ),
        ("lets in bindings", format!("(assert {})", nested("(let ((b ", "true", ")) (not b))"))),
        ("annotations", format!("(assert {})", nested("(! ", "true", " :a 1)"))),
        ("quantifiers of one name", format!("(assert {})", nested("(forall ((x Int)) ", "(> x 0)", ")"))),
        (
            "quantifiers",
            format!(
                "(assert {})",
                (0..DEPTH).map(|level| format!("(forall ((x{level} Int)) ")).collect::<String>()
                    + "true"
                    + &")".repeat(DEPTH)
            ),
        ),
        ("attribute text", format!("(set-info :a {})", nested("(", "", ")"))),
        ("other command", format!("(maximize {})", nested("(", "", ")"))),
        ("sorts", format!("(declare-const a {array})(declare-const b {array})(assert (= a b))")),
    ];
    for (name, text) in rows {
        check(name, &text);
    }
}

#[test]
fn shipped_seeds_are_read_back() {
    let folder = test_support::repository().join("seeds/smt");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a folder that can be read").path();
        if path.extension().is_some_and(|extension| extension == "smt2") {
            let text = std::fs::read_to_string(&path).expect("a seed that is UTF-8");
            check(&path.display().to_string(), &text);
            count += 1;
        }
    }
    assert!(count > 0, "no seed in {}", folder.display());
}
