//! What a strategy is given: the project, and the settings of the cut.

use crate::{DependencyGraph, Neighborhoods, Part, SizeLimit, SourceFile};
use model::Random;
use serde::{Deserialize, Serialize};

/// The settings of a cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutSettings {
    /// How large a part may be.
    pub limit: SizeLimit,
    /// Up to which distance a part has the files that its own files need.
    pub radius: u32,
    /// False if a tool sees the whole tree anyway: then parts have nothing but the files that they own.
    pub replicates: bool,
    /// Strategy `split-merge`: the share of the best connected files that is repeated in every piece of a part, in percent.
    pub hubs_percent: u32,
    /// Strategy `split-merge`: what that is a share of.
    pub hubs_of: HubsOf,
    /// If given, files are ordered at random instead of by name: names may reveal what belongs together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shuffle: Option<u64>,
}

/// What [`CutSettings::hubs_percent`] is a share of. The text of the publication and its listing disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HubsOf {
    /// The size of the part that is split, as in the example of the publication.
    Part,
    /// The largest size of a part, as in its listing.
    #[default]
    Limit,
}

impl CutSettings {
    /// The usual settings under a limit: those of the publication.
    pub fn new(limit: SizeLimit) -> CutSettings {
        CutSettings {
            limit,
            radius: 2,
            replicates: true,
            hubs_percent: 10,
            hubs_of: HubsOf::default(),
            shuffle: None,
        }
    }
}

/// A project that is being cut.
pub struct Cut<'a> {
    /// What depends on what.
    pub graph: &'a DependencyGraph,
    /// How.
    pub settings: &'a CutSettings,
    files: &'a [SourceFile],
    sizes: Vec<u64>,
    /// The position of each file in the order in which files are taken.
    ranks: Vec<u32>,
}

impl<'a> Cut<'a> {
    /// A project and how it is cut. The graph has these files.
    pub fn new(files: &'a [SourceFile], graph: &'a DependencyGraph, settings: &'a CutSettings) -> Cut<'a> {
        let measure = settings.limit.measure;
        let mut ranks: Vec<u32> = (0..files.len() as u32).collect();
        if let Some(seed) = settings.shuffle {
            Random::for_case(seed, 0).shuffle(&mut ranks);
        }
        Cut { graph, settings, files, sizes: files.iter().map(|file| measure.of(file)).collect(), ranks }
    }

    /// Walks on its graph.
    pub fn walks(&self) -> Neighborhoods<'a> {
        Neighborhoods::new(self.graph)
    }

    /// A file.
    pub fn file(&self, file: u32) -> &'a SourceFile {
        &self.files[file as usize]
    }

    /// The name of a file.
    pub fn name(&self, file: u32) -> &'a str {
        self.files.get(file as usize).map_or("", |file| &file.name)
    }

    /// The largest size of a part.
    pub fn most(&self) -> u64 {
        self.settings.limit.most
    }

    /// The size of a file.
    pub fn size(&self, file: u32) -> u64 {
        self.sizes.get(file as usize).copied().unwrap_or_default()
    }

    /// The size of several files together.
    pub fn size_of(&self, files: &[u32]) -> u64 {
        files.iter().map(|&file| self.size(file)).sum()
    }

    /// The position of a file in the order in which files are taken.
    pub fn rank(&self, file: u32) -> u32 {
        self.ranks.get(file as usize).copied().unwrap_or(file)
    }

    /// Every file, in the order in which files are taken.
    pub fn in_order(&self) -> Vec<u32> {
        let mut files: Vec<u32> = (0..self.files.len() as u32).collect();
        files.sort_by_key(|&file| self.rank(file));
        files
    }

    /// Puts files one after the other into parts that own them, and begins a new part where the next does not fit.
    pub fn chunks(&self, files: impl IntoIterator<Item = u32>) -> Vec<Part> {
        let (mut parts, mut open, mut size) = (Vec::new(), Vec::new(), 0);
        for file in files {
            if !open.is_empty() && size + self.size(file) > self.most() {
                parts.push(Part::owning(std::mem::take(&mut open)));
                size = 0;
            }
            size += self.size(file);
            open.push(file);
        }
        if !open.is_empty() {
            parts.push(Part::owning(open));
        }
        parts
    }
}
