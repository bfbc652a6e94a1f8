//! The reference engine as an analyzer, and the liar based on it.

use super::DatalogLie;
use crate::description::{Description, Driver};
use datalog::{Constant, Program, check, parse, reference};
use model::{AnalyzerInfo, Claim, LimitKind, OutputRows, RoleInfo, Verdict};
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The name of the reference engine.
pub const REFERENCE_DATALOG: &str = "reference-datalog";
/// The name of the built-in liar for Datalog programs.
pub const LIAR_DATALOG: &str = "liar-datalog";

/// The number of rows that an evaluation may visit.
const FUEL: u64 = 20_000_000;

/// The lies of the liar without configuration. Each is a separate bug.
const USUAL_LIES: [DatalogLie; 3] =
    [DatalogLie::RepeatedVariable, DatalogLie::EarlyNegation, DatalogLie::MagicSets];

/// The reference engine, with its lies if it is the liar.
#[derive(Clone, Debug)]
pub struct DatalogEngine {
    description: Description,
    lies: Vec<DatalogLie>,
    configuration: Vec<(String, String)>,
    /// The number of answers of the liar `unsteady` so far.
    asked: Arc<AtomicU64>,
}

impl DatalogEngine {
    /// Creates the honest engine, which has no configuration.
    pub(super) fn reference(configuration: &[(String, String)]) -> Result<DatalogEngine, String> {
        match configuration.first() {
            Some((key, _)) => Err(format!("{REFERENCE_DATALOG} has no key `{key}`")),
            None => DatalogEngine::new(include_str!("reference-datalog.toml"), Vec::new(), configuration),
        }
    }

    /// Creates the liar with the configuration after `liar-datalog:`.
    pub(super) fn liar(configuration: &[(String, String)]) -> Result<DatalogEngine, String> {
        let mut lies = USUAL_LIES.to_vec();
        for (key, value) in configuration {
            lies = match (key.as_str(), value.as_str()) {
                ("lie", "none") => Vec::new(),
                ("lie", name) => vec![DatalogLie::from_name(name).ok_or_else(|| {
                    let known = DatalogLie::names().join(", ");
                    format!("{LIAR_DATALOG} has no lie `{name}`; it has none, {known}")
                })?],
                _ => return Err(format!("{LIAR_DATALOG} has no key `{key}`; it has lie=NAME")),
            };
        }
        DatalogEngine::new(include_str!("liar-datalog.toml"), lies, configuration)
    }

    fn new(
        description: &str,
        lies: Vec<DatalogLie>,
        configuration: &[(String, String)],
    ) -> Result<DatalogEngine, String> {
        let description = Description::parse("built-in", description).map_err(|error| error.to_string())?;
        let configuration = configuration.to_vec();
        Ok(DatalogEngine { description, lies, configuration, asked: Arc::default() })
    }

    /// Returns what it declares to techniques.
    pub fn member(&self) -> AnalyzerInfo {
        let version = env!("CARGO_PKG_VERSION");
        let mut member = self.description.member(Driver::Program, version, &self.configuration);
        for role in &mut member.roles {
            if let RoleInfo::Datalog(info) = role {
                info.is_reference = self.description.name == REFERENCE_DATALOG;
            }
        }
        member
    }

    /// Returns its description, in the form of those of external programs.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Computes the rows of every output of a program.
    pub fn answer(&self, text: &str) -> Verdict {
        let program = match parse("program", text) {
            Ok(program) => program,
            Err(error) => return Verdict::Rejected(error.to_string()),
        };
        if let Some(statement) = program.opaque.last() {
            return Verdict::Rejected(format!("juvenal does not support `{statement}`"));
        }
        let program = self.lies.iter().fold(program, |program, lie| lie.distort(&program, FUEL));
        match computed(&program) {
            Ok(outputs) => Verdict::Claim(Claim::Rows(self.unsteady(outputs))),
            Err(verdict) => verdict,
        }
    }

    fn unsteady(&self, mut outputs: Vec<OutputRows>) -> Vec<OutputRows> {
        let is_third = || self.asked.fetch_add(1, Ordering::Relaxed) % 3 == 2;
        if self.lies.contains(&DatalogLie::Unsteady) && is_third() {
            outputs.iter_mut().for_each(|output| drop(output.rows.pop()));
        }
        outputs
    }

