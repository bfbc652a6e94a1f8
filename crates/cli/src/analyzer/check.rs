//! Checking that an analyzer is called and read as its description says: tiny scripts with known answers.

use super::{check_c, check_datalog, check_debug, check_warnings};
use crate::lineup;
use crate::status::counted;
use crate::verdict_words::{describe_verdict, statuses};
use anyhow::Result;
use engine::{Asker, Engine, Journal, Resolved, Specification};
use model::{
    AnalyzerInfo, Answer, DatalogInfo, Input, Mode, Query, Role, SmtInfo, SmtInput, SmtStatus, Verdict,
};
use std::io::{self, Write};

/// A script with the answers that it must get.
struct Probe {
    name: &'static str,
    theory: &'static str,
    logic: &'static str,
    body: &'static str,
    expected: &'static [SmtStatus],
}

use SmtStatus::{Sat, Unsat};

const PROBES: &[Probe] = &[
    Probe {
        name: "Boolean, sat",
        theory: "core",
        logic: "QF_UF",
        body: "(declare-fun p () Bool)\n(assert (not p))\n(check-sat)\n",
        expected: &[Sat],
    },
    Probe {
        name: "Boolean, unsat",
        theory: "core",
        logic: "QF_UF",
        body: "(declare-fun p () Bool)\n(assert p)\n(assert (not p))\n(check-sat)\n",
        expected: &[Unsat],
    },
    Probe {
        name: "integers",
        theory: "ints",
        logic: "QF_LIA",
        body: "(declare-fun x () Int)\n(assert (and (< x 3) (> x 1)))\n(check-sat)\n",
        expected: &[Sat],
    },
    Probe {
        name: "reals",
        theory: "reals",
        logic: "QF_LRA",
        body: "(declare-fun x () Real)\n(assert (and (< x 0.5) (> x (/ 1.0 2.0))))\n(check-sat)\n",
        expected: &[Unsat],
    },
    Probe {
        name: "bit-vectors",
        theory: "bitvectors",
        logic: "QF_BV",
        body: "(declare-fun x () (_ BitVec 8))\n(assert (= (bvudiv x #x00) #xff))\n(assert (bvslt x #x00))\n(check-sat)\n",
        expected: &[Sat],
    },
    Probe {
        name: "arrays of bit-vectors",
        theory: "arrays",
        logic: "QF_ABV",
        body: "(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))\n(assert (distinct (select (store a #x1 #x2) #x1) #x2))\n(check-sat)\n",
        expected: &[Unsat],
    },
];

const SCOPES: Probe = Probe {
    name: "scopes",
    theory: "core",
    logic: "QF_UF",
    body: "(declare-fun p () Bool)\n(assert p)\n(push 1)\n(assert (not p))\n(check-sat)\n(pop 1)\n(check-sat)\n",
    expected: &[Unsat, Sat],
};

pub fn run(texts: &[String]) -> Result<u8> {
    let locator = lineup::locator()?;
    let mut out = io::stdout().lock();
    let mut all_failed = 0;
    for text in texts {
        let resolved = locator.resolve(&Specification::parse(text)?)?;
        writeln!(out, "{} at {}", resolved.member.id, resolved.origin)?;
        let (asked, failed) = check(&resolved, &mut out)?;
        match failed {
            0 => writeln!(out, "  {} answered as expected", counted(asked, "question"))?,
            _ => writeln!(out, "  {failed} of {} failed", counted(asked, "question"))?,
        }
        all_failed += failed;
    }
    Ok(u8::from(all_failed > 0))
}

/// Says what is wrong with an answer.
type Fault<'a> = Box<dyn Fn(&Answer) -> Option<String> + 'a>;

/// A question whose answer is known.
pub struct Question<'a> {
    name: String,
    /// What is asked.
    pub query: Query,
    fault: Fault<'a>,
}

/// Asks every question; returns how many were asked and how many answers are wrong.
fn check(resolved: &Resolved, out: &mut dyn Write) -> Result<(u64, u64)> {
    let engine = Engine::new(vec![resolved.clone()])?;
    let mut asker = Asker::new(&engine, None, Journal::Off);
    let (mut asked, mut failed) = (0, 0);
    for question in questions(&resolved.member) {
        let Question { name, query, fault } = &question;
        for answer in asker.ask(std::slice::from_ref(query))? {
            let fault = fault(&answer);
            asked += 1;
            failed += u64::from(fault.is_some());
            match fault {
                None => writeln!(out, "  ok     {name} ({})", query.mode)?,
                Some(fault) => writeln!(out, "  FAILED {name} ({}): {fault}", query.mode)?,
            }
        }
    }
    Ok((asked, failed))
}

