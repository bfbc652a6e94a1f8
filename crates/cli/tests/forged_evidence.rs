//! The kit of forgeries as seeds of hunts, in every way that juvenal has of keeping processes: programs that forge what their
//! execution shows accuse nobody.
//!
//! Each way gets some of them; `JUVENAL_FORGERIES=all` gives it all.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use stage::Stage;
use stage::ways::WAYS;
use test_support::{FORGERIES, forged_program, has};

/// Every so many forgeries, one is taken.
const STRIDE: usize = 16;

#[test]
fn forgeries_accuse_no_honest_verifier() {
    if !has("gcc") {
        return;
    }
    let takes_all = std::env::var("JUVENAL_FORGERIES").is_ok_and(|it| it == "all");
    for (first, way) in WAYS.iter().enumerate() {
        let stage = Stage::with_solvers();
        let mut taken = 0;
        for (number, forgery) in FORGERIES.iter().enumerate() {
            if takes_all || number % STRIDE == first * STRIDE / WAYS.len() {
                let (start, end) = forged_program(forgery);
                let program = format!("void assert(int);\n{start}assert(one == 1);\n{end}");
                stage.write(&format!("seeds/{number}.c"), program);
                taken += 1;
            }
        }
        // Forgeries may be refused; about this program all are asked.
        let honest = "void assert(int);\nint main(void) { int one = 1; assert(one == 1); assert(one == 2); return 0; }\n";
        stage.write("seeds/honest.c", honest);
        if !way.is_usable(&stage) {
            continue;
        }
        let cases = (taken + 1).to_string();
        let hunt = [
            "hunt",
            "differential",
            "--out",
            "out",
            "--seeds",
            "seeds",
            "--jobs",
            "2",
            "--cases",
            &cases,
            "--analyzer",
            "liar-c:lie=none",
            "--analyzer",
            "exact-c",
            "--witness",
            "execute-c",
        ];
        let run = way.start(&stage, &hunt).finish();
        assert_eq!(run.code, Some(0), "{}: {run}", way.name);
        let report = way.start(&stage, &["report", "out", "--format", "json"]).finish();
        let report: serde_json::Value = serde_json::from_str(&report.stdout).unwrap();
        assert_eq!(report["bugs"].as_array().map(Vec::len), Some(0), "{}: {report:#}", way.name);
        assert!(report["answers"].as_u64().unwrap() > 0, "{}: {report:#}", way.name);
    }
}
