//! What is to be run for the files of a part.

use crate::compile_commands::{self, CompileCommands};
use crate::directories::Directories;
use crate::tool::{ProjectConfiguration, Tool, ToolStep, WrittenFile};
use descriptions::fill;
use model::{Hash, NamedFile, PartHasher};

/// What a tool is to be run on.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The directories of the run.
    pub directories: Directories<'a>,
    /// The files that the command line names, relative to the root.
    pub named: &'a [&'a str],
    /// Arguments that the user adds.
    pub options: &'a [String],
    /// The configuration files that the project has, relative to its root; see [`Tool::is_configured_by`].
    pub configuration: &'a [&'a str],
    /// The project's compilation database.
    pub compile_commands: Option<&'a CompileCommands>,
}

/// What is to be run: files to be written, then commands in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolRequest {
    /// Files to be written to `scratch`.
    pub files: Vec<NamedFile>,
    /// Environment variables.
    pub environment: Vec<(String, String)>,
    /// The commands, each to be started in the root. They do not depend on the success of those before.
    pub commands: Vec<ToolCommand>,
    /// Files that cannot be named on a command line or in a list, because their names hold control characters.
    pub left_out: Vec<String>,
}

/// One command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCommand {
    /// A program other than the tool itself.
    pub program: Option<String>,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The only file that it is about. If it exits with another code than 0, arguments of later commands that are about
    /// the file are to be left out; see [`ToolCommand::arguments_without`].
    pub file: Option<String>,
    /// The path of the file to which it writes its report, which belongs into [`model::Run::file`].
    pub output: Option<String>,
}

/// An argument of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The argument.
    pub text: String,
    /// The file that it is about, if there is one argument for each file.
    pub file: Option<String>,
}

impl ToolRequest {
    /// The hash of everything that is to be run. The same request in other directories is another one.
    pub fn hash(&self) -> Hash {
        let mut hasher = PartHasher::default();
        hasher.add_list(self.files.iter().flat_map(|file| [&file.name, &file.text]));
        hasher.add_list(self.environment.iter().flat_map(|(name, value)| [name, value]));
        for command in &self.commands {
            hasher.add_list([&command.program, &command.output].map(|it| it.as_deref().unwrap_or_default()));
            hasher.add_list(command.arguments.iter().map(|argument| &argument.text));
        }
        hasher.finish()
    }
}

impl ToolCommand {
    /// The arguments without those that are about files whose own commands failed; none if no such argument is left, and
    /// the command is not to be run.
    pub fn arguments_without(&self, failed: &[&str]) -> Option<Vec<String>> {
        let is_left =
            |argument: &&Argument| argument.file.as_deref().is_none_or(|file| !failed.contains(&file));
        let left = || self.arguments.iter().filter(is_left);
        let had_files = self.arguments.iter().any(|argument| argument.file.is_some());
        let has_files = left().any(|argument| argument.file.is_some());
        (has_files || !had_files).then(|| left().map(|argument| argument.text.clone()).collect())
    }
}

impl Tool {
    /// What is to be run. Without a file that can be named there is no command.
    pub fn request(&self, given: &Given<'_>) -> ToolRequest {
        let (left_out, named): (Vec<&str>, Vec<&str>) =
            given.named.iter().partition(|file| file.contains(char::is_control));
        let given = Given { named: &named, ..*given };
        let filler = Filler { tool: self, given };
        let value = |text: &str| fill(text, &filler.directories());
        ToolRequest {
            files: self.files.iter().map(|file| filler.written(file)).collect(),
            environment: self.environment.iter().map(|(name, text)| (name.clone(), value(text))).collect(),
            commands: self.steps.iter().flat_map(|step| filler.commands(step)).collect(),
            left_out: left_out.into_iter().map(str::to_owned).collect(),
        }
    }

    /// The arguments that depend on whether one of these files, which are relative to the root, configures the tool.
    fn configuration_arguments(&self, present: &[&str]) -> &[String] {
        let ProjectConfiguration { files, arguments, default_arguments, .. } = &self.configuration;
        let is_configured = files.iter().any(|file| present.contains(&file.as_str()));
        if is_configured { arguments } else { default_arguments }
    }
}

