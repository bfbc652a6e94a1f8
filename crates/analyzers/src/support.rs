//! Files of juvenal that are placed beside a C program when it is executed or analyzed.

use model::Hash;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The property of SV-COMP that the error function is not called.
const UNREACH_CALL: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

/// Every file: its name and its text.
///
/// `klee-inputs.c` and `mopsa-inputs.c` define the inputs of SV-COMP for KLEE, which does not know them, and for MOPSA,
/// whose own arbitrary values are named by their width. They are compiled separately from the program, whose own
/// declarations may spell the types differently.
const FILES: &[(&str, &str)] = &[
    ("supervise.c", include_str!("../harness/supervise.c")),
    ("execute.c", include_str!("../harness/execute.c")),
    ("confine.h", include_str!("../harness/confine.h")),
    ("draw.h", include_str!("../harness/draw.h")),
    ("escape.h", include_str!("../harness/escape.h")),
    ("hidden.h", include_str!("../harness/hidden.h")),
    ("hooks.h", include_str!("../harness/hooks.h")),
    ("kernel.h", include_str!("../harness/kernel.h")),
    ("options.h", include_str!("../harness/options.h")),
    ("parse.h", include_str!("../harness/parse.h")),
    ("record.h", include_str!("../harness/record.h")),
    ("report.h", include_str!("../harness/report.h")),
    ("sanitizers.h", include_str!("../harness/sanitizers.h")),
    ("search.h", include_str!("../harness/search.h")),
    ("session.h", include_str!("../harness/session.h")),
    ("snapshot.h", include_str!("../harness/snapshot.h")),
    ("start.h", include_str!("../harness/start.h")),
    ("tally.h", include_str!("../harness/tally.h")),
    ("values.h", include_str!("../harness/values.h")),
    ("link.options", include_str!("../harness/link.options")),
    ("unreach-call.prp", UNREACH_CALL),
    ("klee-inputs.c", include_str!("../harness/klee-inputs.c")),
    ("mopsa-inputs.c", include_str!("../harness/mopsa-inputs.c")),
];

/// The text of a support file.
pub fn support_file(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The hash of a support file, computed once: the harness is large and stands beside most C programs.
pub(crate) fn support_hash(name: &str) -> Hash {
    static HASHES: LazyLock<BTreeMap<&str, Hash>> =
        LazyLock::new(|| FILES.iter().map(|(name, text)| (*name, Hash::of(text.as_bytes()))).collect());
    HASHES.get(name).copied().unwrap_or_else(|| Hash::of(&[]))
}
