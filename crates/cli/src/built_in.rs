//! `juvenal built-in NAME`: a built-in analyzer as a program, a script on standard input.

use anyhow::{Context, Result, bail};
use engine::Specification;
use std::io;

#[derive(clap::Args)]
pub struct Arguments {
    /// The built-in analyzer, such as `liar-smt:lie=hang`
    name: String,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let specification = Specification::parse(&arguments.name)?;
    let Some(built_in) = analyzers::BuiltIn::find(&specification.name, &specification.configuration) else {
        bail!("there is no built-in analyzer {}; there is {}", specification.name, analyzers::LIAR_SMT);
    };
    let built_in = built_in.map_err(anyhow::Error::msg)?;
    let code = built_in.run(&mut io::stdin().lock(), &mut io::stdout().lock()).context("cannot answer")?;
    Ok(u8::try_from(code).unwrap_or(1))
}
