//! What relations ask of engines beside their rows: how these are kept, and whether rules are put in their place.

use super::Maker;
use crate::inlining::{can_be_inlined, needed_whole};
use crate::program::{Literal, RelationId, Storage};
use crate::strata::edges;

impl Maker<'_> {
    /// Gives some of the new relations a storage, and asks for some to be inlined where engines must accept it.
    pub(super) fn qualify(&mut self) {
        let can = can_be_inlined(&self.program);
        let needed = needed_whole(&edges(&self.program));
        for (place, can) in can.iter().enumerate().skip(self.given) {
            let id = RelationId(place as u32);
            let wants_storage = self.random.percent(10);
            let wants_inlining = self.random.percent(40);
            if *can && wants_inlining && !needed.contains(&id) && self.has_plain_rules(id) {
                self.program.relations[place].is_inlined = true;
            } else if wants_storage && !self.program.relation(id).columns.is_empty() {
                let storage = if self.random.coin() { Storage::Btree } else { Storage::Brie };
                self.program.relations[place].storage = storage;
            }
        }
    }

    /// True if a relation has rules, and none of them counts.
    fn has_plain_rules(&self, id: RelationId) -> bool {
        let counts = |literal: &Literal| matches!(literal, Literal::Aggregate { .. });
        let mut rules = self.program.rules_of(id).peekable();
        rules.peek().is_some() && rules.all(|rule| !self.program.rules[rule].body.iter().any(counts))
    }
}