    /// Runs as a program: a Datalog program on standard input, rows as facts on standard output. Returns the exit code.
    pub fn run(&self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<i32> {
        let mut text = String::new();
        input.read_to_string(&mut text)?;
        let verdict = self.answer(&text);
        output.write_all(self.printed(&verdict).as_bytes())?;
        output.flush()?;
        Ok(if matches!(verdict, Verdict::Claim(_)) { 0 } else { 1 })
    }

    /// Prints an answer, with rows as facts.
    pub fn printed(&self, verdict: &Verdict) -> String {
        match verdict {
            Verdict::Claim(Claim::Rows(outputs)) if outputs.is_empty() => {
                "// there is no output relation; declare one with `.output NAME`\n".to_owned()
            }
            Verdict::Claim(Claim::Rows(outputs)) => outputs.iter().map(printed_rows).collect(),
            Verdict::Rejected(problem) | Verdict::Unreadable(problem) => format!("error: {problem}\n"),
            verdict => format!("error: no answer ({})\n", verdict.word()),
        }
    }
}

fn printed_rows(output: &OutputRows) -> String {
    let mut text = format!("// {}: {}\n", output.relation, counted(output.rows.len()));
    for row in &output.rows {
        text += &format!("{}({}).\n", output.relation, row.join(", "));
    }
    text
}

fn counted(rows: usize) -> String {
    if rows == 1 { "1 row".to_owned() } else { format!("{rows} rows") }
}

/// Computes the rows of every output, or the verdict that explains why it cannot.
fn computed(program: &Program) -> Result<Vec<OutputRows>, Verdict> {
    let strata = check(program).map_err(Verdict::Rejected)?;
    let evaluation = reference::evaluate(program, &strata, FUEL).map_err(|halt| match halt {
        reference::Halt::OutOfFuel => Verdict::Limit(LimitKind::Resource),
        reference::Halt::Undefined(what) => {
            Verdict::Rejected(format!("{what}, and engines do not agree on that"))
        }
    })?;
    let rows = |relation| OutputRows {
        relation: program.relation(relation).name.to_string(),
        rows: evaluation
            .rows(relation)
            .iter()
            .map(|row| row.iter().map(Constant::to_string).collect())
            .collect(),
    };
    Ok(program.outputs().map(rows).collect())
}

#[cfg(test)]
mod tests {
    use super::super::built_in_page;
    use super::*;

    const PROGRAM: &str =
        ".decl e(x:number)\ne(1). e(2).\n.decl o(x:number)\n.output o\no(x) :- e(x), x > 1.\n";

    #[test]
    fn rows_are_printed_as_facts() {
        let engine = DatalogEngine::reference(&[]).unwrap();
        let mut printed = Vec::new();
        assert_eq!(engine.run(&mut PROGRAM.as_bytes(), &mut printed).unwrap(), 0);
        assert_eq!(String::from_utf8(printed).unwrap(), "// o: 1 row\no(2).\n");
        let mut printed = Vec::new();
        assert_eq!(engine.run(&mut "o(x :-".as_bytes(), &mut printed).unwrap(), 1);
        assert!(printed.starts_with(b"error: "), "{}", String::from_utf8_lossy(&printed));
    }

    #[test]
    fn the_unsteady_liar_changes_its_answer() {
        let lie = ("lie".to_owned(), "unsteady".to_owned());
        let engine = DatalogEngine::liar(&[lie]).unwrap();
        let answers: Vec<Verdict> = (0..3).map(|_| engine.answer(PROGRAM)).collect();
        assert_eq!(answers[0], answers[1]);
        assert_ne!(answers[0], answers[2]);
    }

    #[test]
    fn configurations_are_checked_and_every_lie_is_in_the_manual() {
        let choice = |key: &str, value: &str| [(key.to_owned(), value.to_owned())];
        assert!(DatalogEngine::reference(&choice("lie", "none")).is_err());
        assert!(DatalogEngine::liar(&choice("lie", "nobody")).unwrap_err().contains("magic-sets"));
        assert!(DatalogEngine::liar(&choice("truth", "none")).is_err());
        for name in DatalogLie::names() {
            assert!(DatalogEngine::liar(&choice("lie", name)).is_ok());
            let manual = built_in_page(LIAR_DATALOG).unwrap().manual;
            assert!(manual.contains(&format!("\n| {name} |")), "{name} is not in the manual");
        }
    }
}
