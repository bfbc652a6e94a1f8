//! Control groups: limits and exact measurements for a whole process tree.

use crate::hierarchy::GroupParents;
use crate::system;
use model::MeasureMode;
use parking_lot::Mutex;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The maximum number of processes and threads of one tree at a time.
pub(crate) const MAXIMUM_PROCESSES: usize = 4096;

static NEXT_NUMBER: AtomicU64 = AtomicU64::new(0);

/// A name that no other group has: juvenal, our process id, a counter, our process-id namespace.
pub(crate) fn fresh_name() -> String {
    let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("juvenal-{}-{}-{}", std::process::id(), number, process_namespace())
}

/// The number of our process-id namespace: process ids mean nothing outside of it.
pub(crate) fn process_namespace() -> u64 {
    let link = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    link.to_string_lossy().chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

/// Groups are expensive to make, so they are used again.
pub(crate) struct Pool {
    parents: GroupParents,
    idle: Mutex<Vec<Group>>,
}

impl Pool {
    /// A pool that makes its groups in these directories.
    pub(crate) fn new(parents: GroupParents) -> Pool {
        Pool { parents, idle: Mutex::new(Vec::new()) }
    }

    /// An empty group with this memory limit.
    pub(crate) fn take(&self, memory_bytes: u64) -> io::Result<Group> {
        loop {
            let idle = self.idle.lock().pop();
            let Some(mut group) = idle else { break };
            // A group that cannot be prepared again is dropped, and with it removed.
            if group.prepare(memory_bytes).is_ok() {
                return Ok(group);
            }
        }
        let mut group = Group::create(&self.parents)?;
        group.prepare(memory_bytes)?;
        Ok(group)
    }

    /// Returns a group after its last process has ended.
    pub(crate) fn give_back(&self, group: Group) {
        if group.is_reusable && group.is_empty() {
            self.idle.lock().push(group);
        }
    }
}

/// One control group, over all hierarchies involved. Removed when dropped.
pub(crate) struct Group {
    mode: MeasureMode,
    directories: Directories,
    joins: Vec<File>,
    birthplace: Option<File>,
    cpu: File,
    peak: File,
    current: File,
    limit: File,
    events: File,
    /// Whether the peak can be reset. Otherwise a second run would see the peak of the first.
    is_reusable: bool,
    /// Whether new processes are forbidden in the group.
    is_closed: bool,
    limit_bytes: u64,
    /// Memory charged before the run: files that earlier runs have read.
    memory_before: u64,
    kills_before: u64,
}

impl Group {
    fn create(parents: &GroupParents) -> io::Result<Group> {
        let directories = Directories::create(parents)?;
        let memory = |name| open(&directories.memory.join(name));
        let group = match parents.mode {
            MeasureMode::CgroupV2 => Group {
                mode: parents.mode,
                joins: vec![memory("cgroup.procs")?],
                birthplace: Some(File::open(&directories.memory)?),
                cpu: File::open(directories.memory.join("cpu.stat"))?,
                peak: memory("memory.peak")
                    .or_else(|_| File::open(directories.memory.join("memory.peak")))?,
                current: File::open(directories.memory.join("memory.current"))?,
                limit: memory("memory.max")?,
                events: File::open(directories.memory.join("memory.events"))?,
                is_reusable: true,
                is_closed: false,
                limit_bytes: 0,
                memory_before: 0,
                kills_before: 0,
                directories,
            },
            _ => Group {
                mode: parents.mode,
                // Writing "0" to `tasks` moves one thread, which spares the system a global lock.
                joins: directories
                    .all()
                    .map(|directory| open(&directory.join("tasks")))
                    .collect::<io::Result<Vec<File>>>()?,
                birthplace: None,
                cpu: File::open(directories.cpu.join("cpuacct.usage"))?,
                peak: memory("memory.max_usage_in_bytes")?,
                current: File::open(directories.memory.join("memory.usage_in_bytes"))?,
                limit: memory("memory.limit_in_bytes")?,
                events: File::open(directories.memory.join("memory.oom_control"))?,
                is_reusable: true,
                is_closed: false,
                limit_bytes: 0,
                memory_before: 0,
                kills_before: 0,
                directories,
            },
        };
        group.set_constant_limits();
        Ok(group)
    }

    /// Sets limits that are the same for every run. They are useful but not necessary.
    fn set_constant_limits(&self) {
        self.set_maximum_processes(MAXIMUM_PROCESSES);
        if self.mode == MeasureMode::CgroupV2 {
            let _ = fs::write(self.directories.memory.join("memory.swap.max"), "0");
            let _ = fs::write(self.directories.memory.join("memory.oom.group"), "1");
        } else {
            let _ = fs::write(self.directories.memory.join("memory.swappiness"), "0");
        }
    }

    /// Makes the group ready for the next run.
    fn prepare(&mut self, memory_bytes: u64) -> io::Result<()> {
        self.set_memory_limit(memory_bytes)?;
        self.reset_peak();
        self.memory_before = read_number(&self.current)?;
        self.kills_before = self.kills()?;
        Ok(())
    }

    /// Sets the memory limit, if it is not set already.
    pub(crate) fn set_memory_limit(&mut self, memory_bytes: u64) -> io::Result<()> {
        if self.limit_bytes != memory_bytes {
            let text = memory_bytes.to_string();
            // Memory with swap may never be less than memory, so it is raised before and lowered after.
            let with_swap = self.directories.memory.join("memory.memsw.limit_in_bytes");
            let _ = fs::write(&with_swap, &text);
            self.limit.write_at(text.as_bytes(), 0)?;
            let _ = fs::write(&with_swap, &text);
            self.limit_bytes = memory_bytes;
        }
        Ok(())
    }

    /// Starts the measurement of the peak again.
    pub(crate) fn reset_peak(&mut self) {
        // Version 1 wants a zero. Version 2 wants anything, from Linux 6.12 on.
        self.is_reusable &= self.peak.write_at(b"0", 0).is_ok();
    }

    /// Which version of control groups this is.
    pub(crate) fn mode(&self) -> MeasureMode {
        self.mode
    }

    /// The files through which the program enters the group.
    pub(crate) fn joins(&self) -> Vec<BorrowedFd<'_>> {
        self.joins.iter().map(AsFd::as_fd).collect()
    }

    /// The directory of the group in which the program can be created.
    pub(crate) fn birthplace(&self) -> Option<BorrowedFd<'_>> {
        self.birthplace.as_ref().map(AsFd::as_fd)
    }

    /// CPU time used in this group since it was made.
    pub(crate) fn cpu_microseconds(&self) -> u64 {
        match self.mode {
            MeasureMode::CgroupV2 => read_entry(&self.cpu, "usage_usec"),
            _ => read_number(&self.cpu).map(|nanoseconds| nanoseconds / 1000),
        }
        .unwrap_or(0)
    }

    /// The most memory used at a time since the last reset.
    pub(crate) fn peak_bytes(&self) -> u64 {
        read_number(&self.peak).unwrap_or(0).saturating_sub(self.memory_before)
    }

    /// Whether the system has killed a process of this run because of the memory limit.
    pub(crate) fn was_over_memory(&self) -> bool {
        self.kills().is_ok_and(|kills| kills > self.kills_before)
    }

    /// Stops the tree from growing while it is killed.
    pub(crate) fn forbid_new_processes(&mut self) {
        self.set_maximum_processes(0);
        self.is_closed = true;
    }

    /// Kills whatever is still in the group. The group is empty unless the guardian was killed.
    pub(crate) fn kill_members(&mut self) {
        kill_members(&self.directories.memory);
        if self.is_closed {
            self.set_maximum_processes(MAXIMUM_PROCESSES);
            self.is_closed = false;
        }
    }

    fn set_maximum_processes(&self, maximum: usize) {
        if let Some(directory) = &self.directories.processes {
            let _ = fs::write(directory.join("pids.max"), maximum.to_string());
        }
    }

    fn is_empty(&self) -> bool {
        members(&self.directories.memory).is_some_and(|members| members.is_empty())
    }

    fn kills(&self) -> io::Result<u64> {
        read_entry(&self.events, "oom_kill")
    }
}

