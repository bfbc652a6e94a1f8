//! What confined programs can and cannot do.

use crate::stage::{Stage, directory, generous, in_every_confinement, in_every_mode};
use model::{KillMode, LimitKind, MeasureMode};
use process::{Command, Confinement, ConfinementMode, Ending, RunError, Runner};
use std::ffi::OsString;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Resources outside the run directory: listeners, and files in the home and in another directory.
struct Outside {
    tcp: TcpListener,
    udp: UdpSocket,
    _local: UnixListener,
    home: tempfile::TempDir,
    elsewhere: tempfile::TempDir,
}

impl Outside {
    fn new() -> Outside {
        let elsewhere = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let home = tempfile::tempdir_in(std::env::home_dir().unwrap()).unwrap();
        for place in [&home, &elsewhere] {
            fs::write(place.path().join("file"), "secret").unwrap();
        }
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        udp.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
        Outside {
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
            udp,
            _local: UnixListener::bind(elsewhere.path().join("socket")).unwrap(),
            home,
            elsewhere,
        }
    }

    /// Fills in the placeholders of a script.
    fn fill(&self, script: &str) -> String {
        script
            .replace("TCP", &self.tcp.local_addr().unwrap().port().to_string())
            .replace("UDP", &self.udp.local_addr().unwrap().port().to_string())
            .replace("JUVENAL", &std::process::id().to_string())
            .replace("HOME", &self.home.path().to_string_lossy())
            .replace("ELSEWHERE", &self.elsewhere.path().to_string_lossy())
    }
}

/// What an attempt tries to reach.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    Network,
    Files,
    /// Juvenal's own process, whose memory the guardian shares.
    Juvenal,
    /// Something that is allowed.
    Ordinary,
}

/// Perl expressions that are true if the attempt succeeds.
const ATTEMPTS: [(About, &str); 28] = [
    (
        About::Network,
        "socket(S, PF_INET, SOCK_STREAM, 0) && connect(S, pack_sockaddr_in(TCP, inet_aton('127.0.0.1')))",
    ),
    (
        About::Network,
        "socket(S, PF_INET, SOCK_DGRAM, 0) && send(S, 'x', 0, pack_sockaddr_in(UDP, inet_aton('127.0.0.1')))",
    ),
    (
        About::Network,
        "socket(S, PF_UNIX, SOCK_STREAM, 0) && connect(S, pack_sockaddr_un('ELSEWHERE/socket'))",
    ),
    (About::Network, "socketpair(A, B, PF_UNIX, SOCK_DGRAM, 0)"),
    (About::Files, "open(F, '<', 'HOME/file')"),
    (About::Files, "opendir(D, 'HOME') && grep /file/, readdir D"),
    (About::Files, "open(F, '>', 'HOME/new')"),
    (About::Files, "open(F, '>>', 'HOME/file')"),
    (About::Files, "open(F, '>', 'ELSEWHERE/new')"),
    (About::Files, "open(F, '>>', 'ELSEWHERE/file')"),
    (About::Files, "truncate('ELSEWHERE/file', 6)"),
    (
        About::Files,
        "rename('ELSEWHERE/file', 'ELSEWHERE/file2') && rename('ELSEWHERE/file2', 'ELSEWHERE/file')",
    ),
    (About::Files, "link('ELSEWHERE/file', 'ELSEWHERE/link') && unlink('ELSEWHERE/link')"),
    (About::Files, "mkdir('ELSEWHERE/dir') && rmdir('ELSEWHERE/dir')"),
    (About::Files, "open(F, '>', '/tmp/juvenal-JUVENAL') && unlink('/tmp/juvenal-JUVENAL')"),
    (About::Juvenal, "open(F, '<', '/proc/JUVENAL/environ') && defined read(F, $x, 1)"),
    (About::Juvenal, "open(F, '+<', '/proc/JUVENAL/mem')"),
    (About::Ordinary, "open(F, '<', '/etc/passwd')"),
    (About::Ordinary, "open(F, '<', '/proc/self/maps') && <F>"),
    (About::Ordinary, "open(F, '>', 'inside') && print(F 'x') && close(F) && unlink('inside')"),
    (About::Ordinary, "open(F, '>', \"$ENV{TMPDIR}/inside\") && unlink('inside')"),
    (About::Ordinary, "mkdir('d') && open(F, '>', 'd/f') && rename('d/f', 'f') && unlink('f') && rmdir('d')"),
    (
        About::Ordinary,
        "open(F, '>', 'f') && link('f', 'g') && symlink('f', 'h') && unlink('f', 'g', 'h') == 3",
    ),
    (About::Ordinary, "open(F, '>', '/dev/null') && print(F 'x') && close(F)"),
    (About::Ordinary, "open(F, '<', '/dev/urandom') && read(F, $x, 8) == 8"),
    (About::Ordinary, "open(F, '<', '/dev/zero') && read(F, $x, 8) == 8"),
    (About::Ordinary, "socketpair(A, B, PF_UNIX, SOCK_STREAM, 0)"),
    (About::Ordinary, "pipe(A, B) && `echo word` eq qq(word\\n)"),
];

