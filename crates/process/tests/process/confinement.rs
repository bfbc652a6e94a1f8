//! What confined programs can and cannot do.

use crate::stage::{Stage, directory, generous, in_every_confinement, in_every_mode};
use model::{KillMode, MeasureMode};
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
            let mut command = Command::new(tools.join("shell"), &run);
            command.confinement = Confinement::Program;
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
        let mut command = Command::new("sh", &link);
        command.confinement = Confinement::Program;
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

/// A program can gain all capabilities in a new user namespace, but they do not undo the confinement.
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
            let mut command = Command::new("true", &directory);
            command.confinement = Confinement::Program;
            let result = stage.runner.run(&command, &generous());
            assert!(matches!(result, Err(RunError::DirectoryTooWide { .. })), "{directory:?}");
        }
        let mut command = Command::new("true", stage.directory.path().join("absent"));
        command.confinement = Confinement::Program;
        let result = stage.runner.run(&command, &generous());
        assert!(matches!(result, Err(RunError::DirectoryMissing { .. })));
    });
}

#[test]
fn commands_are_rejected_if_confinement_is_impossible() {
    let runner = Runner::with_modes(KillMode::Subreaper, MeasureMode::Sampling).unwrap();
    let runner = runner.with_confinement(ConfinementMode::Nothing).unwrap();
    let place = directory();
    let mut command = Command::new("true", place.path());
    assert_eq!(runner.run(&command, &generous()).unwrap().ending, Ending::Exited(0));
    command.confinement = Confinement::Program;
    let message = runner.run(&command, &generous()).map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("allow user namespaces"), "{message}");
}
