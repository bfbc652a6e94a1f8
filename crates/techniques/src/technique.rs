//! What a technique consists of: data, a judge and reduction passes.

use crate::{Case, Opening, Pass, Share, Trials};
use model::{
    AnalyzerInfo, Answer, Exhibit, Knob, Language, Lineup, Query, Random, Relation, Seed, SettingError,
    Settings, Weighed,
};
use std::collections::BTreeSet;

/// A way to produce exhibits, and the judge of its own exhibits.
pub struct Technique {
    /// The name that users type.
    pub name: &'static str,
    /// The language of its inputs.
    pub language: Language,
    /// The language of its seeds, mostly the same.
    pub seed_language: Language,
    /// The manual page, in Markdown.
    pub manual: &'static str,
    /// The knobs, with their defaults and ranges.
    pub knobs: &'static [Knob],
    /// Where seeds come from if the user gives none.
    pub seeds: Seeds,
    /// How many cases make up one turn where several techniques share a campaign. A technique with short cases takes
    /// several in a row.
    pub cases_in_a_row: u64,
    /// How many analyzers must be under test for the technique to be able to find anything.
    pub least_subjects: usize,
    /// The shares of its work that cannot find anything, for the status and reports.
    pub shares: &'static [Share],
    /// What the technique can use an analyzer of its language for; see [`Technique::stance_towards`].
    pub stance: fn(&AnalyzerInfo) -> Stance,
    /// Starts a walk. The same opening and the same answers give the same walk.
    pub open: &'static Open,
    /// Decides about exhibits.
    pub judge: Judge,
    /// The reduction passes, in the order in which they are tried.
    pub passes: &'static [&'static dyn Pass],
    /// Replaces the text of an exhibit's program by one that an external reducer proposes. The result is `None` if it
    /// would not be valid. Techniques without this function cannot be reduced by external programs.
    pub with_text: Option<fn(&Exhibit, &str) -> Option<Exhibit>>,
    /// Short campaigns that show that the technique accuses liars and no honest analyzer.
    pub trials: Trials,
}

/// Opens a case. It is a trait object, not a function pointer, because techniques in tests carry state.
pub type Open = dyn Fn(Opening<'_>) -> Result<Box<dyn Case>, SettingError> + Sync;

impl Technique {
    /// What the technique can use an analyzer for. Analyzers of other languages may have the same roles.
    pub fn stance_towards(&self, analyzer: &AnalyzerInfo) -> Stance {
        if analyzer.accepts_inputs_in(self.language) { (self.stance)(analyzer) } else { Stance::No }
    }

    /// Rejects knobs with values that they cannot have. This is called before a campaign begins.
    pub fn check_knobs(&self, settings: &Settings) -> Result<(), SettingError> {
        self.knobs.iter().try_for_each(|knob| settings.check(self.name, knob))
    }

    /// True if the technique makes its own seeds where the user gives none.
    pub fn makes_seeds(&self) -> bool {
        matches!(self.seeds, Seeds::Made(_))
    }

    /// The reduction pass with this name.
    pub fn pass(&self, name: &str) -> Option<&'static dyn Pass> {
        self.passes.iter().copied().find(|pass| pass.name() == name)
    }
}

/// Where the seeds of a technique come from if the user gives none.
pub enum Seeds {
    /// From the files that are shipped with juvenal.
    Given,
    /// The technique makes a seed for each case.
    Made(fn(&Settings, Random) -> Result<MadeSeed, SettingError>),
}

/// A seed that a technique has made.
#[derive(Clone, Debug)]
pub struct MadeSeed {
    /// The program.
    pub program: Seed,
    /// The number of a Csmith program that replaces it where Csmith is installed.
    pub csmith: Option<u32>,
}

/// What a technique can use an analyzer for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// It is tested by default, and its answers do not help to judge others.
    Subject,
    /// It is tested by default and can help to judge others.
    SubjectAndWitness,
    /// It can help to judge others, and is tested only if the user names it.
    OnRequest,
    /// It can only help to judge.
    Witness,
    /// The technique has no use for it.
    No,
}

