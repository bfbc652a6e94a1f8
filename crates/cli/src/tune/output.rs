//! What `juvenal tune` prints: its progress on the screen, and the last lines of the output.

use super::RECIPE_FILE;
use crate::lineup::{self, identities};
use crate::open_campaign::Ready;
use crate::shell;
use crate::status::ProgressPrinter;
use campaign::{TuneOptions, TuneState};
use engine::Specification;
use model::AnalyzerId;
use tuning::{Ingredient, Recipe, Totals, Tuned};

/// Says what is searched, and where the results are.
pub fn announce(printer: &ProgressPrinter, ready: &Ready, options: &TuneOptions) {
    printer.note(&format!(
        "Tuning {} for {} on {} programs with the search {}; results are stored in {}.",
        identities(&ready.opened.chosen.subjects).join(", "),
        options.subject.noun(),
        options.programs,
        options.search.name,
        ready.opened.store.directory.path().display()
    ));
}

/// The state of a search in a few lines.
pub fn lines(state: &TuneState) -> Vec<String> {
    let budget = state.budget.map_or(String::new(), |budget| format!(" of {:.0}", budget.as_secs_f64()));
    let mut lines = vec![format!(
        "{}: {} recipes, {:.0}{budget} CPU s",
        state.phase,
        state.recipes,
        state.spent.as_secs_f64()
    )];
    if let (Some(default), Some((words, best))) = (&state.default, &state.best) {
        lines.push(format!("open: {} by default, {} with the best", in_words(default), in_words(best)));
        lines.push(format!("best: {words}"));
    }
    if state.curve.len() > 1 {
        lines.push(format!("loss: {}", curve(state)));
    }
    lines
}

/// What is open; a program without an answer is not, as it is not known what is open there.
fn in_words(totals: &Totals) -> String {
    let without = match totals.without_answer {
        0 => String::new(),
        count => format!(" and no answer on {count} programs"),
    };
    format!("{}{without} in {:.1} CPU s", totals.unresolved, totals.cpu_microseconds as f64 / 1e6)
}

/// The loss of the best recipe over time, as a row of bars.
fn curve(state: &TuneState) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const COLUMNS: u64 = 48;
    let (Some(first), Some(last)) = (state.curve.first(), state.curve.last()) else { return String::new() };
    let span = last.spent_microseconds.saturating_sub(first.spent_microseconds).max(1);
    let height = |column: u64| {
        let until = first.spent_microseconds + span * column / (COLUMNS - 1);
        let before = state.curve.iter().take_while(|point| point.spent_microseconds <= until);
        let loss = before.last().map_or(first.loss, |point| point.loss);
        BARS[((loss / first.loss.max(1e-9)).clamp(0.0, 1.0) * 7.0).round() as usize]
    };
    let bars: String = (0..COLUMNS).map(height).collect();
    format!("{bars} {:.3} → {:.3}", first.loss, last.loss)
}

/// The last lines of the output: how to use and to continue it. `typed` are the analyzers as the user named them.
pub fn ending(ready: &Ready, tuned: &Tuned, findings: u64, typed: &[String]) -> String {
    let directory = shell::word(&ready.opened.store.directory.path().display().to_string());
    let juvenal = shell::juvenal();
    let mut lines = vec![String::new()];
    lines.extend(tuned.commands.iter().map(|command| format!("Command:   {command}")));
    let recommended = tuned.recommended();
    if recommended != Recipe::default_recipe() {
        lines.push(format!("Use it:    {}", how_to_use(&recommended, &analyzers(ready, typed), &directory)));
    }
    if findings > 0 {
        lines.push(format!("Findings:  {juvenal} findings {directory}"));
    }
    lines.push(format!("Web page:  {directory}/tune.html"));
    lines.push(format!("Continue:  {juvenal} tune {directory}{}", how_to_go_on(ready)));
    lines.join("\n") + "\n"
}

/// The arguments of the command that continues a search for longer.
fn how_to_go_on(ready: &Ready) -> String {
    let mut arguments = String::new();
    for text in &ready.opened.chosen.texts_by_hand {
        arguments.push_str(&format!(" --analyzer {}", shell::word(text)));
    }
    let plan = ready.opened.plan.tune.as_ref();
    arguments.push_str(&match plan.and_then(|plan| plan.cpu_seconds) {
        Some(seconds) => format!(" --cpu {:.0}s", 2.0 * seconds),
        None => " --time 10m".to_owned(),
    });
    arguments
}

/// An analyzer that was tuned.
struct TunedAnalyzer {
    /// As `--analyzer` takes it, without a configuration.
    argument: String,
    /// The configuration that the user gave.
    given: Vec<(String, String)>,
}

