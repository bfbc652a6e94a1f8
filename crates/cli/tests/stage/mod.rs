//! The fixture of the end-to-end tests: a private directory, runs of juvenal with a deadline, and fake solvers.
#![allow(dead_code, reason = "each test program uses a part of the stage")]

pub mod level;
pub mod lines;
pub mod planted;
pub mod ways;

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tempfile::TempDir;
use test_support::{is_usable, repository};

/// The deadline of a run. It is generous, because no test measures speed.
const DEADLINE: Duration = Duration::from_secs(300);
const TICK: Duration = Duration::from_millis(10);

/// Small instances: a campaign over all seeds takes seconds.
pub const SMALL: &[&str] = &["--set", "satisfiable.instances=40", "--set", "satisfiable.assertions=8"];

/// Instances so small that a fake solver written in shell reads them quickly.
pub const TINY: &[&str] = &[
    "--set",
    "satisfiable.instances=12",
    "--set",
    "satisfiable.assertions=3",
    "--set",
    "satisfiable.depth=3",
    "--set",
    "satisfiable.length=120",
    "--set",
    "satisfiable.tactics=off",
];

/// A private directory, usually without solvers on the search path.
pub struct Stage {
    directory: TempDir,
    search_path: Option<PathBuf>,
    analyzers: Option<PathBuf>,
}

/// The result of a run of juvenal.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// A juvenal that is still running.
pub struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
    stderr: JoinHandle<Vec<u8>>,
    seen: String,
}

impl Stage {
    /// Creates a stage without solvers.
    pub fn new() -> Stage {
        let directory = TempDir::new().unwrap();
        for name in ["bin", "analyzers", "tmp"] {
            fs::create_dir(directory.path().join(name)).unwrap();
        }
        let search_path = Some(directory.path().join("bin"));
        let analyzers = Some(directory.path().join("analyzers"));
        Stage { directory, search_path, analyzers }
    }

    /// Creates a stage with the solvers of this machine.
    pub fn with_solvers() -> Stage {
        Stage { search_path: None, analyzers: None, ..Stage::new() }
    }

