//! The position in a function: loops, labels, costs, and the facts that hold within a branch.

use super::Generator;
use super::interval::Interval;

/// The statement that `break` would leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Breakable {
    #[default]
    Nothing,
    Loop,
    Switch,
}

/// The state of the function being written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flow {
    /// An upper bound on how often the current statement is executed in one call.
    pub(super) multiplier: u64,
    /// An approximate upper bound on the number of statements that one call executes.
    pub(super) cost: u64,
    /// The cost that should not be exceeded.
    pub(super) limit: u64,
    /// How often the function may still call itself.
    pub(super) self_calls: u32,
    /// The number of facts that forbid calls, because a call could invalidate them.
    pub(super) calls_forbidden: u32,
    /// How many loops enclose the statement.
    pub(super) loops: u32,
    pub(super) breakable: Breakable,
    /// Whether a declaration is allowed here. It is not where a jump could bypass it.
    pub(super) may_declare: bool,
    /// How many blocks enclose the statement.
    pub(super) nesting: u32,
    /// How many statements are still wanted.
    pub(super) remaining: i64,
    pub(super) is_main: bool,
}

/// What a test reveals about a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knowledge {
    pub(super) range: Interval,
    pub(super) is_nonzero: bool,
    pub(super) is_nullable: bool,
}

/// A test of one variable: the facts in either branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    pub(super) variable: usize,
    pub(super) when_true: Option<Knowledge>,
    pub(super) when_false: Option<Knowledge>,
}

/// The state to restore when a fact ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saved {
    variable: usize,
    before: Knowledge,
    forbids_calls: bool,
}

impl Generator<'_> {
    /// Relies on a fact from here on. The variable is not written until the fact is retracted.
    pub(super) fn assume(&mut self, variable: usize, knowledge: Knowledge) -> Saved {
        let info = &mut self.variables[variable];
        let before =
            Knowledge { range: info.range, is_nonzero: info.is_nonzero, is_nullable: info.is_nullable };
        let forbids_calls = !info.is_private;
        info.range = knowledge.range;
        info.is_nonzero = knowledge.is_nonzero;
        info.is_nullable = knowledge.is_nullable;
        info.locks += 1;
        self.flow.calls_forbidden += u32::from(forbids_calls);
        Saved { variable, before, forbids_calls }
    }

    pub(super) fn forget(&mut self, saved: Saved) {
        let info = &mut self.variables[saved.variable];
        info.range = saved.before.range;
        info.is_nonzero = saved.before.is_nonzero;
        info.is_nullable = saved.before.is_nullable;
        info.locks -= 1;
        self.flow.calls_forbidden -= u32::from(saved.forbids_calls);
    }

    /// The facts about a variable that hold without a test.
    pub(super) fn knowledge(&self, variable: usize) -> Knowledge {
        let info = &self.variables[variable];
        Knowledge { range: info.range, is_nonzero: info.is_nonzero, is_nullable: info.is_nullable }
    }

    /// Writes the statements of a block while a fact holds, if there is one.
    pub(super) fn body_with(&mut self, fact: Option<(usize, Knowledge)>, statements: usize) {
        let saved = fact.map(|(variable, knowledge)| self.assume(variable, knowledge));
        self.body(statements);
        if let Some(saved) = saved {
            self.forget(saved);
        }
    }

    /// Writes the statements of a block, whose variables end with it.
    pub(super) fn body(&mut self, statements: usize) {
        let outside = self.enter();
        self.statements(statements);
        self.leave(outside);
    }

    /// Enters a block. The result is passed to `leave`.
    pub(super) fn enter(&mut self) -> (usize, bool) {
        let outside = (self.variables.len(), self.flow.may_declare);
        self.flow.may_declare = true;
        self.flow.nesting += 1;
        self.level += 1;
        outside
    }

    pub(super) fn leave(&mut self, outside: (usize, bool)) {
        self.variables.truncate(outside.0);
        self.flow.may_declare = outside.1;
        self.flow.nesting -= 1;
        self.level -= 1;
    }

    /// A number of statements for a block.
    pub(super) fn block_size(&mut self) -> usize {
        let most = self.flow.remaining.clamp(1, 4) as usize;
        self.random.between(1, most)
    }

    /// How often a loop here may run; none if no loop is allowed here.
    pub(super) fn trips(&mut self) -> Option<u64> {
        const MOST: u64 = 300;
        let most = (MOST / self.flow.multiplier.max(1)).min(10);
        let cost = self.flow.cost + self.flow.multiplier * most * 8;
        if most < 2 || cost > self.flow.limit {
            return None;
        }
        Some(1 + self.random.below(most as usize) as u64)
    }
}
