//! Strategies: which candidate is checked next.
//!
//! Three of them draw candidates independently of each other: all alike, rather those high in the syntax tree, or rather
//! those deep in it. Two walk from statement to statement, beginning at the first candidate in `main`; the guided walk
//! remembers which moves raised the spread of the analyzers' running times, and prefers them.

use super::candidate::Candidates;
use super::tree::Stop;
use model::Random;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// How candidates are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// All alike.
    Uniform,
    /// The chance is the inverse of the depth.
    Breadth,
    /// The chance grows with the depth.
    Depth,
    /// From statement to statement.
    RandomWalk,
    /// From statement to statement, rather where running times differed more and more.
    GuidedWalk,
}

/// The names of all strategies, in the order of their definition.
pub const NAMES: [&str; 5] = ["uniform", "breadth-biased", "depth-biased", "random-walk", "guided-walk"];

const ALL: [Strategy; 5] =
    [Strategy::Uniform, Strategy::Breadth, Strategy::Depth, Strategy::RandomWalk, Strategy::GuidedWalk];

impl Strategy {
    /// The name that users type.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// The strategy with this name.
    pub fn named(name: &str) -> Option<Strategy> {
        ALL.into_iter().find(|strategy| strategy.name() == name)
    }
}

/// Divided by a depth, this gives the weight of a candidate that is preferred if it is high. All numbers up to 20 divide
/// it, so that the weights of these depths are exact.
const BREADTH_SCALE: u64 = 232_792_560;

/// The number of moves without a candidate after which a walk begins again elsewhere.
const MOST_MOVES: usize = 64;

/// The least and the greatest power of two that a move can weigh.
const WEIGHTS: [i8; 2] = [-2, 4];

/// A source of candidates.
#[derive(Clone, Debug)]
pub enum Chooser {
    /// Draws by weight. For each candidate, the sum of its weight and those before it.
    Weighted(Vec<u64>),
    /// Walks.
    Walking(Box<Walker>),
}

impl Chooser {
    /// A source of the candidates of a program.
    pub fn new(strategy: Strategy, candidates: &Candidates) -> Chooser {
        let weighted = |weight: fn(u64) -> u64| {
            let mut sum = 0u64;
            let add = |depth: u32| {
                sum = sum.saturating_add(weight(u64::from(depth).max(1)).max(1));
                sum
            };
            Chooser::Weighted(candidates.all.iter().map(|candidate| candidate.depth).map(add).collect())
        };
        match strategy {
            Strategy::Uniform => weighted(|_| 1),
            Strategy::Breadth => weighted(|depth| BREADTH_SCALE / depth),
            Strategy::Depth => weighted(|depth| depth),
            Strategy::RandomWalk => Chooser::Walking(Walker::new(candidates, false).into()),
            Strategy::GuidedWalk => Chooser::Walking(Walker::new(candidates, true).into()),
        }
    }

    /// The next candidate; `None` if there are none.
    pub fn next(&mut self, random: &mut Random) -> Option<usize> {
        match self {
            Chooser::Weighted(sums) => {
                let point = random.below(*sums.last()? as usize) as u64;
                Some(sums.partition_point(|sum| *sum <= point))
            }
            Chooser::Walking(walker) => walker.next(random),
        }
    }

    /// Tells how much the running times of the analyzers differed on the check of the last candidate. Only the guided
    /// walk listens.
    pub fn learn(&mut self, spread: u64) {
        if let Chooser::Walking(walker) = self {
            walker.learn(spread);
        }
    }
}

/// The kinds of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Move {
    Next,
    Previous,
    Inner,
    Outer,
    Call,
}

const MOVES: [Move; 5] = [Move::Next, Move::Previous, Move::Inner, Move::Outer, Move::Call];

/// A walk between statements.
#[derive(Clone, Debug)]
pub struct Walker {
    stops: Arc<[Stop]>,
    ranges: Arc<[Range<usize>]>,
    /// How many candidates there are.
    count: usize,
    /// The candidate that the walk begins with, until it has begun.
    first: Option<usize>,
    /// Where the walk is.
    stop: usize,
    is_guided: bool,
    /// The powers of two that moves weigh, by kind and the place from which they go, where they are not 0.
    weights: BTreeMap<(usize, Move), i8>,
    /// The moves since the last candidate.
    path: Vec<(usize, Move)>,
    /// The last spread that was told.
    spread: Option<u64>,
}

impl Walker {
    fn new(candidates: &Candidates, is_guided: bool) -> Walker {
        Walker {
            stops: candidates.stops.clone(),
            ranges: candidates.ranges.clone(),
            count: candidates.all.len(),
            first: candidates.first,
            stop: 0,
            is_guided,
            weights: BTreeMap::new(),
            path: Vec::new(),
            spread: None,
        }
    }

    fn next(&mut self, random: &mut Random) -> Option<usize> {
        self.path.clear();
        if let Some(first) = self.first.take() {
            return self.stand_at(first);
        }
        for _ in 0..MOST_MOVES {
            let Some((kind, stop)) = self.drawn_move(random) else { break };
            self.path.push((self.stop, kind));
            self.stop = stop;
            let range = self.ranges.get(stop).cloned().unwrap_or(0..0);
            if !range.is_empty() {
                return Some(range.start + random.below(range.len()));
            }
        }
        // Nothing is near: the walk goes on somewhere else, and no move was good or bad.
        self.path.clear();
        let anywhere = (self.count > 0).then(|| random.below(self.count))?;
        self.stand_at(anywhere)
    }

