//! `campaign.toml`: a description of a campaign that is enough to run it again.
//!
//! The header is the same for every job; each job has a section of its own.

use crate::Subject;
use anyhow::{Context, Result, bail};
use model::{Limits, Settings};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tuning::Objective;

/// The content of `campaign.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The version of juvenal that created it.
    pub juvenal: String,
    /// The number from which all random choices derive.
    pub random_seed: u64,
    /// The number of workers.
    pub jobs: usize,
    /// The analyzers.
    pub lineup: LineupPlan,
    /// The seeds.
    pub seeds: SeedPlan,
    /// The knobs with values other than their defaults.
    #[serde(default)]
    pub settings: Settings,
    /// The hunt, if the campaign was made by `juvenal hunt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunt: Option<HuntPlan>,
    /// The comparison, if the campaign was made by `juvenal compare`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<ComparePlan>,
    /// The search, if the campaign was made by `juvenal tune`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tune: Option<TunePlan>,
    /// The analysis in parts, if the directory was made by `juvenal split`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<SplitPlan>,
}

/// The analyzers of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineupPlan {
    /// The analyzers under test: identities such as `z3@4.8.12`.
    pub subjects: Vec<String>,
    /// The analyzers that help to judge.
    pub witnesses: Vec<String>,
    /// Those of them that were given by path or description file, and must be named again to continue.
    #[serde(default)]
    pub by_hand: Vec<String>,
}

/// The seeds of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedPlan {
    /// The paths that were given; empty for the seeds that come with juvenal.
    pub paths: Vec<String>,
    /// The number of files that were found.
    pub count: usize,
    /// A hash of their names, by which a different set is noticed. The content of each seed is stored when a case first
    /// reads it.
    pub identity: String,
}

/// The section of a hunt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HuntPlan {
    /// The techniques, by name.
    pub techniques: Vec<String>,
    /// True if a built-in liar is hunted only to show what a hunt looks like.
    #[serde(default)]
    pub demonstration: bool,
    /// Wall seconds of one run, if limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The number of cases, if limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cases: Option<u64>,
    /// The maximum number of reduction candidates for each finding.
    pub candidates: usize,
}

/// The section of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparePlan {
    /// The technique whose checks are compared.
    pub technique: String,
    /// The number of cases.
    pub cases: u64,
}

/// The section of a search for the best configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunePlan {
    /// What is settled about the programs.
    pub subject: Subject,
    /// What is minimized.
    pub objective: Objective,
    /// The search, by name.
    pub search: String,
    /// In how many parts programs are held out.
    pub folds: usize,
    /// The most ingredients of a recipe.
    pub ingredients: usize,
    /// Wall time of a query.
    pub limit_milliseconds: u64,
    /// Memory of a query.
    pub memory_megabytes: u64,
    /// Wall seconds of one run, if limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// CPU seconds of analyzers, if limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// The most programs, if limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub programs: Option<usize>,
    /// Drawn checks or errors for each program.
    pub per_program: usize,
    /// The options that are varied, as the user named them; empty for all.
    #[serde(default)]
    pub vary: Vec<String>,
    /// True if options that can make the analyzer miss executions are varied.
    #[serde(default)]
    pub unsound: bool,
    /// The maximum number of reduction candidates for each finding.
    pub candidates: usize,
}

/// The section of an analysis in parts. It does not say what to run: the user says so again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SplitPlan {
    /// The tool, by name.
    pub tool: String,
}

/// The default maximum of reduction candidates for each finding during a hunt; `juvenal reduce` continues from there.
pub const USUAL_CANDIDATES: usize = 1500;

/// The largest numbers of a plan. Each of them is far above what is useful.
const MOST_CANDIDATES: usize = 10_000_000;
const MOST_PROGRAMS: usize = 100_000;
const MOST_INGREDIENTS: usize = 100;

fn check(name: &str, found: usize, most: usize) -> Result<()> {
    anyhow::ensure!(found <= most, "{name}: expected at most {most}, found {found}");
    Ok(())
}

fn check_seconds(seconds: Option<f64>) -> Result<()> {
    let seconds = seconds.unwrap_or(0.0);
    Duration::try_from_secs_f64(seconds).with_context(|| format!("{seconds} seconds are not a time"))?;
    Ok(())
}

impl Plan {
    /// The text of the file.
    pub fn text(&self) -> Result<String> {
        let body = toml::to_string_pretty(self).context("cannot write campaign.toml")?;
        Ok(format!("# Written by juvenal. {}\n{body}", self.how_to_continue()))
    }

