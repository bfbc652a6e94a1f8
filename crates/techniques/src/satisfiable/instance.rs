//! Assembling instances: scripts of assertions that all hold under the assignment, in several variants.

use crate::scripts::pool::{Formula, Pool, write_assertion, write_formula, write_true_formula};
use model::{Random, SmtInput};
use std::fmt::Write;
use std::sync::Arc;

/// Reading a script costs a solver more than most tactics do, so each script is checked with several.
const TACTICS_AT_ONCE: usize = 8;

/// A formula alone is cheap to check, so it is checked with more of them.
const TACTICS_FOR_ONE: usize = 16;

/// Each tactic reads the assertions anew, so scripts for tactics are kept small.
const ASSERTIONS_FOR_TACTICS: usize = 8;

/// What all instances of a batch share, so that one warm session can answer them.
#[derive(Clone, Debug)]
pub struct BatchShape {
    /// `set-option` lines.
    pub options: Arc<str>,
    /// The logic, if it is set.
    pub logic: Option<Arc<str>>,
    /// The declarations of the seed.
    pub declarations: Arc<str>,
    /// The greatest number of assertions.
    pub assertions: usize,
    /// Tactics to draw from; empty for `check-sat` alone.
    pub tactics: Vec<String>,
    /// True if a model is asked for after the last check.
    pub model: bool,
    /// True if scopes with several checks may be drawn.
    pub incremental: bool,
    /// True if `check-sat-assuming` may be drawn.
    pub assuming: bool,
    /// True if assertions may be named.
    pub named: bool,
}

/// One instance.
pub struct Instance {
    /// The script.
    pub input: SmtInput,
    /// Fresh Boolean symbols that it declares, each to be true in the assignment.
    pub fresh: Vec<String>,
    /// What is special about it, for titles and counts: a tactic, scopes, assumptions.
    pub variant: Variant,
}

/// The variants of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variant {
    /// All assertions, one check.
    Plain,
    /// Scopes and several checks.
    Incremental,
    /// Assumptions instead of some assertions.
    Assuming,
    /// Several checks of the same assertions, each with a tactic instead of the default solver.
    Tactics(Vec<String>),
}

impl BatchShape {
    /// Draws one instance. `buffer` is reused between calls.
    pub fn draw(&self, pool: &Pool, random: &mut Random, buffer: &mut String) -> Instance {
        buffer.clear();
        buffer.push_str(&self.declarations);
        let variant = self.draw_variant(random);
        let mut fresh = Vec::new();
        let mut open_scopes = 0;
        let checks = match &variant {
            Variant::Incremental => self.write_scopes(pool, random, buffer, &mut open_scopes),
            Variant::Assuming => self.write_assumptions(pool, random, buffer, &mut fresh),
            Variant::Plain | Variant::Tactics(_) => self.write_assertions(pool, random, buffer, &variant),
        };
        self.ask_for_model(buffer);
        // A warm session wraps the script into a scope of its own, so every scope must be closed.
        if open_scopes > 0 {
            let _ = writeln!(buffer, "(pop {open_scopes})");
        }
        Instance { input: self.input(buffer, checks), fresh, variant }
    }

    /// One of the seed's own formulas, alone: small scripts show bugs that others hide.
    pub fn alone(&self, formula: &Formula, random: &mut Random) -> Instance {
        let mut body = self.declarations.to_string();
        body.push_str("(assert ");
        write_formula(formula, &mut body);
        body.push_str(")\n");
        let variant = if random.coin() { self.draw_tactics(TACTICS_FOR_ONE, random) } else { Variant::Plain };
        let checks = write_checks(&variant, &mut body);
        self.ask_for_model(&mut body);
        Instance { input: self.input(&body, checks), fresh: Vec::new(), variant }
    }

    fn input(&self, body: &str, checks: u32) -> SmtInput {
        SmtInput { options: self.options.clone(), logic: self.logic.clone(), body: body.into(), checks }
    }

    fn ask_for_model(&self, out: &mut String) {
        if self.model {
            out.push_str("(get-model)\n");
        }
    }

    fn draw_variant(&self, random: &mut Random) -> Variant {
        match random.below(100) {
            0..15 if self.incremental => Variant::Incremental,
            15..25 if self.assuming => Variant::Assuming,
            25..75 => self.draw_tactics(TACTICS_AT_ONCE, random),
            _ => Variant::Plain,
        }
    }

    /// Several tactics, if the solver has any; models are only asked for after plain checks.
    fn draw_tactics(&self, count: usize, random: &mut Random) -> Variant {
        if self.model || self.tactics.is_empty() {
            return Variant::Plain;
        }
        let drawn = (0..count).filter_map(|_| random.choose(&self.tactics).cloned());
        Variant::Tactics(drawn.collect())
    }

    fn write_assertions(&self, pool: &Pool, random: &mut Random, out: &mut String, variant: &Variant) -> u32 {
        let named = self.named && random.percent(10);
        let most = match variant {
            // Most bugs need few assertions, and others hide them.
            Variant::Tactics(_) => self.assertions.min(ASSERTIONS_FOR_TACTICS) >> random.below(4),
            _ => self.assertions,
        };
        for index in 0..random.between(1, most.max(1)) {
            if named {
                out.push_str("(assert (! ");
                write_true_formula(pool, random, out);
                // Writing to a String cannot fail.
                let _ = writeln!(out, " :named juvenal!name{index}))");
            } else {
                write_assertion(pool, random, out);
            }
        }
        write_checks(variant, out)
    }

    /// Pushes, pops and checks in random order; every prefix is satisfiable, so every check must say so.
    fn write_scopes(&self, pool: &Pool, random: &mut Random, out: &mut String, level: &mut usize) -> u32 {
        let mut checks = 0;
        let rounds = random.between(2, 5);
        for _ in 0..rounds {
            if *level > 0 && random.percent(45) {
                let levels = random.between(1, *level);
                *level -= levels;
                let _ = writeln!(out, "(pop {levels})");
            }
            if random.percent(70) {
                let levels = random.between(1, 2);
                *level += levels;
                let _ = writeln!(out, "(push {levels})");
            }
            for _ in 0..random.between(1, (self.assertions / 3).max(1)) {
                write_assertion(pool, random, out);
            }
            if random.percent(60) {
                out.push_str("(check-sat)\n");
                checks += 1;
            }
        }
        out.push_str("(check-sat)\n");
        checks + 1
    }

    fn write_assumptions(
        &self,
        pool: &Pool,
        random: &mut Random,
        out: &mut String,
        fresh: &mut Vec<String>,
    ) -> u32 {
        for index in 0..random.between(1, 4) {
            let name = format!("juvenal!assumed{index}");
            let connective = if random.coin() { "=" } else { "=>" };
            let _ = write!(out, "(declare-fun {name} () Bool)\n(assert ({connective} {name} ");
            write_true_formula(pool, random, out);
            out.push_str("))\n");
            fresh.push(name);
        }
        for _ in 0..random.below(self.assertions.max(1)) {
            write_assertion(pool, random, out);
        }
        let _ = writeln!(out, "(check-sat-assuming ({}))", fresh.join(" "));
        1
    }
}

/// The checks of a script without scopes; their number is the result.
fn write_checks(variant: &Variant, out: &mut String) -> u32 {
    let Variant::Tactics(tactics) = variant else {
        out.push_str("(check-sat)\n");
        return 1;
    };
    for tactic in tactics {
        let _ = writeln!(out, "(check-sat-using {tactic})");
    }
    tactics.len() as u32
}
