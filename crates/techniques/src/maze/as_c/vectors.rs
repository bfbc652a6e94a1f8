//! Core and bit-vectors of up to 64 bits, or 128 in `__int128`, as templates.

use super::Wide;
use super::form::{Form, Source};
use super::graph::Kind;
use super::machine::CType;
use super::template::Template::{self, Cut, Fits, Signed};
use smt::Operator;

/// The ways to write an operator. `is_full` says that the operands fill the type that the operator works in, where the
/// least signed number divided by -1 overflows.
pub(super) fn templates(operator: Operator, is_full: bool) -> &'static [Template] {
    use Operator as O;
    match operator {
        O::True => &[Fits("1")],
        O::False => &[Fits("0")],
        O::Not => &[Fits("!{x}"), Fits("{x} == 0"), Fits("{x} ^ 1")],
        O::And => &[Fits("{x} && {y}"), Fits("{x} & {y}")],
        O::Or => &[Fits("{x} || {y}"), Fits("{x} | {y}")],
        O::Xor => &[Fits("{x} != {y}"), Fits("{x} ^ {y}")],
        O::Implies => &[Fits("!{x} || {y}"), Fits("{x} <= {y}")],
        O::Equal => &[Fits("{x} == {y}"), Fits("!({x} != {y})"), Fits("({x} ^ {y}) == 0")],
        O::Distinct => &[Fits("{x} != {y}"), Fits("!({x} == {y})")],
        O::Ite => &[Fits("{x} ? {y} : {z}"), Fits("!{x} ? {z} : {y}")],
        O::BvSdiv | O::BvSrem | O::BvSmod => signed_division(operator, is_full),
        O::BvUdiv | O::BvUrem | O::BvShl | O::BvLshr | O::BvAshr => division_and_shift(operator),
        O::Concat
        | O::Extract { .. }
        | O::Repeat(_)
        | O::ZeroExtend(_)
        | O::SignExtend(_)
        | O::RotateLeft(_)
        | O::RotateRight(_)
        | O::ExtRotateLeft
        | O::ExtRotateRight => moved_bits(operator),
        O::BvUlt | O::BvUle | O::BvUgt | O::BvUge | O::BvSlt | O::BvSle | O::BvSgt | O::BvSge => {
            order(operator)
        }
        O::BvNego
        | O::BvUaddo
        | O::BvSaddo
        | O::BvUmulo
        | O::BvSmulo
        | O::BvUsubo
        | O::BvSsubo
        | O::BvSdivo => overflow(operator),
        _ => ring_and_bitwise(operator),
    }
}

/// The ways to write an operator on a literal that decides between its cases. The part for another case would be an
/// expression of constants, such as a division by zero, and analyzers fold these.
fn templates_of_literals(
    operator: Operator,
    literals: [Option<u128>; 2],
    width: u32,
) -> Option<&'static [Template]> {
    use Operator as O;
    let is_far = |distance: u128| distance >= u128::from(width);
    Some(match (operator, literals) {
        (O::BvUdiv, [_, Some(0)]) => &[Fits("{M}")],
        (O::BvUdiv, [_, Some(_)]) => &[Fits("{x} / {y}")],
        (O::BvUrem, [_, Some(0)]) => &[Fits("{x}")],
        (O::BvUrem, [_, Some(_)]) => &[Fits("{x} % {y}"), Fits("{x} - {x} / {y} * {y}")],
        (O::BvShl | O::BvLshr, [_, Some(distance)]) if is_far(distance) => &[Fits("{Z}")],
        (O::BvShl, [_, Some(_)]) => &[Cut("{x} << {y}")],
        (O::BvLshr, [_, Some(_)]) => &[Fits("{x} >> {y}")],
        (O::BvAshr, [_, Some(distance)]) if is_far(distance) => &[Fits("{x} & {S} ? {M} : {Z}")],
        (O::BvAshr, [_, Some(_)]) => &[Fits("{x} & {S} ? {M} ^ (({x} ^ {M}) >> {y}) : {x} >> {y}")],
        (O::BvUmulo, [Some(0), _]) => &[Fits("0")],
        (O::BvUmulo, [Some(_), _]) => &[Fits("{y} > {M} / {x}")],
        _ => return None,
    })
}

