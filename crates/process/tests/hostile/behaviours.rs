//! The table of hostile behaviours, with what each of them may do in which mode.

use model::LimitKind;

/// How the runner keeps programs, from the strongest to the weakest way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Namespaces, as the superuser.
    Privileged,
    /// Namespaces inside a user namespace, as an ordinary user.
    Unprivileged,
    /// No namespaces at all: subreapers, and Landlock.
    Subreaper,
    /// The same on a system whose Landlock does not know signals, before Linux 6.12. Programs under test have all of
    /// its users' files, so only analyzers are tested.
    OldSubreaper,
}

/// As what a behaviour is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// An analyzer, which has the rights of its user, but must not outlive or end juvenal.
    Analyzer,
    /// A program under test, which is confined.
    Program,
}

/// One behaviour of `hostile.c`.
pub struct Behaviour {
    pub name: &'static str,
    pub who: &'static [Who],
    /// The limit that must end it. A program without one ends by itself, or at the time limit.
    pub limit: Option<LimitKind>,
    /// Whether its time limit is short, because it does not end by itself or stops itself.
    pub is_brief: bool,
    /// Where it is not contained, and why. These sentences are the list in the manual.
    pub exceptions: &'static [(Way, Who, &'static str)],
}

impl Behaviour {
    /// Why it is not contained there, if so.
    pub fn exception(&self, way: Way, who: Who) -> Option<&'static str> {
        let mut rows = self.exceptions.iter();
        rows.find(|row| (row.0, row.1) == (way, who)).map(|row| row.2)
    }
}

const BOTH: &[Who] = &[Who::Analyzer, Who::Program];
const CONFINED: &[Who] = &[Who::Program];

const fn row(name: &'static str, who: &'static [Who]) -> Behaviour {
    Behaviour { name, who, limit: None, is_brief: false, exceptions: &[] }
}

const fn brief(name: &'static str) -> Behaviour {
    Behaviour { is_brief: true, ..row(name, BOTH) }
}

const fn ends_by(name: &'static str, limit: LimitKind) -> Behaviour {
    let is_brief = matches!(limit, LimitKind::Time);
    Behaviour { limit: Some(limit), is_brief, ..row(name, BOTH) }
}

const fn except(
    name: &'static str,
    who: &'static [Who],
    exceptions: &'static [(Way, Who, &'static str)],
) -> Behaviour {
    Behaviour { exceptions, ..row(name, who) }
}

const OLD_SYSTEM: &str =
    "before Linux 6.12, and without namespaces, only accidental signals are kept away from juvenal";
const COMMAND_LINES: &str = "without namespaces, the command lines of other processes can be read in `/proc`";
const SHARED_IPC: &str =
    "without namespaces, System V objects and message queues stay until they are removed";
const SAME_KEYRINGS: &str = "without namespaces, programs have the keyrings of their user";
const OWN_LIMITS: &str =
    "without namespaces, an analyzer can lower the limits of other processes of its user, and so end them";
const WATCHES: &str = "Landlock does not keep programs from watching files that they cannot open";

/// What reaches its aim where nothing confines it: on every machine, as any user.
pub const REAL: &[&str] = &[
    "write_elsewhere",
    "write_home",
    "write_through_link",
    "append_elsewhere",
    "remove_elsewhere",
    "read_home",
    "tmp_file",
    "posix_memory",
    "posix_semaphore",
    "system_v_memory",
    "system_v_semaphore",
    "system_v_queue",
    "tcp",
    "udp",
    "local_socket",
    "abstract_socket",
    "words_of_juvenal",
    "watch_files",
];

