//! SWI-Prolog with tabling, without which left recursion would not terminate.

use super::abilities::{ALL_AGGREGATES, ALL_OPERATORS, Abilities};
use super::rewrite::prepare;
use super::rows::{Answers, read_marked};
use super::syntax::{
    AggregateParts, Names, Syntax, TermSyntax, clauses, constant_text, infix_or_call, quoted, undefined,
};
use crate::program::{Aggregate, Comparison, Constant, Operator, Program, RelationId, Variable};
use std::fmt::Write;

struct SwiProlog {
    names: Names,
}

/// Prints rows in the format of [`super::rows`].
const PRINTING: &str = r#"
show_value(Value) :- integer(Value), !, format("\t~d", [Value]).
show_value(Value) :- atom(Value), !, put_char('\t'), forall(sub_atom(Value, _, 1, _, Letter), show_letter(Letter)).
show_value(Value) :- throw(no_value(Value)).
show_letter('\\') :- !, write('\\\\').
show_letter('\t') :- !, write('\\t').
show_letter('\n') :- !, write('\\n').
show_letter(Letter) :- put_char(Letter).
show_rows(Name, Goal) :-
    format("begin ~w~n", [Name]),
    Goal =.. [_|Values],
    forall(Goal, (write(Name), forall(member(Value, Values), show_value(Value)), nl)),
    format("end ~w~n", [Name]).
"#;

/// Without the first line, SWI-Prolog reads the file in the encoding of the locale.
const OPENING: &str =
    ":- encoding(utf8).\n:- style_check(-singleton).\n:- set_stream(user_output, encoding(utf8)).\n";

fn abilities() -> Abilities {
    Abilities { operators: &ALL_OPERATORS, aggregates: &ALL_AGGREGATES, ..Abilities::usual("swi-prolog") }
}

pub(super) fn render(program: &Program) -> Result<String, String> {
    let program = prepare(program, &abilities())?;
    let prolog = SwiProlog { names: Names::small(&program) };
    let mut text = String::from(OPENING);
    for (id, _) in program.ids().zip(program.rules_by_relation()).filter(|(_, rules)| !rules.is_empty()) {
        let _ = writeln!(text, ":- table {}.", prolog.indicator(&program, id));
    }
    for id in undefined(&program) {
        let _ = writeln!(text, ":- dynamic {}.", prolog.indicator(&program, id));
    }
    text += &clauses(&prolog, &program);
    text += PRINTING;
    text += ":- initialization(main, main).\nmain :-\n";
    for output in program.outputs() {
        let name = prolog.names.of(output);
        let variables: Vec<String> =
            (0..program.relation(output).columns.len()).map(|place| format!("_{place}")).collect();
        let _ = writeln!(text, "    show_rows({name}, {}),", prolog.atom(name, &variables));
    }
    text += "    format(\"done~n\").\n";
    Ok(text)
}

impl SwiProlog {
    /// Returns the predicate indicator of a relation: its name and arity.
    fn indicator(&self, program: &Program, relation: RelationId) -> String {
        format!("{}/{}", self.names.of(relation), program.relation(relation).columns.len())
    }
}

impl TermSyntax for SwiProlog {
    fn variable(&self, variable: Variable) -> String {
        format!("X{}", variable.0)
    }

    fn constant(&self, constant: &Constant) -> String {
        constant_text(constant, |text| quoted(text, '\''))
    }

    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        match comparison {
            Comparison::Equal => format!("{left} == {right}"),
            Comparison::Different => format!("{left} \\== {right}"),
            order => self.computed_comparison(order, left, right),
        }
    }

    fn computed_comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        let sign = match comparison {
            Comparison::Equal => "=:=",
            Comparison::Different => "=\\=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "=<",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        };
        format!("{left} {sign} {right}")
    }

    fn assignment(&self, variable: &str, value: &str, is_computed: bool) -> String {
        format!("{variable} {} {value}", if is_computed { "is" } else { "=" })
    }

    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        match operator {
            Operator::Divide => format!("({})", operands.join(" // ")),
            Operator::Remainder => format!("({})", operands.join(" rem ")),
            Operator::Negate => format!("-({})", operands.concat()),
            other => infix_or_call(other, operands),
        }
    }

    fn aggregate(&self, parts: &AggregateParts) -> String {
        let term = parts.term.as_deref().unwrap_or("0");
        let wanted = match parts.function {
            Aggregate::Count => "count".to_owned(),
            Aggregate::Sum => format!("sum({term})"),
            Aggregate::Minimum => format!("min({term})"),
            Aggregate::Maximum => format!("max({term})"),
        };
        // In version 9.0.4, the minimum of no rows unifies with any bound result, so the result is a fresh variable.
        let result = &parts.result;
        let body = parts.body.join(", ");
        format!("aggregate_all({wanted}, ({body}), All{result}), {result} = All{result}")
    }
}

impl Syntax for SwiProlog {
    fn names(&self) -> &Names {
        &self.names
    }

    fn atom(&self, name: &str, arguments: &[String]) -> String {
        match arguments {
            [] => name.to_owned(),
            _ => format!("{name}({})", arguments.join(", ")),
        }
    }

    fn negation(&self, atom: &str) -> String {
        format!("\\+ {atom}")
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    read_marked(program, &Names::small(program), output, false)
}
