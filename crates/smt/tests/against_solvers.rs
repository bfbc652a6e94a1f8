//! Compares the evaluator with real solvers on thousands of random terms under random assignments.
//!
//! With every symbol fixed by the assignment, a solver must refute `(not (= term value))` and accept
//! `(= term value)` for the value that we computed. A solver that is not installed is skipped, unless
//! `JUVENAL_REQUIRE` names it.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "this test compares with real solvers, so it must start them")]

use model::Random;
use smt::search::draw_assignment;
use smt::{
    Assignment, Evaluator, Flavour, Head, Interpretation, Operator, Script, Sort, SortId, SymbolId, TermId,
    Value, element_name, print, value_text,
};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A solver and the operators that its installed version does not read.
struct Solver {
    name: &'static str,
    arguments: &'static [&'static str],
    lacks: &'static [&'static str],
    /// Whether an Int may be used as a Real without `to_real`.
    promotes: bool,
    /// Whether constant arrays are fully supported. cvc5 accepts only values in its normal form as elements and
    /// rejects equalities between stores over different constant arrays.
    computes_constant_arrays: bool,
    /// Whether equality of arrays over finite index sorts is decided correctly. z3 4.8.12 finds
    /// `(not (distinct b (store b #b00 y) ((as const A) y)))` satisfiable for
    /// b = `(store ((as const A) 0) #b11 y)` over two-bit indices, though all three differ; cvc5 refutes it.
    compares_finite_arrays: bool,
}

const Z3: Solver = Solver {
    name: "z3",
    arguments: &["-in", "-t:5000"],
    lacks: &[
        "ubv_to_int",
        "sbv_to_int",
        "int_to_bv",
        "nat2bv",
        "bvnego",
        "bvuaddo",
        "bvsaddo",
        "bvumulo",
        "bvsmulo",
        "bvusubo",
        "bvssubo",
        "bvsdivo",
        "divisible",
    ],
    promotes: true,
    computes_constant_arrays: true,
    compares_finite_arrays: false,
};

const CVC5: Solver = Solver {
    name: "cvc5",
    arguments: &["--incremental", "--lang", "smt2", "-q", "--tlimit-per=5000"],
    lacks: &[
        "ubv_to_int",
        "sbv_to_int",
        "int_to_bv",
        "nat2bv",
        "bv2int",
        "ext_rotate_left",
        "ext_rotate_right",
        "bvnego",
    ],
    promotes: false,
    computes_constant_arrays: false,
    compares_finite_arrays: true,
};

