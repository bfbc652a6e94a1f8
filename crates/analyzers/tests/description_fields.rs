//! `docs/description-fields.md` lists the fields of descriptions. It is generated from the doc comments of the types
//! that read them, so it cannot disagree with the code.
//!
//! `JUVENAL_UPDATE=1 cargo test -p analyzers --test description_fields` writes the page.

use test_support::FieldPage;

const INTRODUCTION: &str = "# Fields of a description

Generated from the doc comments of `crates/analyzers` and `crates/model` by the test `description_fields`; do not edit.
[Describing your own analyzer](describing-an-analyzer.md) is the introduction.
Fields in brackets are optional.
";

#[test]
fn the_page_is_the_code() {
    FieldPage {
        page: "docs/description-fields.md",
        introduction: INTRODUCTION,
        sources: &["crates/model/src", "crates/analyzers/src"],
        whole: "Description",
        command: "JUVENAL_UPDATE=1 cargo test -p analyzers --test description_fields",
    }
    .check();
}