/// All behaviours.
pub const BEHAVIOURS: &[Behaviour] = &[
    row("child", BOTH),
    row("daemon_left", BOTH),
    row("family", BOTH),
    row("ignoring_signals", BOTH),
    row("blocking_signals", BOTH),
    ends_by("endless", LimitKind::Time),
    ends_by("endless_busy", LimitKind::Time),
    row("fork_chain", BOTH),
    ends_by("fork_bomb", LimitKind::Time),
    row("deep_family", BOTH),
    row("many_zombies", BOTH),
    row("stopped_children", BOTH),
    ends_by("stop_self", LimitKind::Time),
    row("vfork_left", BOTH),
    row("clone_silent", BOTH),
    row("clone_as_sibling", BOTH),
    ends_by("threads_left", LimitKind::Time),
    row("own_subreaper", BOTH),
    row("no_death_signal", BOTH),
    row("close_everything", BOTH),
    row("pid_namespace", BOTH),
    row("mount_namespace", BOTH),
    row("late_writer", BOTH),
    row("executed_from_memory", BOTH),
    row("timers", BOTH),
    row("raised_limits", BOTH),
    row("real_time", BOTH),
    row("core_dump", BOTH),
    brief("kill_all"),
    brief("stop_all"),
    row("kill_parent", BOTH),
    row("kill_grandparent", BOTH),
    row("stop_parent", BOTH),
    row("kill_parent_group", BOTH),
    row("kill_juvenal", BOTH),
    row("stop_juvenal", BOTH),
    row("kill_juvenal_thread", BOTH),
    row("queue_signal", BOTH),
    except("pidfd_signal", BOTH, &[(Way::OldSubreaper, Who::Analyzer, OLD_SYSTEM)]),
    except("owner_signal", BOTH, &[(Way::OldSubreaper, Who::Analyzer, OLD_SYSTEM)]),
    row("trace_juvenal", BOTH),
    row("trace_parent", BOTH),
    except("memory_of_juvenal", BOTH, &[(Way::OldSubreaper, Who::Analyzer, OLD_SYSTEM)]),
    except("memory_of_parent", BOTH, &[(Way::OldSubreaper, Who::Analyzer, OLD_SYSTEM)]),
    row("vm_write", BOTH),
    except("descriptors_of_juvenal", BOTH, &[(Way::OldSubreaper, Who::Analyzer, OLD_SYSTEM)]),
    except("limit_juvenal", BOTH, &[(Way::Subreaper, Who::Analyzer, OWN_LIMITS)]),
    row("environ_of_juvenal", CONFINED),
    except("words_of_juvenal", CONFINED, &[(Way::Subreaper, Who::Program, COMMAND_LINES)]),
    ends_by("eat_private", LimitKind::Memory),
    ends_by("eat_shared", LimitKind::Memory),
    ends_by("eat_in_file", LimitKind::Memory),
    ends_by("eat_by_many", LimitKind::Memory),
    ends_by("flood_output", LimitKind::Output),
    ends_by("flood_errors", LimitKind::Output),
    row("hold_output", BOTH),
    row("sparse_file", BOTH),
    row("large_file", BOTH),
    row("many_files", BOTH),
    row("deep_directories", BOTH),
    row("closed_directory", BOTH),
    row("odd_files", BOTH),
    row("write_elsewhere", CONFINED),
    row("write_home", CONFINED),
    row("write_through_link", CONFINED),
    row("append_elsewhere", CONFINED),
    row("remove_elsewhere", CONFINED),
    row("read_home", CONFINED),
    row("read_shadow", CONFINED),
    row("tmp_file", CONFINED),
    row("posix_memory", CONFINED),
    row("posix_semaphore", CONFINED),
    except("posix_queue", CONFINED, &[(Way::Subreaper, Who::Program, SHARED_IPC)]),
    except("system_v_memory", CONFINED, &[(Way::Subreaper, Who::Program, SHARED_IPC)]),
    except("system_v_semaphore", CONFINED, &[(Way::Subreaper, Who::Program, SHARED_IPC)]),
    except("system_v_queue", CONFINED, &[(Way::Subreaper, Who::Program, SHARED_IPC)]),
    except("keyring", CONFINED, &[(Way::Subreaper, Who::Program, SAME_KEYRINGS)]),
    row("control_group", CONFINED),
    row("tcp", CONFINED),
    row("udp", CONFINED),
    row("local_socket", CONFINED),
    row("abstract_socket", CONFINED),
    row("raw_socket", CONFINED),
    row("machine_socket", CONFINED),
    row("ring", CONFINED),
    row("terminal", CONFINED),
    except("watch_files", CONFINED, &[(Way::Subreaper, Who::Program, WATCHES)]),
    row("mount_over", CONFINED),
    row("host_name", CONFINED),
    row("set_clock", CONFINED),
    row("other_user", CONFINED),
    row("load_module", CONFINED),
    row("devices", CONFINED),
    row("open_by_handle", CONFINED),
    row("change_system", CONFINED),
];