/// Every probe in every role, mode and data model of an analyzer.
pub fn questions(member: &AnalyzerInfo) -> Vec<Question<'_>> {
    let mut questions = Vec::new();
    if let Some(abilities) = member.smt() {
        for mode in &member.modes {
            questions.extend(probes_for(abilities).map(|probe| Question {
                name: probe.name.to_owned(),
                query: Query::new(member.id.clone(), Input::Smt(script(probe, abilities)), *mode),
                fault: Box::new(move |answer| fault(&answer.verdict, probe, abilities)),
            }));
        }
    }
    if let Some(role) = member.reachability() {
        for probe in check_c::PROBES {
            questions.extend(role.data_models.iter().map(|data_model| Question {
                name: format!("{}, {data_model}", probe.name),
                query: Query::new(member.id.clone(), probe.input(*data_model), Mode::Process),
                fault: Box::new(move |answer| probe.fault(answer, role)),
            }));
        }
    }
    if let Some(role) = member.debug() {
        for probe in check_debug::PROBES {
            questions.extend(role.data_models.iter().map(|data_model| Question {
                name: format!("{}, {data_model}", probe.name),
                query: in_role(member, probe.input(*data_model), Role::Debug),
                fault: Box::new(move |answer| probe.fault(answer)),
            }));
        }
    }
    if let Some(role) = member.datalog() {
        questions.extend(datalog_questions(member, role));
    }
    if let Some(role) = member.warnings() {
        for probe in check_warnings::probes_for(role) {
            questions.extend(role.data_models.iter().map(|data_model| Question {
                name: format!("{probe}, {data_model}"),
                query: in_role(member, probe.input(*data_model), Role::Warnings),
                fault: Box::new(move |answer| probe.fault(answer)),
            }));
        }
    }
    questions
}

/// Every probe that the engine's language can say, then one with each value of each option.
fn datalog_questions<'a>(member: &'a AnalyzerInfo, role: &'a DatalogInfo) -> Vec<Question<'a>> {
    let fit = || check_datalog::PROBES.iter().filter(|probe| probe.fits(&role.dialect));
    let question = |probe: &'static check_datalog::Probe, options: Vec<(String, String)>| Question {
        name: options
            .iter()
            .fold(probe.name.to_owned(), |name, (key, value)| format!("{name}, {key}={value}")),
        query: Query { options, ..Query::new(member.id.clone(), probe.input(), Mode::Process) },
        fault: Box::new(move |answer| probe.fault(answer)),
    };
    let mut questions: Vec<Question<'a>> = fit().map(|probe| question(probe, Vec::new())).collect();
    for option in &role.options {
        for value in &option.values {
            let chosen = vec![(option.name.clone(), value.clone())];
            questions.extend(fit().take(1).map(|probe| question(probe, chosen.clone())));
        }
    }
    questions
}

fn in_role(member: &AnalyzerInfo, input: Input, role: Role) -> Query {
    Query { role, ..Query::new(member.id.clone(), input, Mode::Process) }
}

fn probes_for(member: &SmtInfo) -> impl Iterator<Item = &'static Probe> + '_ {
    let takes = |probe: &&Probe| {
        let theory = member.theories.iter().any(|theory| theory == probe.theory);
        theory && (member.logics.is_empty() || member.logics.iter().any(|logic| logic == probe.logic))
    };
    let scopes = Some(&SCOPES).filter(|_| member.incremental);
    PROBES.iter().chain(scopes).filter(takes)
}

fn script(probe: &Probe, member: &SmtInfo) -> SmtInput {
    let wants_model = member.models && probe.expected == [Sat];
    let (options, question) =
        if wants_model { ("(set-option :produce-models true)\n", "(get-model)\n") } else { ("", "") };
    SmtInput {
        options: options.into(),
        logic: Some(probe.logic.into()),
        body: format!("{}{question}", probe.body).into(),
        checks: probe.expected.len() as u32,
    }
}

/// What is wrong with an answer: other words than expected, or no model where one was asked for.
fn fault(verdict: &Verdict, probe: &Probe, member: &SmtInfo) -> Option<String> {
    let expected = statuses(probe.expected);
    let Verdict::Claim(model::Claim::Smt(checks)) = verdict else {
        return Some(format!("expected {expected}, but it {}", describe_verdict(verdict)));
    };
    let words: Vec<SmtStatus> = checks.iter().map(|check| check.status).collect();
    if words != probe.expected {
        return Some(format!("expected {expected}, got {}", statuses(&words)));
    }
    let wants_model = member.models && probe.expected == [Sat];
    let has_models = checks.iter().all(|check| check.model.is_some());
    (wants_model && !has_models).then(|| format!("expected {expected} with a model, got no model"))
}
