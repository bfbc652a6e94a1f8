//! Tiny Datalog programs whose rows are known.

use crate::verdict_words::describe_verdict;
use model::{Answer, DatalogInput, Input};

/// A program with one output, `out`.
pub struct Probe {
    /// What it is about.
    pub name: &'static str,
    text: &'static str,
    rows: &'static [&'static [&'static str]],
}

/// The probes.
pub const PROBES: &[Probe] = &[
    Probe {
        name: "recursion and negation",
        text: ".decl edge(c0:number, c1:number)\n.decl reach(c0:number, c1:number)\n\
               .decl out(c0:number, c1:number)\nedge(1, 2).\nedge(2, 3).\nedge(3, 1).\nedge(4, 5).\n\
               reach(x0, x1) :- edge(x0, x1).\nreach(x0, x1) :- reach(x0, x2), edge(x2, x1).\n\
               out(x0, x1) :- edge(x0, _), edge(x1, _), x0 < x1, !reach(x0, x1).\n.output out\n",
        rows: &[&["1", "4"], &["2", "4"], &["3", "4"]],
    },
    Probe {
        name: "recursion",
        text: ".decl edge(c0:number, c1:number)\n.decl out(c0:number, c1:number)\nedge(1, 2).\nedge(2, 1).\n\
               edge(4, 5).\nout(x0, x1) :- edge(x0, x1).\nout(x0, x1) :- out(x0, x2), edge(x2, x1).\n\
               .output out\n",
        rows: &[&["1", "1"], &["1", "2"], &["2", "1"], &["2", "2"], &["4", "5"]],
    },
    Probe {
        name: "negation",
        text: ".decl edge(c0:number, c1:number)\n.decl out(c0:number)\nedge(1, 2).\nedge(2, 3).\nedge(2, 1).\n\
               out(x0) :- edge(_, x0), !edge(x0, _).\n.output out\n",
        rows: &[&["3"]],
    },
    Probe {
        name: "texts and a repeated variable",
        text: ".decl pair(c0:symbol, c1:symbol)\n.decl out(c0:symbol)\npair(\"a\", \"a\").\n\
               pair(\"a\", \"it's b\").\npair(\"it's b\", \"it's b\").\nout(x0) :- pair(x0, x0).\n.output out\n",
        rows: &[&["\"a\""], &["\"it's b\""]],
    },
    Probe {
        name: "a negative number",
        text: ".decl fact(c0:number)\n.decl out(c0:number)\nfact(-2).\nfact(3).\nout(x0) :- fact(x0), x0 < 0.\n\
               .output out\n",
        rows: &[&["-2"]],
    },
    Probe {
        name: "a sum of numbers",
        text: ".decl fact(c0:number)\n.decl out(c0:number)\nfact(2).\nfact(3).\nout((x0 + 5)) :- fact(x0).\n\
               .output out\n",
        rows: &[&["7"], &["8"]],
    },
    Probe {
        name: "an empty output",
        text: ".decl fact(c0:number)\n.decl out(c0:number)\nfact(1).\nout(x0) :- fact(x0), x0 > 1.\n.output out\n",
        rows: &[],
    },
    Probe {
        name: "a relation without columns",
        text: ".decl fact(c0:number)\n.decl out()\nfact(1).\nout() :- fact(1).\n.output out\n",
        rows: &[&[]],
    },
];

impl Probe {
    /// True if the language of an engine can say it.
    pub fn fits(&self, dialect: &str) -> bool {
        analyzers::can_say(dialect, self.text)
    }

    /// The program.
    pub fn input(&self) -> Input {
        Input::Datalog(DatalogInput { text: self.text.into() })
    }

    /// What is wrong with an answer; nothing if it is right.
    pub fn fault(&self, answer: &Answer) -> Option<String> {
        let Some(rows) = answer.rows("out") else { return Some(describe_verdict(&answer.verdict)) };
        let given: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        let expected: Vec<Vec<&str>> = self.rows.iter().map(|row| row.to_vec()).collect();
        (given != expected).then(|| format!("gave {given:?}, expected {expected:?}"))
    }
}
