//! `juvenal replay DIR F12`: asks the analyzers again and reports whether the finding still holds.

use crate::findings_list::find;
use crate::open_campaign::{Again, open_for_reading, refuse_file_access};
use crate::screen;
use anyhow::Result;
use engine::{Asker, Engine, Journal};
use findings::{Confirmation, confirm};
use model::shown_name;
use std::io::Write;
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
    refuse_file_access(&finding)?;
    let engine = Engine::new(opened.chosen.all())?;
    let technique = techniques::judge_of(techniques::all(), &finding.reduced)?;
    let mut asker = Asker::new(&engine, None, Journal::Off);
    let mut out = screen::out();
    match confirm(&mut asker, technique, &finding.reduced)? {
        Confirmation::Confirmed(answers) => {
            writeln!(out, "{} still holds: {}.", finding.name(), shown_name(&finding.exhibit.title))?;
            for answer in answers {
                out.write_all(&answer.output)?;
            }
            Ok(1)
        }
        Confirmation::Fleeting => {
            writeln!(out, "{} no longer holds: the answers do not break its relation.", finding.name())?;
            Ok(0)
        }
    }
}