impl Stance {
    /// The stance towards an analyzer that is tested by default if it can be, and helps to judge if it can.
    pub fn of(can_be_tested: bool, can_judge: bool) -> Stance {
        match (can_be_tested, can_judge) {
            (true, true) => Stance::SubjectAndWitness,
            (true, false) => Stance::Subject,
            (false, true) => Stance::Witness,
            (false, false) => Stance::No,
        }
    }

    /// True if the technique can put queries to the analyzer.
    pub fn can_be_subject(self) -> bool {
        matches!(self, Stance::Subject | Stance::SubjectAndWitness | Stance::OnRequest)
    }

    /// True if the analyzer is tested without being named by the user.
    pub fn is_default_subject(self) -> bool {
        matches!(self, Stance::Subject | Stance::SubjectAndWitness)
    }

    /// True if the analyzer can help to judge.
    pub fn can_be_witness(self) -> bool {
        matches!(self, Stance::SubjectAndWitness | Stance::OnRequest | Stance::Witness)
    }
}

/// The functions that decide about the exhibits of a technique.
pub struct Judge {
    /// True if a relation is one of the technique's. The relation of an exhibit that another version of juvenal wrote may
    /// not be readable any more, and then the exhibit cannot be judged.
    pub reads: fn(&Relation) -> bool,
    /// Decides whether the answers to the first queries of an exhibit break its relation. This is the only test of
    /// interest: confirm, replay, reduce and judge all use it.
    pub judge: &'static Decide,
    /// How many of the first queries of an exhibit nearly always decide whether a smaller one is good. The reducer asks
    /// the others at the end of each pass.
    pub deciding_prefix: fn(&Exhibit) -> usize,
    /// What to ask the witnesses about an exhibit that these answers have confirmed.
    pub hearing: fn(&Exhibit, &[Answer], &Lineup) -> Vec<Query>,
    /// How strong the case is, given the answers of the witnesses.
    pub weigh: fn(&Exhibit, &Hearing<'_>) -> Weighed,
    /// The features of a reduced exhibit. Findings with the same features have the same cause.
    pub features: fn(&Exhibit, &[Answer]) -> BTreeSet<String>,
}

/// Judges an exhibit by the answers to its first queries.
pub type Decide = dyn Fn(&Exhibit, &[Answer]) -> Judgement + Sync;

/// Every query of an exhibit decides: the usual [`Judge::deciding_prefix`].
pub fn every_query(exhibit: &Exhibit) -> usize {
    exhibit.queries.len()
}

/// What the answers to the first queries of an exhibit show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The relation is broken.
    Broken,
    /// The relation is not broken, whatever the answers to the other queries are.
    Intact,
    /// The relation may be broken; it depends on the other queries.
    NeedMore,
}

impl Judgement {
    /// The judgement of a technique that decides by the answers to all queries.
    pub fn when_complete(
        exhibit: &Exhibit,
        answers: &[Answer],
        is_broken: fn(&Exhibit, &[Answer]) -> bool,
    ) -> Judgement {
        if answers.len() < exhibit.queries.len() {
            return Judgement::NeedMore;
        }
        Judgement::on_all(is_broken(exhibit, answers))
    }

    /// The judgement on all answers.
    pub fn on_all(is_broken: bool) -> Judgement {
        if is_broken { Judgement::Broken } else { Judgement::Intact }
    }

    /// The judgement on the answers to some of the first queries.
    pub fn on_some(may_break: bool) -> Judgement {
        if may_break { Judgement::NeedMore } else { Judgement::Intact }
    }
}

/// Everything known about a confirmed exhibit when it is weighed.
pub struct Hearing<'a> {
    /// The answers that broke the relation.
    pub answers: &'a [Answer],
    /// The analyzers under test and the witnesses.
    pub lineup: &'a Lineup,
    /// What the witnesses were asked.
    pub asked: &'a [Query],
    /// What they answered.
    pub witnesses: &'a [Answer],
}
