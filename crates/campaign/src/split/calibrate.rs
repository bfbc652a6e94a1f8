//! How large parts may be for the limits of time and memory.
//!
//! A few parts of growing size are analyzed one at a time, because parallel runs slow each other down. A line through what they cost
//! says how much a larger part would cost; a margin makes up for parts that cost more than others of their size.

use super::{SplitOptions, SplitProject};
use anyhow::{Result, bail};
use model::{Claim, LimitKind, Verdict};
use schedule::Pool;
use splitting::{Cut, CutSettings, Measure, Part, PartCost, SizeLimit};
use store::AnswerLog;

/// The first probe has this share of the project.
const FIRST_SHARE: u64 = 64;
/// Each probe is so many times as large as the one before.
const GROWTH: u64 = 4;
/// The share of the limits that a part may need by the estimate.
const MARGIN: f64 = 0.8;

/// A part that was analyzed to learn what parts cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Its size.
    pub size: u64,
    /// What its run cost.
    pub cost: PartCost,
    /// True if it kept within the limits.
    pub fits: bool,
}

/// The limit of the size of a part under which it probably keeps within the limits of time and memory, and the probes that
/// say so. The measure is that of the settings.
pub fn calibrate(
    project: &SplitProject<'_>,
    options: &SplitOptions,
    pool: &Pool<'_>,
    report: &dyn Fn(&Probe),
) -> Result<(SizeLimit, Vec<Probe>)> {
    let Some(store) = pool.store else { bail!("a calibration without a store") };
    let measure = options.cut.limit.measure;
    let total: u64 = project.contents().files.iter().map(|file| measure.of(file)).sum();
    let mut probes: Vec<Probe> = Vec::new();
    let mut wanted = (total / FIRST_SHARE).max(1);
    loop {
        // A limit from too few probes would be kept by later runs.
        if pool.stop.is_over() {
            return Err(engine::interruption().into());
        }
        let part = part_of_size(wanted, project, options);
        let probe = probe(project, options, measure, &part, &*store.answers)?;
        report(&probe);
        probes.push(probe);
        // A run on most of the project is not a probe any more.
        let next = wanted.max(probe.size) * GROWTH;
        if !probe.fits || next > total / 2 || next > allowed(&probes, project.limits_of_cost(), total) {
            break;
        }
        wanted = next;
    }
    if probes.iter().all(|probe| !probe.fits) {
        bail!(
            "not even a part of {} keeps within the limits; raise --limit or --memory",
            SizeLimit { most: probes.first().map_or(0, |probe| probe.size), measure }
        );
    }
    let most = allowed(&probes, project.limits_of_cost(), total);
    Ok((SizeLimit { most, measure }, probes))
}

/// The part that is nearest to a size among those of a cut with this limit.
fn part_of_size(size: u64, project: &SplitProject<'_>, options: &SplitOptions) -> Part {
    let limit = SizeLimit { most: size, ..options.cut.limit };
    let settings = CutSettings { limit, ..options.cut.clone() };
    let files = &project.contents().files;
    let cut = Cut::new(files, project.graph(), &settings);
    let parts = options.strategy.partition(&cut);
    let distance = |part: &Part| cut.size_of(&part.files).abs_diff(size);
    parts.into_iter().min_by_key(distance).unwrap_or_default()
}

fn probe(
    project: &SplitProject<'_>,
    options: &SplitOptions,
    measure: Measure,
    part: &Part,
    log: &dyn AnswerLog,
) -> Result<Probe> {
    let (answer, _) = project.ask(part, options.way, log)?;
    let fits = match &answer.verdict {
        Verdict::Claim(Claim::Report(_)) | Verdict::Crash(_) => true,
        Verdict::Limit(LimitKind::Time | LimitKind::Memory) => false,
        other => bail!("the tool gives no report on a probe: {}", super::rounds::why(other)),
    };
    let files = part.files.iter().filter_map(|&file| project.contents().files.get(file as usize));
    Ok(Probe { size: files.map(|file| measure.of(file)).sum(), cost: answer.cost.into(), fits })
}

/// The largest size that should keep within these costs. Below the size of a probe that did not.
fn allowed(probes: &[Probe], most: PartCost, total: u64) -> u64 {
    let time = |probe: &Probe| (probe.size, probe.cost.wall_microseconds);
    let memory = |probe: &Probe| (probe.size, probe.cost.peak_memory_bytes);
    let fitting = || probes.iter().filter(|probe| probe.fits);
    let by_time = size_at(&fitting().map(time).collect::<Vec<_>>(), most.wall_microseconds);
    let by_memory = size_at(&fitting().map(memory).collect::<Vec<_>>(), most.peak_memory_bytes);
    let failed = probes.iter().filter(|probe| !probe.fits).map(|probe| probe.size / 2).min();
    by_time.min(by_memory).min(failed.unwrap_or(total)).min(total).max(1)
}

/// The size at which a line through points of size and cost reaches the margin below a cost. The line goes through the last
/// point, and is as steep as anywhere between two of them: what grows faster than the size is noticed in the last of them.
fn size_at(points: &[(u64, u64)], most: u64) -> u64 {
    let Some(&(size, cost)) = points.last() else { return u64::MAX };
    let slope = |pair: &[(u64, u64)]| match pair {
        [(size, cost), (next_size, next_cost)] if next_size > size => {
            next_cost.saturating_sub(*cost) as f64 / (next_size - size) as f64
        }
        _ => 0.0,
    };
    // One point alone does not tell what a start costs: as if nothing.
    let alone = if points.len() == 1 { cost as f64 / size.max(1) as f64 } else { 0.0 };
    let steepest = points.windows(2).map(slope).fold(alone, f64::max);
    let left = most as f64 * MARGIN - cost as f64;
    if steepest <= 0.0 {
        return if left >= 0.0 { u64::MAX } else { size };
    }
    (size as f64 + left / steepest).max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(size: u64, wall_microseconds: u64, fits: bool) -> Probe {
        Probe { size, cost: PartCost { wall_microseconds, ..PartCost::default() }, fits }
    }

    const MOST: PartCost = PartCost { wall_microseconds: 1000, cpu_microseconds: 0, peak_memory_bytes: 1000 };

    #[test]
    fn a_line_says_how_large_parts_may_be() {
        // 100 to start, and 2 for each unit of size.
        let probes = [probe(10, 120, true), probe(40, 180, true)];
        assert_eq!(allowed(&probes, MOST, 10_000), 350);
        assert_eq!(allowed(&probes, MOST, 200), 200);
        assert_eq!(allowed(&probes[..1], MOST, 10_000), 66);
    }

    #[test]
    fn a_probe_that_does_not_fit_bounds_the_size() {
        let probes = [probe(10, 120, true), probe(40, 1000, false)];
        assert_eq!(allowed(&probes, MOST, 10_000), 20);
    }

    #[test]
    fn what_costs_the_same_at_any_size_may_be_the_whole() {
        let probes = [probe(10, 120, true), probe(40, 120, true)];
        assert_eq!(allowed(&probes, MOST, 10_000), 10_000);
        let probes = [probe(10, 900, true), probe(40, 900, true)];
        assert_eq!(allowed(&probes, MOST, 10_000), 40);
    }

    #[test]
    fn what_grows_faster_than_the_size_is_taken_at_its_steepest() {
        let probes = [probe(1, 1, true), probe(10, 100, true)];
        assert_eq!(allowed(&probes, MOST, 10_000), 73);
    }
}
