//! Lies about operators: bugs of an analyzer that evaluates one of them by a wrong rule. The program is executed with
//! the wrong rule, on all inputs; its checks and assumptions are left alone.

use super::annotated::read;
use c::patch::{self, Edit};
use c::syntax::{
    BinaryOperator, EntityId, ExpressionId, ExpressionKind, StatementId, StatementKind, Storage,
    UnaryOperator,
};
use c::{Program, Span, Type};
use model::{Annotation, AnnotationKind, CInput};
use std::collections::BTreeMap;

/// The bits that `truncated-width` keeps.
const KEPT_BITS: u32 = 16;

/// How often `loop-bound` follows a loop.
const MOST_ROUNDS: u32 = 4;

/// A wrong rule for operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// `~x` is `-x`.
    Complement,
    /// `0 % y` is `y`.
    ZeroRemainder,
    /// The remainder of a negative number is not negative.
    NegativeRemainder,
    /// The negation of an unsigned number is 0.
    Minus,
    /// Unsigned sums, differences and products stop at the ends of the type.
    Wrap,
    /// A quotient that is not exact is the dividend.
    Quotient,
    /// A shift to the right by a constant is one place short.
    Shift,
    /// Casts to signed types are dropped.
    Cast,
    /// Signed numbers are compared as unsigned ones.
    Signedness,
    /// `!(a && b)` is `!a && !b`, and `!(a || b)` is `!a || !b`.
    Negation,
    /// A quotient in a function other than `main` is 0 only if the dividend is.
    Helper,
    /// Of a conjunction only the first part is kept.
    DroppedGuard,
    /// Sums, differences and products keep 16 bits.
    TruncatedWidth,
}

/// Returns the program in which one kind of operator follows the wrong rule, or `None` if there is none of them.
pub(super) fn misread(input: &CInput, rule: Rule) -> Option<CInput> {
    let program = read(&input.base, input.data_model)?;
    let places = Places::of(&program, rule == Rule::Helper);
    let mut distortion = Distortion { program: &program, edits: Vec::new(), helpers: BTreeMap::new() };
    // Operands were made before their operators. Of several openings at one place, that of the outermost operator must
    // come first.
    let mut operators: Vec<ExpressionId> = Vec::new();
    for root in roots(&program) {
        operators.extend(program.walk(root));
    }
    operators.sort_unstable();
    operators.dedup();
    for expression in operators.into_iter().rev() {
        if places.has(program.expressions[expression].span) {
            distortion.visit(expression, rule);
        }
    }
    distortion.applied(input)
}

/// The expressions of statements. What they are made of follows from them.
fn roots(program: &Program) -> Vec<ExpressionId> {
    let mut roots = Vec::new();
    for statement in program.statements.iter() {
        match statement.kind {
            StatementKind::Expression(root)
            | StatementKind::If { condition: root, .. }
            | StatementKind::While { condition: root, .. }
            | StatementKind::DoWhile { condition: root, .. }
            | StatementKind::Switch { value: root, .. }
            | StatementKind::Return(Some(root)) => roots.push(root),
            StatementKind::For(id) => {
                let parts = &program.for_loops[id];
                roots.extend(parts.condition.into_iter().chain(parts.step));
            }
            StatementKind::Declaration(id) => {
                let declarators = &program.declarators[program.declarations[id].declarators];
                // The initial values of static variables must stay constants.
                let is_automatic = |entity: EntityId| {
                    !matches!(program.entities[entity].storage, Storage::Static | Storage::Typedef)
                };
                let automatic = declarators.iter().filter(|it| is_automatic(it.entity));
                roots.extend(automatic.filter_map(|declarator| declarator.initializer));
            }
            _ => {}
        }
    }
    roots
}

/// Where operators are misread.
struct Places {
    bodies: Vec<Span>,
}