const THEMES: [Theme; 8] = [
    Theme::Core,
    Theme::Int,
    Theme::Real,
    Theme::Mixed,
    Theme::BitVec,
    Theme::BitVec,
    Theme::Array,
    Theme::Everything,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Theme {
    Core,
    Int,
    Real,
    Mixed,
    BitVec,
    Array,
    Everything,
}

const BATCHES: u64 = 72;
const TERMS: usize = 80;
const MODELS: u64 = 120;

#[test]
fn z3_agrees() {
    check_solver(&Z3);
}

#[test]
fn cvc5_agrees() {
    check_solver(&CVC5);
}

fn check_solver(solver: &Solver) {
    if !test_support::has(solver.name) {
        return;
    }
    let (mut terms, mut undecided) = (0, 0);
    let mut wrong = Vec::new();
    for batch in 0..BATCHES {
        let report = run_batch(solver, batch);
        terms += report.terms;
        undecided += report.undecided;
        wrong.extend(report.wrong);
    }
    println!("{}: {terms} terms, {undecided} undecided queries", solver.name);
    assert!(wrong.is_empty(), "{} disagreements\n{}", wrong.len(), wrong.join("\n"));
    assert!(terms >= 5000, "only {terms} terms were compared");
    assert!(undecided * 50 <= terms, "{undecided} queries of {terms} terms were not decided");
}

#[test]
fn models_of_z3_are_read() {
    check_models(&Z3);
}

#[test]
fn models_of_cvc5_are_read() {
    check_models(&CVC5);
}

/// Asks for models of formulas that are satisfiable by construction, and evaluates the formulas under them.
fn check_models(solver: &Solver) {
    if !test_support::has(solver.name) {
        return;
    }
    let (mut read, mut confirmed, mut refuted) = (0, 0, Vec::new());
    for case in 0..MODELS {
        let mut random = Random::for_case(77, case);
        let mut script = smt::parse("prelude", &prelude(&mut random)).expect("the prelude");
        let assignment = draw_assignment(&script, &mut random, Flavour::Mixed);
        let theme = THEMES[case as usize % THEMES.len()];
        let assertions = true_assertions(&mut script, &assignment, &mut random, solver, theme);
        let mut text = String::from("(set-option :produce-models true)\n(set-logic ALL)\n");
        text += &print::script(&script);
        for assertion in &assertions {
            let _ = writeln!(text, "(assert {})", print::term(&script.terms, *assertion));
        }
        let answer = ask(solver, &format!("{text}(check-sat)\n(get-model)\n"));
        let Some(model) = answer.strip_prefix("sat\n") else { continue };
        // Algebraic numbers and lambdas over infinite sorts are rightly refused.
        let Ok(model) = smt::model::read_model(&mut script, model) else { continue };
        read += 1;
        let mut evaluator = Evaluator::new(&script, &model.assignment);
        let truths: Vec<Option<bool>> =
            assertions.iter().map(|assertion| evaluator.truth(*assertion)).collect();
        confirmed += usize::from(truths.iter().all(|truth| *truth == Some(true)));
        if truths.contains(&Some(false)) {
            refuted.push(format!("{text}{answer}{truths:?}"));
        }
    }
    println!("{}: {read} models read, {confirmed} confirmed", solver.name);
    assert!(refuted.is_empty(), "{} models refuted\n{}", refuted.len(), refuted.join("\n"));
    assert!(confirmed * 2 > MODELS as usize, "only {confirmed} models were confirmed");
}

/// Returns Boolean terms that are true under the assignment, negated if necessary.
fn true_assertions(
    script: &mut Script,
    assignment: &Assignment,
    random: &mut Random,
    solver: &Solver,
    theme: Theme,
) -> Vec<TermId> {
    let mut generator = Generator::new(script, random, solver, theme);
    let candidates: Vec<TermId> = (0..6).map(|_| generator.term(SortId::BOOL, 2)).collect();
    let mut evaluator = Evaluator::new(script, assignment);
    let truths: Vec<Option<bool>> = candidates.iter().map(|term| evaluator.truth(*term)).collect();
    let known = candidates.into_iter().zip(truths).filter_map(|(term, truth)| Some((term, truth?)));
    known
        .map(|(term, truth)| if truth { term } else { script.terms.not(term).expect("a negation") })
        .collect()
}

#[derive(Default)]
struct Report {
    terms: usize,
    undecided: usize,
    wrong: Vec<String>,
}

fn run_batch(solver: &Solver, batch: u64) -> Report {
    let mut random = Random::for_case(2026, batch);
    let theme = THEMES[batch as usize % THEMES.len()];
    let mut script = smt::parse("prelude", &prelude(&mut random)).expect("the prelude");
    let flavour = Flavour::ALL[(batch as usize / THEMES.len()) % Flavour::ALL.len()];
    let mut assignment = draw_assignment(&script, &mut random, flavour);
    // Division by zero is unknown, so too many zeros leave nothing to compare.
    if flavour == Flavour::Zeros {
        assignment = draw_assignment(&script, &mut random, Flavour::Mixed);
    }
    if !solver.computes_constant_arrays {
        flatten_defaults(&script, &mut assignment);
    }
    let mut generator = Generator::new(&mut script, &mut random, solver, theme);
    let candidates: Vec<TermId> = (0..TERMS * 2).map(|_| generator.root()).collect();
    let mut evaluator = Evaluator::new(&script, &assignment);
    let valued: Vec<(TermId, Value)> =
        candidates.into_iter().filter_map(|term| Some((term, evaluator.value(term)?))).take(TERMS).collect();
    let has_arrays = belongs(theme, &Sort::Array(SortId::INT, SortId::INT));
    let by_equalities = batch % 3 == 1 && (solver.computes_constant_arrays || !has_arrays);
    let facts = facts(&script, &assignment, by_equalities);
    let mut text = String::from("(set-logic ALL)\n");
    text += &facts;
    for (term, value) in &valued {
        let equation = format!("(= {} {})", print::term(&script.terms, *term), value_text(&script, value));
        let _ = writeln!(text, "(push 1)(assert (not {equation}))(check-sat)(pop 1)");
        let _ = writeln!(text, "(push 1)(assert {equation})(check-sat)(pop 1)");
    }
    judge(&script, &valued, &facts, &ask(solver, &text))
}

/// Gives arrays of arrays a default that is itself constant.
fn flatten_defaults(script: &Script, assignment: &mut Assignment) {
    for (symbol, info) in script.terms.functions().filter(|(_, info)| info.parameters.is_empty()) {
        let Some(Value::Array(outer)) = assignment.constant(symbol).cloned() else { continue };
        let (Value::Array(inner), Sort::Array(index, element)) =
            (outer.default(), script.terms.sort_of(info.result))
        else {
            continue;
        };
        let domains = assignment.domains(script);
        let inner_sorts = (inner.index_sort(), inner.element_sort());
        let default =
            domains.array(inner_sorts.0, inner_sorts.1, inner.default().clone(), Default::default());
        let flat = domains.array(*index, *element, default, outer.entries().clone());
        assignment.set_constant(symbol, flat);
    }
}

fn judge(script: &Script, valued: &[(TermId, Value)], facts: &str, answers: &str) -> Report {
    let mut report = Report { terms: valued.len(), ..Report::default() };
    let lines: Vec<&str> = answers.lines().collect();
    if lines.len() != valued.len() * 2 || answers.contains("(error") {
        let trouble = lines.iter().find(|line| line.contains("error")).unwrap_or(&"missing answers");
        report.wrong.push(format!("{} answers to {} terms: {trouble}", lines.len(), valued.len()));
        return report;
    }
    for ((term, value), pair) in valued.iter().zip(lines.chunks(2)) {
        match pair {
            ["unsat", "sat"] => {}
            ["sat", _] | [_, "unsat"] => report.wrong.push(format!(
                "{facts}{} has the value {} for us; answers {pair:?}",
                print::term(&script.terms, *term),
                value_text(script, value)
            )),
            _ => report.undecided += 1,
        }
    }
    report
}

fn ask(solver: &Solver, text: &str) -> String {
    let mut child = Command::new(solver.name)
        .args(solver.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the solver starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).ok();
    let output = child.wait_with_output().expect("the solver ends");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn prelude(random: &mut Random) -> String {
    let width = random.between(1, 70);
    let other = random.between(1, 12);
    format!(
        "(declare-sort S 0)
(declare-fun p () Bool) (declare-fun q () Bool) (declare-fun s () S) (declare-fun t () S)
(declare-fun i () Int) (declare-fun j () Int) (declare-fun k () Int)
(declare-fun r () Real) (declare-fun u () Real)
(declare-fun x () (_ BitVec {width})) (declare-fun y () (_ BitVec {width})) (declare-fun z () (_ BitVec {other}))
(declare-fun a () (Array Int Int)) (declare-fun b () (Array (_ BitVec {other}) (_ BitVec {width})))
(declare-fun c () (Array Int (Array Int Bool))) (declare-fun d () (Array Real Bool))
(declare-fun e () (Array Int Int))
(declare-fun f (Int Int) Int) (declare-fun g ((_ BitVec {width}) Bool) (_ BitVec {other}))
(declare-fun h (S) S) (declare-fun m (S Bool) Bool) (declare-fun n (Real) Real)
(define-fun clamp ((v Int) (w Int)) Int (ite (< v w) v (- w v)))
(define-fun mean ((v Real) (w Real)) Real (/ (+ v w) 2.0))
(define-fun mix ((v (_ BitVec {width})) (w (_ BitVec {width}))) (_ BitVec {width}) (bvxor (bvadd v w) (bvnot v)))
(define-fun same ((v S) (w S)) Bool (= (h v) w))
"
    )
}

/// Prints the assignment as definitions, or with equalities for constants.
fn facts(script: &Script, assignment: &Assignment, by_equalities: bool) -> String {
    let mut out = String::from("(declare-sort S 0)\n");
    for (sort, size) in assignment.universes() {
        let names: Vec<String> = (0..*size).map(|index| element_name(&script.terms, *sort, index)).collect();
        for name in &names {
            let _ = writeln!(out, "(declare-fun {name} () S)");
        }
        if names.len() > 1 {
            let _ = writeln!(out, "(assert (distinct {}))", names.join(" "));
        }
    }
    for line in assignment.describe(script).lines() {
        let _ = writeln!(out, "{line}");
    }
    if by_equalities {
        out = with_equalities(script, assignment, &out);
    }
    for command in &script.commands {
        if matches!(command, smt::Command::DefineFun(_)) {
            let _ = writeln!(out, "{}", print::command(&script.terms, command));
        }
    }
    out
}

/// Replaces the definitions of constants by declarations and equalities.
fn with_equalities(script: &Script, assignment: &Assignment, described: &str) -> String {
    let mut out = String::new();
    let mut replaced = Vec::new();
    for (symbol, interpretation) in assignment.interpretations() {
        let (Some(info), Interpretation::Table(table)) = (script.function(symbol), interpretation) else {
            continue;
        };
        if info.parameters.is_empty() {
            let (name, sort) = (script.terms.symbol(symbol), print::sort(&script.terms, info.result));
            let value = value_text(script, &table.default);
            let _ = writeln!(out, "(declare-fun {name} () {sort})(assert (= {name} {value}))");
            replaced.push(format!("(define-fun {name} ()"));
        }
    }
    let kept = described.lines().filter(|line| !replaced.iter().any(|start| line.starts_with(start)));
    format!("{}\n{out}", kept.collect::<Vec<&str>>().join("\n"))
}

/// Generates random terms of the sorts of a theme.
struct Generator<'a> {
    script: &'a mut Script,
    random: &'a mut Random,
    solver: &'a Solver,
    sorts: Vec<SortId>,
    symbols: Vec<(SymbolId, Vec<SortId>, SortId)>,
    mixed: bool,
}

impl<'a> Generator<'a> {
    fn new(
        script: &'a mut Script,
        random: &'a mut Random,
        solver: &'a Solver,
        theme: Theme,
    ) -> Generator<'a> {
        // To cvc5, elements of declared sorts are not constants, so it does not fold their arrays.
        let without_arrays = theme == Theme::Everything && !solver.computes_constant_arrays;
        let fits = |sort: &SortId| {
            let sort = script.terms.sort_of(*sort);
            belongs(theme, sort) && !(without_arrays && matches!(sort, Sort::Array(..)))
        };
        let symbols: Vec<(SymbolId, Vec<SortId>, SortId)> = script
            .terms
            .functions()
            .filter(|(_, info)| info.parameters.iter().chain([&info.result]).all(fits))
            .map(|(symbol, info)| (symbol, info.parameters.to_vec(), info.result))
            .collect();
        let mut sorts: Vec<SortId> = symbols.iter().map(|(_, _, result)| *result).collect();
        sorts.sort_unstable();
        sorts.dedup();
        let mixed = matches!(theme, Theme::Mixed | Theme::Everything);
        Generator { script, random, solver, sorts, symbols, mixed }
    }

    fn root(&mut self) -> TermId {
        let sort = self.comparable_sort();
        let depth = self.random.between(1, 4);
        self.term(sort, depth as u32)
    }

    fn any_sort(&mut self) -> SortId {
        *self.random.choose(&self.sorts).expect("a sort")
    }

    /// Draws a sort whose equality the solver decides correctly.
    fn comparable_sort(&mut self) -> SortId {
        let sort = self.any_sort();
        match self.script.terms.sort_of(sort) {
            Sort::Array(index, _) if !self.solver.compares_finite_arrays => {
                let is_finite = matches!(self.script.terms.sort_of(*index), Sort::BitVec(_) | Sort::Bool);
                if is_finite { SortId::BOOL } else { sort }
            }
            _ => sort,
        }
    }

    fn apply(&mut self, operator: Operator, children: &[TermId]) -> TermId {
        let name = operator.name();
        self.script
            .terms
            .make(Head::Operator(operator), children)
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn has(&self, operator: Operator) -> bool {
        !self.solver.lacks.contains(&operator.name())
    }

    /// Draws an operator that the solver supports.
    fn pick(&mut self, operators: &[Operator]) -> Operator {
        let known: Vec<Operator> = operators.iter().copied().filter(|operator| self.has(*operator)).collect();
        *self.random.choose(&known).expect("an operator")
    }

    fn terms(&mut self, sort: SortId, count: usize, depth: u32) -> Vec<TermId> {
        (0..count).map(|_| self.term(sort, depth)).collect()
    }

    fn term(&mut self, sort: SortId, depth: u32) -> TermId {
        if depth == 0 || self.random.percent(10) {
            return self.leaf(sort);
        }
        let below = depth - 1;
        match self.random.below(10) {
            0 => {
                let condition = self.term(SortId::BOOL, below);
                let branches = self.terms(sort, 2, below);
                self.apply(Operator::Ite, &[condition, branches[0], branches[1]])
            }
            1 | 2 => self.call(sort, below),
            3 => self.selected(sort, below),
            _ => match self.script.terms.sort_of(sort).clone() {
                Sort::Bool => self.boolean(below),
                Sort::Int => self.integer(below),
                Sort::Real => self.real(below),
                Sort::BitVec(width) => self.vector(width, below),
                Sort::Array(index, element) => self.array(sort, index, element, below),
                _ => self.call(sort, below),
            },
        }
    }

    fn leaf(&mut self, sort: SortId) -> TermId {
        let constants: Vec<SymbolId> = self
            .symbols
            .iter()
            .filter(|(_, parameters, result)| parameters.is_empty() && *result == sort)
            .map(|(symbol, _, _)| *symbol)
            .collect();
        if (self.random.percent(75) || matches!(self.script.terms.sort_of(sort), Sort::Declared { .. }))
            && let Some(symbol) = self.random.choose(&constants)
        {
            return self.script.terms.make(Head::Function(*symbol), &[]).expect("a constant");
        }
        self.literal(sort)
    }

    fn literal(&mut self, sort: SortId) -> TermId {
        match self.script.terms.sort_of(sort).clone() {
            Sort::Bool => {
                let value = self.random.coin();
                self.script.terms.boolean(value)
            }
            Sort::Int => {
                let value = self.random.below(12) as i64 - 4;
                self.script.terms.integer(&value.into())
            }
            Sort::Real => {
                let (numerator, denominator) =
                    (self.random.below(12) as i64 - 4, self.random.between(1, 4) as i64);
                let value = Value::rational(numerator, denominator);
                let Value::Real(value) = value else { panic!("a rational") };
                self.script.terms.rational(&value)
            }
            Sort::BitVec(width) => {
                let bits = num_bigint::BigInt::from(self.random.word()) << self.random.below(8);
                self.script.terms.bitvec(width, &bits)
            }
            Sort::Array(_, element) => {
                let element = self.literal(element);
                self.apply(Operator::ConstArray(sort), &[element])
            }
            _ => panic!("a declared sort has constants"),
        }
    }

    fn call(&mut self, sort: SortId, depth: u32) -> TermId {
        let fitting: Vec<(SymbolId, Vec<SortId>)> = self
            .symbols
            .iter()
            .filter(|(_, parameters, result)| !parameters.is_empty() && *result == sort)
            .map(|(symbol, parameters, _)| (*symbol, parameters.clone()))
            .collect();
        let Some((symbol, parameters)) = self.random.choose(&fitting).cloned() else {
            return self.leaf(sort);
        };
        let arguments: Vec<TermId> = parameters.iter().map(|sort| self.term(*sort, depth)).collect();
        self.script.terms.make(Head::Function(symbol), &arguments).expect("a call")
    }

    fn selected(&mut self, sort: SortId, depth: u32) -> TermId {
        let arrays: Vec<(SortId, SortId)> = self
            .sorts
            .iter()
            .filter_map(|array| match self.script.terms.sort_of(*array) {
                Sort::Array(index, element) if *element == sort => Some((*array, *index)),
                _ => None,
            })
            .collect();
        let Some((array, index)) = self.random.choose(&arrays).copied() else { return self.leaf(sort) };
        let (array, index) = (self.term(array, depth), self.term(index, depth));
        self.apply(Operator::Select, &[array, index])
    }

    fn boolean(&mut self, depth: u32) -> TermId {
        let count = self.random.between(2, 3);
        match self.random.below(4) {
            0 => {
                let children = self.terms(SortId::BOOL, count, depth);
                let operator = self.pick(&[Operator::And, Operator::Or, Operator::Xor, Operator::Implies]);
                self.apply(operator, &children)
            }
            1 => {
                let child = self.term(SortId::BOOL, depth);
                self.apply(Operator::Not, &[child])
            }
            2 => {
                let sort = self.comparable_sort();
                let mut children = self.terms(sort, count, depth);
                if self.promotes(sort) && self.random.percent(30) {
                    children[0] = self.term(SortId::INT, depth);
                }
                let operator = self.pick(&[Operator::Equal, Operator::Distinct]);
                self.apply(operator, &children)
            }
            _ => self.comparison(depth),
        }
    }

    /// Returns whether an Int may be used where this sort is expected.
    fn promotes(&self, sort: SortId) -> bool {
        sort == SortId::REAL && self.solver.promotes && self.mixed
    }

    fn comparison(&mut self, depth: u32) -> TermId {
        use Operator as O;
        let sort = self.any_sort();
        let count = self.random.between(2, 3);
        match self.script.terms.sort_of(sort) {
            Sort::Int if self.has(O::Divisible(1)) && self.random.percent(15) => {
                let (child, divisor) = (self.term(sort, depth), self.random.between(1, 6));
                self.apply(O::Divisible(divisor as u32), &[child])
            }
            Sort::Real if self.mixed && self.random.percent(15) => {
                let child = self.term(sort, depth);
                self.apply(O::IsInt, &[child])
            }
            Sort::Int | Sort::Real => {
                let mut children = self.terms(sort, count, depth);
                if self.promotes(sort) && self.random.percent(30) {
                    children[1] = self.term(SortId::INT, depth);
                }
                let operator = self.pick(&[O::Less, O::LessEqual, O::Greater, O::GreaterEqual]);
                self.apply(operator, &children)
            }
            Sort::BitVec(_) => self.vector_predicate(sort, depth),
            _ => self.leaf(SortId::BOOL),
        }
    }

    fn vector_predicate(&mut self, sort: SortId, depth: u32) -> TermId {
        use Operator as O;
        let operators = [
            O::BvUlt,
            O::BvUle,
            O::BvUgt,
            O::BvUge,
            O::BvSlt,
            O::BvSle,
            O::BvSgt,
            O::BvSge,
            O::BvUaddo,
            O::BvSaddo,
            O::BvUmulo,
            O::BvSmulo,
            O::BvUsubo,
            O::BvSsubo,
            O::BvSdivo,
            O::BvNego,
        ];
        let operator = self.pick(&operators);
        let count = if operator == O::BvNego { 1 } else { 2 };
        let children = self.terms(sort, count, depth);
        self.apply(operator, &children)
    }

    fn integer(&mut self, depth: u32) -> TermId {
        use Operator as O;
        let has_vectors =
            self.sorts.iter().any(|sort| matches!(self.script.terms.sort_of(*sort), Sort::BitVec(_)));
        match self.random.below(10) {
            0 | 1 => {
                let child = self.term(SortId::INT, depth);
                let operator = self.pick(&[O::Negate, O::Abs]);
                self.apply(operator, &[child])
            }
            2 if self.mixed => {
                let child = self.term(SortId::REAL, depth);
                self.apply(O::ToInt, &[child])
            }
            3 if has_vectors => {
                let width = self.random.between(1, 20) as u32;
                let sort = self.script.terms.bitvec_sort(width);
                let child = self.term(sort, depth);
                let operator = self.pick(&[O::Bv2Nat, O::Bv2Int, O::UbvToInt, O::SbvToInt]);
                self.apply(operator, &[child])
            }
            4..=6 => {
                let children = self.terms(SortId::INT, 2, depth);
                let operator = self.pick(&[O::IntDiv, O::Mod]);
                self.apply(operator, &children)
            }
            _ => {
                let count = self.random.between(2, 3);
                let children = self.terms(SortId::INT, count, depth);
                let operator = self.pick(&[O::Add, O::Subtract, O::Multiply]);
                self.apply(operator, &children)
            }
        }
    }

    fn real(&mut self, depth: u32) -> TermId {
        use Operator as O;
        match self.random.below(8) {
            0 => {
                let child = self.term(SortId::REAL, depth);
                self.apply(O::Negate, &[child])
            }
            1 if self.mixed => {
                let child = self.term(SortId::INT, depth);
                self.apply(O::ToReal, &[child])
            }
            2 | 3 => {
                let children = self.terms(SortId::REAL, 2, depth);
                self.apply(O::Divide, &children)
            }
            _ => {
                let count = self.random.between(2, 3);
                let mut children = self.terms(SortId::REAL, count, depth);
                if self.promotes(SortId::REAL) && self.random.percent(30) {
                    children[0] = self.term(SortId::INT, depth);
                }
                let operator = self.pick(&[O::Add, O::Subtract, O::Multiply]);
                self.apply(operator, &children)
            }
        }
    }

    fn vector(&mut self, width: u32, depth: u32) -> TermId {
        use Operator as O;
        let sort = self.script.terms.bitvec_sort(width);
        match self.random.below(12) {
            0 => {
                let child = self.term(sort, depth);
                let distance = self.random.below(2 * width as usize) as u32;
                let operator =
                    self.pick(&[O::BvNot, O::BvNeg, O::RotateLeft(distance), O::RotateRight(distance)]);
                self.apply(operator, &[child])
            }
            1 => {
                let (low, extra) = (self.random.below(5) as u32, self.random.below(5) as u32);
                let wider = self.script.terms.bitvec_sort(width + low + extra);
                let child = self.term(wider, depth);
                self.apply(O::Extract { high: low + width - 1, low }, &[child])
            }
            2 if width > 1 => {
                let high = self.random.between(1, width as usize - 1) as u32;
                let (high, low) = (self.vector_of(high, depth), self.vector_of(width - high, depth));
                self.apply(O::Concat, &[high, low])
            }
            3 if width > 1 => {
                let part = self.random.between(1, width as usize) as u32;
                let child = self.vector_of(part, depth);
                let operator = self.pick(&[O::ZeroExtend(width - part), O::SignExtend(width - part)]);
                self.apply(operator, &[child])
            }
            4 => {
                let divisors: Vec<u32> = (1..=width).filter(|part| width.is_multiple_of(*part)).collect();
                let part = *self.random.choose(&divisors).expect("a divisor");
                let child = self.vector_of(part, depth);
                self.apply(O::Repeat(width / part), &[child])
            }
            5 if width == 1 => {
                let operator = self.pick(&[O::BvComp, O::BvRedOr, O::BvRedAnd]);
                let wide = self.any_vector_sort();
                let children = self.terms(wide, if operator == O::BvComp { 2 } else { 1 }, depth);
                self.apply(operator, &children)
            }
            6 if self.mixed => {
                let child = self.term(SortId::INT, depth);
                let operator = self.pick(&[O::Int2Bv(width), O::IntToBv(width)]);
                self.apply(operator, &[child])
            }
            7 => {
                let count = self.random.between(2, 3);
                let children = self.terms(sort, count, depth);
                let operator = self.pick(&[O::BvAnd, O::BvOr, O::BvXor, O::BvAdd, O::BvMul]);
                self.apply(operator, &children)
            }
            _ => {
                let operators = [
                    O::BvNand,
                    O::BvNor,
                    O::BvXnor,
                    O::BvSub,
                    O::BvUdiv,
                    O::BvUrem,
                    O::BvSdiv,
                    O::BvSrem,
                    O::BvSmod,
                    O::BvShl,
                    O::BvLshr,
                    O::BvAshr,
                    O::ExtRotateLeft,
                    O::ExtRotateRight,
                ];
                let children = self.terms(sort, 2, depth);
                let operator = self.pick(&operators);
                self.apply(operator, &children)
            }
        }
    }

    fn vector_of(&mut self, width: u32, depth: u32) -> TermId {
        let sort = self.script.terms.bitvec_sort(width);
        self.term(sort, depth)
    }

    fn any_vector_sort(&mut self) -> SortId {
        let width = self.random.between(1, 70) as u32;
        self.script.terms.bitvec_sort(width)
    }

    fn array(&mut self, sort: SortId, index: SortId, element: SortId, depth: u32) -> TermId {
        if self.random.percent(20) {
            let computes = self.solver.computes_constant_arrays;
            let element = if computes { self.term(element, depth) } else { self.literal(element) };
            return self.apply(Operator::ConstArray(sort), &[element]);
        }
        let array = self.term(sort, depth);
        let (index, element) = (self.term(index, depth), self.term(element, depth));
        self.apply(Operator::Store, &[array, index, element])
    }
}

/// Returns whether a theme has terms of a sort.
fn belongs(theme: Theme, sort: &Sort) -> bool {
    match sort {
        Sort::Bool => true,
        Sort::Declared { .. } => matches!(theme, Theme::Core | Theme::Everything),
        Sort::Int => matches!(theme, Theme::Int | Theme::Mixed | Theme::Array | Theme::Everything),
        Sort::Real => matches!(theme, Theme::Real | Theme::Mixed | Theme::Everything),
        Sort::BitVec(_) => matches!(theme, Theme::BitVec | Theme::Array | Theme::Everything),
        Sort::Array(..) => matches!(theme, Theme::Array | Theme::Everything),
        Sort::Opaque(_) => false,
    }
}