/// Writes a script that prints whether each attempt succeeds.
fn script(outside: &Outside) -> String {
    let attempts: String =
        ATTEMPTS.iter().map(|(_, attempt)| format!("print((eval {{ {attempt} }}) ? '1' : '0');\n")).collect();
    outside.fill(&format!("use Socket; $| = 1;\n{attempts}"))
}

/// Returns whether each attempt succeeds, made by the program itself or by a grandchild in a new session.
fn successes(stage: &Stage, outside: &Outside, by_grandchild: bool) -> Vec<bool> {
    let attempts = script(outside);
    let whole = if by_grandchild {
        format!(
            "use POSIX (); if (!fork) {{ if (!fork) {{ POSIX::setsid(); {attempts} exit 0 }} wait; exit 0 }} wait;"
        )
    } else {
        attempts
    };
    let outcome = stage.run(&whole, &generous());
    let complaints = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert_eq!((outcome.ending, complaints.as_str()), (Ending::Exited(0), ""));
    assert_eq!(outcome.stdout.len(), ATTEMPTS.len());
    outcome.stdout.iter().map(|byte| *byte == b'1').collect()
}

fn check(stage: &Stage, expected: impl Fn(About) -> Option<bool>) {
    for by_grandchild in [false, true] {
        let outside = Outside::new();
        let found = successes(stage, &outside, by_grandchild);
        for ((about, attempt), found) in ATTEMPTS.iter().zip(found) {
            if let Some(expected) = expected(*about) {
                assert_eq!(found, expected, "{attempt}, by a grandchild: {by_grandchild}");
            }
        }
        let received = outside.udp.recv(&mut [0; 8]).is_ok();
        assert_eq!(Some(received), expected(About::Network), "a datagram arrived");
        if expected(About::Files) == Some(false) {
            assert_eq!(fs::read(outside.elsewhere.path().join("file")).unwrap(), b"secret");
        }
    }
}

#[test]
fn only_allowed_attempts_succeed() {
    in_every_mode(|stage| {
        if stage.confinement == Confinement::None {
            // Whether juvenal's process is visible depends on the namespaces that are used for killing.
            check(stage, |about| (about != About::Juvenal).then_some(true));
        }
    });
    in_every_confinement(|stage| {
        let mode = stage.runner.confinement_mode();
        check(stage, |about| match about {
            About::Network => Some(false),
            About::Ordinary => Some(true),
            // If files are not hidden, the result depends on the user.
            About::Files | About::Juvenal => mode.hides_files().then_some(false),
        });
    });
}

