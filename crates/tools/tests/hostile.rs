//! What a tool prints is never trusted: nonsense makes no report, and nothing makes the readers panic.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use model::{Claim, Ending, LimitKind, Run, Verdict};
use tools::{Directories, Outcome, ReportFormat, Tool, ToolCommand, Toolbox};

const DIRECTORIES: Directories<'static> = Directories { root: "/run/copy", scratch: "/run/scratch" };

fn command(tool: &Tool) -> ToolCommand {
    ToolCommand { output: tool.steps[0].output.clone(), ..ToolCommand::default() }
}

/// Reads the same bytes from wherever the description expects the report.
fn read(tool: &Tool, bytes: &[u8], ending: Ending) -> Verdict {
    let run = Run { file: Some(bytes.to_vec()), ..Run::new(ending, bytes.to_vec(), bytes.to_vec()) };
    tool.read(DIRECTORIES, &[Outcome { command: &command(tool), run: &run }])
}

fn result_count(verdict: &Verdict) -> usize {
    match verdict {
        Verdict::Claim(Claim::Report(report)) => report.results.len(),
        _ => 0,
    }
}

fn nonsense() -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = [
        "{",
        "[",
        "[{",
        "{\"runs\"",
        "{\"runs\":",
        "{\"runs\":1}",
        "{\"runs\":[1,null,\"a\",[]",
        "<",
        "<results",
        "<results><error",
        "null",
        "\u{0}\u{1}\u{2}",
        "\u{feff}",
        "{\"results\":[{\"message\":",
        "%PDF-1.4",
        "Segmentation fault",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect();
    texts.push("[".repeat(20_000).into_bytes());
    texts.push("{\"runs\":[".repeat(5_000).into_bytes());
    texts.push((0..=255).cycle().take(10_000).collect());
    texts.push(vec![0xff; 1000]);
    texts
}

#[test]
fn nonsense_has_no_results() {
    let endings = [
        Ending::Exited(0),
        Ending::Exited(1),
        Ending::Exited(2),
        Ending::Exited(-1),
        Ending::Signaled(11),
        Ending::StillAlive,
    ];
    for tool in Toolbox::shipped().unwrap().tools() {
        for text in nonsense() {
            for ending in endings {
                let verdict = read(tool, &text, ending);
                assert_eq!(result_count(&verdict), 0, "{}: {ending:?} {verdict:?}", tool.name);
            }
        }
    }
}

/// Formats with an end are not complete without it. Lines have no end, and nothing to report is no line.
#[test]
fn nothing_is_no_report_in_formats_with_an_end() {
    for tool in Toolbox::shipped().unwrap().tools() {
        let verdict = read(tool, b"", Ending::Exited(0));
        let has_end = !matches!(tool.output.format, ReportFormat::Text | ReportFormat::JsonLines);
        assert_eq!(matches!(verdict, Verdict::Unreadable(_)), has_end, "{}: {verdict:?}", tool.name);
    }
}

#[test]
fn endings_are_told_apart() {
    for tool in Toolbox::shipped().unwrap().tools() {
        for (ending, expected) in [
            (Ending::Signaled(11), Verdict::Crash("SIGSEGV".to_owned())),
            (Ending::Signaled(6), Verdict::Crash("SIGABRT".to_owned())),
            (Ending::Signaled(9), Verdict::Limit(LimitKind::Memory)),
            (Ending::Limit(LimitKind::Time), Verdict::Limit(LimitKind::Time)),
        ] {
            assert_eq!(read(tool, b"", ending), expected, "{}", tool.name);
        }
        let unknown = read(tool, b"", Ending::Exited(111));
        assert!(matches!(unknown, Verdict::Unreadable(_)), "{}: {unknown:?}", tool.name);
    }
}

