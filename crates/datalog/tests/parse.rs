//! Parsing: printed programs are read back unchanged, and any other text is at worst an error.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test helpers fail by panicking")]

use datalog::generate::{Options, generate};
use datalog::parse::bddbddb;
use datalog::{
    Aggregate, Constant, Literal, Operator, Program, Storage, Term, Type, check, parse, parse_with_facts,
    reference,
};
use model::Random;

const FLAGS: usize = 1 << 7;

/// Turns the bits of a number into options.
fn options(bits: usize) -> Options {
    let has = |bit: usize| bits & (1 << bit) != 0;
    let types = match has(0) {
        true => vec![Type::Signed, Type::Unsigned, Type::Float, Type::Symbol],
        false => vec![Type::Signed],
    };
    Options {
        types,
        negation: has(1),
        comparisons: has(2),
        arithmetic: has(3),
        aggregates: has(4),
        flags: has(5),
        steered: has(6),
        ..Options::default()
    }
}

/// Adds what the generator does not produce: qualifiers, unusual constants, and all kinds of operations.
fn decorate(program: &mut Program, random: &mut Random) {
    for relation in &mut program.relations {
        relation.is_inlined = random.percent(20);
        relation.storage = *random.choose(&[Storage::Any, Storage::Btree, Storage::Brie]).unwrap();
        relation.is_output |= random.percent(20);
        let facts = std::mem::take(&mut relation.facts);
        for mut fact in facts {
            fact.iter_mut().for_each(|constant| vary(constant, random));
            if !relation.facts.contains(&fact) {
                relation.facts.push(fact);
            }
        }
    }
    for rule in &mut program.rules {
        let head = program.relations[rule.head.relation.index()].columns.clone();
        for (argument, column) in rule.head.arguments.iter_mut().zip(head) {
            vary_term(argument, column, random);
        }
        for literal in &mut rule.body {
            match literal {
                Literal::Compare(_, left, right) => {
                    for side in [left, right] {
                        if let Term::Constant(constant) = side {
                            let column = constant.r#type();
                            vary_term(side, column, random);
                        }
                    }
                }
                Literal::Aggregate { function, term: Some(term), .. } if *function != Aggregate::Count => {
                    vary_term(term, Type::Signed, random);
                }
                _ => {}
            }
        }
        *rule = rule.renumbered();
    }
}

fn vary(constant: &mut Constant, random: &mut Random) {
    if !random.percent(30) {
        return;
    }
    *constant = match constant.r#type() {
        Type::Signed => {
            let odd = [i64::MIN, i64::MAX, -1, -17, i64::MIN + 1, 0];
            Constant::Signed(*random.choose(&odd).unwrap())
        }
        Type::Unsigned => Constant::Unsigned(*random.choose(&[u64::MAX, 1 << 63, 0]).unwrap()),
        Type::Float => {
            let odd = [0.0, -0.0, -1.5, 1e300, 1e-300, f64::MIN_POSITIVE, f64::MAX, 5e-324, 1e16, -1e15, 0.1];
            Constant::float(*random.choose(&odd).unwrap())
        }
        Type::Symbol => {
            let letters = ['"', '\\', '\n', '\t', '\r', 'n', 't', ' ', 'é', '.', '/', '*', '\u{1F600}', '\0'];
            let count = random.below(6);
            let text: String = (0..count).map(|_| *random.choose(&letters).unwrap()).collect();
            Constant::Symbol(text.into())
        }
    };
}

fn vary_term(term: &mut Term, column: Type, random: &mut Random) {
    if let Term::Constant(constant) = term {
        vary(constant, random);
    }
    if column == Type::Symbol || *term == Term::Wildcard || !random.percent(40) {
        return;
    }
    let operators = [
        Operator::Add,
        Operator::Subtract,
        Operator::Multiply,
        Operator::Divide,
        Operator::Remainder,
        Operator::Minimum,
        Operator::Maximum,
    ];
    for _ in 0..random.between(1, 3) {
        let mut other = Term::Constant(match column {
            Type::Unsigned => Constant::Unsigned(3),
            Type::Float => Constant::float(2.5),
            _ => Constant::Signed(-4),
        });
        let old = std::mem::replace(term, Term::Wildcard);
        if random.coin() {
            vary_term(&mut other, column, random);
        }
        *term = match random.percent(25) && column != Type::Unsigned {
            true => Term::Apply(Operator::Negate, vec![old]),
            false => {
                let operands = if random.coin() { vec![old, other] } else { vec![other, old] };
                Term::Apply(*random.choose(&operators).unwrap(), operands)
            }
        };
    }
}

