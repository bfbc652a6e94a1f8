//! Verification tasks: the `.yml` files of SV-COMP that name a program and its data model.

use super::yaml::Yaml;
use crate::SeedProblem;
use model::DataModel;
use std::path::{Component, Path, PathBuf};

/// What a task definition specifies about its program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The program.
    pub program: PathBuf,
    /// The sizes of its types.
    pub data_model: DataModel,
}

/// A task definition: the files that it names, even if the task cannot be used.
pub struct Definition {
    /// The input files, below the directory of the definition.
    pub files: Vec<PathBuf>,
    /// The task, or why it cannot be used.
    pub task: Result<Task, SeedProblem>,
}

impl Definition {
    /// Reads the text of a definition at a path.
    pub fn read(path: &Path, text: &str) -> Definition {
        let yaml = match Yaml::parse(text) {
            Ok(yaml) => yaml,
            Err(error) => return Definition { files: Vec::new(), task: Err(unreadable(path, error)) },
        };
        let files: Vec<PathBuf> =
            input_files(&yaml).into_iter().map(|name| beside(path, Path::new(name))).collect();
        let task = task(path, &yaml, &files);
        Definition { files, task }
    }
}

fn unreadable(path: &Path, what: impl std::fmt::Display) -> SeedProblem {
    SeedProblem::new("the task definition cannot be used", path, what)
}

/// A file name in a task definition as a path, spelled as the search for seeds spells it.
fn beside(path: &Path, name: &Path) -> PathBuf {
    let directory = path.parent().unwrap_or(Path::new(""));
    directory.join(name.components().filter(|part| *part != Component::CurDir).collect::<PathBuf>())
}

fn input_files(yaml: &Yaml) -> Vec<&str> {
    match yaml.get("input_files") {
        Some(Yaml::List(items)) => items.iter().filter_map(Yaml::text).collect(),
        Some(Yaml::Text(name)) => vec![name],
        _ => Vec::new(),
    }
}

fn task(path: &Path, yaml: &Yaml, files: &[PathBuf]) -> Result<Task, SeedProblem> {
    let program = match files {
        [] => return Err(unreadable(path, "it names no input_files")),
        [program] => program.clone(),
        _ => {
            let detail = format!("it names {}; a seed is one program", files.len());
            return Err(SeedProblem::new("the task has several input files", path, detail));
        }
    };
    let option = |key| yaml.get("options").and_then(|options| options.get(key));
    match option("language").map(Yaml::text) {
        None | Some(Some("C")) => {}
        Some(other) => {
            let detail = format!("its language is {}", other.unwrap_or("not a word"));
            return Err(SeedProblem::new("the task is not about C", path, detail));
        }
    }
    let data_model = match option("data_model").map(Yaml::text) {
        None | Some(Some("LP64")) => DataModel::Lp64,
        Some(Some("ILP32")) => DataModel::Ilp32,
        Some(other) => {
            let detail = format!("data_model is {}; expected ILP32 or LP64", other.unwrap_or("not a word"));
            return Err(SeedProblem::new("the task has an unknown data model", path, detail));
        }
    };
    check_properties(path, yaml)?;
    Ok(Task { program, data_model })
}

/// No technique relies on the verdicts of the authors, but a definition that cannot be read correctly is not trusted.
fn check_properties(path: &Path, yaml: &Yaml) -> Result<(), SeedProblem> {
    let properties = match yaml.get("properties") {
        None | Some(Yaml::Nothing) => return Ok(()),
        Some(Yaml::List(properties)) => properties,
        Some(_) => return Err(unreadable(path, "properties: expected a list")),
    };
    for property in properties {
        if property.get("property_file").and_then(Yaml::text).is_none() {
            return Err(unreadable(path, "properties: expected a property_file in each"));
        }
        match property.get("expected_verdict").map(Yaml::text) {
            None | Some(Some("true" | "false")) => {}
            Some(other) => {
                let found = other.unwrap_or("something else");
                let message = format!("expected_verdict: expected true or false, found {found}");
                return Err(unreadable(path, message));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "format_version: '2.0'\n\n# old name: loop.c\ninput_files: 'loop.i'\n\nproperties:\n  \
                        - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n  \
                        - property_file: ../properties/termination.prp\n  \
                        - property_file: ../properties/valid-memsafety.prp\n    expected_verdict: true\n    \
                        subproperty: valid-deref\n\noptions:\n  language: C\n  data_model: ILP32\n";

    #[test]
    fn a_task_names_its_program_and_its_data_model() {
        let definition = Definition::read(Path::new("c/loops/loop.yml"), TASK);
        assert_eq!(definition.files, [PathBuf::from("c/loops/loop.i")]);
        assert_eq!(
            definition.task.unwrap(),
            Task { program: PathBuf::from("c/loops/loop.i"), data_model: DataModel::Ilp32 }
        );
    }

    /// Reads the task above with one text replaced.
    fn check(old: &str, new: &str, expected: &str) {
        let text = TASK.replace(old, new);
        let definition = Definition::read(Path::new("t.yml"), &text);
        let told = match definition.task {
            Ok(task) => format!("{} {}", task.program.display(), task.data_model),
            Err(problem) => format!("{}: {}", problem.reason, problem.detail),
        };
        assert_eq!(told, expected, "{text}");
    }

    #[test]
    fn omissions_and_mistakes_in_a_task() {
        let cannot = |what: &str| format!("the task definition cannot be used: t.yml: {what}");
        for (old, new, expected) in [
            ("ILP32", "LP64", "loop.i lp64".to_owned()),
            ("  data_model: ILP32\n", "", "loop.i lp64".to_owned()),
            ("options:\n  language: C\n  data_model: ILP32\n", "", "loop.i lp64".to_owned()),
            ("'loop.i'", "./loop.c", "loop.c ilp32".to_owned()),
            ("'loop.i'", "[loop.c]", "loop.c ilp32".to_owned()),
            ("'loop.i'", "\n- loop.c", "loop.c ilp32".to_owned()),
            (
                "ILP32",
                "LLP64",
                "the task has an unknown data model: t.yml: data_model is LLP64; expected ILP32 or LP64"
                    .to_owned(),
            ),
            (
                "'loop.i'",
                "[loop.c, more.c]",
                "the task has several input files: t.yml: it names 2; a seed is one program".to_owned(),
            ),
            (
                "language: C",
                "language: Java",
                "the task is not about C: t.yml: its language is Java".to_owned(),
            ),
            ("input_files: 'loop.i'", "", cannot("it names no input_files")),
            ("'loop.i'", "[]", cannot("it names no input_files")),
            (": false", ": perhaps", cannot("expected_verdict: expected true or false, found perhaps")),
            (
                "- property_file: ../properties/t",
                "- file: t",
                cannot("properties: expected a property_file in each"),
            ),
            ("'loop.i'", "'loop.i", cannot("line 4: expected one text between quotes, found `'loop.i`")),
            (TASK, "", cannot("it names no input_files")),
            (TASK, "- entry_type: violation_sequence\n", cannot("it names no input_files")),
        ] {
            check(old, new, &expected);
        }
    }
}
