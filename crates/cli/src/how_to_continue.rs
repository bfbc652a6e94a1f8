//! What to do after a job failed, for instance because the disk is full: the command that continues it.

use crate::open_campaign::Ready;
use crate::shell;

/// One sentence with the command, which works as it is printed.
pub fn how_to_continue(subcommand: &str, ready: &Ready) -> String {
    let directory = shell::word(&ready.opened.store.directory.path().display().to_string());
    let mut command = format!("{} {subcommand} {directory}", shell::juvenal());
    for text in &ready.opened.chosen.texts_by_hand {
        command.push_str(&format!(" --analyzer {}", shell::word(text)));
    }
    let limit = process::largest_file().map_or(String::new(), |bytes| {
        format!(" (no file may be larger than {} KB here, see `ulimit -f`)", bytes >> 10)
    });
    format!("juvenal had to stop; all saved results are intact. Fix the problem{limit}, then run `{command}`")
}
