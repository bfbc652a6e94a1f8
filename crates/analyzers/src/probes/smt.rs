//! Tiny scripts with known answers.

use super::{Probe, wrong_kind};
use SmtStatus::{Sat, Unsat};
use model::{AnalyzerInfo, Claim, Input, Query, SmtInfo, SmtInput, SmtStatus};

/// A script with the answers that it must get.
struct Script {
    name: &'static str,
    theory: &'static str,
    logic: &'static str,
    body: &'static str,
    expected: &'static [SmtStatus],
}

const SCRIPTS: &[Script] = &[
    Script {
        name: "Boolean, sat",
        theory: "core",
        logic: "QF_UF",
        body: "(declare-fun p () Bool)\n(assert (not p))\n(check-sat)\n",
        expected: &[Sat],
    },
    Script {
        name: "Boolean, unsat",
        theory: "core",
        logic: "QF_UF",
        body: "(declare-fun p () Bool)\n(assert p)\n(assert (not p))\n(check-sat)\n",
        expected: &[Unsat],
    },
    Script {
        name: "integers",
        theory: "ints",
        logic: "QF_LIA",
        body: "(declare-fun x () Int)\n(assert (and (< x 3) (> x 1)))\n(check-sat)\n",
        expected: &[Sat],
    },
    Script {
        name: "reals",
        theory: "reals",
        logic: "QF_LRA",
        body: "(declare-fun x () Real)\n(assert (and (< x 0.5) (> x (/ 1.0 2.0))))\n(check-sat)\n",
        expected: &[Unsat],
    },
    Script {
        name: "bit-vectors",
        theory: "bitvectors",
        logic: "QF_BV",
        body: "(declare-fun x () (_ BitVec 8))\n(assert (= (bvudiv x #x00) #xff))\n(assert (bvslt x #x00))\n(check-sat)\n",
        expected: &[Sat],
    },
    Script {
        name: "arrays of bit-vectors",
        theory: "arrays",
        logic: "QF_ABV",
        body: "(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))\n(assert (distinct (select (store a #x1 #x2) #x1) #x2))\n(check-sat)\n",
        expected: &[Unsat],
    },
];

const SCOPES: Script = Script {
    name: "scopes",
    theory: "core",
    logic: "QF_UF",
    body: "(declare-fun p () Bool)\n(assert p)\n(push 1)\n(assert (not p))\n(check-sat)\n(pop 1)\n(check-sat)\n",
    expected: &[Unsat, Sat],
};

/// Every script that the solver accepts, in every mode.
pub(crate) fn probes(analyzer: &AnalyzerInfo) -> Vec<Probe> {
    let Some(info) = analyzer.smt() else { return Vec::new() };
    let scripts = || SCRIPTS.iter().chain(Some(&SCOPES).filter(|_| info.incremental));
    let mut probes = Vec::new();
    for mode in &analyzer.modes {
        for script in scripts().filter(|script| script.is_accepted_by(info)) {
            let wants_model = info.models && script.expected == [Sat];
            let suffix = if wants_model { " with a model" } else { "" };
            probes.push(Probe {
                name: script.name.to_owned(),
                query: Query::new(analyzer.id.clone(), Input::Smt(script.input(wants_model)), *mode),
                expected: words(script.expected) + suffix,
                fault: Box::new(move |claim| fault(claim, script, wants_model)),
            });
        }
    }
    probes
}

impl Script {
    fn is_accepted_by(&self, info: &SmtInfo) -> bool {
        let knows_logic = info.logics.is_empty() || info.logics.iter().any(|logic| logic == self.logic);
        knows_logic && info.theories.iter().any(|theory| theory == self.theory)
    }

    fn input(&self, wants_model: bool) -> SmtInput {
        let (options, question) =
            if wants_model { ("(set-option :produce-models true)\n", "(get-model)\n") } else { ("", "") };
        SmtInput {
            options: options.into(),
            logic: Some(self.logic.into()),
            body: format!("{}{question}", self.body).into(),
            checks: self.expected.len() as u32,
        }
    }
}

fn fault(claim: &Claim, script: &Script, wants_model: bool) -> Option<String> {
    let expected = words(script.expected);
    let Claim::Smt(checks) = claim else { return wrong_kind(&expected) };
    let given: Vec<SmtStatus> = checks.iter().map(|check| check.status).collect();
    if given != script.expected {
        return Some(format!("expected {expected}, got {}", words(&given)));
    }
    let has_models = checks.iter().all(|check| check.model.is_some());
    (wants_model && !has_models).then(|| format!("expected {expected} with a model, got no model"))
}

fn words(statuses: &[SmtStatus]) -> String {
    let word = |status: &SmtStatus| match status {
        Sat => "sat",
        Unsat => "unsat",
        SmtStatus::Unknown => "unknown",
    };
    let words: Vec<&str> = statuses.iter().map(word).collect();
    if words.is_empty() { "no answer".to_owned() } else { words.join(", ") }
}
