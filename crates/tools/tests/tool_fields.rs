//! `docs/split-tool-fields.md` lists the fields of the descriptions of tools. It is generated from the doc comments of the
//! types that read them, so it cannot disagree with the code.
//!
//! `JUVENAL_UPDATE=1 cargo test -p tools --test tool_fields` writes the page.

use test_support::FieldPage;

const INTRODUCTION: &str = "# Fields of the description of a tool

Generated from the doc comments of `crates/tools` and `crates/model` by the test `tool_fields`; do not edit.
[Tools for `juvenal split`](split-tools.md) is the introduction.
Fields in brackets are optional.
";

#[test]
fn the_page_is_the_code() {
    FieldPage {
        page: "docs/split-tool-fields.md",
        introduction: INTRODUCTION,
        sources: &["crates/model/src", "crates/tools/src"],
        whole: "Tool",
        command: "JUVENAL_UPDATE=1 cargo test -p tools --test tool_fields",
    }
    .check();
}
