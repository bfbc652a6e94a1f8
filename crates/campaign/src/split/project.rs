//! A project and the tool that analyzes it.

use anyhow::Result;
use engine::{FoundTool, ProjectContents, ToolQuestion, ToolRunner, interruption, unless_stopped};
use model::{Answer, Hash, Limits, PartHasher, Way};
use schedule::Stop;
use splitting::{DependencyGraph, Direction, Neighborhoods, Part, PartCost, SourceFile};
use store::AnswerLog;
use tools::{Dependencies, Named, Tool};

/// A project and the tool that analyzes it.
pub struct SplitProject<'a> {
    runner: ToolRunner<'a>,
    contents: &'a ProjectContents,
    /// What depends on what, as far as it matters to the tool.
    graph: DependencyGraph,
    /// Arguments that the user adds.
    options: Vec<String>,
    limits: Limits,
}

impl<'a> SplitProject<'a> {
    /// A project whose parts are analyzed within these limits.
    pub fn new(
        runner: ToolRunner<'a>,
        contents: &'a ProjectContents,
        options: Vec<String>,
        limits: Limits,
    ) -> SplitProject<'a> {
        let graph = graph(&runner.found.tool, contents);
        SplitProject { runner, contents, graph, options, limits }
    }

    /// The tool.
    pub fn found(&self) -> &'a FoundTool {
        self.runner.found
    }

    /// What is in the files.
    pub fn contents(&self) -> &'a ProjectContents {
        self.contents
    }

    /// What depends on what, as far as it matters to the tool.
    pub fn graph(&self) -> &DependencyGraph {
        &self.graph
    }

    /// Does own work on the files and their dependencies, which may be long for a hostile project.
    ///
    /// # Errors
    ///
    /// Fails with an interruption if juvenal is to stop before it is done.
    pub fn unless_stopped<T: Send + 'static>(
        &self,
        stop: Stop<'_>,
        work: impl FnOnce(&[SourceFile], &DependencyGraph) -> T + Send + 'static,
    ) -> Result<T> {
        let (files, graph) = (self.contents.files.clone(), self.graph.clone());
        let done = unless_stopped(&|| stop.is_over(), move || work(&files, &graph))?;
        Ok(done.ok_or_else(interruption)?)
    }

    /// The limits of a part.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The most that a part may cost.
    pub(super) fn limits_of_cost(&self) -> PartCost {
        PartCost {
            wall_microseconds: self.limits.wall_milliseconds.saturating_mul(1000),
            cpu_microseconds: u64::MAX,
            peak_memory_bytes: self.limits.memory_megabytes.saturating_mul(1 << 20),
        }
    }

    /// True if files need others, as far as it matters to the tool.
    pub(super) fn needs_others(&self) -> bool {
        self.found().tool.dependencies != Dependencies::None
    }

    /// The files of a part that a command names.
    pub(super) fn named(&self, part: &Part) -> Vec<u32> {
        let files = match self.found().tool.named {
            Named::Owned => &part.owned,
            Named::All => &part.files,
        };
        let taken = files.iter().copied();
        taken.filter(|&file| self.found().tool.takes(self.name(file))).collect()
    }

    /// The files for which a part speaks if the tool analyzed it.
    ///
    /// None if the tool follows calls: it reports on a file what another file makes it do, so no part knows everything.
    pub(super) fn analyzed(&self, part: &Part) -> Vec<u32> {
        match self.found().tool.dependencies {
            Dependencies::Definitions => Vec::new(),
            Dependencies::None | Dependencies::Declarations => self.named(part),
        }
    }

    /// The answer of the tool about a part, and whether it was recorded before.
    pub(super) fn ask(&self, part: &Part, way: Way, log: &dyn AnswerLog) -> Result<(Answer, bool)> {
        self.ask_within(self.limits, part, way, log)
    }

    /// The same with as much time as this many parts have together.
    pub(super) fn ask_with_time_for(
        &self,
        parts: usize,
        part: &Part,
        way: Way,
        log: &dyn AnswerLog,
    ) -> Result<(Answer, bool)> {
        let wall_milliseconds = self.limits.wall_milliseconds.saturating_mul(parts.max(1) as u64);
        self.ask_within(Limits { wall_milliseconds, ..self.limits }, part, way, log)
    }

    fn ask_within(
        &self,
        limits: Limits,
        part: &Part,
        way: Way,
        log: &dyn AnswerLog,
    ) -> Result<(Answer, bool)> {
        let named: Vec<&str> = self.named(part).into_iter().map(|file| self.name(file)).collect();
        let visible: Vec<&str> = part.files.iter().map(|&file| self.name(file)).collect();
        let configuration: Vec<&str> =
            self.contents.configuration.iter().map(|(name, _)| name.as_str()).collect();
        self.runner.ask(
            &ToolQuestion {
                named: &named,
                alone: (way == Way::Isolated).then_some(&visible[..]),
                configuration: &configuration,
                compile_commands: self.contents.compile_commands.as_ref(),
                options: &self.options,
                content: self.content(part, way),
                limits,
            },
            log,
        )
    }

    /// The names and contents of all files that the answer about a part can depend on.
    fn content(&self, part: &Part, way: Way) -> Hash {
        let mut hasher = PartHasher::default();
        let mut add = |file: u32| {
            hasher.add(self.name(file).as_bytes());
            hasher.add(&self.contents.hashes[file as usize].0);
        };
        match way {
            Way::Isolated => part.files.iter().for_each(|&file| add(file)),
            // The tool finds whatever the files need, however far away.
            Way::InPlace => {
                let mut needed = Vec::new();
                Neighborhoods::new(&self.graph).visit(
                    &part.files,
                    u32::MAX,
                    Direction::Targets,
                    |file, _| {
                        needed.push(file);
                        true
                    },
                );
                needed.sort_unstable();
                needed.into_iter().for_each(add);
            }
        }
        for (name, hash) in &self.contents.configuration {
            hasher.add(name.as_bytes());
            hasher.add(&hash.0);
        }
        hasher.finish()
    }

    /// True if a command names every file of a part, and not only those that the part owns.
    pub fn names_all(&self) -> bool {
        self.found().tool.named == Named::All
    }

    /// The name of a file.
    pub fn name(&self, file: u32) -> &'a str {
        self.contents.files.get(file as usize).map_or("", |file| &file.name)
    }
}

/// What depends on what, as far as it matters to a tool. Files that it is not given, such as headers, come with those that need
/// them.
fn graph(tool: &Tool, contents: &ProjectContents) -> DependencyGraph {
    let dependencies = &contents.dependencies;
    let graph = match tool.dependencies {
        Dependencies::None => DependencyGraph::new(vec![Vec::new(); contents.files.len()]),
        Dependencies::Declarations => dependencies.needs.clone(),
        Dependencies::Definitions => dependencies.with_uses(),
    };
    graph.with_attached(contents.files.iter().map(|file| !tool.takes(&file.name)).collect())
}
