//! Confined compilers and the programs that they compile.

use crate::stage::{Stage, generous, in_every_confinement, milliseconds};
use model::{LimitKind, Limits};
use process::{Ending, Outcome};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use test_support::is_usable;

const SANITIZERS: &str = "-fsanitize=address,undefined";

fn compile_and_run(stage: &Stage, option: &str, text: &str, limits: &Limits) -> Outcome {
    fs::write(stage.directory.path().join("program.c"), text).unwrap();
    let mut compiler = stage.command("gcc");
    compiler.arguments = ["-g", "-O1", option, "program.c", "-o", "program"].map(OsString::from).to_vec();
    let outcome = stage.runner.run(&compiler, &generous()).unwrap();
    assert_eq!(outcome.ending, Ending::Exited(0), "{}", String::from_utf8_lossy(&outcome.stderr));
    let program = stage.command(stage.directory.path().join("program"));
    stage.runner.run(&program, limits).unwrap()
}

#[test]
fn sanitizers_work_in_confinement() {
    if !is_usable("gcc", Path::new("/usr/bin/gcc").exists()) {
        return;
    }
    let rows = [
        ("-O0", "int main(void) { return 7; }", Ending::Exited(7), ""),
        ("-O0", "#include <stdlib.h>\nint main(void) { abort(); }", Ending::Signaled(6), ""),
        ("-O0", "int main(void) { return *(volatile int *)8; }", Ending::Signaled(11), ""),
        (SANITIZERS, "int main(void) { return 7; }", Ending::Exited(7), ""),
        (
            SANITIZERS,
            "#include <stdlib.h>\nint main(void) { volatile char *p = malloc(4); p[4] = 1; return 0; }",
            Ending::Exited(1),
            "heap-buffer-overflow",
        ),
        (
            SANITIZERS,
            "#include <stdlib.h>\nvoid *volatile p;\nint main(void) { p = malloc(4); p = 0; return 0; }",
            Ending::Exited(1),
            "detected memory leaks",
        ),
        (
            SANITIZERS,
            "int main(int n, char **v) { volatile int x = 2147483647; x = x + n; return 0; }",
            Ending::Exited(0),
            "signed integer overflow",
        ),
        ("-O0", "int main(void) { for (;;) ; }", Ending::Limit(LimitKind::Time), ""),
    ];
    in_every_confinement(|stage| {
        for (option, text, ending, complaint) in rows {
            let is_endless = ending == Ending::Limit(LimitKind::Time);
            let limits = if is_endless { milliseconds(1000) } else { generous() };
            let outcome = compile_and_run(stage, option, text, &limits);
            let stderr = String::from_utf8_lossy(&outcome.stderr);
            assert_eq!(outcome.ending, ending, "{text}: {stderr}");
            assert!(stderr.contains(complaint), "{text}: {stderr}");
        }
    });
}

/// A program cannot make the compiler read hidden files.
#[test]
fn compilers_do_not_read_homes() {
    if !is_usable("gcc", Path::new("/usr/bin/gcc").exists()) {
        return;
    }
    let home = tempfile::tempdir_in(std::env::home_dir().unwrap()).unwrap();
    let secret = home.path().join("secret.h");
    fs::write(&secret, "int secret;\n").unwrap();
    in_every_confinement(|stage| {
        if !stage.runner.confinement_mode().hides_files() {
            return;
        }
        for text in [
            format!("#include \"{}\"\n", secret.display()),
            format!("__asm__(\".incbin \\\"{}\\\"\");\n", secret.display()),
        ] {
            fs::write(stage.directory.path().join("program.c"), &text).unwrap();
            let mut compiler = stage.command("gcc");
            compiler.arguments = ["-c", "program.c"].map(OsString::from).to_vec();
            let outcome = stage.runner.run(&compiler, &generous()).unwrap();
            assert_eq!(outcome.ending, Ending::Exited(1), "{text}");
        }
    });
}