    /// Puts the walk where a candidate is.
    fn stand_at(&mut self, candidate: usize) -> Option<usize> {
        // The ranges rise, and those without candidates end where the next one begins.
        self.stop = self.ranges.partition_point(|range| range.end <= candidate);
        Some(candidate)
    }

    /// A move from where the walk is, and where it leads.
    fn drawn_move(&self, random: &mut Random) -> Option<(Move, usize)> {
        let stop = self.stops.get(self.stop)?;
        let targets = MOVES.map(|kind| (kind, target(stop, kind, random)));
        let weight = |kind: Move, target: Option<usize>| match target {
            Some(_) => 1usize << (self.weight(kind) - WEIGHTS[0]),
            None => 0,
        };
        let sum = targets.iter().map(|(kind, target)| weight(*kind, *target)).sum();
        let mut left = random.below(sum);
        for (kind, target) in targets {
            let weight = weight(kind, target);
            if left < weight {
                return target.map(|target| (kind, target));
            }
            left -= weight;
        }
        None
    }

    /// The power of two that a move from here weighs.
    fn weight(&self, kind: Move) -> i8 {
        self.weights.get(&(self.stop, kind)).copied().unwrap_or(0)
    }

    fn learn(&mut self, spread: u64) {
        let Some(before) = self.spread.replace(spread).filter(|_| self.is_guided) else { return };
        let [least, greatest] = WEIGHTS;
        for made in &self.path {
            let weight = self.weights.entry(*made).or_insert(0);
            match spread.cmp(&before) {
                std::cmp::Ordering::Greater => *weight = (*weight + 1).min(greatest),
                std::cmp::Ordering::Less => *weight = (*weight - 1).max(least),
                std::cmp::Ordering::Equal => {}
            }
        }
        // A second report on the same check carries no information about moves.
        self.path.clear();
    }
}

/// Where a move from a statement leads. Out of a function it leads to a statement that may call it.
fn target(stop: &Stop, kind: Move, random: &mut Random) -> Option<usize> {
    match kind {
        Move::Next => stop.next,
        Move::Previous => stop.previous,
        Move::Inner => stop.inner,
        Move::Outer => stop.outer.or_else(|| random.choose(&stop.callers).copied()),
        Move::Call => random.choose(&stop.called).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "static int f(int x) { if (x > 3) { x = x - 1; } return x; }
static int h(int x) { return x; }
int main(void) { int a = 1; a = f(a); while (a < 9) { a = a + 2; if (a == 5) { a = f(a) + 1; } } a = h(a); return a; }";

    fn candidates() -> Candidates {
        Candidates::of(&c::parse("row.c", TEXT, c::DataModel::Lp64).unwrap())
    }

    fn counts(strategy: Strategy, draws: usize) -> Vec<usize> {
        let candidates = candidates();
        let mut chooser = Chooser::new(strategy, &candidates);
        let mut random = Random::for_case(4, 4);
        let mut counts = vec![0; candidates.all.len()];
        for _ in 0..draws {
            counts[chooser.next(&mut random).unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn strategies_have_names() {
        for strategy in ALL {
            assert_eq!(Strategy::named(strategy.name()), Some(strategy));
        }
        assert_eq!(Strategy::named("widest"), None);
    }

    #[test]
    fn weights_follow_the_depth() {
        let candidates = candidates();
        let expect = |strategy: Strategy, weight: &dyn Fn(f64) -> f64| {
            let weights: Vec<f64> = candidates.all.iter().map(|it| weight(f64::from(it.depth))).collect();
            let sum: f64 = weights.iter().sum();
            for (count, weight) in counts(strategy, 100_000).into_iter().zip(weights) {
                let expected = weight / sum * 100_000.0;
                assert!((count as f64 - expected).abs() < 6.0 * expected.sqrt(), "{count} {expected}");
            }
        };
        expect(Strategy::Uniform, &|_| 1.0);
        expect(Strategy::Breadth, &|depth| 1.0 / depth);
        expect(Strategy::Depth, &|depth| depth);
    }

    #[test]
    fn walks_begin_in_main_and_reach_everything() {
        let candidates = candidates();
        for strategy in [Strategy::RandomWalk, Strategy::GuidedWalk] {
            let mut chooser = Chooser::new(strategy, &candidates);
            let first = chooser.next(&mut Random::for_case(1, 1)).unwrap();
            assert_eq!(candidates.all[first].place as usize, TEXT.find("a = f(a);").unwrap());
            assert!(counts(strategy, 5_000).iter().all(|count| *count > 0), "{strategy:?}");
        }
        let empty = Candidates::of(&c::parse("row.c", "int main(void) { }", c::DataModel::Lp64).unwrap());
        for strategy in ALL {
            assert_eq!(Chooser::new(strategy, &empty).next(&mut Random::for_case(1, 1)), None);
        }
    }

    #[test]
    fn a_guided_walk_goes_where_running_times_differ() {
        let candidates = candidates();
        // Analyzers differ in the function f alone.
        let end = TEXT.find("static int h").unwrap() as u32;
        let share = |strategy: Strategy| {
            let mut chooser = Chooser::new(strategy, &candidates);
            let mut random = Random::for_case(9, 9);
            let mut inside = 0;
            for _ in 0..20_000 {
                let chosen = &candidates.all[chooser.next(&mut random).unwrap()];
                let is_inside = chosen.place < end;
                inside += usize::from(is_inside);
                chooser.learn(if is_inside { 1_000 } else { 10 });
            }
            inside
        };
        let (random, guided) = (share(Strategy::RandomWalk), share(Strategy::GuidedWalk));
        assert!(guided * 4 > random * 5, "{random} {guided}");
        assert_eq!(guided, share(Strategy::GuidedWalk), "the same walk again");
    }
}
