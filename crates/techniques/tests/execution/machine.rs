//! A directory in which the commands of a description run as the engine would run them.

use analyzers::{CRole, Catalogue, read_checks, support_file};
use model::{CInput, Ending, Limits, Run, Verdict};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;
use test_support::has;

/// A directory and the compiler that acts as the analyzer.
pub struct Machine {
    directory: TempDir,
    compiler: &'static str,
}

impl Machine {
    pub fn new(compiler: &'static str) -> Machine {
        Machine { directory: TempDir::new().unwrap(), compiler }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        Command::new(program).args(arguments).current_dir(self.path()).output().unwrap()
    }

    /// Returns the answer of an analyzer of the catalogue about a program.
    pub fn ask(&self, name: &str, program: &CInput) -> Verdict {
        let catalogue = Catalogue::shipped().unwrap();
        let role = catalogue.find(name).unwrap().reachability.clone().unwrap();
        for file in &role.files {
            fs::write(self.path().join(file), support_file(file).unwrap()).unwrap();
        }
        let rendered = role.render(program);
        fs::write(self.path().join("program.c"), &rendered.text).unwrap();
        let commands = CRole::Checks(&role).commands("program.c", program, &[], &[], &Limits::default());
        let last = commands.len() - 1;
        for (index, command) in commands.iter().enumerate() {
            if command.once && self.path().join("supervise").exists() {
                continue;
            }
            let arguments: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
            let output = self.run(command.program.as_deref().unwrap_or(self.compiler), &arguments);
            if index < last {
                assert!(output.status.success(), "{}\n{}", complaints(&output), rendered.text);
                continue;
            }
            let ending = Ending::Exited(output.status.code().unwrap());
            return read_checks(&role, program, &rendered, &Run::new(ending, output.stdout, output.stderr));
        }
        panic!("{name} has no steps")
    }

    /// Compiles `reproduce.c` with and without sanitizers and checks that it exits with 107.
    pub fn reproduces(&self, compiler: &str, name: &str, text: &str) {
        fs::write(self.path().join("reproduce.c"), text).unwrap();
        for more in [&[][..], &["-O2"], &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]] {
            let arguments = [&["-w", "reproduce.c", "-o", "reproduce", "-lm"], more].concat();
            self.exits_with_107(compiler, name, &arguments, text);
        }
    }

    /// Compiles `program.c` with functions that return the inputs and an error function that exits with 107.
    pub fn reaches_error(&self, compiler: &str, name: &str, text: &str, inputs: &str) {
        fs::write(self.path().join("program.c"), text).unwrap();
        fs::write(self.path().join("given.c"), given(inputs)).unwrap();
        // A task may define the error function itself; the linker uses the first definition.
        let arguments =
            ["-w", "-std=gnu17", "given.c", "program.c", "-o", "reproduce", "-lm", "-Wl,-z,muldefs"];
        self.exits_with_107(compiler, name, &arguments, text);
    }

    fn exits_with_107(&self, compiler: &str, name: &str, arguments: &[&str], text: &str) {
        let compiled = self.run(compiler, arguments);
        assert!(compiled.status.success(), "{name}: {compiler}: {}\n{text}", complaints(&compiled));
        let executable = self.path().join("reproduce");
        let ended = self.run(executable.to_str().unwrap(), &[]);
        let complaints = complaints(&ended);
        assert_eq!(ended.status.code(), Some(107), "{name}: {compiler} {arguments:?}: {complaints}\n{text}");
    }

    /// Returns the hash that Python computes, or an empty string without Python.
    pub fn sha256(&self, text: &str) -> String {
        if !has("python3") {
            return String::new();
        }
        fs::write(self.path().join("hashed"), text).unwrap();
        let script = "import hashlib; print(hashlib.sha256(open('hashed', 'rb').read()).hexdigest(), end='')";
        String::from_utf8(self.run("python3", &["-c", script]).stdout).unwrap()
    }
}

/// Writes the input functions independently of the code under test: the compiler parses the values.
fn given(inputs: &str) -> String {
    let types = [
        ("bool", "_Bool"),
        ("char", "char"),
        ("short", "short"),
        ("int", "int"),
        ("uint", "unsigned"),
        ("ulong", "unsigned long"),
        ("longlong", "long long"),
        ("float", "float"),
        ("double", "double"),
        ("uchar", "unsigned char"),
    ];
    let mut text = "void _exit(int);\nvoid reach_error(void) { _exit(107); }\n".to_owned();
    text.push_str("void __VERIFIER_assume(int c) { if (!c) _exit(0); }\nstatic int at;\n");
    for (name, c_type) in types {
        let mut cases = String::new();
        for (position, input) in inputs.split(',').enumerate().filter(|_| inputs != "-") {
            let (kind, value) = input.split('@').next().unwrap().split_once(':').unwrap();
            if kind == name {
                let value = match value {
                    "inf" => "__builtin_inf()".to_owned(),
                    "-inf" => "-__builtin_inf()".to_owned(),
                    _ if value.starts_with("nan") => "__builtin_nan(\"\")".to_owned(),
                    _ if kind == "ulong" => format!("{value}u"),
                    _ => value.to_owned(),
                };
                cases.push_str(&format!("case {position}: return {value}; "));
            }
        }
        text.push_str(&format!(
            "{c_type} __VERIFIER_nondet_{name}(void) {{ switch (at++) {{ {cases} default: _exit(3); }} }}\n"
        ));
    }
    text
}

fn complaints(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).chars().take(2000).collect()
}
