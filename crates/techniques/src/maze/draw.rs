//! Draws mazes: a tree, inputs, and guards that let inputs through where a dead end is meant to be reached.

use super::columns::{Column, Columns, mask};
use super::grow::{Grow, Variable, special_value};
use super::material::{Material, negated};
use super::plan::{
    Bits, Call, Conjunct, Core, Form, Input, Local, LocalValue, Maze, Passage, Plan, Style, cells_of, declare,
};
use super::tree::{self, Algorithm, Grid};
use super::truth::{self, Points, Status, Truth, all_values};
use super::{Guards, Inputs, Knobs, Mode, Shape};
use model::Random;
use smt::{Operator, Script, TermId};
use std::collections::BTreeSet;

/// Programs with deeper blocks are refused by compilers.
const DEEPEST_NESTING: usize = 60;
/// A core is tried on so many bits of parameters.
const CORE_BITS: u32 = 12;
/// How many cores are drawn before the search for one is given up.
const CORE_TRIES: usize = 12;
/// A maze has at most so many cores; a core can be called in many places.
const MOST_CORES: usize = 3;

/// A maze with the status of its checks.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub maze: Maze,
    pub truth: Truth,
}

/// Draws a maze. `None` if the knobs leave nothing to draw.
pub(super) fn draw(
    knobs: &Knobs,
    grid: Grid,
    material: Option<&Material>,
    random: &mut Random,
) -> Option<Drawn> {
    let algorithm = knobs.algorithm.unwrap_or_else(|| Algorithm::any(random));
    let tree = tree::draw(grid, algorithm, random);
    let mut drawing = Drawing::new(knobs, &tree, material, random)?;
    drawing.draw_inputs()?;
    let points = Points::of(&drawing.maze, &[])?;
    drawing.wish();
    drawing.choose_error(points.columns.count());
    drawing.guard_cells(&points)?;
    drawing.lead_back(&tree.walls);
    let Drawing { maze, statuses, .. } = drawing;
    let truth = match maze.plan.steps {
        None => statuses,
        Some(_) => truth::truth(&maze, &[])?,
    };
    Some(Drawn { maze, truth })
}

struct Drawing<'a> {
    knobs: &'a Knobs,
    random: &'a mut Random,
    material: Option<&'a Material>,
    inputs: Inputs,
    maze: Maze,
    variables: Vec<Variable>,
    /// For each cell how many dead ends at or after it are meant to be reached.
    wanted: Vec<usize>,
    statuses: Truth,
    /// How often a core was searched for.
    cores_drawn: usize,
    /// The cells on the way to the only error, and the input that leads there, in the modes with one error.
    only_error: Option<OnlyError>,
}

/// The error of a maze that has one, as in the paper.
struct OnlyError {
    way: BTreeSet<usize>,
    row: u32,
    /// The cell on the way that a core bars, if no input may reach the error.
    barred: Option<usize>,
}

