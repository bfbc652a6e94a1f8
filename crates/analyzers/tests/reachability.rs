//! C programs with checks: how they are written for analyzers, and how the output of analyzers is read.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use analyzers::{Catalogue, Driver, Invocation, read_checks};
use model::{
    Annotation, AnnotationKind, CInput, CheckStatus, DataModel, Ending, LimitKind, Role, Run, Verdict,
};

/// Two checks, the first after an assumption; their lines depend on the prelude.
fn program() -> CInput {
    let base = "int main(void) {\n  int x = 3;\n  return x;\n}\n";
    let place = base.find("return").unwrap() as u32;
    let annotation = |what, condition: &str| Annotation::new(place, what, condition);
    CInput {
        base: base.into(),
        data_model: DataModel::Lp64,
        annotations: vec![
            annotation(AnnotationKind::Assume, "x > 0"),
            annotation(AnnotationKind::Check(1), "x == 3"),
            annotation(AnnotationKind::Check(2), "x < 3"),
        ],
    }
}

/// Reads an output in which `{1}` and `{2}` represent the lines of the two checks.
fn read(name: &str, stdout: &str, file: Option<&str>, ending: Ending) -> Verdict {
    let catalogue = Catalogue::shipped().unwrap();
    let role = catalogue.find(name).unwrap().reachability.clone().unwrap();
    let program = program();
    let rendered = role.render(&program);
    let line = |check: u32| rendered.lines.iter().find(|(_, known)| **known == check).unwrap().0.to_string();
    let fill = |text: &str| text.replace("{1}", &line(1)).replace("{2}", &line(2));
    let (stdout, file) = (fill(stdout), file.map(fill));
    let run = Run { file: file.map(String::into_bytes), ..Run::new(ending, stdout.into_bytes(), Vec::new()) };
    read_checks(&role, &program, &rendered, &run)
}

fn statuses(verdict: &Verdict) -> Vec<CheckStatus> {
    let Verdict::Claim(model::Claim::Checks(claim)) = verdict else { panic!("{verdict:?}") };
    claim.checks.iter().map(|claim| claim.status).collect()
}

#[test]
fn the_line_map_has_the_line_of_every_check() {
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
fn unreadable_output_is_no_claim() {
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

/// A guarded check, one inside an expression, one with both properties, and a guarded assumption.
fn guarded_program() -> CInput {
    let base = "int main(void) {\n  int check = 3;\n  return check;\n}\n";
    let (statement, operand) = (base.find("return").unwrap() as u32, base.find("check;").unwrap() as u32);
    let guarded = |place, what, condition: &str, guard: Option<&str>, within| Annotation {
        guard: guard.map(Into::into),
        within,
        ..Annotation::new(place, what, condition)
    };
    let annotations = vec![
        guarded(statement, AnnotationKind::Assume, "check != 9", Some("check"), false),
        guarded(statement, AnnotationKind::Check(1), "(struct s){check}.x", Some("check < 7"), false),
        guarded(operand, AnnotationKind::Check(2), "check == 3", None, true),
        guarded(operand, AnnotationKind::Check(3), "check != 4", Some("check"), true),
    ];
    CInput { base: base.into(), data_model: DataModel::Lp64, annotations }
}

#[test]
fn guarded_checks_and_checks_inside_expressions_are_on_one_line() {
    let catalogue = Catalogue::shipped().unwrap();
    let gcc = catalogue.find("gcc").unwrap();
    let lines = |role: &analyzers::ReachabilityRole| -> Vec<String> {
        let rendered = role.render(&guarded_program());
        let lines: Vec<&str> = rendered.text.lines().collect();
        assert_eq!(rendered.lines.values().copied().collect::<Vec<_>>(), [1, 2, 3]);
        rendered.lines.keys().map(|line| lines[*line as usize - 1].to_owned()).collect()
    };
    let debug = [
        "if (check < 7) { __analyzer_eval((struct s){check}.x); }",
        "__analyzer_eval(check == 3),",
        "(check) && (__analyzer_eval(check != 4), 1),",
    ];
    assert_eq!(lines(gcc.debug.as_ref().unwrap()), debug);
    let reachability = [
        "if (check < 7) { if (!((struct s){check}.x)) __analyzer_dump_path(); }",
        "({ if (!(check == 3)) __analyzer_dump_path(); }),",
        "(check) && (({ if (!(check != 4)) __analyzer_dump_path(); }), 1),",
    ];
    assert_eq!(lines(gcc.reachability.as_ref().unwrap()), reachability);
    let text = gcc.debug.as_ref().unwrap().render(&guarded_program()).text;
    assert!(text.contains("\nif (check) { if (!(check != 9)) exit(0); }\n"), "{text}");
}

#[test]
fn only_consistent_words_are_a_status() {
    use CheckStatus::{Unknown, Verified, Violated};
    let catalogue = Catalogue::shipped().unwrap();
    let description = catalogue.find("gcc").unwrap();
    let role = description.c_role(Role::Debug).unwrap();
    let program = program();
    let rendered = role.render(&program);
    let first = *rendered.lines.keys().next().unwrap();
    for (words, status, values) in [
        (&["TRUE", "TRUE"][..], Verified, Some("TRUE")),
        (&["FALSE"], Violated, Some("FALSE")),
        (&["TRUE", "FALSE"], Unknown, Some("FALSE+TRUE")),
        (&["FALSE", "UNKNOWN", "FALSE"], Unknown, Some("FALSE+UNKNOWN")),
        (&["UNKNOWN", "TRUE", "FALSE"], Unknown, Some("FALSE+TRUE+UNKNOWN")),
        (&["UNKNOWN"], Unknown, Some("UNKNOWN")),
        (&[], Unknown, None),
    ] {
        let rows: Vec<String> =
            words.iter().map(|word| format!("program.c:{first}:3: warning: {word}\n")).collect();
        let stderr = rows.concat() + "program.c:4:40: note: path\n";
        let ending = Ending::Exited(0);
        let run = Run::new(ending, Vec::new(), stderr.into_bytes());
        let verdict = role.read(&program, &rendered, &run);
        let Verdict::Claim(model::Claim::Checks(claim)) = verdict else { panic!("{words:?}: {verdict:?}") };
        assert_eq!(
            (claim.checks[0].status, claim.checks[0].values.as_deref()),
            (status, values),
            "{words:?}"
        );
    }
}

/// An option has the same arguments whether a user chooses it or it is drawn.
#[test]
fn chosen_options_equal_drawn_options() {
    let catalogue = Catalogue::shipped().unwrap();
    for (name, key, value, expected) in [
        ("gcc", "optimize", "2", "-O2"),
        ("gcc", "max-svalue-depth", "7", "--param analyzer-max-svalue-depth=7"),
        ("clang", "constraints", "z3", "-analyzer-constraints=z3"),
        ("clang", "max-nodes", "10", "-analyzer-config max-nodes=10"),
        ("cppcheck", "check-level", "exhaustive", "--check-level=exhaustive"),
    ] {
        let description = catalogue.find(name).unwrap();
        let configuration = [(key.to_owned(), value.to_owned())];
        let invocation = Invocation::new(description, Driver::Program, &configuration);
        assert_eq!(invocation.configuration_arguments().join(" "), expected, "{name}");
    }
}
