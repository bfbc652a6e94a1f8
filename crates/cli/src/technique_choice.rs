//! Which techniques a job uses.

use crate::lineup::ResolvedLineup;
use crate::{screen, shell};
use analyzers::Catalogue;
use anyhow::{Result, bail};
use engine::{SeedFiles, Specification};
use model::Language;
use techniques::Technique;

/// Returns the named techniques, each once; all techniques if none is named.
pub fn choose_techniques(names: &[String]) -> Result<Vec<&'static Technique>> {
    if names.is_empty() {
        return Ok(techniques::all().to_vec());
    }
    let mut chosen: Vec<&'static Technique> = Vec::new();
    for name in names {
        let Some(technique) = techniques::find(techniques::all(), name) else {
            bail!("there is no technique `{name}`; {}", instead_of_technique(name));
        };
        if chosen.iter().all(|other| other.name != technique.name) {
            chosen.push(technique);
        }
    }
    Ok(chosen)
}

/// The languages of the techniques' seeds, each once.
pub fn seed_languages_of(techniques: &[&'static Technique]) -> Vec<Language> {
    let taken = |language: &Language| techniques.iter().any(|technique| technique.seed_language == *language);
    Language::all().into_iter().filter(taken).collect()
}

/// Returns the techniques that have seeds in their language, and says which are skipped.
pub fn with_seeds(techniques: Vec<&'static Technique>, seeds: &SeedFiles) -> Vec<&'static Technique> {
    let mut kept = Vec::new();
    for technique in techniques {
        let language = technique.seed_language;
        if seeds.count_of(language) > 0 {
            kept.push(technique);
        } else {
            let endings = language.endings().join(", .");
            screen::complain(format_args!(
                "skipping {}: there is no seed in {language} (.{endings})",
                technique.name
            ));
        }
    }
    kept
}

/// Returns the techniques that can test an analyzer of the line-up, and says which are skipped if the user named them.
pub fn with_subjects(
    techniques: Vec<&'static Technique>,
    chosen: &ResolvedLineup,
    were_named: bool,
    are_usual: bool,
) -> Result<Vec<&'static Technique>> {
    // An analyzer that the user did not name is asked only by the techniques that test it by default.
    let has_taker = |technique: &&Technique| {
        let members = chosen.subjects.iter().map(|it| &it.member);
        let is_asked = |it: &&model::AnalyzerInfo| {
            let stance = technique.stance_towards(it);
            if are_usual && !chosen.demonstration {
                stance.is_default_subject()
            } else {
                stance.can_be_subject()
            }
        };
        members.filter(is_asked).count() >= technique.least_subjects
    };
    let (kept, left_out): (Vec<_>, Vec<_>) = techniques.into_iter().partition(has_taker);
    let names: Vec<&str> = left_out.iter().map(|technique| technique.name).collect();
    if kept.is_empty() {
        if let [technique] = left_out.as_slice()
            && technique.least_subjects > 1
        {
            bail!(
                "{} needs {} analyzers that it can test; name more with --analyzer, or see `{} doctor`",
                technique.name,
                technique.least_subjects,
                shell::juvenal()
            );
        }
        bail!(
            "no analyzer can be tested with {}; `{} doctor` lists the installed ones and says how to get others",
            names.join(", "),
            shell::juvenal()
        );
    }
    for technique in left_out.iter().filter(|_| were_named) {
        let (name, least) = (technique.name, technique.least_subjects);
        let tested = if least > 1 { format!("fewer than {least}") } else { "none".to_owned() };
        screen::complain(format_args!("skipping {name}: it can test {tested} of the analyzers"));
    }
    Ok(kept)
}

/// Suggests what to use instead of a name that no technique has.
fn instead_of_technique(name: &str) -> String {
    if is_analyzer(name) {
        let juvenal = shell::juvenal();
        return format!("to hunt the analyzer {name}: {juvenal} hunt --analyzer {}", shell::word(name));
    }
    let known: Vec<&str> = techniques::all().iter().map(|technique| technique.name).collect();
    format!("the techniques are {}", known.join(", "))
}

fn is_analyzer(text: &str) -> bool {
    let Ok(specification) = Specification::parse(text) else { return false };
    let name = specification.name.as_str();
    let is_shipped = || Catalogue::shipped().is_ok_and(|catalogue| catalogue.find(name).is_ok());
    let is_built_in = analyzers::built_in_page(name).is_some();
    specification.is_file() || is_built_in || analyzers::benchexec_module(name).is_some() || is_shipped()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lineup;

    #[test]
    fn techniques_with_nothing_to_do_are_left_out() {
        let techniques: Vec<&'static Technique> = vec![&techniques::satisfiable::TECHNIQUE];
        assert_eq!(seed_languages_of(&techniques), [Language::SMT]);
        for (language, kept) in [(Language::SMT, 1), (Language::C, 0)] {
            let seeds = SeedFiles::shipped(&[(language, &[("name", "text")])]);
            assert_eq!(with_seeds(techniques.clone(), &seeds).len(), kept, "{language}");
        }
        for (analyzer, is_kept) in [(analyzers::LIAR_SMT, true), ("", false)] {
            let locator = lineup::locator().unwrap();
            let resolve = |name| locator.resolve(&Specification::parse(name)?);
            let chosen = ResolvedLineup {
                subjects: resolve(analyzer).into_iter().collect(),
                witnesses: Vec::new(),
                by_hand: Vec::new(),
                texts_by_hand: Vec::new(),
                demonstration: false,
            };
            assert_eq!(
                with_subjects(techniques.clone(), &chosen, true, false).is_ok(),
                is_kept,
                "{analyzer}"
            );
        }
    }
}
