//! The nouns of juvenal and the on-disk format: plain data, no input or output.
//!
//! A *technique* says what to ask: a [`Query`] is one [`Input`] for one analyzer.
//! An analyzer's [`Answer`] carries a [`Verdict`]. Answers that cannot all be right make an [`Exhibit`];
//! a confirmed exhibit with its [`Evidence`] is a [`Finding`].
//!
//! Invariant: this crate depends on nothing of ours, touches no file, reads no clock, starts no process.

mod analyzer;
mod answer;
mod c_input;
mod comparison;
mod exhibit;
mod finding;
mod fingerprint;
mod hash;
mod input;
mod language;
mod named_file;
mod profile;
mod project;
mod query;
mod random;
mod relation;
mod settings;
mod shown_text;
mod space;
mod syntax_error;
mod transcript;
mod version;
mod warning;

pub use analyzer::{
    AnalyzerId, AnalyzerInfo, Approximation, DatalogInfo, FailingCheck, Lineup, OptionChoice,
    ReachabilityInfo, RoleInfo, SmtInfo, WarningsInfo,
};
pub use answer::{
    Answer, CheckClaim, CheckStatus, ChecksClaim, Claim, Cost, KillMode, LimitKind, MeasureMode, OutputRows,
    SmtCheck, SmtStatus, Verdict,
};
pub use c_input::{Annotation, AnnotationKind, CInput, DataModel};
pub use comparison::{CheckAnswer, ComparedAnalyzer, ComparedCheck, Comparison, ComparisonDomain, Executed};
pub use exhibit::{Evidence, Exhibit, Kind, Weighed};
pub use finding::{Finding, RunRecord};
pub use fingerprint::Fingerprint;
pub use hash::{Hash, PartHasher};
pub use input::{Input, Seed, SmtInput, TextInput};
pub use language::{Language, LanguageKind};
pub use named_file::NamedFile;
pub use profile::{Profile, ProfileCell, Said};
pub use project::{FileFailure, Level, ProjectReport, RelatedPlace, ResultPlace, Rule, ToolResult, Way};
pub use query::{Limits, Mode, Query, Role};
pub use random::Random;
pub use relation::{Relation, RelationData};
pub use settings::{ALLOWED_MILLISECONDS, Knob, KnobRange, SettingError, Settings};
pub use shown_text::{is_hidden, one_line, shown, shown_json, shown_name};
pub use space::{Condition, Parameter, Scale, Space};
pub use syntax_error::{SyntaxError, UNPARSED_PROGRAM};
pub use transcript::{Ending, Run, Transcript};
pub use version::{compare_versions, release_of};
pub use warning::{ErrorKind, PathEvent, Position, Warning};