    /// Which command continues the job, for the header of the file.
    fn how_to_continue(&self) -> &'static str {
        match self {
            Plan { split: Some(_), .. } => {
                "`juvenal split --tool TOOL --root DIR --out` with this directory continues the analysis."
            }
            Plan { hunt: None, compare: None, tune: Some(_), .. } => {
                "`juvenal tune DIR` continues the search."
            }
            Plan { hunt: None, compare: Some(_), .. } => {
                "`juvenal compare DIR` continues the comparison, and `juvenal resume DIR` makes a hunt of it."
            }
            _ => "`juvenal resume DIR` continues the hunt.",
        }
    }

    /// Reads the file back.
    pub fn parse(text: &str) -> Result<Plan> {
        let plan: Plan = toml::from_str(text)
            .context("campaign.toml is damaged, or was written by another version of juvenal")?;
        let sections =
            [plan.hunt.is_some(), plan.compare.is_some(), plan.tune.is_some(), plan.split.is_some()];
        if !sections.contains(&true) {
            bail!("campaign.toml has no section [hunt], [compare], [tune] or [split]; it is damaged");
        }
        plan.check_numbers().context("campaign.toml has a number that juvenal does not write")?;
        Ok(plan)
    }

    /// Refuses numbers that would take all memory or time. The number of workers is the caller's to bound, since it does not
    /// change the outcome.
    fn check_numbers(&self) -> Result<()> {
        let hunt = self.hunt.as_ref();
        check_seconds(hunt.and_then(|hunt| hunt.seconds))?;
        check("candidates", hunt.map_or(0, |hunt| hunt.candidates), MOST_CANDIDATES)?;
        let Some(tune) = &self.tune else { return Ok(()) };
        check_seconds(tune.seconds)?;
        check_seconds(tune.cpu_seconds)?;
        check("candidates", tune.candidates, MOST_CANDIDATES)?;
        check("folds", tune.folds, MOST_PROGRAMS)?;
        check("ingredients", tune.ingredients, MOST_INGREDIENTS)?;
        check("programs", tune.programs.unwrap_or(0), MOST_PROGRAMS)?;
        check("per_program", tune.per_program, MOST_PROGRAMS)?;
        let limits = Limits {
            wall_milliseconds: tune.limit_milliseconds,
            memory_megabytes: tune.memory_megabytes,
            ..Limits::default()
        };
        limits.problem().map_or(Ok(()), |problem| bail!("{problem}"))
    }

    /// The names of the techniques.
    pub fn techniques(&self) -> Vec<String> {
        match (&self.hunt, &self.compare, &self.tune) {
            (Some(hunt), _, _) => hunt.techniques.clone(),
            (None, Some(compare), _) => vec![compare.technique.clone()],
            (None, None, Some(tune)) => {
                tune.subject.techniques().iter().map(|technique| technique.name.to_owned()).collect()
            }
            (None, None, None) => Vec::new(),
        }
    }

    /// The hunt of the campaign. A comparison becomes a hunt on the same cases when it is resumed.
    pub fn hunt(&self) -> HuntPlan {
        self.hunt.clone().unwrap_or_else(|| HuntPlan {
            techniques: self.techniques(),
            demonstration: false,
            seconds: None,
            cases: self.compare.as_ref().map(|compare| compare.cases),
            candidates: USUAL_CANDIDATES,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(hunt: Option<HuntPlan>, compare: Option<ComparePlan>) -> Plan {
        Plan {
            juvenal: "0.1.0".to_owned(),
            random_seed: 7,
            jobs: 2,
            lineup: LineupPlan {
                subjects: vec!["z3@4.8.12".to_owned()],
                witnesses: Vec::new(),
                by_hand: Vec::new(),
            },
            seeds: SeedPlan { paths: Vec::new(), count: 3, identity: "00".to_owned() },
            settings: Settings::default(),
            hunt,
            compare,
            tune: None,
            split: None,
        }
    }

    #[test]
    fn a_plan_reads_back() {
        let compare = ComparePlan { technique: "differential".to_owned(), cases: 5 };
        let comparison = plan(None, Some(compare));
        assert_eq!(Plan::parse(&comparison.text().unwrap()).unwrap(), comparison);
        let hunt = plan(Some(HuntPlan { seconds: Some(1.5), ..comparison.hunt() }), None);
        assert_eq!(Plan::parse(&hunt.text().unwrap()).unwrap(), hunt);
    }

    #[test]
    fn numbers_that_would_take_all_memory_or_time_are_refused() {
        let good =
            plan(Some(HuntPlan { seconds: Some(1.5), ..plan(None, None).hunt() }), None).text().unwrap();
        assert!(Plan::parse(&good).is_ok());
        for (old, new) in [
            ("seconds = 1.5", "seconds = inf"),
            ("seconds = 1.5", "seconds = nan"),
            ("seconds = 1.5", "seconds = -1.0"),
            ("seconds = 1.5", "seconds = 1e300"),
            ("candidates = 1500", "candidates = 1000000000000"),
        ] {
            assert!(good.contains(old), "{good}");
            let error = Plan::parse(&good.replace(old, new)).unwrap_err();
            assert!(error.to_string().contains("a number that juvenal does not write"), "{new}: {error}");
        }
    }

    #[test]
    fn a_plan_without_a_job_is_refused() {
        let error = Plan::parse(&plan(None, None).text().unwrap()).unwrap_err();
        assert!(error.to_string().contains("[hunt]"), "{error}");
    }

    #[test]
    fn a_comparison_can_be_hunted_on_the_same_cases() {
        let compare = ComparePlan { technique: "differential".to_owned(), cases: 5 };
        let hunt = plan(None, Some(compare)).hunt();
        assert_eq!((hunt.techniques, hunt.cases), (vec!["differential".to_owned()], Some(5)));
    }
}
