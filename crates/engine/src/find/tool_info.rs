//! Resolving `--analyzer benchexec/NAME`: a tool that BenchExec has a tool-info module for.

use crate::ask::{About, Failure, FailureKind, ToolWorker};
use crate::{Backend, Locator, Program, Resolved, Specification, Tool, ToolInfo};
use analyzers::{BENCHEXEC, BENCHEXEC_OPTION, Description, benchexec_description, benchexec_module};
use anyhow::{Context, Error, Result, anyhow, bail};
use descriptions::nearest;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// The version of a tool that does not print one.
const NO_VERSION: &str = "unknown";

impl Locator {
    /// The analyzer that `benchexec/NAME` names.
    pub(crate) fn resolve_tool(&self, specification: &Specification) -> Result<Resolved> {
        let tool = tool_info(specification)?;
        let common = Arc::new(benchexec_description().map_err(Error::msg)?);
        let mut found = self.choose(&common, &Specification::parse(BENCHEXEC)?)?;
        found.program.environment = worker_environment(found.program.environment);
        let opened = ToolWorker::open(self.runner(), &found.program, &tool, self.scratch())?;
        let (_, about) = opened.map_err(|failure| explain(&failure, &tool, specification, &found.version))?;
        let version = version_word(&about.version);
        if let Some(wanted) = specification.version.as_ref().filter(|wanted| **wanted != version) {
            let name = &specification.name;
            bail!(
                "{name}@{wanted} is not installed (found {version}); give its directory with --analyzer {name}=PATH"
            );
        }
        let description = Arc::new(self.description_of_tool(&common, specification, &tool, &about));
        let member = description.member(found.program.driver, &version, &specification.configuration);
        // A module may list files that this build of the tool does not have.
        let files = about.files.into_iter().filter(|path| path.exists());
        let origin = format!("{} ({BENCHEXEC} {})", about.executable.display(), found.version);
        let worker = Program {
            description,
            configuration: specification.configuration.clone(),
            also_hashed: [about.source, about.executable].into_iter().chain(files).collect(),
            ..found.program
        };
        let reader_hash = common.identity();
        Ok(Resolved { member, origin, reader_hash, backend: Backend::ToolInfo(Tool { worker, info: tool }) })
    }

    /// The common description under the name of this tool.
    fn description_of_tool(
        &self,
        common: &Description,
        specification: &Specification,
        tool: &ToolInfo,
        about: &About,
    ) -> Description {
        let mut description = common.clone();
        description.name = specification.name.clone();
        description.title = about.name.clone();
        if !about.homepage.is_empty() {
            description.homepage = about.homepage.clone();
        }
        description.tracker = None;
        let module = tool.module.rsplit('.').next().unwrap_or(&tool.module);
        // The same code under another name, such as `cbmc-path` or `ultimateautomizer`, is no independent judge.
        let mut known = self.catalogue().descriptions().iter();
        let relative = known.find(|known| module.starts_with(known.name.as_str()));
        description.family = relative.map_or_else(|| module.to_owned(), |relative| relative.family.clone());
        // A bounded analysis stays one when it is called in another way.
        let known_role = relative.and_then(|relative| relative.reachability.as_ref());
        if let (Some(role), Some(known)) = (&mut description.reachability, known_role) {
            role.approximation = known.approximation;
        }
        description
    }
}

/// Reads the specification, as far as that is possible without the module.
fn tool_info(specification: &Specification) -> Result<ToolInfo> {
    let name = &specification.name;
    let module = benchexec_module(name).unwrap_or_default().to_owned();
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    if module.is_empty() || !module.chars().all(allowed) {
        bail!(
            "--analyzer {name}: expected {BENCHEXEC}/NAME, where NAME is a tool-info module such as cbmc; \
             see `juvenal explain {BENCHEXEC}`"
        );
    }
    if let Some((key, _)) = specification.configuration.iter().find(|(key, _)| key != BENCHEXEC_OPTION) {
        bail!("{name} has no option `{key}`; an option of the tool is written :{BENCHEXEC_OPTION}={key}");
    }
    let directory = specification.path.as_ref().map(|path| -> Result<PathBuf> {
        let path =
            std::path::absolute(path).with_context(|| format!("cannot make the path of {name} absolute"))?;
        if !path.is_dir() {
            bail!(
                "--analyzer {name}={}: expected the directory of the tool, and there is none",
                path.display()
            );
        }
        Ok(path)
    });
    Ok(ToolInfo { module, directory: directory.transpose()? })
}

