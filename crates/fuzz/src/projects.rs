//! What the targets about projects call: reports of tools, their descriptions, and the files of projects.

use model::{Claim, Ending, ProjectReport, Run, Verdict};
use splitting::languages::{Dependencies, references, resolve};
use splitting::{Part, PartReport, PartsFile, SarifRun, SourceFile, merge, sarif_log};
use std::sync::LazyLock;
use tools::{CompileCommands, Directories, Outcome, ReportFormat, Tool, ToolCommand, Toolbox};

/// The shipped tools; a test of `tools` shows that all of them can be read.
static TOOLS: LazyLock<Vec<Tool>> =
    LazyLock::new(|| Toolbox::shipped().map(|it| it.tools().to_vec()).unwrap_or_default());
const DIRECTORIES: Directories<'static> =
    Directories { root: "/tmp/run/project", scratch: "/tmp/run/scratch" };

/// Reads a report as each shipped tool with this format prints it, and writes what a split makes of it.
fn tool_report(bytes: &[u8], format: ReportFormat) {
    for tool in TOOLS.iter().filter(|tool| tool.output.format == format) {
        for ending in [Ending::Exited(0), Ending::Exited(1), Ending::Signaled(11)] {
            let run = Run { file: Some(bytes.to_vec()), ..Run::new(ending, bytes.to_vec(), bytes.to_vec()) };
            let command = ToolCommand { program: None, arguments: Vec::new(), file: None, output: None };
            if let Verdict::Claim(Claim::Report(report)) =
                tool.read(DIRECTORIES, &[Outcome { command: &command, run: &run }])
            {
                write(report);
            }
        }
    }
}

fn write(report: ProjectReport) {
    let files =
        ["a.c", "a.py", "src/a.py"].map(|name| SourceFile { name: name.to_owned(), bytes: 9, lines: 3 });
    let part = Part::owning(vec![0, 1, 2]);
    let merged = merge(&files, &[PartReport { analyzed: vec![0, 1], part, report }]);
    let run = SarifRun::default();
    // Only the memory for it is of interest.
    let _ = sarif_log(&run, &merged.report, &|_, line| (line < 3).then(|| "a line".to_owned()));
}

pub fn tool_sarif(bytes: &[u8]) {
    tool_report(bytes, ReportFormat::Sarif);
}

pub fn tool_json(bytes: &[u8]) {
    tool_report(bytes, ReportFormat::Json);
}

pub fn tool_json_lines(bytes: &[u8]) {
    tool_report(bytes, ReportFormat::JsonLines);
}

pub fn tool_text(bytes: &[u8]) {
    tool_report(bytes, ReportFormat::Text);
}

pub fn tool_xml(bytes: &[u8]) {
    tool_report(bytes, ReportFormat::CppcheckXml);
}

pub fn tool_description(bytes: &[u8]) {
    if let Ok(tool) = Tool::parse("input.toml", &String::from_utf8_lossy(bytes)) {
        tool.identity();
        tool.version_in(b"mylint 1.2.3");
    }
}

pub fn compile_commands(bytes: &[u8]) {
    // A text that is no database is an error.
    let _ = CompileCommands::parse(&String::from_utf8_lossy(bytes), "/home/me/project");
}

pub fn parts_file(bytes: &[u8]) {
    let Ok(file) = PartsFile::parse(bytes) else { return };
    let files = ["a.c", "b.c"].map(|name| SourceFile { name: name.to_owned(), bytes: 9, lines: 3 });
    file.parts(&files);
    assert!(file.text().is_ok(), "a file that is read can be written");
}

/// Searches a source, and looks up what it mentions among some files of the same language.
fn source(bytes: &[u8], ending: &str) -> Dependencies {
    test_support::count_syntax_trees();
    let names = ["a/__init__", "a/b", "b", "c/b"].map(|name| format!("{name}.{ending}"));
    let others = references(&names[1], b"");
    let own = references(&names[2], bytes);
    let all = [others.clone(), own.clone(), own, others];
    resolve(&names, &all, &[])
}

pub fn source_python(bytes: &[u8]) {
    source(bytes, "py");
}

pub fn source_javascript(bytes: &[u8]) {
    source(bytes, "js");
}

pub fn source_typescript(bytes: &[u8]) {
    source(bytes, "ts");
    source(bytes, "tsx");
}

pub fn source_java(bytes: &[u8]) {
    source(bytes, "java");
}

pub fn source_c(bytes: &[u8]) {
    source(bytes, "c");
    source(bytes, "h");
}

pub fn source_cpp(bytes: &[u8]) {
    source(bytes, "cpp");
}

pub fn source_go(bytes: &[u8]) {
    source(bytes, "go");
}

/// Configuration that says how names are resolved.
pub fn project_configuration(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let sources = [
        ("a.c", "#include \"b.h\"\n"),
        ("a.go", "package a\nimport \"example.org/m/b\"\n"),
        ("a.ts", "import 'b/c'; import '#d';\n"),
        ("b/b.h", ""),
        ("b/c.ts", "import '../a';\n"),
    ];
    test_support::count_syntax_trees();
    let names = sources.map(|(name, _)| name.to_owned());
    let all = sources.map(|(name, text)| references(name, text.as_bytes()));
    for name in ["tsconfig.json", "package.json", "compile_commands.json", "go.mod"] {
        resolve(&names, &all, &[(name.to_owned(), text.clone()), (format!("b/{name}"), text.clone())]);
    }
}
