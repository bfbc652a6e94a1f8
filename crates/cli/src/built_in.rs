//! `juvenal built-in NAME`: runs a built-in analyzer as a program that reads standard input.

use crate::verdict_words::describe_verdict;
use crate::{lineup, screen};
use anyhow::{Context, Result, bail};
use engine::{Asker, Engine, Journal, Specification};
use model::{Annotation, AnnotationKind, CInput, DataModel, Input, Mode, Query, Verdict};
use std::io::{self, Read, Write};

#[derive(clap::Args)]
pub struct Arguments {
    /// The built-in analyzer, such as `liar-smt:lie=hang`
    name: String,
    /// The data model of a C program: lp64 or ilp32
    #[arg(long, value_name = "MODEL", default_value = "lp64", value_parser = data_model)]
    data_model: DataModel,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let specification = Specification::parse(&arguments.name)?;
    if specification.name == analyzers::LIAR_C {
        return run_on_c(&specification, arguments.data_model);
    }
    let Some(built_in) = analyzers::BuiltIn::find(&specification.name, &specification.configuration) else {
        let known = analyzers::BUILT_INS.map(|page| page.name).join(", ");
        bail!("there is no built-in analyzer {}; there are {known}", specification.name);
    };
    let built_in = built_in.map_err(anyhow::Error::msg)?;
    let code = built_in.run(&mut io::stdin().lock(), &mut screen::data()).context("cannot answer")?;
    Ok(u8::try_from(code).unwrap_or(1))
}

fn data_model(text: &str) -> Result<DataModel, String> {
    let known = [DataModel::Lp64, DataModel::Ilp32];
    known.into_iter().find(|it| it.to_string() == text).ok_or_else(|| "expected lp64 or ilp32".to_owned())
}

/// Asks the liar about a C program in juvenal's own syntax for checks and assumptions.
fn run_on_c(specification: &Specification, data_model: DataModel) -> Result<u8> {
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text).context("cannot read a C program from standard input")?;
    let resolved = lineup::locator()?.resolve(specification)?;
    let id = resolved.member.id.clone();
    let engine = Engine::new(vec![resolved])?;
    let input = Input::C(read_program(&text, data_model));
    let query = Query::new(id, input, Mode::Process);
    let answers = Asker::new(&engine, None, Journal::Off).ask_with_outputs(&[query], &|| false)?;
    for answer in answers.unwrap_or_default() {
        if !matches!(answer.verdict, Verdict::Claim(_)) {
            bail!("{} {}", analyzers::LIAR_C, describe_verdict(&answer.verdict));
        }
        screen::data().write_all(&answer.output)?;
    }
    Ok(0)
}

/// Reads the format of [`CInput::text`]: every check and assumption is on a line of its own, and the newlines before and
/// after it are not part of the program. In hand-written files, the newline between two of them may be missing.
fn read_program(text: &str, data_model: DataModel) -> CInput {
    let (mut base, mut annotations) = (String::new(), Vec::new());
    let mut rest = text;
    loop {
        while let Some((what, condition, after)) = annotation_line(rest) {
            annotations.push(Annotation::new(base.len() as u32, what, condition));
            rest = after;
        }
        let Some((before, after)) = rest.split_once('\n') else { break };
        base.push_str(before);
        if annotation_line(after).is_none() {
            base.push('\n');
        }
        rest = after;
    }
    base.push_str(rest);
    CInput { base: base.into(), data_model, annotations }
}

/// Reads a check or an assumption on the first line of a text, and returns it with the rest of the text.
fn annotation_line(text: &str) -> Option<(AnnotationKind, &str, &str)> {
    let (line, after) = text.split_once('\n').unwrap_or((text, ""));
    let (what, condition) = annotation(line)?;
    Some((what, condition, after))
}

fn annotation(line: &str) -> Option<(AnnotationKind, &str)> {
    let inside = line.strip_suffix(");")?;
    if let Some(condition) = inside.strip_prefix("assume(") {
        return Some((AnnotationKind::Assume, condition));
    }
    let (number, condition) = inside.strip_prefix("check(")?.split_once(", ")?;
    Some((AnnotationKind::Check(number.parse().ok()?), condition))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read_back_unchanged() {
        let base = "int check(int, int);\nint main(void) {\n\n  check(1, 2);\n  return 0;\n}\n";
        let annotation = |place, what| Annotation::new(place, what, "(x) && (y)");
        for places in [&[][..], &[38], &[38, 38, 40], &[0, 39, 39, 55, 60]] {
            let annotations = places
                .iter()
                .zip(1u32..)
                .map(|(place, number)| {
                    annotation(
                        *place,
                        if number % 2 == 0 { AnnotationKind::Assume } else { AnnotationKind::Check(number) },
                    )
                })
                .collect();
            let input = CInput { base: base.into(), data_model: DataModel::Ilp32, annotations };
            assert_eq!(read_program(&input.text(), DataModel::Ilp32), input);
        }
        let by_hand = read_program("f();\nassume(x);\ncheck(7, y);\n  g();\n", DataModel::Lp64);
        assert_eq!((&*by_hand.base, by_hand.annotations.len()), ("f();  g();\n", 2));
    }
}
