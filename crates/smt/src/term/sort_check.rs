//! Sort checking: the sort of an application, or why it has none.

use crate::print;
use crate::term::head::{AttributeValue, Head, MatchId, Quantifier};
use crate::term::opaque_theory;
use crate::term::operator::Operator;
use crate::term::sort::{Sort, SortId};
use crate::term::symbol::SymbolId;
use crate::term::{TermId, Terms};
use std::fmt;

/// Why a term has no sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortError {
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for SortError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for SortError {}

/// The sort of the term with this head and these children.
pub(crate) fn result_sort(terms: &mut Terms, head: Head, children: &[TermId]) -> Result<SortId, SortError> {
    match head {
        Head::Operator(operator) => {
            let application = Application { terms, name: operator.name(), children };
            match operator_result(&application, operator)? {
                ResultSort::Known(sort) => Ok(sort),
                ResultSort::BitVec(width) => Ok(terms.bitvec_sort(width)),
            }
        }
        Head::Numeral { real, .. } => leaf(children, if real { SortId::REAL } else { SortId::INT }),
        Head::Decimal(_) => leaf(children, SortId::REAL),
        Head::BitVec { width, .. } => {
            let sort = terms.bitvec_sort(width);
            leaf(children, sort)
        }
        Head::StringLiteral(_) => {
            let sort = terms.opaque_sort("String");
            leaf(children, sort)
        }
        Head::Function(symbol) => function_result(terms, symbol, children),
        Head::Bound(symbol) => bound_result(terms, symbol, children),
        Head::Quantifier { quantifier, variables } => {
            let first = terms.symbol_list(variables).first().copied();
            quantifier_result(terms, quantifier, first, children)
        }
        Head::Match(cases) => match_result(terms, cases, children),
        Head::Annotated(list) => {
            let extra: usize = terms
                .attributes(list)
                .iter()
                .map(|attribute| match attribute.value {
                    AttributeValue::Term => 1,
                    AttributeValue::Terms(count) => count as usize,
                    _ => 0,
                })
                .sum();
            match children {
                [term, rest @ ..] if rest.len() == extra => Ok(terms.sort(*term)),
                _ => Err(count_error("!", &(extra + 1).to_string(), children.len())),
            }
        }
        Head::Opaque(identifier) => match terms.ascribed_sort(identifier) {
            Some(sort) => Ok(sort),
            None if terms.function(identifier).is_some() => function_result(terms, identifier, children),
            None => Ok(opaque_theory::opaque_result(terms, identifier, children)),
        },
    }
}

/// The outcome of a check that cannot make new sorts because it only reads the store.
enum ResultSort {
    Known(SortId),
    BitVec(u32),
}

fn leaf(children: &[TermId], sort: SortId) -> Result<SortId, SortError> {
    if children.is_empty() { Ok(sort) } else { Err(count_error("a literal", "0", children.len())) }
}

fn count_error(name: &str, expected: &str, found: usize) -> SortError {
    SortError { message: format!("expected {expected} arguments of `{name}`, found {found}") }
}

fn function_result(terms: &Terms, symbol: SymbolId, children: &[TermId]) -> Result<SortId, SortError> {
    let name = terms.symbol(symbol);
    let Some(info) = terms.function(symbol) else {
        return Err(SortError { message: format!("unknown symbol `{name}`") });
    };
    let application = Application { terms, name, children };
    application.count(info.parameters.len(), info.parameters.len())?;
    for (position, parameter) in info.parameters.iter().enumerate() {
        application.argument(position, *parameter)?;
    }
    Ok(info.result)
}

fn bound_result(terms: &Terms, symbol: SymbolId, children: &[TermId]) -> Result<SortId, SortError> {
    match terms.bound_sort(symbol) {
        Some(sort) => leaf(children, sort),
        None => Err(SortError { message: format!("unknown bound variable `{}`", terms.symbol(symbol)) }),
    }
}

