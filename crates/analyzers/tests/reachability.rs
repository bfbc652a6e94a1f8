//! C programs with checks: how they are spelled, and how what analyzers print about them is read.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing test says so by a panic"
)]

use analyzers::{Catalogue, Ending, Transcript, read_checks};
use model::{Annotation, CInput, CheckStatus, DataModel, Demand, LimitKind, Verdict};

/// Two checks, the first behind an assumption; their lines depend on the prelude.
fn program() -> CInput {
    let base = "int main(void) {\n  int x = 3;\n  return x;\n}\n";
    let place = base.find("return").unwrap() as u32;
    let annotation = |what, condition: &str| Annotation::new(place, what, condition);
    CInput {
        base: base.into(),
        data_model: DataModel::Lp64,
        annotations: vec![
            annotation(Demand::Assume, "x > 0"),
            annotation(Demand::Check(1), "x == 3"),
            annotation(Demand::Check(2), "x < 3"),
        ],
    }
}

/// What is read from an output in which `{1}` and `{2}` stand for the lines of the two checks.
fn read(name: &str, stdout: &str, file: Option<&str>, ending: Ending) -> Verdict {
    let catalogue = Catalogue::shipped().unwrap();
    let role = catalogue.find(name).unwrap().reachability.clone().unwrap();
    let program = program();
    let rendered = role.render(&program);
    let line = |check: u32| rendered.lines.iter().find(|(_, known)| **known == check).unwrap().0.to_string();
    let fill = |text: &str| text.replace("{1}", &line(1)).replace("{2}", &line(2));
    let (stdout, file) = (fill(stdout), file.map(fill));
    let transcript = Transcript {
        stdout: stdout.as_bytes(),
        stderr: b"",
        file: file.as_deref().map(str::as_bytes),
        ending,
        preparing: false,
    };
    read_checks(&role, &program, &rendered, transcript)
}

fn statuses(verdict: &Verdict) -> Vec<CheckStatus> {
    let Verdict::Claim(model::Claim::Checks(claim)) = verdict else { panic!("{verdict:?}") };
    claim.checks.iter().map(|claim| claim.status).collect()
}

#[test]
fn every_check_stands_on_the_line_that_the_map_says() {
    let catalogue = Catalogue::shipped().unwrap();
    for description in catalogue.descriptions() {
        let Some(role) = &description.reachability else { continue };
        let rendered = role.render(&program());
        let lines: Vec<&str> = rendered.text.lines().collect();
        assert_eq!(rendered.lines.values().copied().collect::<Vec<_>>(), [1, 2], "{}", description.name);
        for (line, check) in &rendered.lines {
            let condition = if *check == 1 { "x == 3" } else { "x < 3" };
            assert!(lines[*line as usize - 1].contains(condition), "{}: {line}", description.name);
        }
    }
}

#[test]
fn outputs_are_read_by_check_or_by_line() {
    use CheckStatus::{Unknown, Verified, Violated};
    let eva = "directory\tfile\tline\tfunction\tproperty kind\tstatus\tproperty\n\
        .\tprogram.c\t{1}\tmain\tuser check\tDead\t\\false\n\
        .\tprogram.c\t{2}\tmain\tuser check\tInvalid or unreachable\t\\false\n";
    assert_eq!(statuses(&read("frama-c", "", Some(eva), Ending::Exited(0))), [Verified, Unknown]);
    let gcc = "program.c:4:40: warning: TRUE\nprogram.c:{2}:15: note: path\n";
    assert_eq!(statuses(&read("gcc", gcc, None, Ending::Exited(0))), [Verified, Unknown]);
    let all = "build address\nruns 9\nexhaustive yes\nreached 1\nviolated 2 uchar:3\ndone\n";
    assert_eq!(statuses(&read("exact-c", all, None, Ending::Exited(0))), [Verified, Violated]);
    let some = "build address\nruns 9\nexhaustive no too-large int\nviolated 2 int:3\ndone\n";
    assert_eq!(statuses(&read("exact-c", some, None, Ending::Exited(0))), [Unknown, Violated]);
    assert_eq!(statuses(&read("execute-c", some, None, Ending::Exited(0))), [Unknown, Violated]);
}

#[test]
fn what_is_not_understood_is_no_claim() {
    let unreadable = |verdict: Verdict| matches!(verdict, Verdict::Unreadable(_));
    let awake = "program.c:4:40: warning: TRUE\n";
    let elsewhere = format!("{awake}program.c:1:15: note: path\n");
    assert!(unreadable(read("gcc", &elsewhere, None, Ending::Exited(0))));
    assert!(unreadable(read("gcc", "", None, Ending::Exited(0))));
    assert!(unreadable(read("exact-c", "exhaustive yes\nviolated 7 -\ndone\n", None, Ending::Exited(0))));
    assert!(unreadable(read("frama-c", "", None, Ending::Exited(0))));
    assert!(unreadable(read("gcc", "", None, Ending::Exited(4))));
    let limited = read("gcc", "", None, Ending::Limit(LimitKind::Time));
    assert_eq!(limited, Verdict::Limit(LimitKind::Time));
    assert!(unreadable(read("exact-c", "exhaustive yes\nviolated 2 uchar:3\n", None, Ending::Exited(0))));
    let open = "build address\nruns 3\nexhaustive no time\ndone\n";
    assert_eq!(read("exact-c", open, None, Ending::Exited(0)), Verdict::Unknown);
}
