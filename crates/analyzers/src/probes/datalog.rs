//! Tiny Datalog programs with known rows.

use super::{Probe, wrong_kind};
use crate::datalog_role::can_say;
use model::{AnalyzerInfo, Claim, Input, Language, Mode, Query, TextInput};

/// A program with one output, `out`.
struct Program {
    name: &'static str,
    text: &'static str,
    rows: &'static [&'static [&'static str]],
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "recursion and negation",
        text: ".decl edge(c0:number, c1:number)\n.decl reach(c0:number, c1:number)\n\
               .decl out(c0:number, c1:number)\nedge(1, 2).\nedge(2, 3).\nedge(3, 1).\nedge(4, 5).\n\
               reach(x0, x1) :- edge(x0, x1).\nreach(x0, x1) :- reach(x0, x2), edge(x2, x1).\n\
               out(x0, x1) :- edge(x0, _), edge(x1, _), x0 < x1, !reach(x0, x1).\n.output out\n",
        rows: &[&["1", "4"], &["2", "4"], &["3", "4"]],
    },
    Program {
        name: "recursion",
        text: ".decl edge(c0:number, c1:number)\n.decl out(c0:number, c1:number)\nedge(1, 2).\nedge(2, 1).\n\
               edge(4, 5).\nout(x0, x1) :- edge(x0, x1).\nout(x0, x1) :- out(x0, x2), edge(x2, x1).\n\
               .output out\n",
        rows: &[&["1", "1"], &["1", "2"], &["2", "1"], &["2", "2"], &["4", "5"]],
    },
    Program {
        name: "negation",
        text: ".decl edge(c0:number, c1:number)\n.decl out(c0:number)\nedge(1, 2).\nedge(2, 3).\nedge(2, 1).\n\
               out(x0) :- edge(_, x0), !edge(x0, _).\n.output out\n",
        rows: &[&["3"]],
    },
    Program {
        name: "texts and a repeated variable",
        text: ".decl pair(c0:symbol, c1:symbol)\n.decl out(c0:symbol)\npair(\"a\", \"a\").\n\
               pair(\"a\", \"it's b\").\npair(\"it's b\", \"it's b\").\nout(x0) :- pair(x0, x0).\n.output out\n",
        rows: &[&["\"a\""], &["\"it's b\""]],
    },
    Program {
        name: "a negative number",
        text: ".decl fact(c0:number)\n.decl out(c0:number)\nfact(-2).\nfact(3).\nout(x0) :- fact(x0), x0 < 0.\n\
               .output out\n",
        rows: &[&["-2"]],
    },
    Program {
        name: "a sum of numbers",
        text: ".decl fact(c0:number)\n.decl out(c0:number)\nfact(2).\nfact(3).\nout((x0 + 5)) :- fact(x0).\n\
               .output out\n",
        rows: &[&["7"], &["8"]],
    },
    Program {
        name: "an empty output",
        text: ".decl fact(c0:number)\n.decl out(c0:number)\nfact(1).\nout(x0) :- fact(x0), x0 > 1.\n.output out\n",
        rows: &[],
    },
    Program {
        name: "a relation without columns",
        text: ".decl fact(c0:number)\n.decl out()\nfact(1).\nout() :- fact(1).\n.output out\n",
        rows: &[&[]],
    },
];

/// Every program that the engine's dialect can express, then one with each value of each option.
pub(crate) fn probes(analyzer: &AnalyzerInfo) -> Vec<Probe> {
    let Some(info) = analyzer.datalog() else { return Vec::new() };
    let expressible = || PROGRAMS.iter().filter(|program| can_say(&info.dialect, program.text));
    let mut probes: Vec<Probe> = expressible().map(|program| program.probe(analyzer, Vec::new())).collect();
    for option in &info.options {
        for value in &option.values {
            let chosen = vec![(option.name.clone(), value.clone())];
            probes.extend(expressible().take(1).map(|program| program.probe(analyzer, chosen.clone())));
        }
    }
    probes
}

impl Program {
    fn probe(&'static self, analyzer: &AnalyzerInfo, options: Vec<(String, String)>) -> Probe {
        let input = Input::Text(TextInput { language: Language::DATALOG, text: self.text.into() });
        let query = Query::new(analyzer.id.clone(), input, Mode::Process);
        let chosen: Vec<String> = options.iter().map(|(key, value)| format!(", {key}={value}")).collect();
        Probe {
            name: format!("{}{}", self.name, chosen.concat()),
            query: Query { options, ..query },
            expected: format!("the rows {:?}", self.rows),
            fault: Box::new(|claim| self.fault(claim)),
        }
    }

    fn fault(&self, claim: &Claim) -> Option<String> {
        let Claim::Rows(outputs) = claim else { return wrong_kind("rows") };
        let Some(output) = outputs.iter().find(|output| output.relation == "out") else {
            return Some("expected rows of `out`, got none".to_owned());
        };
        let is_same = output.rows.len() == self.rows.len()
            && output.rows.iter().zip(self.rows).all(|(given, expected)| given == *expected);
        (!is_same).then(|| format!("expected the rows {:?}, got {:?}", self.rows, output.rows))
    }
}
