//! Files of juvenal's own that stand beside a C program when it is executed.

/// Every file of the harness: its name and its text.
const FILES: &[(&str, &str)] = &[
    ("execute.c", include_str!("../harness/execute.c")),
    ("draw.h", include_str!("../harness/draw.h")),
    ("escape.h", include_str!("../harness/escape.h")),
    ("hooks.h", include_str!("../harness/hooks.h")),
    ("kernel.h", include_str!("../harness/kernel.h")),
    ("options.h", include_str!("../harness/options.h")),
    ("parse.h", include_str!("../harness/parse.h")),
    ("report.h", include_str!("../harness/report.h")),
    ("sanitizers.h", include_str!("../harness/sanitizers.h")),
    ("search.h", include_str!("../harness/search.h")),
    ("session.h", include_str!("../harness/session.h")),
    ("snapshot.h", include_str!("../harness/snapshot.h")),
    ("values.h", include_str!("../harness/values.h")),
    ("link.options", include_str!("../harness/link.options")),
];

/// The text of a support file.
pub fn support_file(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