fn quantifier_result(
    terms: &Terms,
    quantifier: Quantifier,
    first_variable: Option<SymbolId>,
    children: &[TermId],
) -> Result<SortId, SortError> {
    let name = match quantifier {
        Quantifier::Forall => "forall",
        Quantifier::Exists => "exists",
        Quantifier::Choice => "choice",
        Quantifier::Lambda => "lambda",
    };
    let application = Application { terms, name, children };
    application.count(1, 1)?;
    match quantifier {
        Quantifier::Forall | Quantifier::Exists => {
            application.argument(0, SortId::BOOL)?;
            Ok(SortId::BOOL)
        }
        Quantifier::Choice => {
            application.argument(0, SortId::BOOL)?;
            Ok(first_variable.and_then(|symbol| terms.bound_sort(symbol)).unwrap_or(SortId::UNKNOWN))
        }
        // Solvers differ: an array in z3, a function in cvc5.
        Quantifier::Lambda => Ok(SortId::UNKNOWN),
    }
}

fn match_result(terms: &Terms, cases: MatchId, children: &[TermId]) -> Result<SortId, SortError> {
    let application = Application { terms, name: "match", children };
    let expected = terms.match_cases(cases).len() + 1;
    application.count(expected.max(2), expected)?;
    application.join(1)
}

/// An application whose arguments are being checked.
struct Application<'a> {
    terms: &'a Terms,
    name: &'a str,
    children: &'a [TermId],
}

impl Application<'_> {
    fn count(&self, least: usize, most: usize) -> Result<(), SortError> {
        let found = self.children.len();
        if (least..=most).contains(&found) {
            return Ok(());
        }
        let expected = match most {
            usize::MAX => format!("at least {least}"),
            _ => least.to_string(),
        };
        Err(count_error(self.name, &expected, found))
    }

    fn sort(&self, position: usize) -> SortId {
        self.children.get(position).map_or(SortId::UNKNOWN, |child| self.terms.sort(*child))
    }

    fn error(&self, position: usize, expected: &str) -> SortError {
        let found = print::sort(self.terms, self.sort(position));
        let (name, number) = (self.name, position + 1);
        SortError { message: format!("expected {expected} as argument {number} of `{name}`, found {found}") }
    }

    fn argument(&self, position: usize, expected: SortId) -> Result<(), SortError> {
        if self.terms.compatible(expected, self.sort(position)) {
            return Ok(());
        }
        Err(self.error(position, &print::sort(self.terms, expected)))
    }

    fn all(&self, expected: SortId) -> Result<(), SortError> {
        (0..self.children.len()).try_for_each(|position| self.argument(position, expected))
    }

    /// The one sort of all arguments from `first` on; Int and Real join to Real.
    fn join(&self, first: usize) -> Result<SortId, SortError> {
        let mut joined = self.sort(first);
        for position in first + 1..self.children.len() {
            let sort = self.sort(position);
            if sort == joined || sort == SortId::UNKNOWN {
                continue;
            }
            if joined == SortId::UNKNOWN || (joined == SortId::INT && sort == SortId::REAL) {
                joined = sort;
            } else if !self.terms.compatible(joined, sort) {
                return Err(self.error(position, &print::sort(self.terms, joined)));
            }
        }
        Ok(joined)
    }

    /// All arguments are Int or Real; the result is Real if one of them is.
    fn arithmetic(&self) -> Result<SortId, SortError> {
        for position in 0..self.children.len() {
            if !matches!(self.sort(position), SortId::INT | SortId::REAL | SortId::UNKNOWN) {
                return Err(self.error(position, "Int or Real"));
            }
        }
        let some = |sort| (0..self.children.len()).any(|position| self.sort(position) == sort);
        Ok(match (some(SortId::REAL), some(SortId::UNKNOWN)) {
            (true, _) => SortId::REAL,
            (false, true) => SortId::UNKNOWN,
            (false, false) => SortId::INT,
        })
    }

    /// The width of a bit-vector argument; `None` if its sort is unknown.
    fn width(&self, position: usize) -> Result<Option<u32>, SortError> {
        match self.terms.sort_of(self.sort(position)) {
            Sort::BitVec(width) => Ok(Some(*width)),
            _ if self.sort(position) == SortId::UNKNOWN => Ok(None),
            _ => Err(self.error(position, "a bit-vector")),
        }
    }

    /// The one width of all bit-vector arguments.
    fn common_width(&self) -> Result<Option<u32>, SortError> {
        let mut common = None;
        for position in 0..self.children.len() {
            let width = self.width(position)?;
            match (common, width) {
                (Some(expected), Some(found)) if expected != found => {
                    return Err(self.error(position, &format!("(_ BitVec {expected})")));
                }
                (None, _) => common = width,
                _ => {}
            }
        }
        Ok(common)
    }

    fn index_error(&self, problem: &str) -> SortError {
        SortError { message: format!("expected {problem} as index of `{}`", self.name) }
    }

    /// The result of widening the one argument by `extra` bits.
    fn widened(&self, extra: u32) -> Result<ResultSort, SortError> {
        self.count(1, 1)?;
        let Some(width) = self.width(0)? else { return Ok(ResultSort::Known(SortId::UNKNOWN)) };
        self.checked_width(width.checked_add(extra))
    }

    fn checked_width(&self, width: Option<u32>) -> Result<ResultSort, SortError> {
        match width {
            Some(width) => Ok(ResultSort::BitVec(width)),
            None => Err(SortError {
                message: format!("expected a width below 2^32 as result of `{}`", self.name),
            }),
        }
    }
}