/// The analyzers as the user named them.
fn analyzers(ready: &Ready, typed: &[String]) -> Vec<TunedAnalyzer> {
    let subjects = identities(&ready.opened.chosen.subjects);
    subjects.iter().map(|identity| tuned_analyzer(identity, typed)).collect()
}

fn tuned_analyzer(identity: &str, typed: &[String]) -> TunedAnalyzer {
    let id = AnalyzerId::from(identity);
    let argument = typed.iter().find(|text| names(text, &id)).map_or_else(
        || format!("{}@{}", id.name(), id.version()),
        |text| text.split(':').next().unwrap_or(text).to_owned(),
    );
    let given = id.choices().into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    TunedAnalyzer { argument, given }
}

/// True if the user named this analyzer with this text. The text of a description file does not say its name.
fn names(text: &str, id: &AnalyzerId) -> bool {
    match Specification::given(text) {
        Ok(specification) if specification.is_file() => lineup::locator()
            .and_then(|locator| locator.resolve(&specification))
            .is_ok_and(|resolved| resolved.member.id == *id),
        Ok(specification) => specification.name == id.name(),
        Err(_) => false,
    }
}

/// The arguments that name the ingredients of a recipe, in their order. The file of the recipe names each analyzer once; one
/// that runs several times is given with its options.
fn how_to_use(recipe: &Recipe, analyzers: &[TunedAnalyzer], directory: &str) -> String {
    let by_file = recipe.names_each_analyzer_once();
    let argument = |ingredient: &Ingredient| {
        let analyzer = analyzers.get(ingredient.analyzer)?;
        let configuration = match by_file {
            true => format!(":@{directory}/{RECIPE_FILE}"),
            false => configuration(&analyzer.given, ingredient),
        };
        Some(format!("--analyzer {}{configuration}", shell::word(&analyzer.argument)))
    };
    recipe.0.iter().filter_map(argument).collect::<Vec<String>>().join(" ")
}

fn configuration(given: &[(String, String)], ingredient: &Ingredient) -> String {
    let chosen = ingredient.options.iter().map(|(name, value)| (name, value));
    let all = given.iter().map(|(name, value)| (name, value)).chain(chosen);
    let pairs: Vec<String> = all.map(|(name, value)| format!("{name}={value}")).collect();
    if pairs.is_empty() { String::new() } else { format!(":{}", shell::word(&pairs.join(","))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuning::ReplayPoint;

    #[test]
    fn the_curve_falls_from_left_to_right() {
        let point = |spent_microseconds, loss| ReplayPoint { spent_microseconds, loss };
        let state = TuneState {
            curve: vec![point(10, 1.0), point(60, 0.5), point(110, 0.0)],
            ..TuneState::default()
        };
        let shown = curve(&state);
        assert!(shown.starts_with("██") && shown.ends_with("▁ 1.000 → 0.000"), "{shown}");
        assert_eq!(shown.split(' ').next().map(|bars| bars.chars().count()), Some(48));
    }

    #[test]
    fn programs_without_an_answer_are_named() {
        let totals =
            Totals { unresolved: 4, without_answer: 2, cpu_microseconds: 1_500_000, ..Totals::default() };
        assert_eq!(in_words(&totals), "4 and no answer on 2 programs in 1.5 CPU s");
    }

    #[test]
    fn an_analyzer_is_named_as_the_user_named_it() {
        let argument = |typed: &str| tuned_analyzer("z3@4.8.12:a=1", &[typed.to_owned()]).argument;
        for (typed, expected) in [
            ("z3", "z3"),
            ("z3@4.8.12", "z3@4.8.12"),
            ("z3=/opt/z3:a=1", "z3=/opt/z3"),
            ("cvc5", "z3@4.8.12"),
        ] {
            assert_eq!(argument(typed), expected, "{typed}");
        }
    }

    #[test]
    fn every_ingredient_is_named_with_its_own_analyzer() {
        let analyzers = [
            tuned_analyzer("one@1.0", &["one".to_owned()]),
            tuned_analyzer("two@2.0:b=2", &["two=/opt/two:b=2".to_owned()]),
        ];
        let ingredient = |analyzer, level: &str| Ingredient {
            analyzer,
            options: [("level".to_owned(), level.to_owned())].into(),
        };
        let used = |ingredients: &[Ingredient]| how_to_use(&Recipe(ingredients.to_vec()), &analyzers, "out");
        assert_eq!(used(&[Ingredient::default_of(1)]), "--analyzer two=/opt/two:@out/tuned.toml");
        assert_eq!(
            used(&[ingredient(1, "3"), ingredient(0, "1")]),
            "--analyzer two=/opt/two:@out/tuned.toml --analyzer one:@out/tuned.toml"
        );
        assert_eq!(
            used(&[ingredient(1, "3"), ingredient(1, "1")]),
            "--analyzer two=/opt/two:b=2,level=3 --analyzer two=/opt/two:b=2,level=1"
        );
    }
}