fn assert_same(program: &Program) {
    let text = program.to_string();
    match parse("t.dl", &text) {
        Ok(read) => assert_eq!(&read, program, "{text}"),
        Err(error) => panic!("{error}\n{text}"),
    }
}

#[test]
fn printed_programs_are_read_back_unchanged() {
    for case in 0..6000 {
        let mut random = Random::for_case(11, case);
        let options = options(case as usize % FLAGS);
        let mut program = generate(&options, &mut random);
        assert_same(&program);
        decorate(&mut program, &mut random);
        assert_same(&program);
    }
}

#[test]
fn extreme_constants_are_read_back_unchanged() {
    let mut text = ".decl a(x:number)\n.decl b(x:number)\n".to_owned();
    for number in ["-9223372036854775808", "(-5)", "(--5)", "(-(-5))", "-5", "(-9223372036854775807)"] {
        text.push_str(&format!("b(x0) :- a(x0), x0 = {number}.\n"));
    }
    let program = parse("t.dl", &text).unwrap();
    assert_eq!(program.to_string(), text.replace("(x:", "(c0:"));
    assert_same(&program);
}

/// Local variables of two aggregates are different even if they have the same name.
#[test]
fn variables_are_numbered_in_order_of_occurrence() {
    let text = ".decl n(x:number)\n.decl s(x:symbol)\n.decl r(x:number, y:number)\n\
        r(b, a) :- n(a), b = count : { s(y), y != \"\" }, a < sum y : { n(y), y < 7 }, n(c), c = b.\n";
    let program = parse("t.dl", text).unwrap();
    check(&program).unwrap();
    assert_eq!(
        program.rule_text(&program.rules[0]),
        "r(x0, x1) :- n(x1), x0 = count : { s(x2), x2 != \"\" }, x3 = sum x4 : { n(x4), x4 < 7 }, x1 < x3, \
         n(x5), x5 = x0."
    );
    assert_eq!(program.rules[0].renumbered(), program.rules[0]);
}

