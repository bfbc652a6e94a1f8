//! The option `--set TECHNIQUE.KEY=VALUE`.

use anyhow::{Result, bail};
use model::Settings;
use std::collections::BTreeMap;
use techniques::Technique;

/// Reads `--set TECHNIQUE.KEY=VALUE` and refuses unknown knobs.
pub fn parse_settings(texts: &[String]) -> Result<Settings> {
    let mut settings = BTreeMap::new();
    for text in texts {
        let Some((name, value)) = text.split_once('=') else {
            bail!("--set {text}: expected TECHNIQUE.KEY=VALUE");
        };
        let technique = name.split_once('.').and_then(|(technique, key)| {
            let technique = techniques::find(techniques::all(), technique)?;
            technique.knobs.iter().find(|setting| setting.key == key)
        });
        if technique.is_none() {
            let known: Vec<String> = techniques::all()
                .iter()
                .flat_map(|it| it.knobs.iter().map(|setting| format!("{}.{}", it.name, setting.key)))
                .collect();
            let suffix = format!(".{name}");
            let meant: Vec<String> =
                known.iter().filter(|knob| knob.ends_with(&suffix)).map(|knob| format!("`{knob}`")).collect();
            match meant.is_empty() {
                false => {
                    bail!("--set {text}: there is no knob `{name}`; did you mean {}?", meant.join(" or "))
                }
                true => bail!("--set {text}: there is no knob `{name}`; {}", known_knobs(name)),
            }
        }
        settings.insert(name.to_owned(), value.to_owned());
    }
    Ok(Settings(settings))
}

/// The knobs of the technique that was named, or where to read about all of them.
fn known_knobs(name: &str) -> String {
    let technique = name.split_once('.').map_or(name, |(technique, _)| technique);
    match techniques::find(techniques::all(), technique) {
        Some(technique) => {
            let keys: Vec<String> =
                technique.knobs.iter().map(|it| format!("{}.{}", technique.name, it.key)).collect();
            format!("known knobs: {}", keys.join(", "))
        }
        None => {
            let names: Vec<&str> = techniques::all().iter().map(|it| it.name).collect();
            format!("`juvenal explain TECHNIQUE` lists those of {}", names.join(", "))
        }
    }
}

/// How to install Csmith.
pub const CSMITH_HINT: &str = "try `apt-get install csmith libcsmith-dev`";

/// Refuses knobs without effect: those of techniques that are not used, and Csmith's if it is not installed.
pub fn refuse_idle_settings(settings: &Settings, techniques: &[&'static Technique]) -> Result<()> {
    let is_idle = |name: &&String| {
        let technique = name.split_once('.').map_or("", |(technique, _)| technique);
        techniques.iter().all(|used| used.name != technique)
    };
    if let Some(name) = settings.0.keys().find(is_idle) {
        let used: Vec<&str> = techniques.iter().map(|technique| technique.name).collect();
        bail!(
            "--set {name}: this knob has no effect; it belongs to a technique that is not used (used: {})",
            used.join(", ")
        );
    }
    let wants_csmith =
        |(name, value): &(&String, &String)| name.ends_with(".csmith") && value.as_str() != "0";
    if let Some((name, value)) = settings.0.iter().find(wants_csmith)
        && engine::csmith().is_none()
    {
        bail!("--set {name}={value}: Csmith or its headers are not installed; {CSMITH_HINT}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_knobs_are_refused() {
        assert!(parse_settings(&["satisfiable.depth=3".to_owned()]).is_ok());
        assert!(parse_settings(&["satisfiable.deepness=3".to_owned()]).is_err());
        assert!(parse_settings(&["depth".to_owned()]).is_err());
    }

    #[test]
    fn knobs_of_techniques_that_are_not_used_are_refused() {
        let settings = parse_settings(&["satisfiable.depth=3".to_owned()]).unwrap();
        let runtime: &'static Technique = &techniques::runtime::TECHNIQUE;
        assert!(refuse_idle_settings(&settings, &[runtime, &techniques::satisfiable::TECHNIQUE]).is_ok());
        let message = refuse_idle_settings(&settings, &[runtime]).unwrap_err().to_string();
        assert!(message.contains("satisfiable.depth") && message.contains("used: runtime"), "{message}");
    }
}
