//! Jumps by where they go to, for questions about parts of the text.

use crate::syntax::span::Span;

/// Jumps in the order of their targets. A question takes two lookups in a table, where comparing a part of the text with
/// each jump into it would take time in proportion to their number for each variable.
#[derive(Default)]
pub(crate) struct JumpTable {
    /// Where the jumps go to, sorted.
    targets: Vec<u32>,
    /// At the level `k`, the first and the last place from which `2^k` consecutive jumps start, for each first one of them.
    levels: Vec<Vec<(u32, u32)>>,
}

impl JumpTable {
    /// Sorts jumps, which are pairs of where to and where from.
    pub(crate) fn of(mut jumps: Vec<(u32, u32)>) -> JumpTable {
        jumps.sort_unstable();
        let mut levels: Vec<Vec<(u32, u32)>> = Vec::new();
        let mut level: Vec<(u32, u32)> = jumps.iter().map(|(_, from)| (*from, *from)).collect();
        let mut width = 1;
        while !level.is_empty() {
            let next = level.iter().zip(level.iter().skip(width)).map(|(left, right)| hull(*left, *right));
            let next = next.collect();
            levels.push(std::mem::replace(&mut level, next));
            width *= 2;
        }
        JumpTable { targets: jumps.into_iter().map(|(to, _)| to).collect(), levels }
    }

    /// True if a jump goes into a part of the text.
    pub(crate) fn enters(&self, part: Span) -> bool {
        let (first, end) = self.jumps_to(part);
        first < end
    }

    /// True if a jump from outside a part of the text goes into it.
    pub(crate) fn enters_from_outside(&self, part: Span) -> bool {
        let (first, end) = self.jumps_to(part);
        let Some(power) = end.saturating_sub(first).checked_ilog2() else { return false };
        let level = &self.levels[power as usize];
        // The two runs overlap, which does not matter.
        let (earliest, latest) = hull(level[first], level[end - (1 << power)]);
        earliest < part.start || part.end <= latest
    }

    /// The positions of the jumps that go into a part of the text.
    fn jumps_to(&self, part: Span) -> (usize, usize) {
        let before = |place: u32| self.targets.partition_point(|to| *to < place);
        (before(part.start), before(part.end))
    }
}

fn hull(left: (u32, u32), right: (u32, u32)) -> (u32, u32) {
    (left.0.min(right.0), left.1.max(right.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_those_of_looking_at_each_jump() {
        let jumps: Vec<(u32, u32)> = (0..50).map(|number| (number * 7 % 50, number * 13 % 40)).collect();
        let table = JumpTable::of(jumps.clone());
        for (start, end) in (0..55).flat_map(|start| (0..55).map(move |end| (start, end))) {
            let part = Span::new(start, end);
            let is_inside = |place: u32| start <= place && place < end;
            let mut inside = jumps.iter().filter(|(to, _)| is_inside(*to));
            assert_eq!(table.enters(part), inside.clone().next().is_some(), "{part:?}");
            assert_eq!(
                table.enters_from_outside(part),
                inside.any(|(_, from)| !is_inside(*from)),
                "{part:?}"
            );
        }
        assert!(!JumpTable::default().enters_from_outside(Span::new(0, 9)));
    }
}