/// The run directory and the program may be in hidden places.
#[test]
fn run_directories_and_programs_in_hidden_places_work() {
    in_every_confinement(|stage| {
        let outside = Outside::new();
        for parent in [outside.home.path(), outside.elsewhere.path(), stage.directory.path()] {
            let run = parent.join("some/deep/run");
            let tools = parent.join("tools");
            fs::create_dir_all(&run).unwrap();
            fs::create_dir_all(&tools).unwrap();
            fs::copy("/bin/sh", tools.join("shell")).unwrap();
            let mut command = Command::new(tools.join("shell"), &run, Confinement::Program);
            command.arguments = ["-c", "pwd && echo x > made && cat made && ! echo x 2> /dev/null > ../made"]
                .map(OsString::from)
                .to_vec();
            let outcome = stage.runner.run(&command, &generous()).unwrap();
            let printed = format!("{}\nx\n", run.canonicalize().unwrap().display());
            assert_eq!(String::from_utf8_lossy(&outcome.stdout), printed, "{outcome:?}");
            assert_eq!(fs::read(run.join("made")).unwrap(), b"x\n");
            if stage.runner.confinement_mode().hides_files() {
                assert_eq!(outcome.ending, Ending::Exited(0), "{outcome:?}");
                assert!(!run.join("../made").exists());
            }
        }
    });
}

#[test]
fn symbolic_links_to_run_directories_work() {
    in_every_confinement(|stage| {
        let link = stage.directory.path().join("link");
        let run = stage.directory.path().join("run");
        fs::create_dir(&run).unwrap();
        std::os::unix::fs::symlink(&run, &link).unwrap();
        let mut command = Command::new("sh", &link, Confinement::Program);
        command.arguments = ["-c", "echo x > made"].map(OsString::from).to_vec();
        assert_eq!(stage.runner.run(&command, &generous()).unwrap().ending, Ending::Exited(0));
        assert!(run.join("made").exists());
    });
}

/// Privileges are dropped, including those that a program could regain.
#[test]
fn privileges_are_dropped() {
    in_every_confinement(|stage| {
        let mut grep = stage.command("grep");
        grep.arguments = ["-E", "^(Cap(Inh|Prm|Eff|Amb)|NoNewPrivs|Seccomp):", "/proc/self/status"]
            .map(OsString::from)
            .to_vec();
        let outcome = stage.runner.run(&grep, &generous()).unwrap();
        let none = "0000000000000000";
        let expected = format!(
            "CapInh:\t{none}\nCapPrm:\t{none}\nCapEff:\t{none}\nCapAmb:\t{none}\nNoNewPrivs:\t1\nSeccomp:\t2\n"
        );
        assert_eq!(String::from_utf8_lossy(&outcome.stdout), expected);
    });
}

/// A program that could make namespaces would have all capabilities there, and could try to undo the confinement.
#[test]
fn nested_namespaces_do_not_undo_the_confinement() {
    if !test_support::is_usable("unshare", Path::new("/usr/bin/unshare").exists()) {
        return;
    }
    in_every_confinement(|stage| {
        if !stage.runner.confinement_mode().hides_files() {
            return;
        }
        let outside = Outside::new();
        for attempt in [
            "umount /tmp; umount -l /root; umount -l /home; cat HOME/file",
            "mount -o remount,bind,rw /; echo x >> ELSEWHERE/file",
            "mount -t proc proc /proc; cat /proc/JUVENAL/root/HOME/file",
            "mount --bind / /mnt; cat /mnt/HOME/file",
            "mount --rbind / /mnt; cat /mnt/HOME/file; echo x >> /mnt/ELSEWHERE/file",
        ] {
            let mut command = stage.command("unshare");
            let attempt = outside.fill(attempt);
            command.arguments = ["-Urmpf", "sh", "-c", &attempt].map(OsString::from).to_vec();
            let outcome = stage.runner.run(&command, &generous()).unwrap();
            assert_eq!(String::from_utf8_lossy(&outcome.stdout), "", "{attempt}");
            assert_ne!(outcome.ending, Ending::Exited(0), "{attempt}");
            assert_eq!(fs::read(outside.elsewhere.path().join("file")).unwrap(), b"secret", "{attempt}");
        }
    });
}

/// The mounts for a confined program do not affect the machine.
#[test]
fn mounts_of_the_machine_stay_unchanged() {
    let mounts = || fs::read_to_string("/proc/self/mountinfo").unwrap();
    let before = mounts();
    in_every_confinement(|stage| {
        assert_eq!(stage.run("exit 0", &generous()).ending, Ending::Exited(0));
        assert_eq!(mounts(), before);
    });
}

