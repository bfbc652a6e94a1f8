//! What each shipped tool is run with for a tiny part of a project.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use tools::{CompileCommands, Directories, Given, ToolRequest, Toolbox};

const DIRECTORIES: Directories<'static> = Directories { root: "/r", scratch: "/s" };

fn given<'a>(named: &'a [&'a str], options: &'a [String]) -> Given<'a> {
    Given { directories: DIRECTORIES, named, options, configuration: &[], compile_commands: None }
}

fn lines(request: &ToolRequest) -> Vec<String> {
    let commands = request.commands.iter();
    commands.map(|command| command.arguments_without(&[]).unwrap().join(" ")).collect()
}

#[test]
fn every_tool_is_called_as_its_manual_says() {
    let toolbox = Toolbox::shipped().unwrap();
    let options = ["--user".to_owned()];
    let expected: &[(&str, [&str; 2], &[&str])] = &[
        ("bandit", ["a.py", "-b.py"], &["--quiet --format=json --user a.py ./-b.py"]),
        (
            "ruff",
            ["a.py", "b.py"],
            &["check --no-cache --quiet --force-exclude --output-format=sarif --user -- a.py b.py"],
        ),
        (
            "pylint",
            ["a.py", "b.py"],
            &["--jobs=1 --persistent=n --score=n --reports=n --output-format=json2 --user -- a.py b.py"],
        ),
        (
            "mypy",
            ["a.py", "b.py"],
            &[
                "--output=json --no-incremental --cache-dir=/dev/null --no-sqlite-cache --show-error-end --user @/s/files.txt",
            ],
        ),
        (
            "semgrep",
            ["a.py", "b.js"],
            &[
                "scan --sarif --quiet --metrics=off --disable-version-check --jobs=1 --no-git-ignore --user -- a.py b.js",
            ],
        ),
        (
            "eslint",
            ["a.js", "b.js"],
            &["--no-cache --format=json --no-color --config /s/eslint.config.mjs --user -- a.js b.js"],
        ),
        (
            "tsc",
            ["a.ts", "b.ts"],
            &["--project /s/alone.json --noEmit --incremental false --pretty false --user"],
        ),
        (
            "cppcheck",
            ["a.c", "b.cpp"],
            &[
                "--quiet --xml --enable=warning,style,performance,portability --user --project=/s/compile_commands.json",
            ],
        ),
        ("clang-tidy", ["a.c", "b.cpp"], &["--quiet -p /s --user a.c b.cpp"]),
        (
            "clang-analyze",
            ["a.c", "l/a.c"],
            &[
                "--analyze --analyzer-output sarif -fno-color-diagnostics --user a.c -o /s/0.sarif",
                "--analyze --analyzer-output sarif -fno-color-diagnostics --user l/a.c -o /s/1.sarif",
            ],
        ),
        (
            "gcc-analyze",
            ["a.c", "l/a.c"],
            &[
                "-fanalyzer -fdiagnostics-plain-output --user -c a.c -o /s/0.o",
                "-fanalyzer -fdiagnostics-plain-output --user -c l/a.c -o /s/1.o",
            ],
        ),
        (
            "gcc-lto",
            ["a.c", "l/a.c"],
            &[
                "-w -flto -fdiagnostics-plain-output --user -c a.c -o /s/0.o",
                "-w -flto -fdiagnostics-plain-output --user -c l/a.c -o /s/1.o",
                "-flto -flto-partition=none -fanalyzer -fdiagnostics-plain-output --user -r -flinker-output=nolto-rel -o /s/whole /s/0.o /s/1.o",
            ],
        ),
    ];
    let names: Vec<&str> = toolbox.tools().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, expected.iter().map(|(name, ..)| *name).collect::<Vec<_>>(), "one row for each tool");
    for (name, named, commands) in expected {
        let tool = toolbox.find(name).unwrap();
        assert!(named.iter().all(|file| tool.takes(file)), "{name} takes {named:?}");
        let request = tool.request(&given(named, &options));
        assert_eq!(lines(&request), *commands, "{name}");
        assert!(request.environment.iter().all(|(_, value)| !value.contains('{')), "{name}");
        assert!(tool.request(&given(&[], &[])).commands.is_empty(), "{name} without files");
    }
}

