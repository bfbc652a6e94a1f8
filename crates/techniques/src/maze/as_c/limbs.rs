//! Helper functions of bit-vectors in structs of 32-bit limbs by value, the lowest limb first.

use super::machine::{CType, limb_count};
use smt::Operator;

/// The helper function of an operator: its name and its definition. `widths` are those of the operands; `result` is
/// that of the result.
pub(super) fn function(operator: Operator, widths: &[u32], result: u32) -> (String, String) {
    use Operator as O;
    let (first, second) = (widths.first().copied().unwrap_or(0), widths.get(1).copied().unwrap_or(0));
    let name = match operator {
        O::Extract { high, low } => format!("extract_{high}_{low}_{first}"),
        O::Concat => format!("concat_{first}_{second}"),
        O::Equal => format!("equal_bits_{first}"),
        operator => format!("{}_{first}", operator.name()),
    };
    let parameters: Vec<String> = widths
        .iter()
        .zip(["x", "y"])
        .map(|(width, letter)| format!("{} {letter}", storage(*width).name()))
        .collect();
    let returned = match operator {
        O::Equal | O::BvUlt => CType::INT,
        _ => storage(result),
    };
    let body = match operator {
        O::Extract { low, .. } => extract(first, low, result),
        O::Concat => concat(first, second),
        operator => same_width(operator, first),
    };
    let text = format!("static {} {name}({}) {{\n{body}}}\n", returned.name(), parameters.join(", "));
    (name, text)
}

fn storage(width: u32) -> CType {
    CType::storage(width, super::Wide::Limbs)
}

/// The mask of the highest limb.
fn top_mask(width: u32) -> String {
    match width % 32 {
        0 => format!("{}U", u32::MAX),
        bits => format!("{}U", (1u32 << bits) - 1),
    }
}

/// The body of an operator whose operands have one width.
fn same_width(operator: Operator, width: u32) -> String {
    use Operator as O;
    let (count, last, mask) = (limb_count(width), limb_count(width) - 1, top_mask(width));
    let each =
        |statement: &str| format!("  unsigned int i;\n  for (i = 0U; i < {count}U; i++)\n    {statement}\n");
    let masked = format!("  x.limb[{last}] &= {mask};\n  return x;\n");
    match operator {
        O::BvNot => each("x.limb[i] = ~x.limb[i];") + &masked,
        O::BvAnd => each("x.limb[i] &= y.limb[i];") + "  return x;\n",
        O::BvOr => each("x.limb[i] |= y.limb[i];") + "  return x;\n",
        O::BvXor => each("x.limb[i] ^= y.limb[i];") + "  return x;\n",
        O::Equal => each("if (x.limb[i] != y.limb[i])\n      return 0;") + "  return 1;\n",
        O::BvUlt => format!(
            "  unsigned int i;\n  for (i = {count}U; i > 0U; i--)\n    if (x.limb[i - 1U] != y.limb[i - 1U])\n      \
             return x.limb[i - 1U] < y.limb[i - 1U];\n  return 0;\n"
        ),
        O::BvAdd => sum(count, "y.limb[i]", 0) + &masked,
        // The difference is the sum with the complement, and 1.
        O::BvSub => sum(count, "(unsigned int)~y.limb[i]", 1) + &masked,
        O::BvMul => product(width),
        O::BvShl | O::BvLshr => shift(operator, width),
        O::BvUdiv | O::BvUrem => division(operator, width),
        _ => String::new(),
    }
}

fn sum(count: u32, addend: &str, carry: u32) -> String {
    format!(
        "  unsigned long long carry = {carry}ULL;\n  unsigned int i;\n  for (i = 0U; i < {count}U; i++) {{\n    \
         carry += (unsigned long long)x.limb[i] + {addend};\n    x.limb[i] = (unsigned int)(carry & 4294967295ULL);\n    \
         carry >>= 32;\n  }}\n"
    )
}

fn product(width: u32) -> String {
    let (count, last, mask, name) =
        (limb_count(width), limb_count(width) - 1, top_mask(width), storage(width).name());
    format!(
        "  {name} r = {{{{0U}}}};\n  unsigned int i, j;\n  for (i = 0U; i < {count}U; i++) {{\n    \
         unsigned long long carry = 0ULL;\n    for (j = 0U; i + j < {count}U; j++) {{\n      \
         carry += (unsigned long long)x.limb[i] * y.limb[j] + r.limb[i + j];\n      \
         r.limb[i + j] = (unsigned int)(carry & 4294967295ULL);\n      carry >>= 32;\n    }}\n  }}\n  \
         r.limb[{last}] &= {mask};\n  return r;\n"
    )
}

