//! Prints a made-up comparison: `cargo run -p comparison --example made_up -- html > page.html`.
//! The first argument is `terminal`, `csv`, `matrices`, `json` or `html`; numbers of analyzers and checks may follow, and
//! then the word `smt` for solvers on scripts.

#[path = "../src/fixtures.rs"]
mod fixtures;

use comparison::{SHOWN_ISSUES, checks_csv, html_page, json_report, matrices_csv, terminal_tables};

fn main() -> serde_json::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |place: usize, usual: usize| words.get(place).and_then(|it| it.parse().ok()).unwrap_or(usual);
    let make = match words.get(3).map(String::as_str) {
        Some("smt") => fixtures::made_up_scripts,
        _ => fixtures::made_up,
    };
    let comparison = make(&mut model::Random::for_case(1, 1), number(1, 6), number(2, 200));
    let text = match words.first().map(String::as_str) {
        Some("csv") => checks_csv(&comparison),
        Some("matrices") => matrices_csv(&comparison),
        Some("json") => json_report(&comparison)?,
        Some("html") => html_page(&comparison),
        _ => terminal_tables(&comparison, SHOWN_ISSUES),
    };
    print!("{text}");
    Ok(())
}
