//! The eight transformations of the paper and one more, which rephrases an assumption: changes of checks and assumptions
//! whose effect on failing checks is known.

use super::annotated::{Annotated, Item};
use super::condition::{Condition, Direction};
use super::counts;
use super::material::Material;
use crate::Count;
use crate::checks::Statuses;
use model::{AnnotationKind, CheckStatus, Random};
use std::collections::BTreeSet;

/// Failed attempts that are allowed for each transformation.
const ATTEMPTS_EACH: usize = 10;

/// What a program is strengthened by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Focus {
    /// Checks and assumptions.
    All,
    /// Checks alone. What is verified in them can be assumed later, and an analyzer that loses executions at every
    /// assumption still has some to lose.
    Checks,
    /// Assumptions alone, so that many of them are changed while the checks stay.
    Assumptions,
}

/// Percentage of new checks that take their operands from conditions that the program has already.
const CHECKS_REUSED: usize = 15;
/// The same for assumptions, which would soon exclude each other.
const ASSUMPTIONS_REUSED: usize = 5;

/// What is known of the failing checks after a stack of transformations, which all are of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oracle {
    /// Fewer executions get through: no other check fails.
    Strengthen,
    /// More executions get through: every other check that failed, fails.
    Weaken,
    /// Only what the analyzer calls verified is changed, or how an assumption is worded, in ways that let the same
    /// executions through.
    Even,
}

/// How a program was changed.
#[derive(Clone, Debug)]
pub struct Change {
    /// The program made.
    pub program: Annotated,
    /// What is known.
    pub oracle: Oracle,
    /// Checks that were added or whose condition was changed.
    pub touched: BTreeSet<u32>,
    /// Checks whose being verified the oracle rests on.
    pub invariants: BTreeSet<u32>,
    /// The positions of the items that were added; all others have a counterpart before the change, in order.
    pub added: BTreeSet<usize>,
    /// True if no assumption was added, changed or made.
    pub checks_only: bool,
    /// The names of the transformations, for counts.
    pub steps: Vec<Count>,
}

/// What bounds a change.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The binary logarithm of the maximum number of transformations.
    pub doublings: usize,
    /// The maximum number of annotations of a program.
    pub annotations: usize,
    /// The maximum number of checks of a program.
    pub checks: usize,
    /// False where the oracle sees the verdict on the whole program only: no change of checks can be judged then.
    pub per_check: bool,
}

/// The state of a change under way.
struct Work<'a> {
    material: &'a Material,
    statuses: &'a Statuses,
    bounds: Bounds,
    focus: Focus,
    change: Change,
}

/// Changes a program by a random stack of transformations of one kind; `None` if nothing could be applied.
pub fn transform(
    material: &Material,
    program: &Annotated,
    statuses: &Statuses,
    oracle: Oracle,
    bounds: Bounds,
    random: &mut Random,
) -> Option<Change> {
    let mut wanted = 1usize << random.between(0, bounds.doublings);
    let mut failures_left = ATTEMPTS_EACH * wanted;
    let change = Change {
        program: program.clone(),
        oracle,
        touched: BTreeSet::new(),
        invariants: BTreeSet::new(),
        added: BTreeSet::new(),
        checks_only: true,
        steps: Vec::new(),
    };
    let focus = match random.below(20) {
        _ if !bounds.per_check => Focus::Assumptions,
        0..9 => Focus::All,
        9..12 => Focus::Assumptions,
        _ => Focus::Checks,
    };
    let mut work = Work { material, statuses, bounds, focus, change };
    while wanted > 0 && failures_left > 0 {
        let point = random.below(material.points.len());
        match work.step(point, random) {
            Some(step) => {
                work.change.steps.push(step);
                wanted -= 1;
            }
            None => failures_left -= 1,
        }
    }
    (!work.change.steps.is_empty()).then_some(work.change)
}

