//! Prints a comparison that nobody ran, to look at: `cargo run -p findings --example comparison -- html > page.html`.
//! The word is `terminal`, `csv`, `matrices`, `json` or `html`; numbers of analyzers and checks may follow it, and then
//! the word `smt` for solvers on scripts.

#[path = "../src/comparison/fixtures.rs"]
mod fixtures;

use findings::{
    SHOWN_ISSUES, comparison_csv, comparison_html, comparison_json, comparison_matrices_csv,
    comparison_terminal,
};

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |place: usize, usual: usize| words.get(place).and_then(|it| it.parse().ok()).unwrap_or(usual);
    let make = match words.get(3).map(String::as_str) {
        Some("smt") => fixtures::made_up_scripts,
        _ => fixtures::made_up,
    };
    let comparison = make(&mut model::Random::for_case(1, 1), number(1, 6), number(2, 200));
    let text = match words.first().map(String::as_str) {
        Some("csv") => comparison_csv(&comparison),
        Some("matrices") => comparison_matrices_csv(&comparison),
        Some("json") => comparison_json(&comparison)?,
        Some("html") => comparison_html(&comparison),
        _ => comparison_terminal(&comparison, SHOWN_ISSUES),
    };
    print!("{text}");
    Ok(())
}