impl<'a> Drawing<'a> {
    fn new(
        knobs: &'a Knobs,
        tree: &tree::Tree,
        material: Option<&'a Material>,
        random: &'a mut Random,
    ) -> Option<Drawing<'a>> {
        let inputs = match knobs.mode {
            Mode::Guided | Mode::Mixed => knobs.inputs.draw(random)?,
            Mode::Satisfiable | Mode::Unsatisfiable => Inputs::Wide,
        };
        let style = style(knobs, tree, random);
        let plan = Plan {
            inputs: Vec::new(),
            locals: Vec::new(),
            cores: Vec::new(),
            cells: cells_of(tree),
            steps: None,
            style,
            sample: random.word(),
        };
        let script = material.map_or_else(Script::default, |it| it.script.clone());
        let maze = Maze { script, plan };
        let (variables, wanted, statuses, only_error) = (Vec::new(), Vec::new(), Truth::new(), None);
        Some(Drawing {
            knobs,
            random,
            material,
            inputs,
            maze,
            variables,
            wanted,
            statuses,
            cores_drawn: 0,
            only_error,
        })
    }

    /// Declares the variables of the guards and what they are computed from.
    fn draw_inputs(&mut self) -> Option<()> {
        let count = self.knobs.variables.draw(self.random) as usize;
        let mut sorts: Vec<(Option<Variable>, Bits)> = Vec::new();
        // The variables of a script have names and sorts already.
        for variable in self.material.into_iter().flat_map(|it| &it.variables) {
            sorts.push((Some(*variable), variable.sort));
        }
        while sorts.len() < count {
            let sort = match self.random.percent(8) {
                true => Bits::Bool,
                false => Bits::Vector(self.draw_width()),
            };
            sorts.push((None, sort));
        }
        let is_constant: Vec<bool> =
            sorts.iter().map(|_| self.random.percent(self.knobs.constants)).collect();
        match self.inputs {
            Inputs::Wide => self.draw_wide(&sorts, &is_constant),
            Inputs::Window | Inputs::Full => self.draw_window(&sorts, &is_constant),
        }
    }

    fn draw_width(&mut self) -> u32 {
        match self.inputs {
            Inputs::Full => {
                let most = self.knobs.bits.min(8) as usize;
                if self.random.coin() { most as u32 } else { self.random.between(2.min(most), most) as u32 }
            }
            Inputs::Window | Inputs::Wide => self.knobs.widths.draw(self.random),
        }
    }

    /// Declares a variable, unless a script has it.
    fn variable(&mut self, given: Option<Variable>, sort: Bits) -> Option<(String, Variable)> {
        let variable = match given {
            Some(variable) => variable,
            None => {
                let name = format!("x{}", self.variables.len());
                let (symbol, term) = declare(&mut self.maze.script.terms, &name, sort);
                Variable { symbol, term: term?, sort }
            }
        };
        self.variables.push(variable);
        Some((self.maze.script.terms.symbol(variable.symbol).to_owned(), variable))
    }

    /// Every variable is read on its own.
    fn draw_wide(&mut self, sorts: &[(Option<Variable>, Bits)], is_constant: &[bool]) -> Option<()> {
        for ((given, sort), is_constant) in sorts.iter().zip(is_constant) {
            let (name, _) = self.variable(*given, *sort)?;
            if *is_constant {
                self.constant_local(name, *sort);
                continue;
            }
            let call = match sort {
                Bits::Bool => Call::Bool,
                Bits::Vector(width) => self.random.choose(Call::of_bits(*width)).copied()?,
            };
            self.maze.plan.inputs.push(Input { name, sort: *sort, call });
        }
        Some(())
    }

    fn constant_local(&mut self, name: String, sort: Bits) {
        let terms = &mut self.maze.script.terms;
        let value = match sort {
            Bits::Bool => terms.boolean(self.random.coin()),
            Bits::Vector(width) => terms.bitvec(width, &special_value(width, self.random).into()),
        };
        self.maze.plan.locals.push(Local { name, sort, value: LocalValue::Term(value) });
    }

    /// Every variable is computed from some bits of one input.
    fn draw_window(&mut self, sorts: &[(Option<Variable>, Bits)], is_constant: &[bool]) -> Option<()> {
        let mut left = self.knobs.bits;
        let mut shares = Vec::with_capacity(sorts.len());
        for ((_, sort), is_constant) in sorts.iter().zip(is_constant) {
            let wanted = match (self.inputs, sort) {
                _ if *is_constant => 0,
                (_, Bits::Bool) => 1,
                (Inputs::Full, Bits::Vector(width)) => *width,
                (_, Bits::Vector(width)) => self.window_bits().min(*width),
            };
            let share = wanted.min(left);
            left -= share;
            shares.push(share);
        }
        let total: u32 = shares.iter().sum();
        let mut low = 0;
        let raw = match total {
            0 => None,
            _ => {
                let (sort, name) = (Bits::Vector(total), "k0".to_owned());
                let call = self.random.choose(Call::of_bits(total)).copied()?;
                let (_, term) = declare(&mut self.maze.script.terms, &name, sort);
                self.maze.plan.inputs.push(Input { name, sort, call });
                Some(term?)
            }
        };
        for ((given, sort), share) in sorts.iter().zip(shares) {
            // A variable for which there are not enough bits is as wide as those that are left.
            let sort = match (self.inputs, given, sort) {
                (Inputs::Full, None, Bits::Vector(_)) if share > 0 => Bits::Vector(share),
                _ => *sort,
            };
            let (name, _) = self.variable(*given, sort)?;
            match raw.filter(|_| share > 0) {
                Some(raw) => {
                    let value = self.windowed(raw, low, share, sort)?;
                    self.maze.plan.locals.push(Local { name, sort, value });
                }
                None => self.constant_local(name, sort),
            }
            low += share;
        }
        Some(())
    }

    /// The bits of a window. Interval analyzers keep few values apart, so most windows are small.
    fn window_bits(&mut self) -> u32 {
        match self.random.below(100) {
            0..45 => 2,
            45..85 => 3,
            _ => 4,
        }
    }

    /// A value around a special one, by some bits of the input.
    fn windowed(&mut self, raw: TermId, low: u32, count: u32, sort: Bits) -> Option<LocalValue<TermId>> {
        let terms = &mut self.maze.script.terms;
        let bits = terms.apply(Operator::Extract { high: low + count - 1, low }, &[raw]).ok()?;
        let Bits::Vector(width) = sort else {
            let one = terms.bitvec(1, &1.into());
            return Some(LocalValue::Term(terms.equal(bits, one).ok()?));
        };
        if count >= width {
            return Some(LocalValue::Term(bits));
        }
        if self.random.percent(15) {
            let entries = (0..1 << count).map(|_| special_value(width, self.random)).collect();
            return Some(LocalValue::Table { index: bits, entries });
        }
        let offset = terms.apply(Operator::ZeroExtend(width - count), &[bits]).ok()?;
        let start = terms.bitvec(width, &special_value(width, self.random).into());
        let term = match self.random.below(5) {
            0 | 1 => terms.apply(Operator::BvAdd, &[start, offset]),
            2 => terms.apply(Operator::BvSub, &[start, offset]),
            3 => terms.apply(Operator::BvXor, &[start, offset]),
            _ => {
                let factor = (special_value(width, self.random) | 1) & mask(width);
                let factor = terms.bitvec(width, &factor.into());
                let product = terms.apply(Operator::BvMul, &[factor, offset]).ok()?;
                terms.apply(Operator::BvAdd, &[start, product])
            }
        };
        Some(LocalValue::Term(term.ok()?))
    }

    /// Decides which dead ends are meant to be reached.
    fn wish(&mut self) {
        let cells = &self.maze.plan.cells;
        let mut wanted = vec![0; cells.len()];
        for (index, cell) in cells.iter().enumerate().rev() {
            wanted[index] = match cell.check {
                Some(_) => usize::from(self.random.percent(self.knobs.reachable)),
                None => cell.passages.iter().map(|passage| wanted[passage.to]).sum(),
            };
        }
        self.wanted = wanted;
    }

    /// Leaves one check in the modes with one error, and chooses the input that is led there.
    fn choose_error(&mut self, rows: usize) {
        if matches!(self.knobs.mode, Mode::Guided | Mode::Mixed) {
            return;
        }
        let cells = &mut self.maze.plan.cells;
        let dead_ends: Vec<usize> = (0..cells.len()).filter(|it| cells[*it].check.is_some()).collect();
        let Some(error) = self.random.choose(&dead_ends).copied() else { return };
        for (index, cell) in cells.iter_mut().enumerate() {
            cell.check = (index == error).then_some(1);
        }
        let mut way = BTreeSet::from([error]);
        for (index, cell) in cells.iter().enumerate().rev() {
            if cell.passages.iter().any(|passage| way.contains(&passage.to)) {
                way.insert(index);
            }
        }
        let after_first: Vec<usize> = way.iter().copied().skip(1).collect();
        let barred = match self.knobs.mode {
            Mode::Unsatisfiable => self.random.choose(&after_first).copied(),
            Mode::Guided | Mode::Mixed | Mode::Satisfiable => None,
        };
        let row = self.random.below(rows) as u32;
        self.only_error = Some(OnlyError { way, row, barred });
    }

    /// The guard of a passage where there is one error: it holds for the chosen input on the way there, and not beside it.
    fn guard_on_way(
        &mut self,
        to: usize,
        rows: &[u32],
        is_left: &[bool],
        columns: &mut Columns,
    ) -> Option<(Vec<Conjunct<TermId>>, Column)> {
        let error = self.only_error.as_ref()?;
        let at = rows.iter().position(|row| *row == error.row);
        let (is_barred, is_on_way) = (error.barred == Some(to), error.way.contains(&to));
        if is_barred {
            let core = (0..CORE_TRIES).find_map(|_| self.core())?;
            return Some((vec![core], std::iter::repeat_n(0, is_left.len()).collect()));
        }
        for _ in 0..self.knobs.tries {
            let Some(term) = self.draw_guard(columns) else { continue };
            let Some(column) = columns.column(&self.maze.script, term) else { continue };
            let holds = at.and_then(|at| column.get(at)).map(|it| *it == 1);
            let is_turned = holds.is_some_and(|holds| holds != is_on_way);
            let guard = if is_turned { negated(&mut self.maze.script.terms, term)? } else { term };
            let column =
                column.iter().zip(is_left).map(|(it, left)| (it ^ u64::from(is_turned)) & u64::from(*left));
            return Some((vec![Conjunct::Term(guard)], column.collect()));
        }
        None
    }

    /// Draws the guards of every cell, with the inputs that come there.
    fn guard_cells(&mut self, points: &Points) -> Option<()> {
        let all: Vec<u32> = (0..points.columns.count() as u32).collect();
        let mut stack = vec![(0, all, points.columns.clone(), false)];
        while let Some((cell, rows, mut columns, is_barred)) = stack.pop() {
            if self.maze.plan.cells[cell].passages.is_empty() {
                let Some(check) = self.maze.plan.cells[cell].check else { continue };
                let status = match rows.first() {
                    Some(row) => Status::Reachable(points.row(*row as usize)),
                    None if points.are_all || is_barred => Status::Unreachable,
                    None => Status::Open,
                };
                self.statuses.insert(check, status);
                continue;
            }
            let ways: Vec<usize> = self.maze.plan.cells[cell].passages.iter().map(|it| it.to).collect();
            let mut is_left = vec![true; rows.len()];
            for (position, to) in ways.iter().enumerate() {
                let wanted_later = ways.iter().skip(position).map(|way| self.wanted[*way]).sum();
                let left = is_left.iter().filter(|it| **it).count();
                let target = Target { left, wanted: self.wanted[*to], wanted_later };
                let is_closed = target.wanted == 0 && !points.are_all && !is_barred;
                let (guard, passes) = match self.only_error {
                    Some(_) => self.guard_on_way(*to, &rows, &is_left, &mut columns)?,
                    None => self.guard(&target, &is_left, is_closed, &mut columns)?,
                };
                let through: Vec<u32> =
                    (0u32..).zip(passes.iter()).filter(|(_, it)| **it == 1).map(|(row, _)| row).collect();
                for row in &through {
                    is_left[*row as usize] = false;
                }
                let is_core = matches!(guard.as_slice(), [Conjunct::Core { .. }]);
                self.maze.plan.cells[cell].passages[position].guard = guard;
                let inner = columns.subset(&through);
                let through = through.iter().map(|row| rows[*row as usize]).collect();
                stack.push((*to, through, inner, is_barred || is_core));
            }
        }
        Some(())
    }

    /// The best of some guards for a passage, and where it lets inputs through that no earlier passage took.
    fn guard(
        &mut self,
        target: &Target,
        is_left: &[bool],
        is_closed: bool,
        columns: &mut Columns,
    ) -> Option<(Vec<Conjunct<TermId>>, Column)> {
        let nothing = || std::iter::repeat_n(0, is_left.len()).collect::<Column>();
        if self.knobs.mode == Mode::Guided
            && (is_closed || target.wanted == 0 && self.random.percent(6))
            && let Some(core) = self.core()
        {
            return Some((vec![core], nothing()));
        }
        let mut best: Option<(usize, Vec<Conjunct<TermId>>, Column)> = None;
        let is_guided = self.knobs.mode == Mode::Guided;
        for _ in 0..self.knobs.tries {
            let Some(term) = self.draw_guard(columns) else { continue };
            let Some(column) = columns.column(&self.maze.script, term) else { continue };
            let holds: Column =
                column.iter().zip(is_left).map(|(it, is_left)| it & u64::from(*is_left)).collect();
            let count = holds.iter().filter(|it| **it == 1).count();
            let (cost, opposite) = (target.cost(count), target.cost(target.left - count));
            let is_better = |cost: usize| best.as_ref().is_none_or(|(known, ..)| cost < *known);
            if !is_guided || cost <= opposite && is_better(cost) {
                best = Some((cost, vec![Conjunct::Term(term)], holds));
            } else if opposite < cost && is_better(opposite) {
                let negated = negated(&mut self.maze.script.terms, term)?;
                let holds =
                    holds.iter().zip(is_left).map(|(it, left)| u64::from(*left && *it == 0)).collect();
                best = Some((opposite, vec![Conjunct::Term(negated)], holds));
            }
            if !is_guided || best.as_ref().is_some_and(|(cost, ..)| target.is_good(*cost)) {
                break;
            }
        }
        match best {
            Some((_, guard, holds)) => Some((guard, holds)),
            None => {
                let never = self.maze.script.terms.false_();
                Some((vec![Conjunct::Term(never)], nothing()))
            }
        }
    }

    fn draw_guard(&mut self, columns: &mut Columns) -> Option<TermId> {
        let kind = match self.knobs.mode {
            Mode::Guided => self.knobs.guards.draw(self.random)?,
            Mode::Satisfiable | Mode::Unsatisfiable | Mode::Mixed => Guards::Seed,
        };
        if kind == Guards::Seed
            && self.random.percent(80)
            && let Some(term) = self.material.and_then(|it| self.random.choose(&it.terms).copied())
        {
            return Some(term);
        }
        let mut grow = Grow {
            script: &mut self.maze.script,
            variables: &self.variables,
            operators: &self.knobs.operators,
            random: self.random,
        };
        match kind {
            Guards::Micro => grow.micro(columns),
            Guards::Typed | Guards::Seed => grow.typed(self.knobs.depth, columns),
        }
    }

    /// A call of a core, of a new one or one that the maze has.
    fn core(&mut self) -> Option<Conjunct<TermId>> {
        let count = self.maze.plan.cores.len();
        let core = match count {
            1.. if count >= MOST_CORES || self.random.coin() => self.random.below(count),
            _ => self.new_core()?,
        };
        let sorts: Vec<Bits> =
            self.maze.plan.cores.get(core)?.parameters.iter().map(|(_, sort)| *sort).collect();
        let mut arguments = Vec::with_capacity(sorts.len());
        for sort in sorts {
            let mut grow = Grow {
                script: &mut self.maze.script,
                variables: &self.variables,
                operators: &self.knobs.operators,
                random: self.random,
            };
            let depth = grow.random.between(0, 2) as u32;
            arguments.push(match sort {
                Bits::Bool => grow.boolean(depth)?,
                Bits::Vector(width) => grow.vector(width, depth)?,
            });
        }
        Some(Conjunct::Core { core, arguments })
    }

    /// Draws conjunctions until one holds for no value and each of its parts for some.
    fn new_core(&mut self) -> Option<usize> {
        let position = self.maze.plan.cores.len();
        // Parameters of a search that found nothing keep their names.
        self.cores_drawn += 1;
        let mut left = CORE_BITS;
        let mut parameters = Vec::new();
        let mut variables = Vec::new();
        for index in 0..self.random.between(1, 3) {
            let width = (self.random.between(3, 8) as u32).min(left);
            if width == 0 {
                break;
            }
            left -= width;
            let (name, sort) = (format!("p{}_{index}", self.cores_drawn), Bits::Vector(width));
            let (symbol, term) = declare(&mut self.maze.script.terms, &name, sort);
            variables.push(Variable { symbol, term: term?, sort });
            parameters.push((name, sort));
        }
        let named: Vec<_> = variables.iter().map(|it| (it.symbol, it.sort)).collect();
        let mut columns = all_values(&named);
        let mut parts: Vec<(TermId, Column)> = Vec::new();
        for _ in 0..CORE_TRIES {
            let mut grow = Grow {
                script: &mut self.maze.script,
                variables: &variables,
                operators: &self.knobs.operators,
                random: self.random,
            };
            let Some(part) = grow.micro(&mut columns) else { continue };
            let Some(column) = columns.column(&self.maze.script, part) else { continue };
            if !column.contains(&1) {
                continue;
            }
            let excluded = |others: &[&Column]| {
                (0..column.len()).all(|row| column[row] == 0 || others.iter().any(|it| it[row] == 0))
            };
            let one = parts.iter().position(|(_, other)| excluded(&[other])).map(|index| vec![index]);
            let two = || {
                let pairs = (0..parts.len()).flat_map(|first| (0..first).map(move |second| [first, second]));
                let mut fitting = pairs.into_iter().filter(|[a, b]| excluded(&[&parts[*a].1, &parts[*b].1]));
                fitting.next().map(Vec::from)
            };
            if let Some(others) = one.or_else(two) {
                let others = others.into_iter().filter_map(|index| parts.get(index)).map(|(term, _)| *term);
                let parts = others.chain([part]).collect();
                self.maze.plan.cores.push(Core { parameters, parts });
                return Some(position);
            }
            parts.push((part, column));
        }
        None
    }

    /// Opens some walls: passages that may lead back.
    fn lead_back(&mut self, walls: &[(usize, usize)]) {
        if self.knobs.cycles == 0 || self.maze.plan.style.form == Form::Nested {
            return;
        }
        let mut all_inputs = match Points::of(&self.maze, &[]) {
            Some(points) => points.columns,
            None => return,
        };
        for (one, other) in walls {
            if !self.random.percent(self.knobs.cycles) {
                continue;
            }
            let (from, to) = if self.random.coin() { (*one, *other) } else { (*other, *one) };
            if self.maze.plan.cells[from].check.is_some() {
                continue;
            }
            if let Some(guard) = self.draw_guard(&mut all_inputs) {
                let guard = vec![Conjunct::Term(guard)];
                self.maze.plan.cells[from].passages.push(Passage { to, guard });
            }
        }
        self.maze.plan.steps = Some(self.maze.plan.cells.len() as u32);
    }
}