const ANY: usize = usize::MAX;

fn bitvec_or_unknown(width: Option<u32>) -> ResultSort {
    width.map_or(ResultSort::Known(SortId::UNKNOWN), ResultSort::BitVec)
}

fn operator_result(application: &Application<'_>, operator: Operator) -> Result<ResultSort, SortError> {
    use Operator as O;
    match operator {
        O::True | O::False | O::Not | O::And | O::Or | O::Xor | O::Implies => {
            core_result(application, operator).map(ResultSort::Known)
        }
        O::Equal | O::Distinct => {
            application.count(2, ANY)?;
            application.join(0)?;
            Ok(ResultSort::Known(SortId::BOOL))
        }
        O::Ite => {
            application.count(3, 3)?;
            application.argument(0, SortId::BOOL)?;
            application.join(1).map(ResultSort::Known)
        }
        O::Select | O::Store | O::ConstArray(_) => array_result(application, operator).map(ResultSort::Known),
        O::Add
        | O::Subtract
        | O::Negate
        | O::Multiply
        | O::Divide
        | O::IntDiv
        | O::Mod
        | O::Abs
        | O::LessEqual
        | O::Less
        | O::GreaterEqual
        | O::Greater
        | O::ToReal
        | O::ToInt
        | O::IsInt
        | O::Divisible(_) => arithmetic_result(application, operator).map(ResultSort::Known),
        _ => bitvec_result(application, operator),
    }
}

fn core_result(application: &Application<'_>, operator: Operator) -> Result<SortId, SortError> {
    let (least, most) = match operator {
        Operator::True | Operator::False => (0, 0),
        Operator::Not => (1, 1),
        // The standard requires two, solvers accept one.
        Operator::And | Operator::Or => (1, ANY),
        _ => (2, ANY),
    };
    application.count(least, most)?;
    application.all(SortId::BOOL)?;
    Ok(SortId::BOOL)
}

fn arithmetic_result(application: &Application<'_>, operator: Operator) -> Result<SortId, SortError> {
    use Operator as O;
    let (least, most) = match operator {
        // The standard requires two, solvers accept one.
        O::Add | O::Multiply => (1, ANY),
        O::Subtract | O::Divide | O::IntDiv => (2, ANY),
        O::LessEqual | O::Less | O::GreaterEqual | O::Greater => (2, ANY),
        O::Mod => (2, 2),
        _ => (1, 1),
    };
    application.count(least, most)?;
    if matches!(operator, O::IntDiv | O::Mod | O::Divisible(_)) {
        application.all(SortId::INT)?;
    }
    let joined = application.arithmetic()?;
    Ok(match operator {
        O::Divide | O::ToReal => SortId::REAL,
        O::IntDiv | O::Mod | O::ToInt => SortId::INT,
        O::LessEqual | O::Less | O::GreaterEqual | O::Greater | O::IsInt => SortId::BOOL,
        O::Divisible(0) => return Err(application.index_error("a positive numeral")),
        O::Divisible(_) => SortId::BOOL,
        _ => joined,
    })
}