#[test]
fn lists_and_project_files_name_the_part() {
    let toolbox = Toolbox::shipped().unwrap();
    let text = |name: &str, file: &str, named: &[&str]| {
        let request = toolbox.find(name).unwrap().request(&given(named, &[]));
        request.files.iter().find(|it| it.name == file).unwrap().text.clone()
    };
    assert_eq!(text("mypy", "files.txt", &["a.py", "@b.py", "c d.py"]), "a.py\n./@b.py\nc d.py\n");
    assert_eq!(
        text("tsc", "alone.json", &["a.ts", "\"b.ts"]),
        r#"{ "include": [], "files": ["/r/a.ts","/r/\"b.ts"] }"#
    );
    let commands = text("cppcheck", "compile_commands.json", &["a.c"]);
    assert_eq!(commands, r#"[{"arguments":["cc","-c","/r/a.c"],"directory":"/r","file":"/r/a.c"}]"#);
}

#[test]
fn the_configuration_of_the_project_takes_the_place_of_the_default() {
    let toolbox = Toolbox::shipped().unwrap();
    for (name, configuration, is_default) in [
        ("eslint", "eslint.config.js", false),
        ("eslint", "lib/eslint.config.js", true),
        ("eslint", "package.json", true),
        ("tsc", "tsconfig.json", false),
    ] {
        let tool = toolbox.find(name).unwrap();
        assert!(tool.is_configured_by(configuration), "{name} {configuration}");
        let request = tool.request(&Given { configuration: &[configuration], ..given(&["a.ts"], &[]) });
        let arguments = lines(&request).concat();
        let has_default = arguments.contains("/s/eslint.config.mjs") || arguments.contains("/s/alone.json");
        assert_eq!(has_default, is_default, "{name} {configuration}: {arguments}");
    }
    assert!(!toolbox.find("eslint").unwrap().is_configured_by("src/a.js"));
}

#[test]
fn flags_of_a_file_come_from_the_compilation_database() {
    let toolbox = Toolbox::shipped().unwrap();
    let text = r#"[{ "directory": "/home/me/p/build", "file": "../a.c", "command": "gcc -I../include -DX=1 -O3 -c ../a.c" }]"#;
    let commands = CompileCommands::parse(text, "/home/me/p").unwrap();
    let given = Given { compile_commands: Some(&commands), ..given(&["a.c", "b.c"], &[]) };
    let request = toolbox.find("gcc-analyze").unwrap().request(&given);
    assert_eq!(
        lines(&request),
        [
            "-fanalyzer -fdiagnostics-plain-output -I /r/include -DX=1 -c a.c -o /s/0.o",
            "-fanalyzer -fdiagnostics-plain-output -c b.c -o /s/1.o",
        ]
    );
}

#[test]
fn files_that_failed_take_no_part_in_later_steps() {
    let toolbox = Toolbox::shipped().unwrap();
    let request = toolbox.find("gcc-lto").unwrap().request(&given(&["a.c", "b.c"], &[]));
    let link = request.commands.last().unwrap();
    let arguments = link.arguments_without(&["a.c"]).unwrap();
    assert!(arguments.ends_with(&["/s/whole".to_owned(), "/s/1.o".to_owned()]), "{arguments:?}");
    assert_eq!(link.arguments_without(&["a.c", "b.c"]), None);
}

#[test]
fn many_files_are_named_by_several_commands() {
    let toolbox = Toolbox::shipped().unwrap();
    let names: Vec<String> = (0..4500).map(|number| format!("{number}.py")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let request = toolbox.find("ruff").unwrap().request(&given(&names, &[]));
    let named = request
        .commands
        .iter()
        .map(|command| command.arguments.iter().filter(|it| it.file.is_some()).count());
    assert_eq!(named.collect::<Vec<_>>(), [2000, 2000, 500]);
}

#[test]
fn names_that_no_list_can_hold_are_left_out() {
    let toolbox = Toolbox::shipped().unwrap();
    let request = toolbox.find("mypy").unwrap().request(&given(&["a.py", "b\nc.py", "d\u{1b}.py"], &[]));
    assert_eq!((request.files[0].text.as_str(), request.left_out.len()), ("a.py\n", 2));
}