/// Modules look for tools on the user's search path, and the user's own modules are found as Python finds them.
fn worker_environment(mut environment: Vec<(OsString, OsString)>) -> Vec<(OsString, OsString)> {
    if let Some(own) = std::env::var_os("PYTHONPATH").filter(|own| !own.is_empty()) {
        for (_, value) in environment.iter_mut().filter(|(name, _)| name == "PYTHONPATH") {
            value.push(":");
            value.push(&own);
        }
    }
    environment.extend(std::env::var_os("PATH").map(|path| ("PATH".into(), path)));
    environment
}

/// The problem, and what to try.
fn explain(
    failure: &Failure,
    tool: &ToolInfo,
    specification: &Specification,
    benchexec_version: &str,
) -> Error {
    let (module, name) = (&tool.module, &specification.name);
    // Quotation marks are harmless, and modules use them a lot.
    let message = failure.message.escape_debug().to_string().replace("\\'", "'");
    match (failure.kind, &tool.directory) {
        (FailureKind::NoModule, _) => {
            let hint = match nearest(module, failure.known.iter().map(String::as_str)) {
                Some(nearest) => format!("did you mean {BENCHEXEC}/{nearest}?"),
                None => {
                    "a module of your own is named with its package and found through PYTHONPATH".to_owned()
                }
            };
            anyhow!("BenchExec {benchexec_version} has no tool-info module `{module}`; {hint}")
        }
        (FailureKind::NoTool, None) => anyhow!(
            "the tool of {name} is not on the search path ({message}); \
             give its directory with --analyzer {name}=PATH"
        ),
        (FailureKind::NoTool, Some(directory)) => anyhow!(
            "the tool of {name} is not in {} ({message}); name the directory that holds its executable",
            directory.display()
        ),
        (FailureKind::Refused | FailureKind::Failed, _) => anyhow!(
            "the tool-info module {module} of BenchExec {benchexec_version} fails ({message}); \
             try another version with `juvenal analyzer install {BENCHEXEC}@VERSION`"
        ),
    }
}

/// The version as a word that can stand in an identity: whatever would end the word there becomes a hyphen.
fn version_word(version: &str) -> String {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "._+".contains(letter);
    let line = version.lines().next().unwrap_or("");
    let parts: Vec<&str> = line.split(|letter| !allowed(letter)).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { NO_VERSION.to_owned() } else { parts.join("-") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_become_words() {
        for (version, word) in [
            ("6.3.1 (cbmc-6.3.1)\n", "6.3.1-cbmc-6.3.1"),
            ("4.0 / svcomp25: a=b, c@d", "4.0-svcomp25-a-b-c-d"),
            ("0.2.5-dev\nmore", "0.2.5-dev"),
            ("", NO_VERSION),
        ] {
            assert_eq!(version_word(version), word);
        }
    }

    #[test]
    fn what_is_written_wrong_is_said() {
        for (text, expected) in [
            ("benchexec", "expected benchexec/NAME, where NAME is a tool-info module such as cbmc"),
            ("benchexec/", "expected benchexec/NAME"),
            ("benchexec/a b", "expected benchexec/NAME"),
            ("benchexec/../cbmc", "expected benchexec/NAME"),
            ("benchexec/cbmc:--unwind=3", "an option of the tool is written :option=--unwind"),
            ("benchexec/cbmc=/no/such/place", "expected the directory of the tool, and there is none"),
        ] {
            let problem = tool_info(&Specification::parse(text).unwrap()).unwrap_err().to_string();
            assert!(problem.contains(expected), "{problem}");
        }
    }
}