fn ring_and_bitwise(operator: Operator) -> &'static [Template] {
    use Operator as O;
    match operator {
        O::BvNot => &[Fits("{x} ^ {M}"), Fits("{M} - {x}"), Cut("~{x}"), Signed("({U})~{a}")],
        O::BvNeg => &[Cut("{Z} - {x}"), Cut("-{x}"), Cut("~{x} + {I}")],
        O::BvAnd => &[Fits("{x} & {y}"), Signed("({U})({a} & {b})")],
        O::BvOr => &[Fits("{x} | {y}"), Signed("({U})({a} | {b})")],
        O::BvXor => &[Fits("{x} ^ {y}"), Signed("({U})({a} ^ {b})")],
        O::BvNand => &[Cut("~({x} & {y})"), Fits("({x} & {y}) ^ {M}"), Fits("{M} - ({x} & {y})")],
        O::BvNor => &[Cut("~({x} | {y})"), Fits("({x} | {y}) ^ {M}"), Fits("{M} - ({x} | {y})")],
        O::BvXnor => &[Cut("~({x} ^ {y})"), Fits("{x} ^ {y} ^ {M}"), Fits("{M} - ({x} ^ {y})")],
        O::BvAdd => &[Cut("{x} + {y}"), Cut("{x} - ({Z} - {y})"), Cut("{x} - ~{y} - {I}")],
        O::BvSub => &[Cut("{x} - {y}"), Cut("{x} + ({Z} - {y})"), Cut("{x} + ~{y} + {I}")],
        O::BvMul => &[Cut("{x} * {y}")],
        O::BvComp => &[Fits("{x} == {y}"), Fits("{x} == {y} ? 1 : 0")],
        O::BvRedOr => &[Fits("{x} != 0"), Fits("{x} ? 1 : 0")],
        O::BvRedAnd => &[Fits("{x} == {M}")],
        _ => &[],
    }
}

fn division_and_shift(operator: Operator) -> &'static [Template] {
    use Operator as O;
    match operator {
        O::BvUdiv => &[Fits("{y} == 0 ? {M} : {x} / {y}"), Fits("{y} ? {x} / {y} : {M}")],
        O::BvUrem => &[
            Fits("{y} == 0 ? {x} : {x} % {y}"),
            Fits("{y} ? {x} % {y} : {x}"),
            Fits("{y} == 0 ? {x} : {x} - {x} / {y} * {y}"),
        ],
        O::BvShl => &[Cut("{y} >= {W} ? {Z} : {x} << {y}"), Cut("{y} < {W} ? {x} << {y} : {Z}")],
        O::BvLshr => &[Fits("{y} >= {W} ? {Z} : {x} >> {y}"), Fits("{y} < {W} ? {x} >> {y} : {Z}")],
        O::BvAshr => &[
            Fits(
                "{x} & {S} ? ({y} >= {W} ? {M} : {M} ^ (({x} ^ {M}) >> {y})) : {y} >= {W} ? {Z} : {x} >> {y}",
            ),
            Fits("{x} & {S} ? {M} ^ (({x} ^ {M}) >> {c}) : {x} >> {c}"),
        ],
        _ => &[],
    }
}