/// What a passage is meant to let through.
struct Target {
    /// The inputs that no earlier passage took.
    left: usize,
    /// How many dead ends after it are meant to be reached.
    wanted: usize,
    /// The same for this and the later passages of the cell.
    wanted_later: usize,
}

impl Target {
    fn ideal(&self) -> usize {
        // A little is left over, so that walks also end between dead ends.
        2 * self.left * self.wanted / (2 * self.wanted_later + 1)
    }

    fn cost(&self, passing: usize) -> usize {
        match (self.wanted, passing) {
            (1.., 0) => 2 * self.left + 1,
            _ => passing.abs_diff(self.ideal()),
        }
    }

    fn is_good(&self, cost: usize) -> bool {
        if self.wanted == 0 { cost == 0 } else { 4 * cost <= self.ideal() }
    }
}

/// Draws how a maze is written down.
fn style(knobs: &Knobs, tree: &tree::Tree, random: &mut Random) -> Style {
    let drawn = match knobs.form {
        Shape::Form(form) => form,
        Shape::Any | Shape::Task | Shape::Fuzzer => match random.below(100) {
            0..40 => Form::Calls,
            40..70 => Form::Nested,
            70..90 => Form::Goto,
            _ => Form::Machine,
        },
    };
    let form = match drawn {
        Form::Nested if knobs.cycles > 0 || depth(tree) > DEEPEST_NESTING => Form::Goto,
        form => form,
    };
    Style {
        form,
        returns: random.coin(),
        passes: random.percent(30),
        functions: knobs.functions,
        casts: knobs.casts,
        stream: random.word(),
    }
}

/// The number of passages to the farthest cell.
fn depth(tree: &tree::Tree) -> usize {
    let mut depths = vec![0; tree.children.len()];
    for (cell, children) in tree.children.iter().enumerate() {
        for child in children {
            depths[*child] = depths[cell] + 1;
        }
    }
    depths.into_iter().max().unwrap_or(0)
}
