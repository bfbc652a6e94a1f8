//! A tool of `juvenal split` for tests: it finds what is planted, and misbehaves when it is told to.

use super::Stage;
use std::fs;
use test_support::has;

/// A tool that reports a flaw of a module on every file that imports the module, directly or through others, as far as it
/// sees these. Words in files, and its first option, make it misbehave.
pub const TOOL: &str = r##"#!/usr/bin/env python3
import json, os, signal, sys, time
if sys.argv[1] == "--version":
    print("planted 1.0.0")
    sys.exit(0)
mode = [it for it in sys.argv[1:] if it.startswith("--mode=")]
mode = mode[0][7:] if mode else ""
if "--count" in sys.argv:
    stage = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    open(os.path.join(stage, "runs"), "a").write("run\n")
names = [it for it in sys.argv[1:] if not it.startswith("--")]
if mode == "nothing":
    sys.exit(0)
if mode == "invalid":
    print('{"results": [')
    sys.exit(0)
if mode == "refuse":
    print("planted: error: unknown argument", file=sys.stderr)
    sys.exit(2)
if mode == "touch":
    open(names[0], "a").write("# touched\n")
    os.remove(names[-1])
if mode == "slow":
    time.sleep(0.3)
if mode == "plugin":
    exec(open("plugin.py").read())
results = []
for name in names:
    seen, todo = {name: 0}, [name]
    while todo:
        at = todo.pop(0)
        if not os.path.exists(at):
            continue
        text = open(at, errors="replace").read()
        if at == name and "CRASH" in text:
            print("Traceback: planted crash", file=sys.stderr)
            os.kill(os.getpid(), signal.SIGSEGV)
        if at == name and "HANG" in text:
            time.sleep(600)
        if "FLAW" in text:
            results.append({"path": name, "line": 1, "code": "flaw", "text": "a flaw at distance %d" % seen[at]})
        for line in text.splitlines():
            if line.startswith("import "):
                target = line[7:] + ".py"
                if target not in seen:
                    seen[target] = seen[at] + 1
                    todo.append(target)
print(json.dumps({"results": results}))
"##;

pub const DESCRIPTION: &str = r#"
name = "planted"
title = "Planted"
summary = "A tool for tests."
homepage = "https://example.org"
languages = ["python"]
dependencies = "declarations"
[install]
[find]
programs = ["bin/planted"]
[version]
arguments = ["--version"]
pattern = 'planted (?<version>\d+\.\d+\.\d+)'
[[steps]]
arguments = ["{options}", "--", "{file}"]
[output]
format = "json"
exit-codes = [0]
crashes = ['(?<what>planted crash)']
rejections = ['planted: error: (?<message>[^\n]+)']
[output.json]
results = "/results"
file = "/path"
line = "/line"
rule = "/code"
message = "/text"
"#;

/// A stage with the tool, and a project without files.
pub fn stage() -> Option<Stage> {
    if !has("python3") {
        return None;
    }
    let stage = Stage::with_solvers();
    stage.program("planted", TOOL);
    stage.write("planted.toml", DESCRIPTION);
    fs::create_dir(stage.path("project")).unwrap();
    Some(stage)
}
