//! What a hostile program could reach, and what it may have left, as seen from outside.

use std::ffi::OsString;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The exit code of a program that reached something.
pub const REACHED: i32 = 77;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// One run: its directory, and everything around it that it must not touch.
pub struct Outside {
    pub run: tempfile::TempDir,
    pub marker: String,
    helper: PathBuf,
    elsewhere: tempfile::TempDir,
    home: tempfile::TempDir,
    tcp: TcpListener,
    udp: UdpSocket,
    local: UnixListener,
    abstract_local: UnixListener,
    ipc_key: u32,
}

impl Outside {
    /// Prepares the world for one run. `place` is a directory that is not hidden from confined programs by its name.
    pub fn new(helper: &Path, place: &Path) -> Outside {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let marker = format!("hostile-{}-{number}-of-test", std::process::id());
        let elsewhere = tempfile::tempdir_in(place).unwrap();
        let home = tempfile::tempdir_in(std::env::home_dir().unwrap()).unwrap();
        for directory in [&elsewhere, &home] {
            fs::write(directory.path().join("file"), "secret").unwrap();
        }
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind(tcp.local_addr().unwrap()).unwrap();
        let local = UnixListener::bind(elsewhere.path().join("socket")).unwrap();
        let name = SocketAddr::from_abstract_name(&marker).unwrap();
        let abstract_local = UnixListener::bind_addr(&name).unwrap();
        tcp.set_nonblocking(true).unwrap();
        local.set_nonblocking(true).unwrap();
        abstract_local.set_nonblocking(true).unwrap();
        udp.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
        Outside {
            run: tempfile::tempdir().unwrap(),
            ipc_key: (std::process::id() << 10) | (number & 1023) | 1 << 30,
            helper: helper.to_owned(),
            marker,
            elsewhere,
            home,
            tcp,
            udp,
            local,
            abstract_local,
        }
    }

    /// The words that the program is called with.
    pub fn words(&self, behaviour: &str) -> Vec<OsString> {
        let port = self.tcp.local_addr().unwrap().port();
        vec![
            behaviour.into(),
            (&self.marker).into(),
            self.elsewhere.path().into(),
            self.home.path().into(),
            "".into(),
            std::process::id().to_string().into(),
            port.to_string().into(),
            self.ipc_key.to_string().into(),
        ]
    }

    /// What a program has left or reached that no program may.
    pub fn traces_of_anyone(&self) -> Vec<String> {
        marked_processes(&self.marker).iter().map(|process| format!("left the process {process}")).collect()
    }

    /// What a confined program has left or reached, apart from processes.
    pub fn traces_of_confined(&self) -> Vec<String> {
        let mut traces = Vec::new();
        let mut note = |is_there: bool, what: &str| {
            if is_there {
                traces.push(what.to_owned());
            }
        };
        note(self.tcp.accept().is_ok(), "connected to the network");
        note(self.udp.recv(&mut [0; 8]).is_ok(), "sent a datagram");
        note(self.local.accept().is_ok(), "connected to a local socket");
        note(self.abstract_local.accept().is_ok(), "connected to an abstract socket");
        note(!holds_only(self.elsewhere.path(), &["file", "socket"]), "changed files elsewhere");
        note(!holds_only(self.home.path(), &["file"]), "changed files of the home directory");
        for directory in ["/tmp", "/var/tmp", "/dev/shm"] {
            for name in [self.marker.clone(), format!("sem.{}", self.marker)] {
                note(fs::remove_file(Path::new(directory).join(&name)).is_ok(), directory);
            }
        }
        for kind in ["shm", "sem", "msg"] {
            note(self.removes_system_v(kind), &format!("left System V {kind}"));
        }
        note(self.asks("find_queue"), "left a message queue");
        note(self.asks("find_key"), "left a key");
        traces
    }

    /// Removes an object with our key, and returns whether there was one.
    #[allow(clippy::disallowed_methods, reason = "the test itself looks from outside")]
    fn removes_system_v(&self, kind: &str) -> bool {
        let table = fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default();
        let key = self.ipc_key.to_string();
        let is_there = table.lines().any(|line| line.split_whitespace().next() == Some(key.as_str()));
        if is_there {
            let option = match kind {
                "shm" => "-M",
                "sem" => "-S",
                _ => "-Q",
            };
            let _ = std::process::Command::new("ipcrm").args([option, &key]).status();
        }
        is_there
    }

    /// Whether the helper finds, and removes, what a program left.
    #[allow(clippy::disallowed_methods, reason = "the test itself looks from outside")]
    fn asks(&self, question: &str) -> bool {
        let status = std::process::Command::new(&self.helper).args(self.words(question)).status().unwrap();
        status.code() == Some(REACHED)
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        // Programs take the permissions of directories, also of their own one.
        open_up(self.run.path());
    }
}

fn open_up(directory: &Path) {
    let _ = fs::set_permissions(directory, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let _ = fs::set_permissions(entry.path(), fs::Permissions::from_mode(0o700));
        }
    }
}

/// Whether a directory holds these files alone, with the secret unchanged.
fn holds_only(directory: &Path, names: &[&str]) -> bool {
    let found = fs::read_dir(directory).unwrap().count();
    found == names.len() && fs::read(directory.join("file")).is_ok_and(|bytes| bytes == b"secret")
}

/// The running processes that carry the marker in their command line.
fn marked_processes(marker: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|entry| {
            let line = fs::read(entry.path().join("cmdline")).ok()?;
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            line.contains(marker).then(|| format!("{}: {line}", entry.file_name().display()))
        })
        .collect()
}