impl Work<'_> {
    /// One transformation at a point; `None` if the one drawn cannot be applied there.
    fn step(&mut self, point: usize, random: &mut Random) -> Option<Count> {
        let per_check = self.bounds.per_check;
        match (self.change.oracle, random.below(4)) {
            (Oracle::Strengthen, draw) => match (self.focus, draw) {
                (Focus::Checks, 0..3) | (Focus::All, 0) => self.add_check(point, random),
                (Focus::Checks, _) | (Focus::All, 1) => self.change_check(point, Direction::Stronger, random),
                (Focus::Assumptions, 0) | (Focus::All, 2) => self.add_assumption(point, random),
                (Focus::Assumptions | Focus::All, _) => {
                    self.change_assumption(point, Direction::Stronger, random)
                }
            },
            (Oracle::Weaken, 0 | 1) if per_check => self.change_check(point, Direction::Weaker, random),
            (Oracle::Weaken, _) => self.change_assumption(point, Direction::Weaker, random),
            (Oracle::Even, 0) => self.restate(point, random),
            (Oracle::Even, 1 | 2) => self.weaken_invariant(point, random),
            (Oracle::Even, _) => self.assume_invariant(point, random),
        }
    }

    fn add_check(&mut self, point: usize, random: &mut Random) -> Option<Count> {
        let reused = self.reused(point, CHECKS_REUSED, random);
        let program = &mut self.change.program;
        if program.items.len() >= self.bounds.annotations || program.checks().count() >= self.bounds.checks {
            return None;
        }
        let here = self.material.points.get(point)?;
        if here.variables.is_empty() && random.percent(95) {
            // The only possible check there is `0`, after which nothing is executed.
            return None;
        }
        let number = program.free_number();
        let condition = reused.unwrap_or_else(|| Condition::draw(self.material, here, random));
        let position =
            program.add(Item::new(point, AnnotationKind::Check(number), condition), random.below(4));
        self.note_added(position);
        self.change.touched.insert(number);
        Some(counts::CHECKS_ADDED)
    }

    fn add_assumption(&mut self, point: usize, random: &mut Random) -> Option<Count> {
        let reused = self.reused(point, ASSUMPTIONS_REUSED, random);
        let program = &mut self.change.program;
        let here = self.material.points.get(point)?;
        if program.items.len() >= self.bounds.annotations || here.variables.is_empty() {
            return None;
        }
        let condition = reused.unwrap_or_else(|| Condition::draw_lenient(self.material, here, random));
        let position = program.add(Item::new(point, AnnotationKind::Assume, condition), random.below(4));
        self.note_added(position);
        self.change.checks_only = false;
        Some(counts::ASSUMPTIONS_ADDED)
    }

    fn change_check(&mut self, point: usize, direction: Direction, random: &mut Random) -> Option<Count> {
        let index = self.pick(point, random, |item, _| item.check().is_some())?;
        self.alter(index, direction, random)?;
        let number = self.change.program.items[index].check()?;
        self.change.touched.insert(number);
        Some(match direction {
            Direction::Stronger => counts::CHECKS_STRENGTHENED,
            Direction::Weaker => counts::CHECKS_WEAKENED,
        })
    }

    fn change_assumption(
        &mut self,
        point: usize,
        direction: Direction,
        random: &mut Random,
    ) -> Option<Count> {
        let index = self.pick(point, random, |item, _| item.what == AnnotationKind::Assume)?;
        self.alter(index, direction, random)?;
        self.change.checks_only = false;
        Some(match direction {
            Direction::Stronger => counts::ASSUMPTIONS_STRENGTHENED,
            Direction::Weaker => counts::ASSUMPTIONS_WEAKENED,
        })
    }

    /// Rephrases an assumption, which leaves the same executions whatever is verified.
    fn restate(&mut self, point: usize, random: &mut Random) -> Option<Count> {
        let index = self.pick(point, random, |item, _| item.what == AnnotationKind::Assume)?;
        let item = &mut self.change.program.items[index];
        *item = item.with(item.condition.restated(random)?);
        self.change.checks_only = false;
        Some(counts::ASSUMPTIONS_RESTATED)
    }

    fn weaken_invariant(&mut self, point: usize, random: &mut Random) -> Option<Count> {
        let index = self.pick(point, random, is_verified)?;
        let number = self.change.program.items[index].check()?;
        if random.percent(15) {
            let item = &mut self.change.program.items[index];
            *item = item.with(Condition::Constant(true));
        } else {
            self.alter(index, Direction::Weaker, random)?;
        }
        self.change.invariants.insert(number);
        Some(counts::INVARIANTS_WEAKENED)
    }

    fn assume_invariant(&mut self, point: usize, random: &mut Random) -> Option<Count> {
        let index = self.pick(point, random, is_verified)?;
        let number = self.change.program.items[index].check()?;
        self.change.program.items[index].what = AnnotationKind::Assume;
        self.change.invariants.insert(number);
        self.change.checks_only = false;
        Some(counts::INVARIANTS_ASSUMED)
    }

    /// With this probability, a comparison from elsewhere in the program that can be made here as well.
    fn reused(&self, point: usize, percent: usize, random: &mut Random) -> Option<Condition> {
        if !random.percent(percent) {
            return None;
        }
        let item = random.choose(&self.change.program.items)?;
        let condition = item.condition.similar_comparison(random)?;
        let points = &self.material.points;
        let (here, there) = (points.get(point)?, points.get(item.point)?);
        (item.point == point || here.can_read(&condition.to_string(), there)).then_some(condition)
    }

    fn note_added(&mut self, position: usize) {
        let moved = |added: &usize| if *added >= position { added + 1 } else { *added };
        let mut added: BTreeSet<usize> = self.change.added.iter().map(moved).collect();
        added.insert(position);
        self.change.added = added;
    }

    /// One of the items at a point that fit.
    fn pick(&self, point: usize, random: &mut Random, fits: fn(&Item, &Statuses) -> bool) -> Option<usize> {
        let here = |(_, item): &(usize, &Item)| item.point == point && fits(item, self.statuses);
        let items = self.change.program.items.iter().enumerate();
        let fitting: Vec<usize> = items.filter(here).map(|(index, _)| index).collect();
        random.choose(&fitting).copied()
    }

    fn alter(&mut self, index: usize, direction: Direction, random: &mut Random) -> Option<()> {
        let item = self.change.program.items.get(index)?;
        let point = item.point;
        let here = self.material.points.get(point)?;
        let narrows = item.what == AnnotationKind::Assume && direction == Direction::Stronger;
        let percent = if narrows { ASSUMPTIONS_REUSED } else { CHECKS_REUSED };
        let draw = if narrows { Condition::draw_lenient } else { Condition::draw };
        let other = self.reused(point, percent, random);
        let other = other.unwrap_or_else(|| draw(self.material, here, random));
        let item = self.change.program.items.get(index)?;
        let condition = item.condition.changed(direction, other, random)?;
        let item = &mut self.change.program.items[index];
        *item = item.with(condition);
        Some(())
    }
}

fn is_verified(item: &Item, statuses: &Statuses) -> bool {
    item.check().and_then(|check| statuses.get(&check)) == Some(&CheckStatus::Verified)
}