/// The directories of one group. Removed when dropped.
struct Directories {
    memory: PathBuf,
    cpu: PathBuf,
    processes: Option<PathBuf>,
}

impl Directories {
    fn create(parents: &GroupParents) -> io::Result<Directories> {
        let name = fresh_name();
        let directories = Directories {
            memory: parents.memory.join(&name),
            cpu: parents.cpu.join(&name),
            processes: parents.processes.as_ref().map(|parent| parent.join(&name)),
        };
        for directory in directories.all() {
            fs::create_dir(directory)?;
        }
        Ok(directories)
    }

    /// Each directory once: controllers can share a hierarchy.
    fn all(&self) -> impl Iterator<Item = &PathBuf> {
        let cpu = (self.cpu != self.memory).then_some(&self.cpu);
        let processes =
            self.processes.as_ref().filter(|directory| **directory != self.memory && **directory != self.cpu);
        [Some(&self.memory), cpu, processes].into_iter().flatten()
    }
}

impl Drop for Directories {
    fn drop(&mut self) {
        for directory in self.all() {
            remove(directory);
        }
    }
}

/// Kills the members of a group and removes it.
pub(crate) fn remove_with_members(directory: &Path) {
    kill_members(directory);
    remove(directory);
}

/// A group whose last process has just ended may still be busy for a moment.
fn remove(directory: &Path) {
    for _ in 0..50 {
        match fs::remove_dir(directory) {
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {
                std::thread::sleep(Duration::from_millis(2));
            }
            _ => return,
        }
    }
}

/// Kills until the group is empty, for at most a second.
fn kill_members(directory: &Path) {
    for _ in 0..500 {
        let processes = members(directory).unwrap_or_default();
        if processes.is_empty() {
            return;
        }
        for process in processes {
            system::send_signal(process, libc::SIGKILL);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The processes in a group. Version 1 shows through one open file the same list for a second, so it is opened
/// each time.
fn members(directory: &Path) -> Option<Vec<i32>> {
    let text = fs::read_to_string(directory.join("cgroup.procs")).ok()?;
    Some(text.lines().filter_map(|line| line.parse().ok()).collect())
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}

/// Control files are read from the start each time, through one open file.
fn read_text(file: &File) -> io::Result<String> {
    let mut buffer = [0; 4096];
    let count = file.read_at(&mut buffer, 0)?;
    Ok(String::from_utf8_lossy(buffer.get(..count).unwrap_or_default()).into_owned())
}

fn read_number(file: &File) -> io::Result<u64> {
    read_text(file)?.trim().parse().map_err(io::Error::other)
}

fn read_entry(file: &File, key: &str) -> io::Result<u64> {
    let text = read_text(file)?;
    let entry = text.lines().filter_map(|line| line.split_once(' ')).find(|(name, _)| *name == key);
    let (_, value) = entry.ok_or_else(|| io::Error::other("the entry is missing"))?;
    value.trim().parse().map_err(io::Error::other)
}
