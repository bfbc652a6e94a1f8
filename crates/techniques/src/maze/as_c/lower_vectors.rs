//! The operators of bit-vectors.

use super::graph::{Kind, NodeId, What};
use super::{AsC, Refusal, Wide};
use smt::{Operator, TermId};

impl AsC<'_> {
    /// An operator on bit-vectors.
    pub(super) fn vector_operator(
        &mut self,
        term: TermId,
        operator: Operator,
        children: &[NodeId],
    ) -> Result<NodeId, Refusal> {
        if children.iter().any(|child| self.graph.kind(*child).width() == 0) {
            return Err(
                self.refusal(format!("`{}` of values that are no bit-vectors", operator.name()), term)
            );
        }
        match (operator, children.split_first()) {
            (
                Operator::BvAnd
                | Operator::BvOr
                | Operator::BvXor
                | Operator::BvAdd
                | Operator::BvMul
                | Operator::Concat,
                Some((first, rest)),
            ) => rest
                .iter()
                .try_fold(*first, |left, right| self.one_vector_operator(term, operator, &[left, *right])),
            _ => self.one_vector_operator(term, operator, children),
        }
    }

    fn one_vector_operator(
        &mut self,
        term: TermId,
        operator: Operator,
        children: &[NodeId],
    ) -> Result<NodeId, Refusal> {
        let kind = self.vector_result(operator, children);
        self.checked_width(term, kind.width())?;
        let is_wide = |node: &NodeId| self.is_struct(self.graph.kind(*node));
        if self.is_struct(kind) || children.iter().any(is_wide) {
            return Ok(self.limbs_operator(operator, children, kind));
        }
        Ok(self.graph.add(What::Apply(operator), children, kind))
    }

    fn vector_result(&self, operator: Operator, children: &[NodeId]) -> Kind {
        use Operator as O;
        let width = |place: usize| children.get(place).map_or(0, |child| self.graph.kind(*child).width());
        let first = width(0);
        match operator {
            O::Concat => Kind::Vector(first.saturating_add(width(1))),
            O::Extract { high, low } => Kind::Vector((high - low).saturating_add(1)),
            O::Repeat(times) => Kind::Vector(first.saturating_mul(times)),
            O::ZeroExtend(extra) | O::SignExtend(extra) => Kind::Vector(first.saturating_add(extra)),
            O::BvComp | O::BvRedOr | O::BvRedAnd => Kind::Vector(1),
            O::BvUlt | O::BvUle | O::BvUgt | O::BvUge | O::BvSlt | O::BvSle | O::BvSgt | O::BvSge => {
                Kind::Truth
            }
            O::BvNego | O::BvUaddo | O::BvSaddo | O::BvUmulo | O::BvSmulo => Kind::Truth,
            O::BvUsubo | O::BvSsubo | O::BvSdivo => Kind::Truth,
            _ => Kind::Vector(first),
        }
    }

    /// Whether values of a kind are structs in C.
    pub(super) fn is_struct(&self, kind: Kind) -> bool {
        match kind {
            Kind::Array(_) => true,
            Kind::Vector(width) => width > 64 && self.spelling.wide == Wide::Limbs,
            _ => false,
        }
    }
}