/// A long-lived process may fork one process for each request.
#[test]
fn fork_servers_work() {
    let server = "$| = 1; while (<STDIN>) { chomp; my $p = fork; if (!$p) { print qq(run $_\\n); exit $_ } \
                  waitpid $p, 0; print $? >> 8, qq(\\nEND\\n) }";
    in_every_confinement(|stage| {
        let mut session = stage.runner.open(&stage.perl(server), &generous()).unwrap();
        for round in 0..200 {
            let exchange = session.exchange(format!("{round}\n").as_bytes(), b"END", &generous()).unwrap();
            assert_eq!(String::from_utf8_lossy(&exchange.stdout), format!("run {round}\n{round}\n"));
        }
    });
}

#[test]
fn too_wide_directories_are_rejected() {
    in_every_confinement(|stage| {
        for directory in ["/", "/tmp"].map(PathBuf::from).into_iter().chain(std::env::home_dir()) {
            let command = Command::new("true", &directory, Confinement::Program);
            let result = stage.runner.run(&command, &generous());
            assert!(matches!(result, Err(RunError::DirectoryTooWide { .. })), "{directory:?}");
        }
        let command = Command::new("true", stage.directory.path().join("absent"), Confinement::Program);
        let result = stage.runner.run(&command, &generous());
        assert!(matches!(result, Err(RunError::DirectoryMissing { .. })));
    });
}

#[test]
fn commands_are_rejected_if_confinement_is_impossible() {
    let runner = Runner::with_modes(KillMode::Subreaper, MeasureMode::Sampling).unwrap();
    let runner = runner.with_confinement(ConfinementMode::Nothing).unwrap();
    let place = directory();
    let mut command = Command::new("true", place.path(), Confinement::None);
    assert_eq!(runner.run(&command, &generous()).unwrap().ending, Ending::Exited(0));
    command.confinement = Confinement::Program;
    let message = runner.run(&command, &generous()).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("allow user namespaces"), "{message}");
}

fn is_superuser() -> bool {
    std::os::unix::fs::MetadataExt::uid(&fs::metadata("/proc/self").unwrap()) == 0
}

/// Runs a Perl script to its end and returns what it printed.
fn printed(stage: &Stage, script: &str) -> String {
    let outcome = stage.run(script, &generous());
    assert_eq!(outcome.ending, Ending::Exited(0), "{outcome:?}");
    String::from_utf8(outcome.stdout).unwrap()
}

/// The errors `ENOSYS` and `EPERM`.
#[cfg(target_arch = "x86_64")]
const NO_SUCH_CALL: i32 = 38;
#[cfg(target_arch = "x86_64")]
const NOT_PERMITTED: i32 = 1;

/// The numbers are those of this processor. The filter has a test of its own for the others.
#[test]
#[cfg(target_arch = "x86_64")]
fn system_calls_that_reach_outside_are_refused() {
    let (missing, forbidden) = (NO_SUCH_CALL, NOT_PERMITTED);
    let rows = [
        ("add_key", "248, 0, 0, 0, 0, -2", missing),
        ("request_key", "249, 0, 0, 0, -2", missing),
        ("keyctl", "250, 0, -3, 1", missing),
        ("shmget", "29, 0, 4096, 0600", missing),
        ("semget", "64, 0, 1, 0600", missing),
        ("msgget", "68, 0, 0600", missing),
        ("mq_open", "240, 0, 0102, 0600, 0", missing),
        ("userfaultfd", "323, 1", missing),
        ("pidfd_open", "434, $$, 0", missing),
        ("clone3", "435, 0, 0", missing),
        ("pidfd_getfd", "438, 0, 0, 0", forbidden),
        ("unshare", "272, 0x10000000", forbidden),
        ("setns", "308, 0, 0", forbidden),
        ("mount", "165, 0, 0, 0, 0, 0", forbidden),
        ("open_tree", "428, -100, 0, 0", forbidden),
        ("open_by_handle_at", "304, -100, 0, 0", forbidden),
        ("perf_event_open", "298, 0, 0, -1, -1, 0", forbidden),
        ("bpf", "321, 0, 0, 0", forbidden),
        ("ioctl that types", "16, 0, 0x5412, 0", forbidden),
    ];
    let calls: String = rows
        .iter()
        .map(|(_, call, _)| format!("print((syscall({call}) < 0 ? $!+0 : 'done'), qq(\\n));"))
        .collect();
    in_every_confinement(|stage| {
        let found = printed(stage, &calls);
        let expected: Vec<String> = rows.iter().map(|(name, _, error)| format!("{name}: {error}")).collect();
        let found: Vec<String> =
            rows.iter().zip(found.lines()).map(|((name, ..), line)| format!("{name}: {line}")).collect();
        assert_eq!(found, expected);
        assert_eq!(printed(stage, "print syscall(135, 0xffffffff) >= 0 ? 1 : 0"), "1", "personality");
    });
}