fn signed_division(operator: Operator, is_full: bool) -> &'static [Template] {
    use Operator as O;
    match (operator, is_full) {
        (O::BvSdiv, false) => &[
            Cut("{b} == 0 ? ({a} < 0 ? {I} : {M}) : ({U})({a} / {b})"),
            Cut("{b} > 0 ? ({U})({a} / {b}) : {b} < 0 ? ({U})({a} / {b}) : {a} < 0 ? {I} : {M}"),
            Cut("{q} == 0 ? ({x} & {S} ? {I} : {M}) : ({x} ^ {y}) & {S} ? {Z} - {p} / {q} : {p} / {q}"),
        ],
        (O::BvSdiv, true) => &[
            Cut("{b} == 0 ? ({a} < 0 ? {I} : {M}) : {b} == -1 && {x} == {S} ? {S} : ({U})({a} / {b})"),
            Cut(
                "{b} > 0 ? ({U})({a} / {b}) : {b} < -1 ? ({U})({a} / {b}) : {b} == -1 ? {Z} - {x} : {a} < 0 ? {I} : {M}",
            ),
            Cut("{q} == 0 ? ({x} & {S} ? {I} : {M}) : ({x} ^ {y}) & {S} ? {Z} - {p} / {q} : {p} / {q}"),
        ],
        (O::BvSrem, false) => &[
            Cut("{b} == 0 ? {x} : ({U})({a} % {b})"),
            Cut("{b} > 0 ? ({U})({a} % {b}) : {b} < 0 ? ({U})({a} % {b}) : {x}"),
            Cut("{q} == 0 ? {x} : {x} & {S} ? {Z} - {p} % {q} : {p} % {q}"),
        ],
        (O::BvSrem, true) => &[
            Cut("{b} == 0 ? {x} : {b} == -1 ? {Z} : ({U})({a} % {b})"),
            Cut("{b} > 0 ? ({U})({a} % {b}) : {b} < -1 ? ({U})({a} % {b}) : {b} == -1 ? {Z} : {x}"),
            Cut("{q} == 0 ? {x} : {x} & {S} ? {Z} - {p} % {q} : {p} % {q}"),
        ],
        _ => &[
            Cut("({U})({r} != 0 && ({r} < 0) != ({b} < 0) ? {r} + {b} : {r})"),
            Cut(
                "{m} == 0 ? {Z} : {x} & {S} ? ({y} & {S} ? {Z} - {m} : {y} - {m}) : {y} & {S} ? {m} + {y} : {m}",
            ),
        ],
    }
}

fn moved_bits(operator: Operator) -> &'static [Template] {
    use Operator as O;
    match operator {
        O::Concat => &[Fits("{x} << {K} | {y}"), Fits("({x} << {K}) + {y}"), Fits("{x} * {P} + {y}")],
        O::Extract { low: 0, .. } => &[Cut("{x}"), Fits("{x} & {N}")],
        O::Extract { .. } => &[Cut("{x} >> {K}"), Fits("{x} >> {K} & {N}"), Fits("{x} / {P} & {N}")],
        O::Repeat(_) => &[Fits("{x} * {R}")],
        O::ZeroExtend(_) => &[Fits("{x}")],
        O::SignExtend(_) => {
            &[Cut("({x} ^ {S}) - {S}"), Fits("{x} & {S} ? {x} | {H} : {x}"), Signed("({U}){a}")]
        }
        // The distances are K and the rest L; a distance of 0 is no rotation.
        O::RotateLeft(_) => &[Cut("{x} << {K} | {x} >> {L}"), Cut("({x} << {K}) + ({x} >> {L})")],
        O::RotateRight(_) => &[Cut("{x} >> {K} | {x} << {L}"), Cut("({x} >> {K}) + ({x} << {L})")],
        O::ExtRotateLeft => &[Cut("{e} == 0 ? {x} : {x} << {e} | {x} >> ({W} - {e})")],
        O::ExtRotateRight => &[Cut("{e} == 0 ? {x} : {x} >> {e} | {x} << ({W} - {e})")],
        _ => &[],
    }
}

/// A rotation by nothing.
const UNMOVED: &[Template] = &[Fits("{x}")];