impl Places {
    /// The bodies of all functions, or of those that other functions call.
    fn of(program: &Program, only_called: bool) -> Places {
        let functions = program.functions.iter().filter(|it| !only_called || !program.is_main(it.entity));
        Places { bodies: functions.map(|function| program.statements[function.body].span).collect() }
    }

    fn has(&self, span: Span) -> bool {
        self.bodies.iter().any(|body| body.start <= span.start && span.end <= body.end)
    }
}

/// A program with some of its operators replaced by calls of helper functions.
struct Distortion<'a> {
    program: &'a Program,
    edits: Vec<Edit>,
    helpers: BTreeMap<String, String>,
}

impl Distortion<'_> {
    fn visit(&mut self, expression: ExpressionId, rule: Rule) {
        let node = &self.program.expressions[expression];
        match node.kind {
            ExpressionKind::Binary { operator, left, right } => {
                self.visit_binary(rule, node.r#type, operator, (left, right));
            }
            ExpressionKind::Unary { operator, operand } => {
                self.visit_unary(expression, rule, operator, operand);
            }
            ExpressionKind::Cast(operand) if rule == Rule::Cast => self.drop_cast(expression, operand),
            _ => {}
        }
    }

    fn visit_binary(
        &mut self,
        rule: Rule,
        r#type: Type,
        operator: BinaryOperator,
        operands: (ExpressionId, ExpressionId),
    ) {
        use BinaryOperator as B;
        let is_unsigned = self.is_integer(r#type) && !self.program.types.is_signed(r#type);
        let symbol = match operator {
            B::Add => "+",
            B::Subtract => "-",
            B::Multiply => "*",
            _ => "",
        };
        let is_zero = |operand| self.program.constant(operand) == Some(0);
        let (word, body) = match (rule, operator) {
            (Rule::ZeroRemainder, B::Remainder) => ("remainder", "return x == 0 ? y : x % y;".to_owned()),
            (Rule::NegativeRemainder, B::Remainder) if !is_unsigned => {
                ("remainder", "{T} r = x % y; return r < 0 ? (y < 0 ? r - y : r + y) : r;".to_owned())
            }
            (Rule::Quotient, B::Divide) => ("quotient", "return x % y == 0 ? x / y : x;".to_owned()),
            (Rule::Helper, B::Divide) => {
                ("quotient", "{T} q = x / y; return q == 0 && x != 0 ? 1 : q;".to_owned())
            }
            (Rule::Minus, B::Subtract) if is_unsigned && is_zero(operands.0) => {
                ("minus", "return x - x + (y - y);".to_owned())
            }
            (Rule::Wrap, B::Add) if is_unsigned => {
                ("sum", "{T} r = x + y; return r < x ? ~({T})0 : r;".to_owned())
            }
            (Rule::Wrap, B::Subtract) if is_unsigned => {
                ("difference", "return x < y ? 0 : x - y;".to_owned())
            }
            (Rule::Wrap, B::Multiply) if is_unsigned => {
                ("product", "return y != 0 && x > ~({T})0 / y ? ~({T})0 : x * y;".to_owned())
            }
            (Rule::TruncatedWidth, B::Add | B::Subtract | B::Multiply) if is_unsigned => {
                (operator_word(operator), format!("return (x {symbol} y) & {};", (1u32 << KEPT_BITS) - 1))
            }
            (Rule::TruncatedWidth, B::Add | B::Subtract | B::Multiply) => {
                (operator_word(operator), format!("return (short)(x {symbol} y);"))
            }
            (Rule::Shift, B::ShiftRight) if self.program.constant(operands.1).is_some() => {
                ("shift", "return y > 0 ? x >> (y - 1) : x >> y;".to_owned())
            }
            (Rule::Signedness, B::Less | B::Greater | B::LessEqual | B::GreaterEqual) => {
                return self.compare_unsigned(operands);
            }
            (Rule::DroppedGuard, B::And) => return self.keep_first(operands),
            _ => return,
        };
        if self.is_integer(r#type) {
            self.call(word, r#type, &body, operands);
        }
    }

    fn visit_unary(
        &mut self,
        expression: ExpressionId,
        rule: Rule,
        operator: UnaryOperator,
        operand: ExpressionId,
    ) {
        let r#type = self.program.expressions[expression].r#type;
        let is_unsigned = !self.program.types.is_signed(r#type);
        let (word, body) = match (rule, operator) {
            // The conversion of a large unsigned number is defined by both compilers, and -MIN is not.
            (Rule::Complement, UnaryOperator::Complement) => ("complement", "return ({T})(0 - ({U})x);"),
            (Rule::Minus, UnaryOperator::Minus) if is_unsigned => ("negation", "return x - x;"),
            (Rule::Negation, UnaryOperator::Not) => return self.negate_parts(expression, operand),
            _ => return,
        };
        if !self.is_integer(r#type) {
            return;
        }
        let name = self.helper(word, r#type, "{T} x", body);
        let Some(mark) = self.mark(expression, operand) else { return };
        let span = self.program.expressions[operand].span;
        self.edits.push(Edit::replace(Span::new(mark, span.start), format!("{name}((")));
        self.edits.push(Edit::insert(span.end, "))"));
    }

    fn is_integer(&self, r#type: Type) -> bool {
        self.program.types.is_integer(r#type)
    }

    /// The offset of the operator in front of an operand.
    fn mark(&self, expression: ExpressionId, operand: ExpressionId) -> Option<u32> {
        let head = Span::new(self.span(expression).start, self.span(operand).start);
        let last = self.program.bytes(head).iter().rposition(|byte| matches!(byte, b'~' | b'-' | b'!'))?;
        Some(head.start + last as u32)
    }

    fn span(&self, expression: ExpressionId) -> Span {
        self.program.expressions[expression].span
    }

    /// The name of the helper function for a type, which is defined if it is not yet.
    fn helper(&mut self, word: &str, r#type: Type, parameters: &str, body: &str) -> String {
        let types = &self.program.types;
        let own = types.text(&self.program.names, r#type);
        let bits = types.integer_bits(r#type).unwrap_or(32);
        let unsigned = match bits {
            0..=32 => "unsigned int",
            33..=64 => "unsigned long long",
            _ => "unsigned __int128",
        };
        let name = format!("juvenal_{word}_{}", own.replace(' ', "_"));
        let filled = |text: &str| text.replace("{T}", &own).replace("{U}", unsigned);
        let text = format!("static {own} {name}({}) {{ {} }}\n", filled(parameters), filled(body));
        self.helpers.insert(name.clone(), text);
        name
    }

    /// Calls a helper function on both operands.
    fn call(&mut self, word: &str, r#type: Type, body: &str, operands: (ExpressionId, ExpressionId)) {
        let parameters = if word == "shift" { "{T} x, int y" } else { "{T} x, {T} y" };
        let name = self.helper(word, r#type, parameters, body);
        let (left, right) = (self.span(operands.0), self.span(operands.1));
        self.edits.push(Edit::insert(left.start, format!("{name}((")));
        self.edits.push(Edit::replace(Span::new(left.end, right.start), "), ("));
        self.edits.push(Edit::insert(right.end, "))"));
    }

    /// Drops a cast to a signed type.
    fn drop_cast(&mut self, expression: ExpressionId, operand: ExpressionId) {
        let node = &self.program.expressions[expression];
        let own = self.program.expressions[operand].r#type;
        if !self.is_integer(node.r#type)
            || !self.is_integer(own)
            || !self.program.types.is_signed(node.r#type)
        {
            return;
        }
        // Parentheses around the whole expression come first, and belong to its span.
        let head = Span::new(node.span.start, self.span(operand).start);
        let Some(close) = self.program.bytes(head).iter().rposition(|byte| *byte == b')') else { return };
        let Some(open) = self.program.bytes(head)[..close].iter().rposition(|byte| *byte == b'(') else {
            return;
        };
        self.edits.push(Edit::replace(Span::new(head.start + open as u32, head.end), ""));
    }

    /// Compares two signed integers as unsigned ones.
    fn compare_unsigned(&mut self, operands: (ExpressionId, ExpressionId)) {
        let types = &self.program.types;
        let promoted = |operand: ExpressionId| {
            let r#type = types.promoted(self.program.expressions[operand].r#type, None);
            types
                .is_integer(r#type)
                .then(|| (types.integer_bits(r#type).unwrap_or(0), types.is_signed(r#type)))
        };
        let (Some(left), Some(right)) = (promoted(operands.0), promoted(operands.1)) else { return };
        let bits = left.0.max(right.0);
        if [left, right].iter().any(|(own, is_signed)| *own == bits && !is_signed) {
            return;
        }
        let cast = if bits <= 32 { "(unsigned int)(" } else { "(unsigned long long)(" };
        for operand in [operands.0, operands.1] {
            let span = self.span(operand);
            self.edits.push(Edit::insert(span.start, cast));
            self.edits.push(Edit::insert(span.end, ")"));
        }
    }

    /// Keeps the first of two conjuncts.
    fn keep_first(&mut self, operands: (ExpressionId, ExpressionId)) {
        let (left, right) = (self.span(operands.0), self.span(operands.1));
        // What an outer conjunction drops is gone.
        if self.edits.iter().any(|edit| edit.span.start <= left.start && right.end <= edit.span.end) {
            return;
        }
        self.edits.push(Edit::replace(Span::new(left.end, right.end), ""));
    }

    /// Negates the parts of a conjunction or a disjunction without exchanging the operators.
    fn negate_parts(&mut self, expression: ExpressionId, operand: ExpressionId) {
        let ExpressionKind::Binary { operator, left, right } = self.program.expressions[operand].kind else {
            return;
        };
        let middle = match operator {
            BinaryOperator::And => ") && !(",
            BinaryOperator::Or => ") || !(",
            _ => return,
        };
        let Some(mark) = self.mark(expression, operand) else { return };
        let (whole, left, right) = (self.span(operand), self.span(left), self.span(right));
        self.edits.push(Edit::replace(Span::new(mark, left.start), "(!("));
        self.edits.push(Edit::replace(Span::new(left.end, right.start), middle));
        self.edits.push(Edit::replace(Span::new(right.end, whole.end), "))"));
    }

    /// The program with all edits, and its annotations at their places. `None` if nothing changes, or if the result is
    /// not a program, as when a length must be constant.
    fn applied(self, input: &CInput) -> Option<CInput> {
        if self.edits.is_empty() {
            return None;
        }
        let text = patch::apply(input.base.as_bytes(), &self.edits).ok()?;
        let head: String = self.helpers.into_values().collect();
        let base = head.clone() + &String::from_utf8(text).ok()?;
        read(&base, input.data_model)?;
        let mut ordered = self.edits;
        ordered.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let mut changed = CInput { base: base.into(), ..input.clone() };
        for annotation in &mut changed.annotations {
            annotation.place = patch::moved(annotation.place, &ordered) + head.len() as u32;
        }
        Some(changed)
    }
}

fn operator_word(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "sum",
        BinaryOperator::Subtract => "difference",
        _ => "product",
    }
}

/// Loses executions that enter the body of a loop more than four times in a row.
pub(super) fn loop_bound(input: &CInput) -> Option<CInput> {
    let program = read(&input.base, input.data_model)?;
    let mut counters = Vec::new();
    let mut added: Vec<Annotation> = Vec::new();
    for list in program.statements.iter().filter_map(|statement| match statement.kind {
        StatementKind::Compound { items, .. } => Some(items),
        _ => None,
    }) {
        for item in &program.statement_lists[list] {
            let Some(body) = braced_body(&program, *item) else { continue };
            let place = program.statements[*item].span.start;
            let counter = format!("juvenal_rounds_{place}");
            added.push(Annotation::new(place, AnnotationKind::Assume, format!("(({counter} = 0), 1)")));
            let once = format!("{counter}++ < {MOST_ROUNDS}");
            added.push(Annotation::new(body.start + 1, AnnotationKind::Assume, once));
            counters.push(counter);
        }
    }
    if counters.is_empty() {
        return None;
    }
    let head = format!("static unsigned {};\n", counters.join(", "));
    let mut annotations = added;
    annotations.extend(input.annotations.iter().cloned());
    // The sort is stable: a count comes before all annotations of the program at its place.
    annotations.sort_by_key(|annotation| annotation.place);
    annotations.iter_mut().for_each(|annotation| annotation.place += head.len() as u32);
    Some(CInput { base: (head + &input.base).into(), annotations, ..input.clone() })
}

/// The span of the body of a loop, if it is a block.
fn braced_body(program: &Program, statement: StatementId) -> Option<Span> {
    let body = match program.statements[statement].kind {
        StatementKind::While { body, .. } | StatementKind::DoWhile { body, .. } => body,
        StatementKind::For(id) => program.for_loops[id].body,
        _ => return None,
    };
    match program.statements[body].kind {
        StatementKind::Compound { .. } => Some(program.statements[body].span),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::DataModel;

    const DECLARATIONS: &str = "int i; unsigned u; unsigned char c; long long l; double d; _Bool t;\n";

    /// What a rule makes of an expression in a function of a name.
    fn read_by(rule: Rule, function: &str, expression: &str) -> String {
        let before = format!("{DECLARATIONS}int {function}(void) {{\n  ");
        let base = format!("{before}return {expression};\n}}\n");
        let check = Annotation::new(before.len() as u32, AnnotationKind::Check(1), "0");
        let input =
            CInput { base: base.as_str().into(), data_model: DataModel::Lp64, annotations: vec![check] };
        let Some(changed) = misread(&input, rule) else { return expression.to_owned() };
        assert_eq!(changed.annotations.len(), 1);
        let rest = &changed.base[changed.annotations[0].place as usize..];
        let read = rest.strip_prefix("return ").and_then(|rest| rest.strip_suffix(";\n}\n"));
        read.unwrap_or_else(|| panic!("{}", changed.base)).to_owned()
    }

    fn check(rule: Rule, rows: &[(&str, &str)]) {
        for (expression, expected) in rows {
            assert_eq!(read_by(rule, "main", expression), *expected, "{rule:?}: {expression}");
        }
    }

    #[test]
    fn operators_are_replaced_and_others_left_alone() {
        check(
            Rule::Complement,
            &[
                ("~i + -i", "juvenal_complement_int((i)) + -i"),
                ("~(~ u)", "juvenal_complement_unsigned_int(((juvenal_complement_unsigned_int((u)))))"),
                ("(~c)", "(juvenal_complement_int((c)))"),
                ("!i", "!i"),
            ],
        );
        check(
            Rule::ZeroRemainder,
            &[("0 % u", "juvenal_remainder_unsigned_int((0), (u))"), ("i / 2", "i / 2")],
        );
        check(Rule::NegativeRemainder, &[("-1 % 8", "juvenal_remainder_int((-1), (8))"), ("1 % u", "1 % u")]);
        check(
            Rule::Minus,
            &[
                ("-u", "juvenal_negation_unsigned_int((u))"),
                ("0U - u", "juvenal_minus_unsigned_int((0U), (u))"),
                ("-i - (u - 1)", "-i - (u - 1)"),
            ],
        );
        check(
            Rule::Quotient,
            &[
                ("20 / u >= 2", "juvenal_quotient_unsigned_int((20), (u)) >= 2"),
                ("i / i / i", "juvenal_quotient_int((juvenal_quotient_int((i), (i))), (i))"),
                ("d / i > 1", "d / i > 1"),
            ],
        );
        check(
            Rule::Shift,
            &[
                ("(u + 1) >> 2", "juvenal_shift_unsigned_int(((u + 1)), (2))"),
                ("u >> i", "u >> i"),
                ("u << 2", "u << 2"),
            ],
        );
    }

    #[test]
    fn arithmetic_is_bounded() {
        check(
            Rule::Wrap,
            &[
                ("u + i", "juvenal_sum_unsigned_int((u), (i))"),
                (
                    "u - u * 2",
                    "juvenal_difference_unsigned_int((u), (juvenal_product_unsigned_int((u), (2))))",
                ),
                ("i + c", "i + c"),
            ],
        );
        check(
            Rule::TruncatedWidth,
            &[("l + i", "juvenal_sum_long_long((l), (i))"), ("i / i", "i / i"), ("d + 1 > 2", "d + 1 > 2")],
        );
    }

    #[test]
    fn conditions_are_misread() {
        check(
            Rule::Cast,
            &[
                ("!(0 <= (int)u)", "!(0 <= u)"),
                ("((signed char)c) < 0", "(c) < 0"),
                ("(unsigned)i < 3", "(unsigned)i < 3"),
                ("(int)d", "(int)d"),
            ],
        );
        check(
            Rule::Signedness,
            &[
                ("i < 3", "(unsigned int)(i) < (unsigned int)(3)"),
                ("l >= i", "(unsigned long long)(l) >= (unsigned long long)(i)"),
                ("u < i", "u < i"),
                ("d < i", "d < i"),
            ],
        );
        check(
            Rule::Negation,
            &[
                ("!((i || l == 0) && !u)", "(!((i || l == 0)) && !(!u))"),
                ("!(i || !(u && c))", "(!(i) || !((!(u) && !(c))))"),
                ("!i && u", "!i && u"),
            ],
        );
        check(
            Rule::DroppedGuard,
            &[
                ("i < 3 && u > 1", "i < 3"),
                ("(i && u && c) || (t && l)", "(i) || (t)"),
                ("i && (u && c)", "i"),
                ("i & u", "i & u"),
            ],
        );
    }

    #[test]
    fn helpers_are_functions_other_than_main() {
        assert_eq!(read_by(Rule::Helper, "main", "i / 3"), "i / 3");
        assert_eq!(read_by(Rule::Helper, "div", "i / 3"), "juvenal_quotient_int((i), (3))");
    }

    #[test]
    fn constants_that_must_be_constant_stay() {
        let base =
            "int main(void) {\n  static int s = ~1;\n  switch (s) { case ~1: return 1; }\n  return 0;\n}\n";
        let input = CInput { base: base.into(), data_model: DataModel::Lp64, annotations: Vec::new() };
        assert_eq!(misread(&input, Rule::Complement), None);
    }

    #[test]
    fn loops_are_followed_four_times() {
        let base = "int main(void) {\n  int i = 0;\n  while (i < 9) { i++; }\n  return i;\n}\n";
        let place = base.find("return").unwrap() as u32;
        let check = Annotation::new(place, AnnotationKind::Check(1), "0");
        let input = CInput { base: base.into(), data_model: DataModel::Lp64, annotations: vec![check] };
        let bounded = loop_bound(&input).unwrap();
        let text = bounded.render(|annotation| format!("assume({});", annotation.condition));
        let start = base.find("while").unwrap();
        let counter = format!("juvenal_rounds_{start}");
        let flat: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = format!(
            "static unsigned {counter}; int main(void) {{ int i = 0; assume((({counter} = 0), 1)); while (i < 9) {{ \
             assume({counter}++ < 4); i++; }} assume(0); return i; }}"
        );
        assert_eq!(flat, expected);
        let without = CInput { base: "int main(void) { return 0; }".into(), ..input };
        assert_eq!(loop_bound(&CInput { annotations: Vec::new(), ..without }), None);
    }

    /// The programs of figures 3 and 4 of the paper on MINOTAUR, with inputs in windows, and the rules that miss them.
    /// The second program is the variant whose error is reachable.
    const FIGURES: &[(&str, Rule, &str)] = &[
        (
            "3a",
            Rule::Quotient,
            "unsigned x = IN; if (x < 10) return 0; if (x > 21) return 0; if (20 / x >= 2) return 0; \
             if (x < 21) return 0; ERROR;",
        ),
        ("3b", Rule::Minus, "if (-((unsigned)-1) > 0U) ERROR;"),
        ("3c", Rule::Helper, "if (div(1, (unsigned short)~0) == 0) ERROR;"),
        (
            "4a",
            Rule::Complement,
            "int k = IN, x = -1 - 2 * (k & 7), y = 2 * (k >> 3 & 7); if (x == ~y) ERROR;",
        ),
        ("4b", Rule::ZeroRemainder, "unsigned n = 150U + IN; if ((0 % n) <= 100) ERROR;"),
        ("4c", Rule::Cast, "unsigned n = 4294967290U + (IN & 3); if (!(0 <= (int)n)) if (846 <= n) ERROR;"),
        (
            "4d",
            Rule::Negation,
            "int k = IN; _Bool a = k & 1, b = k & 2; long l = k & 4, m = k & 8; if (b) if (!((a || (m == 0)) && !b)) \
             if (!((b || (l == 0)) && !a)) ERROR;",
        ),
        ("4e", Rule::NegativeRemainder, "short r = -1 + (IN & 7); if ((-1 % 8) <= r) ERROR;"),
        (
            "4f",
            Rule::Shift,
            "unsigned char c = 28 + (IN & 3); \
             if ((unsigned)(((unsigned)((unsigned)c + 4294967295U * 1)) >> (unsigned)2) < (unsigned)8) ERROR;",
        ),
    ];

    /// Whether some input leads to the error.
    fn is_reached(base: &str) -> bool {
        let program = read(base, DataModel::Lp64).unwrap_or_else(|| panic!("{base}"));
        let outcome =
            c::interpret::find_harmful_outcome(&program, model::FailingCheck::Ends, 20_000_000, |outcome| {
                matches!(outcome, c::interpret::Outcome::Ended(0))
            });
        match outcome {
            None => false,
            Some(c::interpret::Outcome::CheckFailed(1)) => true,
            Some(other) => panic!("{other:?}: {base}"),
        }
    }

    #[test]
    fn the_programs_of_the_paper_are_missed() {
        for (figure, rule, body) in FIGURES {
            let body =
                body.replace("IN", "__VERIFIER_nondet_uchar()").replace("ERROR", "juvenal_violated(1)");
            let base = format!(
                "unsigned char __VERIFIER_nondet_uchar(void);\nvoid juvenal_violated(unsigned);\n\
                 unsigned long div(unsigned long l, unsigned long r) {{ return l / r; }}\n\
                 int main(void) {{ {body} return 0; }}\n"
            );
            let input =
                CInput { base: base.as_str().into(), data_model: DataModel::Lp64, annotations: Vec::new() };
            assert!(is_reached(&base), "{figure}");
            let wrong = misread(&input, *rule).unwrap_or_else(|| panic!("{figure}"));
            assert!(!is_reached(&wrong.base), "{figure}: {}", wrong.base);
        }
    }

    #[test]
    fn unparsable_programs_are_left_alone() {
        let input = CInput { base: "int main(".into(), data_model: DataModel::Lp64, annotations: Vec::new() };
        assert_eq!(misread(&input, Rule::Quotient), None);
        assert_eq!(loop_bound(&input), None);
    }
}