    /// Returns a path in the private directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Returns a path in the private directory as an argument.
    pub fn at(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes a program to the search path of this stage.
    pub fn program(&self, name: &str, text: &str) -> PathBuf {
        let path = self.write(&format!("bin/{name}"), text);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Writes a fake solver with a description that is z3's under another name.
    pub fn fake(&self, behaviour: &str) -> String {
        self.program("fake-solver", &fake_solver(behaviour));
        self.write("fake.toml", fake_description()).display().to_string()
    }

    /// Prepares a run of juvenal in the private directory.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_juvenal"));
        command.args(arguments).current_dir(self.directory.path()).env("TMPDIR", self.path("tmp"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(path) = &self.search_path {
            command.env("PATH", path);
        }
        if let Some(path) = &self.analyzers {
            command.env("JUVENAL_ANALYZERS", path);
        }
        command
    }

    /// Runs juvenal to its end. It must not panic or exceed the deadline.
    pub fn juvenal(&self, arguments: &[&str]) -> Run {
        self.start(arguments).finish()
    }

    /// Runs juvenal and requires an exit code.
    pub fn exits(&self, code: i32, arguments: &[&str]) -> Run {
        let run = self.juvenal(arguments);
        assert_eq!(run.code, Some(code), "juvenal {}\n{run}", arguments.join(" "));
        run
    }

    /// Runs juvenal, which must fail with these words in its message.
    pub fn refuses(&self, arguments: &[&str], words: &[&str]) {
        let run = self.exits(2, arguments);
        for word in words {
            assert!(run.stderr.contains(word), "`{word}` is missing: juvenal {}\n{run}", arguments.join(" "));
        }
    }

    /// Gives a command that starts juvenal in another way the directory, the environment and the pipes of this one.
    pub fn like(&self, plain: &Command, mut command: Command) -> Command {
        command.current_dir(self.directory.path()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        for (name, value) in plain.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    /// Starts juvenal.
    pub fn start(&self, arguments: &[&str]) -> Running {
        Running::of(self.command(arguments))
    }

    /// Hunts with `--out OUT` and more words; returns the run.
    pub fn hunt(&self, out: &str, words: &[&[&str]]) -> Run {
        let arguments: Vec<&str> =
            ["hunt", "--out", out].iter().chain(words.concat().iter()).copied().collect();
        self.juvenal(&arguments)
    }

    /// The rows of `findings --json`.
    pub fn findings(&self, out: &str) -> Vec<Value> {
        let run = self.exits(0, &["findings", out, "--json"]);
        serde_json::from_str(&run.stdout).unwrap()
    }

    /// The report for machines.
    pub fn report(&self, out: &str) -> Value {
        let run = self.exits(0, &["report", out, "--format", "json"]);
        serde_json::from_str(&run.stdout).unwrap()
    }

    /// Returns the JSON output of a command.
    pub fn json(&self, words: &[&str]) -> Value {
        let run = self.exits(0, &[words, &["--json"]].concat());
        serde_json::from_str(&run.stdout).unwrap()
    }

    /// Returns everything that must not depend on timing: bugs with their hits, findings, and every reduced input.
    pub fn essence(&self, out: &str) -> String {
        let report = self.report(out);
        let mut text = format!("{}\n", serde_json::to_string_pretty(&report["bugs"]).unwrap());
        for row in self.findings(out) {
            let fields = ["id", "bug", "kind", "evidence", "technique", "analyzer", "version", "title"];
            fields.iter().for_each(|field| text.push_str(&format!("{field}={} ", row[field])));
            let directory = self.path(row["path"].as_str().unwrap());
            let files = asked(&directory);
            assert!(files.len() > 2, "inputs, reduced inputs and the output: {files:?}");
            for file in files {
                text.push_str(&format!("\n{}", fs::read_to_string(file).unwrap()));
            }
        }
        text
    }

    /// The last line of the statistics of a campaign.
    pub fn statistics(&self, out: &str) -> Value {
        let text = fs::read_to_string(self.path(out).join("stats.jsonl")).unwrap();
        serde_json::from_str(text.lines().last().unwrap()).unwrap()
    }
}

impl Running {
    /// Runs a command whose output goes through pipes.
    pub fn of(mut command: Command) -> Running {
        let mut child = command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let mut stderr = child.stderr.take().unwrap();
        let stderr = thread::spawn(move || {
            let mut bytes = Vec::new();
            stderr.read_to_end(&mut bytes).unwrap();
            bytes
        });
        Running { child, stdout, stderr, seen: String::new() }
    }

    /// Returns whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// The process, for signals.
    pub fn id(&self) -> String {
        self.child.id().to_string()
    }

    /// Returns the next line of its output, or `None` at its end.
    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.stdout.read_line(&mut line).unwrap();
        self.seen.push_str(&line);
        (length > 0).then_some(line)
    }

    /// Reads until a line contains the word. Returns false if it ends before.
    pub fn wait_for(&mut self, word: &str) -> bool {
        while let Some(line) = self.line() {
            if line.contains(word) {
                return true;
            }
        }
        false
    }

    /// Sends a signal by name.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.id()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits for the end.
    pub fn finish(mut self) -> Run {
        let mut stdout = self.stdout;
        let rest = thread::spawn(move || {
            let mut bytes = Vec::new();
            stdout.read_to_end(&mut bytes).unwrap();
            bytes
        });
        let status = wait(&mut self.child);
        let stdout = self.seen + &String::from_utf8_lossy(&rest.join().unwrap());
        let stderr = String::from_utf8_lossy(&self.stderr.join().unwrap()).into_owned();
        let run = Run { code: status.and_then(|status| status.code()), stdout, stderr };
        assert!(status.is_some(), "juvenal did not end by itself\n{run}");
        assert!(!run.stderr.contains("panicked"), "juvenal panicked\n{run}");
        run
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit code {:?}\n--- stdout\n{}\n--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}

/// Returns the files of a finding with its inputs, reduced inputs and outputs, in order.
fn asked(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let is_asked = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("input") || name.starts_with("reduced") || name == "output.txt"
    };
    let mut files: Vec<PathBuf> = entries.filter(is_asked).collect();
    files.sort();
    files
}

/// Waits until the deadline. Returns `None` if the process had to be killed.
fn wait(child: &mut Child) -> Option<ExitStatus> {
    let mut left = DEADLINE;
    while !left.is_zero() {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        thread::sleep(TICK);
        left -= TICK;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// Returns the text of a fake solver. The behaviour is shell code that gets one line of the script in `$line`.
fn fake_solver(behaviour: &str) -> String {
    format!(
        r#"#!/bin/sh
case "$1" in --version) echo "Z3 version 9.8.7 - fake"; exit 0 ;; esac
while IFS= read -r line; do
  case "$line" in
    *'(echo "'*) line=${{line#*\"}}; echo "${{line%%\"*}}"; continue ;;
    '(exit)'*) exit 0 ;;
  esac
  {behaviour}
done
"#
    )
}

/// Returns shell code that answers every check with a word.
pub fn always(word: &str) -> String {
    format!("case \"$line\" in *'(check-sat'*) echo {word} ;; esac")
}

/// Returns shell code that runs code when the script asks for an answer.
pub fn at_check(code: &str) -> String {
    format!("case \"$line\" in *'(check-sat'*) {code} ;; esac")
}

/// The description of z3 under another name.
pub fn fake_description() -> String {
    let text = fs::read_to_string(repository().join("analyzers/z3.toml")).unwrap();
    // It solves scripts only.
    let of_scripts = text.split("\n[datalog]").next().unwrap_or_default();
    of_scripts
        .replace("name = \"z3\"", "name = \"fake\"")
        .replace("programs = [\"z3\"]", "programs = [\"fake-solver\"]")
}

/// Returns whether juvenal finds the solver on this machine.
pub fn have_solver(name: &str) -> bool {
    let doctor = Stage::with_solvers().exits(0, &["doctor"]);
    let here = doctor.stdout.lines().any(|line| {
        let mut words = line.split_whitespace();
        words.next() == Some(name) && words.next() != Some("not")
    });
    is_usable(name, here)
}

/// Runs a program of the system.
pub fn tool(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).output().unwrap()
}
