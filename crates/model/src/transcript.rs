//! What an analyzer printed, kept so that another reader can read it again.

use crate::LimitKind;
use serde::{Deserialize, Serialize};

/// How a process ended, if it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It exited with this code.
    Exited(i32),
    /// It was killed by this signal, which was not ours.
    Signaled(i32),
    /// It was killed by one of our limits.
    Limit(LimitKind),
    /// It is a session that printed its marker and waits for more.
    StillAlive,
}

/// The kernel ends a process with this signal when memory runs out.
const SIGKILL: i32 = 9;
/// The signal for too much processor time.
const SIGXCPU: i32 = 24;
/// The signal for a file that becomes too large.
const SIGXFSZ: i32 = 25;

impl Ending {
    /// The limit at which juvenal or the kernel ended the process.
    pub fn limit(self) -> Option<LimitKind> {
        match self {
            Ending::Limit(kind) => Some(kind),
            Ending::Signaled(SIGKILL) => Some(LimitKind::Memory),
            Ending::Signaled(SIGXCPU) => Some(LimitKind::Time),
            Ending::Signaled(SIGXFSZ) => Some(LimitKind::Output),
            Ending::Signaled(_) | Ending::Exited(_) | Ending::StillAlive => None,
        }
    }

    /// The name of the signal that ended the process, if it means a crash.
    pub fn crash_signal(self) -> Option<&'static str> {
        let Ending::Signaled(number) = self else { return None };
        Some(match number {
            4 => "SIGILL",
            5 => "SIGTRAP",
            6 => "SIGABRT",
            7 => "SIGBUS",
            8 => "SIGFPE",
            11 => "SIGSEGV",
            31 => "SIGSYS",
            _ => return None,
        })
    }
}

/// What came back from one run: the output of its last step, or of the step that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// How the step ended.
    pub ending: Ending,
    /// Standard output.
    #[serde(with = "text_or_bytes", default, skip_serializing_if = "Vec::is_empty")]
    pub stdout: Vec<u8>,
    /// Standard error.
    #[serde(with = "text_or_bytes", default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<u8>,
    /// The file that the description names, if it was written. For a tool that runs through a BenchExec module, the
    /// module's word for the outcome.
    #[serde(with = "optional_text_or_bytes", default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Vec<u8>>,
    /// True if the step only prepares others and therefore failed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub preparing: bool,
}

impl Run {
    /// A step that printed this and wrote no file.
    pub fn new(ending: Ending, stdout: Vec<u8>, stderr: Vec<u8>) -> Run {
        Run { ending, stdout, stderr, file: None, preparing: false }
    }
}

/// Everything that came back for one query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    /// Usually one run; analyzers that take one check at a time have one for each check.
    pub runs: Vec<Run>,
    /// The directories that the runs took place in, if the output names them and the reader must know them: that of the
    /// project, and an empty one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directories: Option<[String; 2]>,
    /// False if the verdict does not follow from the runs alone, because part of the output was dropped or a helper
    /// process failed. The recorded verdict then stands whatever today's reader would say.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub can_be_read_again: bool,
}

impl Transcript {
    /// A transcript that holds everything.
    pub fn of(runs: Vec<Run>) -> Transcript {
        Transcript { runs, directories: None, can_be_read_again: true }
    }

    /// The same with at most this many bytes of each stream and file.
    pub fn capped(mut self, most: usize) -> Transcript {
        let mut dropped = false;
        for run in &mut self.runs {
            for bytes in [&mut run.stdout, &mut run.stderr].into_iter().chain(&mut run.file) {
                dropped |= bytes.len() > most;
                bytes.truncate(most);
            }
        }
        self.can_be_read_again &= !dropped;
        self
    }
}

fn yes() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Output is nearly always text, which is far smaller as a string than as a list of numbers.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum TextOrBytes {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<TextOrBytes> for Vec<u8> {
    fn from(stored: TextOrBytes) -> Vec<u8> {
        match stored {
            TextOrBytes::Text(text) => text.into_bytes(),
            TextOrBytes::Bytes(bytes) => bytes,
        }
    }
}

mod text_or_bytes {
    use super::TextOrBytes;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => bytes.serialize(serializer),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        TextOrBytes::deserialize(deserializer).map(Vec::from)
    }
}

mod optional_text_or_bytes {
    use super::{TextOrBytes, text_or_bytes};
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        bytes: &Option<Vec<u8>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => text_or_bytes::serialize(bytes, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Vec<u8>>, D::Error> {
        Ok(Option::<TextOrBytes>::deserialize(deserializer)?.map(Vec::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capping_drops_bytes_and_says_so() {
        let run = Run::new(Ending::Exited(0), b"12345".to_vec(), b"1".to_vec());
        let whole = Transcript::of(vec![run]);
        assert_eq!(whole.clone().capped(5), whole);
        let capped = whole.capped(4);
        assert_eq!(capped.runs[0].stdout, b"1234");
        assert!(!capped.can_be_read_again);
    }
}
