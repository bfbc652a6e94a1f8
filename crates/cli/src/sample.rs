//! One recorded answer, to show why a campaign judged nothing.

use crate::lineup::ResolvedLineup;
use crate::verdict_words::describe_verdict;
use anyhow::Result;
use campaign::{Plan, Rota};
use engine::{Asker, Engine, Journal, SeedFiles};
use model::Random;
use store::Store;
use techniques::{Notes, Opening, Step, Technique};

/// Cases that are looked at until one has a recorded answer.
const CASES: u64 = 50;
/// Steps of a case before its first question.
const STEPS: u32 = 3;

/// What an analyzer did with the first input of a case, in words; none if no answer is recorded.
pub fn sample(
    plan: &Plan,
    store: &Store,
    engine: &Engine,
    chosen: &ResolvedLineup,
    techniques: &[&'static Technique],
    seeds: &SeedFiles,
) -> Result<Option<String>> {
    let mut asker = Asker::new(engine, Some(store), Journal::ReadOnly);
    let lineup = chosen.lineup();
    let rota = Rota::new(&techniques.iter().map(|it| *it).collect::<Vec<_>>());
    for case_number in 0..CASES {
        let (place, before) = rota.place(case_number);
        let technique = techniques[place];
        let place = campaign::place_of_seed(seeds, technique, before);
        let random = Random::for_case(plan.random_seed, case_number);
        let settings = &plan.settings;
        let Ok(seed) = campaign::seed_of(engine, seeds, technique, place, settings, random.clone())? else {
            continue;
        };
        let mut case = (technique.open)(Opening { seed: &seed, lineup: &lineup, settings, random })?;
        for _ in 0..STEPS {
            let Step::Ask(queries) = case.next(&[], &mut Notes::default()) else { break };
            let Some(query) = queries.first() else { continue };
            let answers = asker.ask(std::slice::from_ref(query))?;
            if let (0, Some(answer)) = (asker.take_tally().missing, answers.first()) {
                return Ok(Some(format!(
                    "on {}, {} {}",
                    seed.name,
                    query.analyzer,
                    describe_verdict(&answer.verdict)
                )));
            }
            break;
        }
    }
    Ok(None)
}