fn array_result(application: &Application<'_>, operator: Operator) -> Result<SortId, SortError> {
    if let Operator::ConstArray(sort) = operator {
        application.count(1, 1)?;
        if let Sort::Array(_, element) = application.terms.sort_of(sort) {
            application.argument(0, *element)?;
        }
        return Ok(sort);
    }
    let is_store = operator == Operator::Store;
    let least = if is_store { 3 } else { 2 };
    let array = application.sort(0);
    match application.terms.sort_of(array) {
        Sort::Array(index, element) => {
            application.count(least, least)?;
            application.argument(1, *index)?;
            if is_store {
                application.argument(2, *element)?;
            }
            Ok(if is_store { array } else { *element })
        }
        // Arrays with several indices are a solver's extension; their sorts are opaque.
        Sort::Opaque(_) => {
            application.count(least, ANY)?;
            Ok(if is_store { array } else { SortId::UNKNOWN })
        }
        _ if application.children.is_empty() => Err(count_error(application.name, &least.to_string(), 0)),
        _ => Err(application.error(0, "an array")),
    }
}

fn bitvec_result(application: &Application<'_>, operator: Operator) -> Result<ResultSort, SortError> {
    use Operator as O;
    match operator {
        O::Concat => {
            application.count(2, ANY)?;
            let mut total = Some(0u32);
            for position in 0..application.children.len() {
                let Some(width) = application.width(position)? else {
                    return Ok(ResultSort::Known(SortId::UNKNOWN));
                };
                total = total.and_then(|total| total.checked_add(width));
            }
            application.checked_width(total)
        }
        O::Extract { high, low } => extract_result(application, high, low),
        O::Repeat(0) => Err(application.index_error("a positive numeral")),
        O::Repeat(times) => {
            application.count(1, 1)?;
            match application.width(0)? {
                Some(width) => application.checked_width(width.checked_mul(times)),
                None => Ok(ResultSort::Known(SortId::UNKNOWN)),
            }
        }
        O::ZeroExtend(extra) | O::SignExtend(extra) => application.widened(extra),
        O::RotateLeft(_) | O::RotateRight(_) => application.widened(0),
        O::Int2Bv(0) | O::Nat2Bv(0) | O::IntToBv(0) => Err(application.index_error("a positive numeral")),
        O::Int2Bv(width) | O::Nat2Bv(width) | O::IntToBv(width) => {
            application.count(1, 1)?;
            application.argument(0, SortId::INT)?;
            Ok(ResultSort::BitVec(width))
        }
        _ => same_width_result(application, operator),
    }
}

fn extract_result(application: &Application<'_>, high: u32, low: u32) -> Result<ResultSort, SortError> {
    application.count(1, 1)?;
    if low > high {
        let message = format!("expected a low index of `extract` that is at most {high}, found {low}");
        return Err(SortError { message });
    }
    if let Some(width) = application.width(0)?
        && high >= width
    {
        let message =
            format!("expected a high index of `extract` that is below the width {width}, found {high}");
        return Err(SortError { message });
    }
    application.checked_width((high - low).checked_add(1))
}

/// Operators all of whose arguments have one width.
fn same_width_result(application: &Application<'_>, operator: Operator) -> Result<ResultSort, SortError> {
    use Operator as O;
    let (least, most) = match operator {
        O::BvNot | O::BvNeg | O::BvRedOr | O::BvRedAnd | O::BvNego => (1, 1),
        O::Bv2Nat | O::Bv2Int | O::UbvToInt | O::SbvToInt => (1, 1),
        O::BvAnd | O::BvOr | O::BvXor | O::BvAdd | O::BvMul => (2, ANY),
        _ => (2, 2),
    };
    application.count(least, most)?;
    let width = application.common_width()?;
    Ok(match operator {
        O::BvComp | O::BvRedOr | O::BvRedAnd => ResultSort::BitVec(1),
        O::Bv2Nat | O::Bv2Int | O::UbvToInt | O::SbvToInt => ResultSort::Known(SortId::INT),
        O::BvUlt | O::BvUle | O::BvUgt | O::BvUge | O::BvSlt | O::BvSle | O::BvSgt | O::BvSge => {
            ResultSort::Known(SortId::BOOL)
        }
        O::BvNego | O::BvUaddo | O::BvSaddo | O::BvUmulo | O::BvSmulo => ResultSort::Known(SortId::BOOL),
        O::BvUsubo | O::BvSsubo | O::BvSdivo => ResultSort::Known(SortId::BOOL),
        _ => bitvec_or_unknown(width),
    })
}