/// Confined programs have shared memory where there are namespaces, and it ends with them.
#[test]
fn shared_memory_is_private() {
    in_every_confinement(|stage| {
        let name = format!("/dev/shm/{}", stage.marker);
        let made = printed(stage, &format!("print open(F, '>', '{name}') && print(F 'x') ? 1 : 0"));
        match stage.runner.confinement_mode() {
            ConfinementMode::Namespaces => assert_eq!(made, "1"),
            ConfinementMode::Landlock => assert_eq!(made, "0"),
            _ => return fs::remove_file(&name).unwrap_or_default(),
        }
        assert!(!Path::new(&name).exists());
    });
}

/// A program that the superuser confines is not the superuser.
#[test]
fn files_of_the_superuser_cannot_be_read() {
    if !is_superuser() {
        eprintln!("skipped: this is about the superuser");
        return;
    }
    in_every_confinement(|stage| {
        for path in ["/etc/shadow", "/etc/gshadow", "/proc/1/environ", "/proc/kcore"] {
            let script = format!("print open(F, '<', '{path}') && defined read(F, $x, 1) ? 1 : 0");
            assert_eq!(printed(stage, &script), "0", "{path}");
        }
        assert_eq!(printed(stage, "print kill(0, getppid) ? 1 : 0"), "0", "a signal to the guardian");
        // Juvenal can still read and remove what the program has made.
        printed(stage, "mkdir('d', 0) && open(F, '>', 'private') && chmod(0, 'private') || die");
        assert!(fs::read(stage.directory.path().join("private")).is_ok());
        fs::remove_dir(stage.directory.path().join("d")).unwrap();
    });
}

#[test]
fn other_processes_are_not_visible() {
    let own = std::env::current_exe().unwrap();
    let own = own.file_name().unwrap().to_str().unwrap();
    in_every_confinement(|stage| {
        let is_hidden = stage.runner.kill_mode() == KillMode::Namespace
            && stage.runner.confinement_mode() == ConfinementMode::Namespaces;
        if is_hidden {
            let script = "for (glob '/proc/[0-9]*') { open(F, '<', qq($_/cmdline)); print <F>, qq(\\n) }";
            let lines = printed(stage, script);
            assert!(lines.contains(&stage.marker) && !lines.contains(own), "{lines}");
        }
    });
}

/// The control group limits the memory and the number of the processes, so no process may leave it.
#[test]
fn control_groups_cannot_be_left() {
    in_every_confinement(|stage| {
        let script = "for (glob '/sys/fs/cgroup/{*/,}{cgroup.procs,tasks}') \
                      { print qq($_ ) if open(F, '>', $_) && syswrite(F, $$) }";
        let is_safe = is_superuser() || stage.runner.confinement_mode().hides_files();
        if is_safe {
            assert_eq!(printed(stage, script), "");
        }
    });
}

