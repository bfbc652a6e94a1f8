//! What an analyzer is really given. The key of an answer is the hash of this.

use crate::calling::FilledStep;
use crate::support::support_hash;
use model::{AnalyzerId, Hash, Limits, Mode, PartHasher, Query, Role};

/// Changes of what the key is made of get another number, so that old keys are not mistaken for new ones.
const KEY_FORMAT: &[u8] = b"request 1";

/// Everything that may change what comes back for a query, apart from the program that is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// Usually one run; analyzers that take one check at a time have one for each check. Empty if the answer is known
    /// without running anything.
    pub runs: Vec<RunRequest<'a>>,
    /// What the reader must know apart from the output. Two inputs may look the same to an analyzer and still number
    /// their checks differently.
    pub reading: Hash,
    /// How the analyzer is driven.
    pub mode: Mode,
    /// The role that it is asked in.
    pub role: Role,
    /// True if the process must not have answered anything before.
    pub fresh: bool,
    /// Counts repeated queries.
    pub attempt: u32,
    /// What all runs together may cost.
    pub limits: Limits,
}

/// One run: its files, its commands and their input. Arguments name files of the run directory without their path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunRequest<'a> {
    /// The commands, in order.
    pub steps: Vec<FilledStep>,
    /// The file that holds the rendered input: its name and its bytes.
    pub file: Option<(String, Vec<u8>)>,
    /// Names of support files of juvenal's own that must stand beside it.
    pub support: &'a [String],
    /// Standard input; of a session, the text for this input without the marker that ends it.
    pub stdin: Vec<u8>,
    /// How the session that answers is opened, if a session answers.
    pub session: Option<SessionRequest>,
}

/// How a session is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRequest {
    /// Queries with the same name can share a session.
    pub name: String,
    /// What the session is sent once, before anything else.
    pub opening: String,
}

impl<'a> Request<'a> {
    /// The request of a query that takes these runs.
    pub(crate) fn new(query: &Query, runs: Vec<RunRequest<'a>>, reading: Hash) -> Request<'a> {
        Request {
            runs,
            reading,
            mode: query.mode,
            role: query.role,
            fresh: query.fresh,
            attempt: query.attempt,
            limits: query.limits,
        }
    }

    /// The key of the answer. `program` is the hash of the analyzer's executable and of everything that it uses.
    pub fn key(&self, analyzer: &AnalyzerId, program: Hash) -> Hash {
        let mut hasher = PartHasher::default();
        hasher.add(KEY_FORMAT);
        hasher.add(analyzer.as_str().as_bytes());
        hasher.add(&program.0);
        hasher.add(&self.reading.0);
        hasher.add(&[self.mode as u8, self.role as u8, u8::from(self.fresh)]);
        hasher.add(&self.attempt.to_le_bytes());
        let limits = &self.limits;
        for limit in [limits.wall_milliseconds, limits.memory_megabytes, limits.output_kilobytes] {
            hasher.add(&limit.to_le_bytes());
        }
        self.runs.iter().for_each(|run| run.add_to(&mut hasher));
        hasher.finish()
    }
}

impl RunRequest<'_> {
    fn add_to(&self, hasher: &mut PartHasher) {
        hasher.add_count(self.steps.len());
        for step in &self.steps {
            hasher.add(step.program.as_deref().unwrap_or_default().as_bytes());
            hasher.add_list(&step.arguments);
        }
        if let Some((name, bytes)) = &self.file {
            hasher.add(name.as_bytes());
            hasher.add(bytes);
        }
        hasher.add_count(self.support.len());
        for name in self.support {
            hasher.add(name.as_bytes());
            hasher.add(&support_hash(name).0);
        }
        hasher.add(&self.stdin);
        hasher.add(self.session.as_ref().map_or("", |session| &session.opening).as_bytes());
    }
}