fn order(operator: Operator) -> &'static [Template] {
    use Operator as O;
    match operator {
        O::BvUlt => &[Fits("{x} < {y}"), Fits("{y} > {x}"), Fits("!({x} >= {y})")],
        O::BvUle => &[Fits("{x} <= {y}"), Fits("{y} >= {x}"), Fits("!({x} > {y})")],
        O::BvUgt => &[Fits("{x} > {y}"), Fits("{y} < {x}"), Fits("!({x} <= {y})")],
        O::BvUge => &[Fits("{x} >= {y}"), Fits("{y} <= {x}"), Fits("!({x} < {y})")],
        O::BvSlt => &[Fits("{a} < {b}"), Fits("({x} ^ {S}) < ({y} ^ {S})")],
        O::BvSle => &[Fits("{a} <= {b}"), Fits("({x} ^ {S}) <= ({y} ^ {S})")],
        O::BvSgt => &[Fits("{a} > {b}"), Fits("({x} ^ {S}) > ({y} ^ {S})")],
        _ => &[Fits("{a} >= {b}"), Fits("({x} ^ {S}) >= ({y} ^ {S})")],
    }
}

fn overflow(operator: Operator) -> &'static [Template] {
    use Operator as O;
    match operator {
        O::BvNego => &[Fits("{x} == {S}")],
        O::BvUaddo => &[Fits("{x} > {M} - {y}"), Fits("{s} < {x}")],
        O::BvUsubo => &[Fits("{x} < {y}")],
        O::BvUmulo => &[Fits("{x} != 0 && {y} > {M} / {x}"), Fits("{x} ? {y} > {M} / {x} : 0")],
        O::BvSaddo => &[Fits("(({x} ^ {s}) & ({y} ^ {s}) & {S}) != 0")],
        O::BvSsubo => &[Fits("(({x} ^ {y}) & ({x} ^ {t}) & {S}) != 0")],
        O::BvSmulo => &[Fits("{p} != 0 && {q} > (({x} ^ {y}) & {S} ? {S} : {S} - {I}) / {p}")],
        _ => &[Fits("{x} == {S} && {y} == {M}")],
    }
}

