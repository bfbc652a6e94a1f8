//! The dry run of `juvenal generate`: an analyzer that accepts everything and whose answers are simulated.

use analyzers::{ROLES, role_kind};
use model::{
    AnalyzerId, AnalyzerInfo, Answer, Approximation, CheckClaim, CheckStatus, ChecksClaim, Claim, Cost,
    Input, Language, Mode, Query, ReachabilityInfo, Role, RoleInfo, Verdict,
};

/// An analyzer that accepts every input of a language. Different numbers make different analyzers.
pub fn any_analyzer(language: Language, number: usize) -> AnalyzerInfo {
    AnalyzerInfo {
        id: AnalyzerId::new("any", &number.to_string(), &[]),
        language,
        family: "any".to_owned(),
        modes: Mode::ALL.to_vec(),
        roles: any_roles(language),
    }
}

fn any_roles(language: Language) -> Vec<RoleInfo> {
    ROLES.iter().filter(|kind| language.has_role(kind.role)).map(|kind| (kind.permissive)()).collect()
}

/// An analyzer that appears to execute programs, for techniques that begin with an execution.
pub fn any_runner() -> AnalyzerInfo {
    let verifier = role_kind(Role::Reachability).map(|kind| (kind.permissive)());
    let executor = |role| match role {
        RoleInfo::Reachability(info) => RoleInfo::Reachability(ReachabilityInfo {
            approximation: Approximation::Under,
            executes: true,
            ..info
        }),
        other => other,
    };
    AnalyzerInfo {
        id: AnalyzerId::new(RUNNER, "0", &[]),
        language: Language::C,
        family: RUNNER.to_owned(),
        modes: vec![Mode::Process],
        roles: verifier.into_iter().map(executor).collect(),
    }
}

/// The name of the simulated executor.
const RUNNER: &str = "runner";

/// The answer of an analyzer that accepts everything.
pub fn simulated(query: &Query) -> Answer {
    let claim = match &query.input {
        Input::C(program) if query.analyzer.name() == RUNNER => {
            // Every check is reached once.
            let noted = |check| CheckClaim {
                values: Some("1 0".to_owned()),
                ..CheckClaim::new(check, CheckStatus::Unknown)
            };
            Some(Claim::Checks(ChecksClaim {
                checks: program.checks().map(noted).collect(),
                undefined: None,
            }))
        }
        input => role_kind(query.role).map(|kind| (kind.simulate)(input)),
    };
    let verdict = claim.map_or(Verdict::Unknown, Verdict::Claim);
    Answer { verdict, cost: Cost::default(), output: Vec::new() }
}