/// Files count whether or not they have names, and whether or not the program still runs.
#[test]
#[cfg(target_arch = "x86_64")]
fn the_disk_is_limited() {
    let fill = |then: &str| {
        format!(
            "for my $n (1 .. 20) {{ open($f[$n], '>', $n) && \
             syscall(285, fileno($f[$n]), 0, 0, 64 << 20) == 0 || die $!; {then} }}"
        )
    };
    let rows = [
        fill(""),
        fill("unlink($n);") + "sleep 1000",
        "for my $n (1 .. 20100) { open(F, '>', $n) || die }".to_owned(),
        "for my $n (1 .. 400) { mkdir('directory' x 20) && chdir('directory' x 20) || die }".to_owned(),
        "open(F, '>', 'f'); truncate(F, 1 << 40); sleep 1000".to_owned(),
    ];
    in_every_confinement(|stage| {
        for script in &rows {
            let outcome = stage.run(script, &generous());
            assert_eq!(outcome.ending, Ending::Limit(LimitKind::Output), "{script}: {outcome:?}");
            empty(stage.directory.path());
        }
        let small =
            "open(F, '>', 'f') && syscall(285, fileno(F), 0, 0, 64 << 20) == 0 || die $!; print 'fits'";
        assert_eq!(printed(stage, small), "fits");
        empty(stage.directory.path());
    });
}

/// Removes what a run has left, with paths that are too long for the standard library.
#[allow(clippy::disallowed_methods, reason = "this is not a run")]
fn empty(directory: &Path) {
    let removed = std::process::Command::new("find")
        .current_dir(directory)
        .args([".", "-mindepth", "1", "-delete"])
        .status();
    assert!(removed.unwrap().success());
}

/// What a command names can be read in hidden places, and nothing else there.
#[test]
fn readable_directories_can_be_read() {
    in_every_confinement(|stage| {
        if !stage.runner.confinement_mode().hides_files() {
            return;
        }
        let outside = Outside::new();
        let home = outside.home.path();
        fs::create_dir(home.join("headers")).unwrap();
        fs::write(home.join("headers/named.h"), "named").unwrap();
        std::os::unix::fs::symlink(home.join("headers"), home.join("link")).unwrap();
        // Installations have a folder `lib64` that is a link, and name all of their folders.
        fs::create_dir(home.join("headers/lib")).unwrap();
        std::os::unix::fs::symlink("lib", home.join("headers/lib64")).unwrap();
        let mut command = stage.command("sh");
        let attempt = "cat HOME/link/named.h HOME/headers/lib64/../named.h && ! cat HOME/file 2> /dev/null && \
                       ! echo x 2> /dev/null >> HOME/headers/named.h && ! echo x 2> /dev/null > HOME/headers/new";
        command.arguments = ["-c", &outside.fill(attempt)].map(OsString::from).to_vec();
        let readable = ["link", "headers", "headers/lib", "headers/lib64", "absent"];
        command.readable = readable.map(|name| home.join(name)).to_vec();
        let outcome = stage.runner.run(&command, &generous()).unwrap();
        assert_eq!(outcome.ending, Ending::Exited(0), "{outcome:?}");
        assert_eq!(String::from_utf8_lossy(&outcome.stdout), "namednamed");
        assert_eq!(fs::read_dir(home.join("headers")).unwrap().count(), 3);
    });
}

/// Of a home itself, only the plain files in it can be made readable.
#[test]
fn readable_homes_show_their_plain_files_only() {
    let home = std::env::home_dir().unwrap();
    let plain = tempfile::Builder::new().prefix("juvenal").suffix(".h").tempfile_in(&home).unwrap();
    let secret = tempfile::Builder::new().prefix(".juvenal").tempfile_in(&home).unwrap();
    let inside = tempfile::Builder::new().prefix("juvenal").tempdir_in(&home).unwrap();
    fs::write(inside.path().join("file"), "secret").unwrap();
    in_every_confinement(|stage| {
        if !stage.runner.confinement_mode().hides_files() {
            return;
        }
        let mut command = stage.command("sh");
        let attempt = format!(
            "cat {} && ! cat {} 2> /dev/null && ! cat {}/file 2> /dev/null",
            plain.path().display(),
            secret.path().display(),
            inside.path().display()
        );
        command.arguments = ["-c", &attempt].map(OsString::from).to_vec();
        command.readable = vec![home.clone()];
        let outcome = stage.runner.run(&command, &generous()).unwrap();
        assert_eq!(outcome.ending, Ending::Exited(0), "{outcome:?}");
    });
}
