//! Where control groups could be made on this machine.

use model::MeasureMode;
use std::fs;
use std::path::{Path, PathBuf};

/// The directories in which the groups of one runner are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GroupParents {
    /// Which version of control groups this is.
    pub(crate) mode: MeasureMode,
    /// Where memory is limited and measured.
    pub(crate) memory: PathBuf,
    /// Where CPU time is measured.
    pub(crate) cpu: PathBuf,
    /// Where the number of processes is limited, if it can be.
    pub(crate) processes: Option<PathBuf>,
}

/// Candidates, best first. Only a trial shows whether one works.
pub(crate) fn candidates(mode: MeasureMode) -> Vec<GroupParents> {
    match mode {
        MeasureMode::CgroupV2 => unified_parents()
            .into_iter()
            .filter(|parent| has_memory_controller(parent))
            .map(|parent| GroupParents {
                mode,
                memory: parent.clone(),
                cpu: parent.clone(),
                processes: Some(parent.clone()),
            })
            .collect(),
        MeasureMode::CgroupV1 => version_1_candidate().into_iter().collect(),
        MeasureMode::Sampling | MeasureMode::BuiltIn => Vec::new(),
    }
}

/// Every directory in which this or an earlier juvenal process may have made groups.
pub(crate) fn all_parents() -> Vec<PathBuf> {
    let mut parents = unified_parents();
    for controller in ["memory", "cpuacct", "pids"] {
        parents.extend(version_1_parents(controller));
    }
    parents.sort();
    parents.dedup();
    parents
}

/// Version 1: for each controller the first directory in which a group can be made.
fn version_1_candidate() -> Option<GroupParents> {
    let usable = |controller| version_1_parents(controller).into_iter().find(|parent| is_writable(parent));
    Some(GroupParents {
        mode: MeasureMode::CgroupV1,
        memory: usable("memory")?,
        cpu: usable("cpuacct")?,
        processes: usable("pids"),
    })
}

/// Our own group and the root of the hierarchy.
fn version_1_parents(controller: &str) -> Vec<PathBuf> {
    let Some(mount) = mounts()
        .into_iter()
        .find(|mount| mount.kind == "cgroup" && mount.options.split(',').any(|option| option == controller))
    else {
        return Vec::new();
    };
    let mut parents: Vec<PathBuf> =
        own_path(|controllers| controllers.split(',').any(|name| name == controller))
            .and_then(|path| mount.directory_of(&path))
            .into_iter()
            .collect();
    parents.push(mount.point);
    parents.dedup();
    parents
}

/// Version 2: our own group and all groups above it.
pub(crate) fn unified_parents() -> Vec<PathBuf> {
    let Some(mount) = mounts().into_iter().find(|mount| mount.kind == "cgroup2") else {
        return Vec::new();
    };
    let Some(own) = own_path(str::is_empty).and_then(|path| mount.directory_of(&path)) else {
        return Vec::new();
    };
    own.ancestors().take_while(|ancestor| ancestor.starts_with(&mount.point)).map(Path::to_path_buf).collect()
}

/// Version 2 groups have memory files only where the parent hands the controller down.
fn has_memory_controller(parent: &Path) -> bool {
    fs::read_to_string(parent.join("cgroup.subtree_control"))
        .is_ok_and(|controllers| controllers.split_whitespace().any(|controller| controller == "memory"))
}

fn is_writable(parent: &Path) -> bool {
    let trial = parent.join(super::group::fresh_name());
    fs::create_dir(&trial).is_ok() && fs::remove_dir(&trial).is_ok()
}

/// Our path in the hierarchy whose list of controllers satisfies the condition.
fn own_path(wanted: impl Fn(&str) -> bool) -> Option<String> {
    let text = fs::read_to_string("/proc/self/cgroup").ok()?;
    text.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let controllers = fields.next()?;
        let path = fields.next()?;
        wanted(controllers).then(|| path.to_owned())
    })
}

/// One mounted hierarchy.
struct Mount {
    kind: String,
    root: String,
    point: PathBuf,
    options: String,
}

impl Mount {
    /// Where a group is found under this mount, which may show only a part of the hierarchy.
    fn directory_of(&self, path: &str) -> Option<PathBuf> {
        let relative = Path::new(path).strip_prefix(&self.root).ok()?;
        let directory =
            if relative.as_os_str().is_empty() { self.point.clone() } else { self.point.join(relative) };
        directory.is_dir().then_some(directory)
    }
}

fn mounts() -> Vec<Mount> {
    let text = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    text.lines().filter_map(read_mount).filter(|mount| mount.kind.starts_with("cgroup")).collect()
}

fn read_mount(line: &str) -> Option<Mount> {
    let (left, right) = line.split_once(" - ")?;
    let mut fields = left.split(' ').skip(3);
    let mut what = right.split(' ');
    Some(Mount {
        root: fields.next()?.to_owned(),
        point: PathBuf::from(fields.next()?),
        kind: what.next()?.to_owned(),
        options: what.nth(1)?.to_owned(),
    })
}
