//! A tool of `juvenal split` for tests, written in shell: it runs some code for each file.

use super::Stage;

const DESCRIPTION: &str = r#"
name = "lines"
title = "Lines"
summary = "A tool for tests."
homepage = "https://example.org"
languages = ["python"]
dependencies = "none"
[install]
[find]
programs = ["bin/lines"]
[version]
arguments = ["--version"]
pattern = 'lines (?<version>\d+\.\d+\.\d+)'
[[steps]]
arguments = ["{options}", "{file}"]
[output]
format = "text"
rows = [{ pattern = '^(?<file>[^:]+):(?<line>\d+): (?<rule>\w+): (?<message>.*)$' }]
"#;

/// Writes the tool and its description, `lines.toml`. The code gets the name of a file in `$name`.
pub fn prepare(stage: &Stage, code: &str) {
    let version = "case \"$1\" in --version) echo \"lines 1.0.0\"; exit 0 ;; esac";
    stage.program("lines", &format!("#!/bin/sh\n{version}\nfor name; do {code}; done\n"));
    stage.write("lines.toml", DESCRIPTION);
}
