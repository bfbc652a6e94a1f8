//! The dry_run analyzer of `juvenal generate`, which takes everything and whose answers are simulated.

use model::{
    AnalyzerId, AnalyzerInfo, Answer, Approximation, CheckClaim, CheckStatus, ChecksClaim, Claim, Cost,
    DataModel, DatalogInfo, ErrorKind, FailingCheck, Input, Language, Mode, Query, ReachabilityInfo, Role,
    RoleInfo, SmtCheck, SmtInfo, SmtStatus, Verdict, WarningsInfo,
};

/// An analyzer that takes everything in a language, since nobody is asked. Those with other numbers are others.
pub fn any_analyzer(language: Language, number: usize) -> AnalyzerInfo {
    AnalyzerInfo {
        id: AnalyzerId::new("any", &number.to_string(), &[]),
        family: "any".to_owned(),
        modes: Mode::ALL.to_vec(),
        roles: any_roles(language),
    }
}

fn any_roles(language: Language) -> Vec<RoleInfo> {
    match language {
        Language::Smt => vec![RoleInfo::Smt(any_solver())],
        Language::C => vec![
            RoleInfo::Reachability(any_verifier()),
            RoleInfo::Debug(any_verifier()),
            RoleInfo::Warnings(any_bug_finder()),
        ],
        Language::Datalog => vec![RoleInfo::Datalog(any_engine())],
    }
}

/// Somebody who seems to run programs, for techniques that begin with an execution.
pub fn any_runner() -> AnalyzerInfo {
    let role = ReachabilityInfo { approximation: Approximation::Under, executes: true, ..any_verifier() };
    AnalyzerInfo {
        id: AnalyzerId::new(RUNNER, "0", &[]),
        family: RUNNER.to_owned(),
        modes: vec![Mode::Process],
        roles: vec![RoleInfo::Reachability(role)],
    }
}

/// The name of the dry_run executor.
const RUNNER: &str = "runner";

fn any_engine() -> DatalogInfo {
    DatalogInfo { dialect: "souffle".to_owned(), is_reference: false, options: Vec::new() }
}

fn any_solver() -> SmtInfo {
    let theories = [
        "core",
        "ints",
        "reals",
        "bitvectors",
        "arrays",
        "functions",
        "quantifiers",
        "floats",
        "strings",
        "datatypes",
        "other",
    ];
    SmtInfo {
        approximation: Approximation::Exact,
        theories: theories.map(str::to_owned).to_vec(),
        logics: Vec::new(),
        models: false,
        incremental: true,
        assuming: true,
        named: true,
        tactics: Vec::new(),
        options: Vec::new(),
        expected_refusals: Vec::new(),
    }
}

fn any_bug_finder() -> WarningsInfo {
    WarningsInfo {
        kinds: ErrorKind::ALL.to_vec(),
        deliberate_misses: Vec::new(),
        sound: false,
        paths: false,
        data_models: vec![DataModel::Lp64, DataModel::Ilp32],
        options: Vec::new(),
    }
}

fn any_verifier() -> ReachabilityInfo {
    ReachabilityInfo {
        approximation: Approximation::Exact,
        reports_all: true,
        failing_check: FailingCheck::Ends,
        data_models: vec![DataModel::Lp64, DataModel::Ilp32],
        options: Vec::new(),
        ordered: Vec::new(),
        executes: false,
    }
}

/// The answer that every script of `satisfiable` should get; for the checks of a C program, some of both.
pub fn simulated(query: &Query) -> Answer {
    let claim = match &query.input {
        Input::Datalog(_) => Claim::Rows(Vec::new()),
        Input::Smt(script) => {
            let check = SmtCheck { status: SmtStatus::Sat, model: None };
            Claim::Smt(vec![check; script.checks as usize])
        }
        Input::C(_) if query.role == Role::Warnings => Claim::Warnings(Vec::new()),
        Input::C(program) if query.analyzer.name() == RUNNER => {
            // Every place is executed once.
            let noted = |check| CheckClaim {
                values: Some("1 0".to_owned()),
                ..CheckClaim::new(check, CheckStatus::Unknown)
            };
            Claim::Checks(ChecksClaim { checks: program.checks().map(noted).collect(), undefined: None })
        }
        Input::C(program) => {
            let status = |check| if check % 2 == 0 { CheckStatus::Verified } else { CheckStatus::Violated };
            let claim = |check| CheckClaim::new(check, status(check));
            Claim::Checks(ChecksClaim { checks: program.checks().map(claim).collect(), undefined: None })
        }
    };
    Answer { verdict: Verdict::Claim(claim), cost: Cost::default(), output: Vec::new() }
}