fn rule_texts(text: &str) -> Vec<String> {
    let program = parse("t.dl", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(program.opaque.is_empty(), "{:?}", program.opaque);
    program.rules.iter().map(|rule| program.rule_text(rule)).collect()
}

const DECLARATIONS: &str = ".decl a(x:number)\n.decl b(x:number)\n.decl c(x:number, y:number)\n\
    .decl u(x:unsigned)\n.decl f(x:float)\n.decl s(x:symbol)\n.decl flag()\n";

/// Pairs of a clause and the rules to which it expands.
#[test]
fn clauses_are_parsed() {
    let cases: &[(&str, &[&str])] = &[
        ("a(x), b(x) :- c(x, _).", &["a(x0) :- c(x0, _).", "b(x0) :- c(x0, _)."]),
        ("a(y) :- b(y) ; c(y, y).", &["a(x0) :- b(x0).", "a(x0) :- c(x0, x0)."]),
        (
            "a(x) :- (b(x) ; c(x, _)), (flag() ; x < 3).",
            &[
                "a(x0) :- b(x0), flag().",
                "a(x0) :- b(x0), x0 < 3.",
                "a(x0) :- c(x0, _), flag().",
                "a(x0) :- c(x0, _), x0 < 3.",
            ],
        ),
        ("a(x) :- b(x), !(c(x, x), flag()).", &["a(x0) :- b(x0), !c(x0, x0).", "a(x0) :- b(x0), !flag()."]),
        ("a(x) :- b(x), !(c(x, x); x < 2).", &["a(x0) :- b(x0), !c(x0, x0), x0 >= 2."]),
        ("a(x) :- b(x), !!flag().", &["a(x0) :- b(x0), flag()."]),
        ("a(x) :- b(x), true, !false.", &["a(x0) :- b(x0), 0 = 0, 0 = 0."]),
        ("a(x) :- b(x), false.", &["a(x0) :- b(x0), 0 = 1."]),
        ("a(1) :- true.a(2) :- false.", &["a(1) :- 0 = 0.", "a(2) :- 0 = 1."]),
        (".once @[note] a(x) :- b(x).", &["a(x0) :- b(x0)."]),
        ("a(1 + 2).", &["a((1 + 2)) :- 0 = 0."]),
        ("a(x) :- b(x), x = 0xFf, x != 0b101.", &["a(x0) :- b(x0), x0 = 255, x0 != 5."]),
        ("a(x+1*2-3%4) :- b(x).", &["a(((x0 + (1 * 2)) - (3 % 4))) :- b(x0)."]),
        ("a(-x*2) :- b(x).", &["a(((-x0) * 2)) :- b(x0)."]),
        ("a(max(x, 2, -3)) :- b(x).", &["a(max(max(x0, 2), -3)) :- b(x0)."]),
        ("a(x) :- b(x), (x + 1) * 2 < 5.", &["a(x0) :- b(x0), ((x0 + 1) * 2) < 5."]),
        ("u(x) :- u(x), x < 3.", &["u(x0) :- u(x0), x0 < 3u."]),
        ("u(7) :- flag().", &["u(7u) :- flag()."]),
        ("f(x) :- f(y), x = y + 1, x > 1e3.", &["f(x0) :- f(x1), x0 = (x1 + 1.0), x0 > 1000.0."]),
        ("f(2) :- flag().", &["f(2.0) :- flag()."]),
        ("a(x) :- x = count : { c(_, y), y > 1 }.", &["a(x0) :- x0 = count : { c(_, x1), x1 > 1 }."]),
        ("a(x) :- x = count : c(_, _).", &["a(x0) :- x0 = count : { c(_, _) }."]),
        ("a(x) :- b(x), sum y : { c(x, y) } > 3.", &["a(x0) :- b(x0), x1 = sum x2 : { c(x0, x2) }, x1 > 3."]),
        ("a(x) :- b(x), x = sum y : c(x, y).", &["a(x0) :- b(x0), x1 = sum x2 : { c(x0, x2) }, x0 = x1."]),
        (
            "a(x) :- b(x), count : c(x, _) > 3, x < 5.",
            &["a(x0) :- b(x0), x1 = count : { c(x0, _) }, x1 > 3, x0 < 5."],
        ),
        ("c(x, min y : c(x, y)) :- b(x).", &["c(x0, x1) :- b(x0), x1 = min x2 : { c(x0, x2) }."]),
        (
            "c(x, y) :- x = max (z) : { b(z) }, y = min (z + 1) * 2 : { b(z) }.",
            &["c(x0, x1) :- x0 = max x2 : { b(x2) }, x1 = min ((x3 + 1) * 2) : { b(x3) }."],
        ),
        ("s(\"a\\n\\t\\\"\\\\b\") :- flag().", &["s(\"a\\n\\t\\\"\\\\b\") :- flag()."]),
        ("a(?x) :- b(?x). .plan 0:(1), 1:(1)", &["a(x0) :- b(x0)."]),
        ("a(x) :- b(y), x = y.b(x) :- a(x).", &["a(x0) :- b(x1), x0 = x1.", "b(x0) :- a(x0)."]),
    ];
    for (clause, rules) in cases {
        let texts = rule_texts(&format!("{DECLARATIONS}// A comment.\n/* Another. */{clause}"));
        assert_eq!(&texts, rules, "{clause}");
    }
}

#[test]
fn declarations_are_parsed() {
    let text = "# 1 \"t.dl\"\n.type id <: number .type other = id .number_type n .symbol_type s\n\
        .type both = id | n\n.type old\n\
        .decl a, b(x:id, y:other, z:both) brie output no_magic\n\
        .decl c(x:n, y:s, z:old) btree inline overridable\n.decl d()\n.decl e(x:float, y:unsigned) printsize\n\
        .pragma \"magic-transform\" \"*\"\n.output c(IO=stdout, headers=true), d\n.printsize d\n\
        a(1, 2, 3). a(1, 2, 3). e(1, 2). d().";
    let text = text.replace("c(IO=stdout, headers=true), d", "c, d(IO=stdout, headers=true)");
    let program = parse("t.dl", &text).unwrap();
    let expected = ".decl a(c0:number, c1:number, c2:number) brie\n\
        .decl b(c0:number, c1:number, c2:number) brie\n\
        .decl c(c0:number, c1:symbol, c2:symbol) btree inline\n.decl d()\n\
        .decl e(c0:float, c1:unsigned)\na(1, 2, 3).\nd().\ne(1.0, 2u).\n\
        .output a\n.output b\n.output c\n.output d\n.output e\n";
    assert_eq!(program.to_string(), expected);
    assert_same(&program);
}

/// Statements that are not modelled.
const OPAQUE: [&str; 35] = [
    ".type pair = [x:number, y:number]",
    ".type tree = Leaf {} | Node { left:tree, right:tree }",
    ".type pair = [x:number, y:number]\n.decl p(x:pair)\np([1, 2]).\na(x) :- p([x, _]).",
    "a(x) :- b(x), y = $Leaf(), c(x, x).",
    "a(x) :- s(y), x = strlen(y).",
    "a(as(x, number)) :- b(x).",
    "a(x) :- s(y), x = ord(y).",
    "a(10.0.0.1).",
    "a(__LINE__).",
    "@[note(a)] .type t = @[one] One {} | @[two] Two { x:number }",
    "s(cat(x, \"b\")) :- s(x).",
    "a($) :- flag().",
    "a(autoinc()) :- flag().",
    "a(x) :- x = range(1, 5).",
    "a(@f(x)) :- b(x).",
    ".functor f(x:number):number stateful",
    ".functor f(number, number):number",
    "a(x) :- b(x), x = x ^ 2.",
    "a(x band 3) :- b(x).",
    "a(bnot x) :- b(x).",
    "a(x) :- s(y), match(\"a.*\", y), b(x).",
    "a(x) :- s(y), contains(\"a\", y), b(x).",
    "s(\"a\\.b\").",
    "f(x) :- x = mean y : { f(y) }.",
    "a(x) :- x = count : { b(_) ; flag() }.",
    "a(x) :- x = count : { b(y), y = count : { flag() } }.",
    "a(x) <= a(y) :- x < y.",
    ".comp C<T> : D<T> { .decl r(x:T) r(x) :- r(x). }\n.init one = C<number>\na(x) :- one.r(x), b(x).",
    ".init one = C<D<number>>",
    ".decl e(x:number, y:number) eqrel\ne(x, y) :- c(x, y).\nc(x, y) :- e(x, y).\n.output e",
    ".decl e(x:number, y:number) choice-domain x, (x, y)\ne(x, y) :- c(x, y).",
    ".input a(filename=\"a.facts\", delimiter=\",\")\n.output a",
    ".limitsize a(n=5)",
    ".lattice L<> { Bottom -> f, Top -> g }",
    ".include \"other.dl\"\nunknown(x) :- b(x).",
];

#[test]
fn statements_that_are_not_modelled_are_kept() {
    for statement in OPAQUE {
        let text = format!("{DECLARATIONS}{statement}\na(x) :- b(x).\nb(x) :- a(x).\n.output b\n");
        let program = parse("t.dl", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(!program.opaque.is_empty(), "{statement}");
        assert!(program.rules.len() >= 2, "{program}");
        assert_same(&program);
        let printed = program.to_string();
        for name in ["a", "b", "c", "e", "flag"] {
            assert!(printed.matches(&format!(".decl {name}(")).count() <= 1, "{printed}");
        }
    }
    let program = parse("t.dl", &format!("{DECLARATIONS}a(x ^ 2) :- b(x).\nb(1).")).unwrap();
    let opaque: Vec<&str> = program.relations.iter().filter(|it| it.is_opaque).map(|it| &*it.name).collect();
    assert_eq!(opaque, ["a"]);
    assert_eq!(
        program.opaque.iter().map(|it| &**it).collect::<Vec<_>>(),
        [".decl a(x:number)", "a(x ^ 2) :- b(x)."]
    );
}

#[test]
fn errors_have_positions() {
    let cases = [
        ("a(1)\nb(2).", "2:1: expected `:-` or `.` after the head, found `b`"),
        ("a(1).\na(2", "2:2: `(` is never closed"),
        ("a(1).\n  a(2)).", "2:7: `)` closes nothing"),
        ("a(1).\na(2].", "2:4: expected `)` for the `(` before it, found `]`"),
        ("a(x) :- b(x)", "1:13: the clause before this is not terminated"),
        ("a(x) :- b(x)\n.output a", "2:1: the clause before this is not terminated"),
        ("a(x) :- b(x)\na(x) :- b(x).", "2:6: the clause before this is not terminated"),
        ("a(x) :- b(x),.", "1:14: expected a term"),
        ("a(x) :- .", "1:9: expected a term"),
        ("a(x) :- b(x), x.", "1:15: expected a relation or a comparison, found `x`"),
        ("a(x).", "1:1: expected constants"),
        ("d(1).", "1:1: the relation `d` is not declared"),
        (".decl a(x:number)", "1:7: the relation `a` is declared twice"),
        (".decl d(x:thing)", "1:11: the type `thing` is not defined"),
        (".decl d(x number)", "1:11: expected `:`, found `number`"),
        (".output d", "1:9: the relation `d` is not declared"),
        ("a(99999999999999999999).", "1:3: expected a number of at most 64 bits"),
        ("f(1e999).", "1:3: expected a number of at most 64 bits"),
        ("a(1x).", "1:3: expected a number"),
        ("s(\"a).", "1:3: the string is never closed"),
        ("/* a", "1:1: the comment is never closed"),
        ("a(§).", "1:3: expected a name, a number or a sign, found `§`"),
        ("#define A 1", "1:1: expected a text without macros"),
        (".foo", "1:1: expected a statement such as `.decl`"),
        (".comp A", "1:8: expected `{`"),
    ];
    for (text, wanted) in cases {
        let text = format!("{}{text}", DECLARATIONS.replace('\n', " ").as_str());
        let shift = DECLARATIONS.len();
        let error = parse("t.dl", &text).map(|it| it.to_string()).unwrap_err();
        let column = if error.line == 1 { error.column - shift as u32 } else { error.column };
        let found = format!("{}:{column}: {}", error.line, error.message);
        assert!(found.starts_with(wanted), "{text}\n{found}\n{wanted}");
    }
}

#[test]
fn alternatives_are_bounded() {
    let many = ["(a(x) ; b(x))"; 30].join(", ");
    let error = parse("t.dl", &format!("{DECLARATIONS}a(x) :- {many}.")).unwrap_err();
    assert!(error.message.starts_with("expected a clause that expands to at most 256 rules"), "{error}");
    let few = ["(a(x) ; b(x))"; 8].join(", ");
    assert_eq!(rule_texts(&format!("{DECLARATIONS}a(x) :- {few}.")).len(), 256);
}

#[test]
fn facts_come_from_files() {
    let text = ".decl e(x:number, s:symbol) input\n.decl g(x:unsigned, y:float)\n.decl h() .input h\n\
        .input g(IO=file, filename=\"G.csv\", delimiter=\",\")\n.output e, g, h";
    let file = |name: &str| match name {
        "e.facts" => Some("1\ta b\n-0x10\t\n1\ta b\n".to_owned()),
        "G.csv" => Some("3,1.5\n4,2\n".to_owned()),
        "h.facts" => Some("()\n".to_owned()),
        _ => None,
    };
    let program = parse_with_facts("t.dl", text, &file).unwrap();
    assert!(program.opaque.is_empty());
    let facts: Vec<String> =
        program.to_string().lines().filter(|it| it.ends_with(").")).map(String::from).collect();
    assert_eq!(facts, ["e(1, \"a b\").", "e(-16, \"\").", "g(3u, 1.5).", "g(4u, 2.0).", "h()."]);
    let error = parse_with_facts("t.dl", text, &|_| Some("x\ty\n".to_owned())).unwrap_err();
    assert_eq!(error.to_string(), "t.dl:1:7: line 1 of e.facts: expected (number, symbol), found `x\ty`");
    let program = parse("t.dl", text).unwrap();
    assert!(program.relations.iter().all(|relation| relation.is_opaque));
    assert_same(&program);
}

const BDDBDDB: &str = "### A comment.\nN 16\nV 262144 variables.map\n.bddvarorder N0_V1\n\n\
    edge(x:N,y:N1) input\nnode(x:N) # behind\nreach(x:N,y:N) outputtuples\nunreach (x : N0, y : N1) printtuples\n\
    flag()\nsmall(v:V) printsize\n\nedge(1,2).\nedge(2,3). edge(3,1).\nedge(4,5).\nflag().\n\
    node(x) :- edge(x,_).\nnode(y) :- edge(_,y).\nreach(x,y) :- edge(x,y).\n\
    reach(x,z) :- reach(x,y), \\\n  edge(y,z).\nreach(x,y)?\n\
    unreach(x,y) :- node(x), node(y), x < y, !reach(x,y), flag().\nsmall(x) :- node(x), x >= 2, x != 3, x <= 4.\n";

#[test]
fn bddbddb_programs_are_parsed() {
    let program = bddbddb::parse("t.datalog", BDDBDDB).unwrap();
    let strata = check(&program).unwrap();
    let result = reference::evaluate(&program, &strata, 1_000_000).unwrap();
    assert_eq!(result.count(program.find("unreach").unwrap()), 6);
    assert_eq!(result.count(program.find("small").unwrap()), 2);
    assert_eq!(program.outputs().count(), 3);
    assert_same(&program);
    let error = bddbddb::parse("t.datalog", "N 16\nr(x:M)").unwrap_err();
    assert_eq!(error.to_string(), "t.datalog:2:5: the domain `M` is not declared; try a line `M 16` before");
    assert!(bddbddb::parse("t.datalog", "N 16\nr(x:N)\nr(1)\n").is_err());
    assert!(bddbddb::parse("t.datalog", ".include \"other\"\nN 16\n").is_err());
}

/// Removes, duplicates, flips and swaps pieces of a text.
fn damage(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.between(1, 4) {
        let first = random.below(bytes.len().max(1));
        let last = (first + random.below(20)).min(bytes.len());
        match random.below(5) {
            0 => drop(bytes.drain(first..last)),
            1 => {
                let piece = bytes[first..last].to_vec();
                bytes.splice(first..first, piece);
            }
            2 if !bytes.is_empty() => bytes[first] ^= 1 << random.below(8),
            3 => bytes.truncate(last),
            _ => {
                let odd = b"(){}[].,;:-!\"\\/*<>=_$@0eux\n";
                bytes.insert(first, *random.choose(odd).unwrap());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_programs_are_errors_at_worst() {
    let mut texts: Vec<String> = OPAQUE.iter().map(|it| format!("{DECLARATIONS}{it}\na(1).")).collect();
    for case in 0..64 {
        let mut random = Random::for_case(13, case);
        let mut program = generate(&options(case as usize * 2 + 1), &mut random);
        decorate(&mut program, &mut random);
        texts.push(program.to_string());
    }
    let mut read = 0;
    for case in 0..30_000 {
        let mut random = Random::for_case(12, case);
        let text = damage(random.choose(&texts).unwrap(), &mut random);
        if let Ok(program) = parse("t.dl", &text) {
            read += 1;
            assert_same(&program);
            let _ = check(&program);
        }
        let text = damage(BDDBDDB, &mut random);
        if let Ok(program) = bddbddb::parse("t.datalog", &text) {
            let _ = check(&program);
        }
    }
    assert!(read > 1000, "{read}");
}

#[test]
fn deeply_nested_programs_are_errors() {
    let count = 100_000;
    let (open, close) = ("(".repeat(count), ")".repeat(count));
    let texts = [
        format!("a({open}1{close})."),
        format!("a(x) :- {open}b(x){close}."),
        format!("a(x) :- {}b(x).", "!(".repeat(count) + &close),
        format!("a({}1).", "-".repeat(count)),
        format!("a(1{}).", "+1".repeat(count)),
        format!("a({}1).", "min(".repeat(count)),
        format!("a({}1{close}).", "min(".repeat(count)),
        format!("a(x) :- {}", "x = count : {".repeat(count)),
        open.clone(),
    ];
    for text in texts {
        let error = parse("t.dl", &format!("{DECLARATIONS}{text}")).unwrap_err();
        assert!(!error.message.is_empty());
        assert!(bddbddb::parse("t.datalog", &format!("N 16\na(x:N)\nb(x:N)\n{text}")).is_err());
    }
    let even = "!".repeat(count);
    assert_eq!(rule_texts(&format!("{DECLARATIONS}a(x) :- {even}b(x).")), ["a(x0) :- b(x0)."]);
    let (open, close) = ("(".repeat(199), ")".repeat(199));
    let rules = rule_texts(&format!("{DECLARATIONS}a(x) :- {open}b(x){close}, {open}x{close} = 1."));
    assert_eq!(rules, ["a(x0) :- b(x0), x0 = 1."]);
    let negated = format!("{DECLARATIONS}a(x) :- b(x), {}a(x){}.", "!(".repeat(199), close);
    assert_eq!(rule_texts(&negated), ["a(x0) :- b(x0), !a(x0)."]);
    let long = format!("{DECLARATIONS}a(1{}).", "+1".repeat(190));
    assert_same(&parse("t.dl", &long).unwrap());
    let nested = format!("a({}1{}).", "min(".repeat(190), ")".repeat(190));
    assert!(parse("t.dl", &format!("{DECLARATIONS}{nested}")).is_err());
}

#[test]
fn nested_aggregates_are_bounded() {
    // In an aggregate's term, no bracket is needed to nest another one.
    let count = 100_000;
    let negations = "-".repeat(190);
    let texts = [
        format!("a(x) :- x = {}x : b(x).", "min ".repeat(count)),
        format!("a(x) :- x = {}x : b(x).", "max ".repeat(count)),
        format!("a(x) :- x = {}x{}.", "sum ".repeat(count), " : b(x)".repeat(count)),
        format!("a(x) :- x = {}x : b(x).", "min 1 + ".repeat(count)),
        format!("a({}x : b(x)).", "sum ".repeat(count)),
        format!("a(x) :- x = {}x{}.", "count : b(".repeat(190), ")".repeat(190)),
        format!("a(x) :- {}b(x){}.", format!("x = {negations} count : {{ ").repeat(190), "}".repeat(190)),
    ];
    let wanted = "expected at most 10 nested aggregates; try moving this one into a relation of its own";
    for text in &texts {
        let error = parse("t.dl", &format!("{DECLARATIONS}{text}")).unwrap_err();
        assert_eq!(error.message, wanted);
        let error =
            bddbddb::parse("t.datalog", &format!("N 16\na(x:N)\nb(x:N)\n{text}")).map(drop).unwrap_err();
        assert_eq!(error.message, wanted);
    }
    let ten = format!("{}x{}", "min ".repeat(10), " : b(x)".repeat(10));
    let opaque = parse("t.dl", &format!("{DECLARATIONS}a(x) :- x = {ten}.")).unwrap();
    assert_eq!(opaque.opaque.len(), 2, "nested aggregates are kept as text: {:?}", opaque.opaque);
    let error =
        bddbddb::parse("t.datalog", &format!("N 16\na(x:N)\nb(x:N)\na(x) :- x = {ten}.")).unwrap_err();
    assert!(error.message.starts_with("expected aggregates without alternatives"), "{error}");
}

#[test]
fn long_programs_are_parsed() {
    let literals: Vec<String> = (0..600_000).map(|it| format!("c(v{it}, v{})", it + 1)).collect();
    let text = format!("{DECLARATIONS}a(v0) :- {}.", literals.join(", "));
    assert!(text.len() > 10_000_000);
    let program = parse("t.dl", &text).unwrap();
    assert_eq!(program.rules[0].body.len(), 600_000);
    let chain: Vec<String> = (0..300_000).map(|it| format!("v{it} = v{}", it + 1)).collect();
    let text = format!("{DECLARATIONS}a(v0) :- u(v300000), {}.", chain.join(", "));
    assert_eq!(parse("t.dl", &text).unwrap().rules.len(), 1);
    let types: Vec<String> = (0..200_000).map(|it| format!(".type t{} <: t{it}", it + 1)).collect();
    let text = format!(".type t0 <: number {} .decl r(x:t200000)", types.join("\n"));
    assert_eq!(parse("t.dl", &text).unwrap().relations[0].columns, [Type::Signed]);
}

/// Returns the names and texts of the seeds.
fn seeds() -> Vec<(String, String)> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../seeds/datalog");
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut seeds: Vec<(String, String)> = entries
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(path).unwrap())
        })
        .collect();
    seeds.sort();
    seeds
}

#[test]
fn seeds_are_parsed_and_have_results() {
    let seeds = seeds();
    assert_eq!(seeds.len(), 25);
    for (name, text) in seeds {
        assert!(text.starts_with("// "), "{name} lacks a comment that says what it is");
        let program = parse(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(program.opaque.is_empty(), !name.starts_with("opaque"), "{name}");
        assert_same(&program);
        let strata = check(&program).unwrap_or_else(|error| panic!("{name}: {error}"));
        let result = reference::evaluate(&program, &strata, 1_000_000).unwrap();
        assert!(program.outputs().any(|output| result.count(output) > 0), "{name} has no result");
    }
}
