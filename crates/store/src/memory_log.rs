//! An answer log in memory, for tests and for jobs without a campaign directory.

use crate::{AnswerLog, StoredAnswer};
use anyhow::Result;
use model::{Hash, Transcript};
use parking_lot::Mutex;
use std::collections::BTreeMap;

/// Answers that are lost when the log is dropped.
#[derive(Default)]
pub struct MemoryLog(Mutex<BTreeMap<Hash, StoredAnswer>>);

impl AnswerLog for MemoryLog {
    fn get(&self, keys: &[Hash]) -> Result<Vec<Option<StoredAnswer>>> {
        let answers = self.0.lock();
        let without_transcript = |stored: &StoredAnswer| StoredAnswer { transcript: None, ..stored.clone() };
        Ok(keys.iter().map(|key| answers.get(key).map(without_transcript)).collect())
    }

    fn transcripts(&self, keys: &[Hash]) -> Result<Vec<Option<Transcript>>> {
        let answers = self.0.lock();
        Ok(keys.iter().map(|key| answers.get(key)?.transcript.clone()).collect())
    }

    fn put(&self, new: &[(Hash, StoredAnswer)]) -> Result<BTreeMap<Hash, StoredAnswer>> {
        let mut answers = self.0.lock();
        let mut earlier = BTreeMap::new();
        for (key, stored) in new {
            if let Some(first) = answers.get(key) {
                earlier.insert(*key, StoredAnswer { transcript: None, ..first.clone() });
                continue;
            }
            let mut stored = stored.clone();
            // The store does not keep outputs with answers either.
            stored.answer.output = Vec::new();
            answers.insert(*key, stored);
        }
        Ok(earlier)
    }

    fn replace(&self, read_again: &[(Hash, StoredAnswer)]) -> Result<()> {
        let mut answers = self.0.lock();
        for (key, stored) in read_again {
            if let Some(known) = answers.get_mut(key) {
                let kept = known.transcript.take();
                let transcript = stored.transcript.clone().or(kept);
                *known = StoredAnswer { transcript, ..stored.clone() };
            }
        }
        Ok(())
    }

    fn count(&self) -> Result<u64> {
        Ok(self.0.lock().len() as u64)
    }
}