/// The values of an operator's result.
fn all_ones(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// A constant of a type.
pub(super) fn constant(value: u128, c_type: &CType) -> String {
    let (high, low) = ((value >> 64) as u64, value as u64);
    match c_type.bits() {
        0..=32 => format!("{low}U"),
        33..=64 => format!("{low}ULL"),
        _ if high == 0 => format!("(unsigned __int128){low}ULL"),
        _ => format!("((unsigned __int128){high}ULL << 64 | {low}ULL)"),
    }
}

/// The form of an operator of Core or of bit-vectors, for these values of the operands and the result. Of the first two
/// operands, the values of literals are known.
pub(super) fn form(
    operator: Operator,
    operands: &[Kind],
    result: Kind,
    literals: [Option<u128>; 2],
    wide: Wide,
) -> Form {
    let width = operands.first().map_or(0, |kind| working_width(*kind));
    let result_width = working_width(result);
    let operand_type = |kind: &Kind| match (operator, kind) {
        (_, Kind::Truth) => (CType::INT, CType::INT),
        (
            Operator::Concat | Operator::Repeat(_) | Operator::ZeroExtend(_) | Operator::SignExtend(_),
            kind,
        ) => (CType::working(result_width, wide), CType::storage(working_width(*kind), wide)),
        (_, kind) => (CType::working(working_width(*kind), wide), CType::storage(working_width(*kind), wide)),
    };
    let operand_types: Vec<(CType, CType)> = operands.iter().map(operand_type).collect();
    let working = operand_types.first().map_or(CType::INT, |(working, _)| working.clone());
    let bits = working.bits().max(32);
    let is_predicate = result == Kind::Truth
        || matches!(operator, Operator::BvComp | Operator::BvRedOr | Operator::BvRedAnd);
    let expression_type = match operator {
        _ if is_predicate => CType::INT,
        Operator::Ite => operand_types.get(1).map_or(CType::INT, |(working, _)| working.clone()),
        _ => working.clone(),
    };
    let returned = if result == Kind::Truth { CType::INT } else { CType::storage(result_width, wide) };
    let is_full = width == bits;
    let of_literals = templates_of_literals(operator, literals, width);
    let general = || if is_unmoved(operator, width) { UNMOVED } else { templates(operator, is_full) };
    Form {
        source: Source::Vector(Constants {
            operator,
            width: width.max(1),
            second_width: operands.get(1).map_or(0, |kind| working_width(*kind)),
            result_width: result_width.max(1),
            working: working.clone(),
        }),
        is_general: of_literals.is_none(),
        templates: of_literals.unwrap_or_else(general),
        operands: operand_types,
        locals: (working, CType::Signed(bits)),
        has_signed_type: matches!(width, 8 | 16 | 32 | 64 | 128),
        mask: (!is_predicate && result_width < expression_type.bits())
            .then(|| constant(all_ones(result_width), &expression_type)),
        result: expression_type,
        is_exact: returned.bits() == result_width,
        returned,
    }
}

/// The width that a value takes in C.
fn working_width(kind: Kind) -> u32 {
    match kind {
        Kind::Element => 32,
        kind => kind.width(),
    }
}

fn is_unmoved(operator: Operator, width: u32) -> bool {
    match operator {
        Operator::RotateLeft(distance) | Operator::RotateRight(distance) => distance % width.max(1) == 0,
        _ => false,
    }
}

/// What the constants of an operator depend on.
#[derive(Clone, Debug)]
pub(super) struct Constants {
    /// The operator.
    pub(super) operator: Operator,
    /// The width of the first operand.
    width: u32,
    /// The width of the second operand, 0 if there is none.
    second_width: u32,
    /// The width of the result.
    result_width: u32,
    /// The type that the operator works in.
    working: CType,
}

impl Constants {
    /// The text of a gap. `M` is the greatest value, `S` the sign bit, `W` the width, `Z` zero, `I` one; `U` is the
    /// unsigned type that the operator works in, `D` the signed one, `E` the signed one of exactly the width. The others
    /// are the constants of single operators.
    pub(super) fn gap(&self, letter: char) -> Option<String> {
        let bits = self.working.bits().max(32);
        let number = |value: u128| Some(constant(value, &self.working));
        match letter {
            'M' => number(all_ones(self.width)),
            'S' => number(1 << (self.width - 1)),
            'W' => number(u128::from(self.width)),
            'Z' => number(0),
            'I' => number(1),
            'N' => number(all_ones(self.result_width)),
            'H' => number(all_ones(self.result_width) ^ all_ones(self.width)),
            'U' => Some(CType::Unsigned(bits).name()),
            'D' => Some(CType::Signed(bits).name()),
            'E' => Some(CType::Signed(self.width).name()),
            'K' => self.distance().map(|distance| distance.to_string()),
            'L' => self.distance().map(|distance| (self.width - distance).to_string()),
            'P' => number(1 << self.distance()?),
            'R' => number(self.repeated()?),
            _ => None,
        }
    }

    /// How far bits are moved.
    fn distance(&self) -> Option<u32> {
        match self.operator {
            Operator::Concat => Some(self.second_width),
            Operator::Extract { low, .. } => Some(low),
            Operator::RotateLeft(distance) | Operator::RotateRight(distance) => Some(distance % self.width),
            _ => None,
        }
    }

    /// The factor that repeats a vector.
    fn repeated(&self) -> Option<u128> {
        let Operator::Repeat(times) = self.operator else { return None };
        Some((1..times).fold(1, |factor: u128, _| factor << (self.width % 128) | 1))
    }

    /// The name of the helper function: that of the operator, its indices, and the widths of its operands.
    pub(super) fn function_name(&self) -> String {
        let mut name = match self.operator {
            Operator::Equal => "equal".to_owned(),
            Operator::Implies => "implies".to_owned(),
            operator => operator.name().to_owned(),
        };
        for index in self.operator.indices().into_iter().flatten() {
            name.push_str(&format!("_{index}"));
        }
        name.push_str(&format!("_{}", self.width));
        if self.operator == Operator::Concat {
            name.push_str(&format!("_{}", self.second_width));
        }
        name
    }
}
