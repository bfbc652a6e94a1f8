//! What the commands of a tool printed, as a verdict: when they have run, and again from a transcript.

use model::{Claim, Ending, FileFailure, ProjectReport, Run, Verdict};
use tools::{Directories, Outcome, Tool, ToolCommand, ToolRequest};

/// The commands of a request one after the other. Which run depends on how those before them ended.
pub(super) struct Commands<'r> {
    left: std::slice::Iter<'r, ToolCommand>,
    /// Files whose own commands failed.
    failed: Vec<&'r str>,
}

impl<'r> Commands<'r> {
    pub(super) fn of(request: &'r ToolRequest) -> Commands<'r> {
        Commands { left: request.commands.iter(), failed: Vec::new() }
    }

    /// The next command and its arguments.
    pub(super) fn next(&mut self) -> Option<(&'r ToolCommand, Vec<String>)> {
        let failed = &self.failed;
        self.left.find_map(|command| Some((command, command.arguments_without(failed)?)))
    }

    /// Notes how a command ended. After a limit there is no next one.
    pub(super) fn ended(&mut self, command: &'r ToolCommand, ending: Ending) {
        match ending {
            Ending::Exited(0) => {}
            Ending::Limit(_) => self.left = [].iter(),
            _ => self.failed.extend(command.file.as_deref()),
        }
    }
}

/// The verdict of the runs of a request, in order; none if they are runs of another request.
pub(super) fn read_report(
    tool: &Tool,
    request: &ToolRequest,
    directories: Directories<'_>,
    runs: &[Run],
) -> Option<Verdict> {
    let mut commands = Commands::of(request);
    let mut outcomes = Vec::with_capacity(runs.len());
    for run in runs {
        let (command, _) = commands.next()?;
        commands.ended(command, run.ending);
        outcomes.push(Outcome { command, run });
    }
    if commands.next().is_some() {
        return None;
    }
    let mut verdict = match outcomes.is_empty() {
        true => Verdict::Claim(Claim::Report(ProjectReport::default())),
        false => tool.read(directories, &outcomes),
    };
    if let Verdict::Claim(Claim::Report(report)) = &mut verdict {
        report.failures.extend(request.left_out.iter().map(|file| unnameable(file)));
    }
    Some(verdict)
}

fn unnameable(file: &str) -> FileFailure {
    let message =
        "its name has control characters, with which it cannot be named on a command line".to_owned();
    FileFailure { file: Some(file.to_owned()), message }
}
