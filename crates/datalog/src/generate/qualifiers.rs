//! Qualifiers of relations, which do not change rows: storage and inlining.

use super::Generator;
use crate::program::{Literal, RelationId, Storage};

impl Generator<'_> {
    /// Gives some of the new relations a storage and marks some to be inlined.
    pub(super) fn qualify(&mut self) {
        let can = self.can_be_inlined();
        for (place, can) in can.into_iter().enumerate().skip(self.given) {
            let relation = &mut self.program.relations[place];
            match self.random.below(100) {
                0..60 if can => relation.is_inlined = true,
                60..65 if !relation.columns.is_empty() => relation.storage = Storage::Btree,
                65..70 if !relation.columns.is_empty() => relation.storage = Storage::Brie,
                _ => {}
            }
        }
    }

    /// Returns, for each relation, whether it has rules and every engine must accept that it is inlined. Unlike
    /// [`crate::inlining::can_be_inlined`], this excludes all negated relations.
    fn can_be_inlined(&self) -> Vec<bool> {
        let mut can = vec![false; self.program.relations.len()];
        for rule in &self.program.rules {
            can[rule.head.relation.index()] = true;
        }
        for rule in &self.program.rules {
            let head = rule.head.relation;
            for literal in &rule.body {
                match literal {
                    Literal::Positive(atom) if !self.are_together(atom.relation, head) => {}
                    Literal::Positive(atom) | Literal::Negative(atom) => can[atom.relation.index()] = false,
                    Literal::Compare(..) => {}
                    Literal::Aggregate { body, .. } => {
                        can[head.index()] = false;
                        let atoms = body.iter().filter_map(Literal::atom);
                        atoms.for_each(|atom| can[atom.relation.index()] = false);
                    }
                }
            }
        }
        let relations = self.program.relations.iter();
        can.iter_mut().zip(relations).for_each(|(can, relation)| *can &= !relation.is_output);
        can
    }

    /// Returns true if two relations are in the same group and may depend on each other.
    fn are_together(&self, one: RelationId, other: RelationId) -> bool {
        self.groups[one.index()] == self.groups[other.index()]
    }
}