/// Fills the placeholders of one run.
struct Filler<'a> {
    tool: &'a Tool,
    given: Given<'a>,
}

impl Filler<'_> {
    fn directories(&self) -> [(&str, &str); 2] {
        let Directories { root, scratch } = self.given.directories;
        [("root", root), ("scratch", scratch)]
    }

    fn written(&self, file: &WrittenFile) -> NamedFile {
        let [root, scratch] = self.directories();
        let lines: String = self.given.named.iter().map(|name| argument_of(name) + "\n").collect();
        let absolute = self.given.named.iter().map(|name| format!("{}/{name}", root.1).into());
        let json = serde_json::Value::Array(absolute.collect()).to_string();
        let compiled = compile_commands::rendered(self.given.compile_commands, self.given.named, root.1);
        let values = [root, scratch, ("lines", &lines), ("json", &json), ("compile-commands", &compiled)];
        NamedFile { name: file.name.clone(), text: fill(&file.text, &values) }
    }

    fn commands(&self, step: &ToolStep) -> Vec<ToolCommand> {
        let files: Vec<(usize, &str)> = self.given.named.iter().copied().enumerate().collect();
        if step.each {
            return files.iter().map(|file| self.command(step, std::slice::from_ref(file))).collect();
        }
        let most = self.tool.most_files.unwrap_or(usize::MAX).max(1);
        files.chunks(most).map(|files| self.command(step, files)).collect()
    }

    fn command(&self, step: &ToolStep, files: &[(usize, &str)]) -> ToolCommand {
        let only = files.first().filter(|_| step.each);
        let output = step.output.as_ref().map(|output| match files.first() {
            Some(file) => self.of_file(output, *file),
            None => fill(output, &self.directories()),
        });
        ToolCommand {
            program: step.program.clone(),
            arguments: step
                .arguments
                .iter()
                .flat_map(|argument| self.arguments(argument, files, step.each))
                .collect(),
            file: only.map(|(_, file)| (*file).to_owned()),
            output,
        }
    }

    /// The arguments that one argument of the description stands for.
    fn arguments(&self, argument: &str, files: &[(usize, &str)], is_for_one: bool) -> Vec<Argument> {
        let alone = |text: String| Argument { text, file: None };
        let is_repeated = ["{file}", "{number}"].iter().any(|name| argument.contains(name));
        match (argument, files.first()) {
            ("{options}", _) => self.given.options.iter().cloned().map(alone).collect(),
            ("{configuration}", _) => {
                let arguments = self.tool.configuration_arguments(self.given.configuration).iter();
                arguments.map(|argument| alone(fill(argument, &self.directories()))).collect()
            }
            ("{flags}", Some((_, file))) => {
                let commands = self.given.compile_commands;
                let root = self.given.directories.root;
                commands
                    .map_or_else(Vec::new, |commands| commands.flags(file, root))
                    .into_iter()
                    .map(alone)
                    .collect()
            }
            (_, Some(file)) if is_for_one => vec![alone(self.of_file(argument, *file))],
            _ if is_repeated => {
                let of_file = |file: &(usize, &str)| Argument {
                    text: self.of_file(argument, *file),
                    file: Some(file.1.to_owned()),
                };
                files.iter().map(of_file).collect()
            }
            _ => vec![alone(fill(argument, &self.directories()))],
        }
    }

    fn of_file(&self, text: &str, (number, file): (usize, &str)) -> String {
        let [root, scratch] = self.directories();
        let (number, file) = (number.to_string(), argument_of(file));
        fill(text, &[root, scratch, ("number", &number), ("file", &file)])
    }
}

/// A file's name such that no program takes it for an option or for the name of a list.
fn argument_of(file: &str) -> String {
    if file.starts_with(['-', '@', '#', '"', '\'', ' ']) { format!("./{file}") } else { file.to_owned() }
}
