//! `juvenal replay DIR F12`: asks the analyzers again and reports whether the finding still holds.

use crate::findings_list::find;
use crate::open_campaign::{Again, open_for_reading};
use anyhow::{Context, Result};
use engine::{Asker, Engine, Journal};
use findings::{Confirmation, confirm, printable};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// The campaign directory
    directory: PathBuf,
    /// The finding, such as F12
    finding: String,
    #[command(flatten)]
    again: Again,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let opened = open_for_reading(&arguments.directory, &arguments.again)?;
    let finding = find(&opened.store, &arguments.finding)?;
    let engine = Engine::new(opened.chosen.all())?;
    let technique = techniques::find(techniques::all(), &finding.exhibit.technique)
        .with_context(|| format!("this juvenal has no technique {}", finding.exhibit.technique))?;
    let mut asker = Asker::new(&engine, None, Journal::Off);
    match confirm(&mut asker, technique, &finding.reduced)? {
        Confirmation::Confirmed(answers) => {
            println!("{} still holds: {}.", finding.name(), finding.exhibit.title);
            for answer in answers {
                print!("{}", printable(&String::from_utf8_lossy(&answer.output)));
            }
            Ok(1)
        }
        Confirmation::Fleeting => {
            println!("{} no longer holds: the answers do not break its relation.", finding.name());
            Ok(0)
        }
    }
}