/// A shift by the width or more gives 0.
fn shift(operator: Operator, width: u32) -> String {
    let (count, last, mask, name) =
        (limb_count(width), limb_count(width) - 1, top_mask(width), storage(width).name());
    let moved = if operator == Operator::BvShl {
        "    if (i >= limbs)\n      r.limb[i] = x.limb[i - limbs] << bits;\n    if (bits > 0U && i > limbs)\n      \
         r.limb[i] |= x.limb[i - limbs - 1U] >> (32U - bits);\n"
            .to_owned()
    } else {
        format!(
            "    if (i + limbs < {count}U)\n      r.limb[i] = x.limb[i + limbs] >> bits;\n    \
             if (bits > 0U && i + limbs + 1U < {count}U)\n      \
             r.limb[i] |= x.limb[i + limbs + 1U] << (32U - bits);\n"
        )
    };
    format!(
        "  {name} r = {{{{0U}}}};\n  unsigned int i, limbs, bits;\n  for (i = 1U; i < {count}U; i++)\n    \
         if (y.limb[i] != 0U)\n      return r;\n  if (y.limb[0] >= {width}U)\n    return r;\n  \
         limbs = y.limb[0] / 32U;\n  bits = y.limb[0] % 32U;\n  for (i = 0U; i < {count}U; i++) {{\n{moved}  }}\n  \
         r.limb[{last}] &= {mask};\n  return r;\n"
    )
}

/// Long division, bit by bit. The bit that is shifted out of the remainder counts, because the remainder is only known
/// to be below the divisor.
fn division(operator: Operator, width: u32) -> String {
    let (count, last, mask, name) =
        (limb_count(width), limb_count(width) - 1, top_mask(width), storage(width).name());
    let result = if operator == Operator::BvUdiv { "q" } else { "r" };
    let top = (width - 1) % 32;
    format!(
        "  {name} q = {{{{0U}}}};\n  {name} r = {{{{0U}}}};\n  unsigned int i, k, out, less, low;\n  \
         unsigned long long carry;\n  for (k = {width}U; k > 0U; k--) {{\n    \
         out = r.limb[{last}] >> {top} & 1U;\n    low = x.limb[(k - 1U) / 32U] >> (k - 1U) % 32U & 1U;\n    \
         for (i = {last}U; i > 0U; i--)\n      r.limb[i] = r.limb[i] << 1 | r.limb[i - 1U] >> 31;\n    \
         r.limb[0] = r.limb[0] << 1 | low;\n    r.limb[{last}] &= {mask};\n    less = 0U;\n    \
         for (i = 0U; i < {count}U; i++)\n      if (r.limb[i] != y.limb[i])\n        \
         less = r.limb[i] < y.limb[i] ? 1U : 0U;\n    if (out == 0U && less != 0U)\n      continue;\n    \
         carry = 1ULL;\n    for (i = 0U; i < {count}U; i++) {{\n      \
         carry += (unsigned long long)r.limb[i] + (unsigned int)~y.limb[i];\n      \
         r.limb[i] = (unsigned int)(carry & 4294967295ULL);\n      carry >>= 32;\n    }}\n    \
         r.limb[{last}] &= {mask};\n    q.limb[(k - 1U) / 32U] |= 1U << (k - 1U) % 32U;\n  }}\n  return {result};\n"
    )
}

/// The bits from `low` on, as many as the result has.
fn extract(width: u32, low: u32, result: u32) -> String {
    let (count, limbs, bits) = (limb_count(width), low / 32, low % 32);
    let results = limb_count(result);
    let limb = |place: u32| {
        let (here, next) = (place + limbs, place + limbs + 1);
        let own = if here < count { format!("x.limb[{here}] >> {bits}") } else { "0U".to_owned() };
        let carried = bits > 0 && next < count;
        let joined = if carried { format!("{own} | x.limb[{next}] << {}", 32 - bits) } else { own };
        if place + 1 == results { format!("({joined}) & {}", top_mask(result)) } else { joined }
    };
    if result <= 32 {
        return format!("  return ({})({});\n", storage(result).name(), limb(0));
    }
    if result <= 64 {
        return format!("  return (unsigned long long)({}) << 32 | ({});\n", limb(1), limb(0));
    }
    let lines: String = (0..results).map(|place| format!("  r.limb[{place}] = {};\n", limb(place))).collect();
    format!("  {} r;\n{lines}  return r;\n", storage(result).name())
}

/// A limb of an operand.
fn limb_of(letter: char, width: u32, place: u32) -> String {
    match (width, place) {
        (0..=32, 0) => format!("(unsigned int){letter}"),
        (33..=64, 0) => format!("(unsigned int)({letter} & 4294967295ULL)"),
        (33..=64, 1) => format!("(unsigned int)({letter} >> 32)"),
        (0..=64, _) => "0U".to_owned(),
        _ => format!("{letter}.limb[{place}]"),
    }
}

/// The limbs of the high operand stand above those of the low one, moved by its highest bits.
fn concat(high: u32, low: u32) -> String {
    let (result, limbs, bits) = (high + low, low / 32, low % 32);
    let mut lines = String::new();
    for place in 0..limb_count(result) {
        let mut parts = Vec::new();
        if place < limb_count(low) {
            parts.push(limb_of('y', low, place));
        }
        if place >= limbs && place - limbs < limb_count(high) {
            parts.push(format!("{} << {bits}", limb_of('x', high, place - limbs)));
        }
        if bits > 0 && place > limbs && place - limbs - 1 < limb_count(high) {
            parts.push(format!("{} >> {}", limb_of('x', high, place - limbs - 1), 32 - bits));
        }
        lines.push_str(&format!("  r.limb[{place}] = {};\n", parts.join(" | ")));
    }
    format!("  {} r;\n{lines}  return r;\n", storage(result).name())
}