#[test]
fn crashes_are_recognized() {
    let toolbox = Toolbox::shipped().unwrap();
    let traceback =
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nValueError: /run/copy/x is bad\n";
    for (name, code, stderr, expected) in [
        ("pylint", 1, traceback, "ValueError: x is bad"),
        ("bandit", 1, traceback, "ValueError: x is bad"),
        (
            "mypy",
            2,
            "a.py:1: error: INTERNAL ERROR -- please report\n",
            "a.py:1: error: INTERNAL ERROR -- please report",
        ),
        (
            "gcc-analyze",
            1,
            "a.c:1:1: internal compiler error: in f, at x.cc:1\n",
            "a.c:1:1: internal compiler error: in f, at x.cc:1",
        ),
        ("clang-tidy", 134, "PLEASE submit a bug report to x\n", "PLEASE submit a bug report"),
        (
            "eslint",
            2,
            "\nOops! Something went wrong! :(\n\nESLint: 10.15.0\n\nTypeError: x is undefined\n",
            "TypeError: x is undefined",
        ),
    ] {
        let tool = toolbox.find(name).unwrap();
        let run = Run::new(Ending::Exited(code), Vec::new(), stderr.as_bytes().to_vec());
        let verdict = tool.read(DIRECTORIES, &[Outcome { command: &command(tool), run: &run }]);
        assert_eq!(verdict, Verdict::Crash(expected.to_owned()), "{name}");
    }
}

#[test]
fn more_results_than_anybody_reads_are_none() {
    let toolbox = Toolbox::shipped().unwrap();
    let entries = "{\"issue_text\":\"m\"},".repeat(1_000_001);
    let json = format!("{{\"results\":[{}]}}", entries.trim_end_matches(','));
    let verdict = read(toolbox.find("bandit").unwrap(), json.as_bytes(), Ending::Exited(0));
    assert!(matches!(&verdict, Verdict::Unreadable(reason) if reason.contains("more than 1000000 results")));
    let sarif = format!("{{\"runs\":[{{\"results\":[{}1]}}]}}", "{\"message\":{}},".repeat(1_000_001));
    let verdict = read(toolbox.find("ruff").unwrap(), sarif.as_bytes(), Ending::Exited(0));
    assert!(matches!(&verdict, Verdict::Unreadable(reason) if reason.contains("more than 1000000 results")));
}

/// A command for one file that fails is a failure of this file, unless all commands fail.
#[test]
fn a_file_on_which_the_tool_fails_does_not_hide_the_others() {
    let toolbox = Toolbox::shipped().unwrap();
    let tool = toolbox.find("gcc-analyze").unwrap();
    let [bad, good] =
        ["bad.c", "good.c"].map(|file| ToolCommand { file: Some(file.to_owned()), ..ToolCommand::default() });
    let crash = Run::new(Ending::Signaled(11), Vec::new(), Vec::new());
    let warning = |text: &str| Run::new(Ending::Exited(0), Vec::new(), text.as_bytes().to_vec());
    let header = warning("/run/copy/a.h:1:2: warning: w [-Wx]\n");
    let outcomes =
        [(&bad, &crash), (&good, &header), (&good, &header)].map(|(command, run)| Outcome { command, run });
    let Verdict::Claim(Claim::Report(report)) = tool.read(DIRECTORIES, &outcomes) else {
        panic!("expected a report")
    };
    assert_eq!(report.results.len(), 1, "what two files report about one header is one result");
    assert_eq!(report.results[0].place.as_ref().unwrap().file, "a.h");
    assert_eq!(report.failures[0].file.as_deref(), Some("bad.c"));
    assert_eq!(tool.read(DIRECTORIES, &outcomes[..1]), Verdict::Crash("SIGSEGV".to_owned()));
    let limit = Run::new(Ending::Limit(LimitKind::Time), Vec::new(), Vec::new());
    let outcomes = [(&good, &header), (&bad, &limit)].map(|(command, run)| Outcome { command, run });
    assert_eq!(tool.read(DIRECTORIES, &outcomes), Verdict::Limit(LimitKind::Time));
}
