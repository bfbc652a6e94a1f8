//! C and C++: which files are included, and which define what a file uses.

use super::c_compile_commands::{CompileCommands, SearchPaths};
use super::file_table::{FileTable, join, parent};
use super::{Links, Mention, MentionKind, Project};
use rustc_hash::FxHashMap;

/// Links each file to the headers that it includes, and to the files that define the functions and variables which it uses.
///
/// A header is looked for in the folder of the file, then where `compile_commands.json` says, and then anywhere: if it is the
/// only file whose path ends so, or the only one that shares the deepest folder with the including file. The same holds for
/// a definition: it must be the only one of its name, or the only one in the deepest shared folder.
pub(super) fn resolve(project: &Project, links: &mut Links) {
    let commands = CompileCommands::read(project, links);
    let headers = Headers::new(&project.files, &commands);
    let mut cache = FxHashMap::default();
    let definitions = definitions(project);
    for (file, name, references) in project.sources() {
        let forced = commands.of(file).map_or(&[][..], |paths| &paths.forced);
        forced.iter().filter_map(|path| project.files.find(path)).for_each(|to| links.need(file, to));
        for mention in &references.mentions {
            if mention.kind == MentionKind::Use {
                let candidates = definitions.get(&*mention.target).map_or(&[][..], Vec::as_slice);
                if let [to] = project.files.nearest(candidates, name) {
                    links.use_definition(file, *to);
                }
                continue;
            }
            match headers.find(file, name, mention, &mut cache) {
                Some(to) => links.need(file, to),
                None if mention.kind == MentionKind::Quoted => links.unresolved(file, mention),
                None => links.outside(&mention.target),
            }
        }
    }
}

/// The files that define each name, in order.
fn definitions<'p>(project: &'p Project) -> FxHashMap<&'p str, Vec<u32>> {
    let mut found: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for (file, _, references) in project.sources() {
        references.definitions.iter().for_each(|name| found.entry(name).or_default().push(file));
    }
    found
}

/// `#include_next` is for headers that wrap others of their name, of which there are few.
const MOST_WRAPPED: usize = 100;
/// The folders of one command in which a header is looked for.
const MOST_FOLDERS: usize = 1000;

/// Files whose paths end with the name of a header.
#[derive(Default)]
struct Candidates {
    all: Vec<u32>,
    /// Those in folders that any command names.
    named: Vec<u32>,
}

type Cache<'m> = FxHashMap<&'m str, Candidates>;

struct Headers<'p> {
    files: &'p FileTable<'p>,
    commands: &'p CompileCommands,
    /// All files in the order of their names read backwards, so that those with the same end stand together.
    backwards: Vec<u32>,
}

impl<'p> Headers<'p> {
    fn new(files: &'p FileTable, commands: &'p CompileCommands) -> Headers<'p> {
        let mut backwards: Vec<u32> = files.all().map(|(file, _)| file).collect();
        backwards.sort_unstable_by(|&a, &b| files.name(a).bytes().rev().cmp(files.name(b).bytes().rev()));
        Headers { files, commands, backwards }
    }

    fn find<'m>(&self, file: u32, name: &str, mention: &'m Mention, cache: &mut Cache<'m>) -> Option<u32> {
        let target = &*mention.target;
        let beside = || join(parent(name), target).and_then(|path| self.files.find(&path));
        let beside = if mention.kind == MentionKind::Quoted { beside() } else { None };
        if let Some(found) = beside.or_else(|| self.commanded(self.commands.of(file)?, file, mention)) {
            return Some(found);
        }
        let candidates = cache.entry(target).or_insert_with(|| self.candidates(target));
        if mention.kind == MentionKind::Next {
            if candidates.all.len() > MOST_WRAPPED {
                return None;
            }
            return self.anywhere(name, &candidates.without(file));
        }
        if mention.kind == MentionKind::Angled && is_of_the_system(target) {
            return self.files.nearest(&candidates.named, name).first().copied();
        }
        self.anywhere(name, candidates)
    }

    /// In the folders that the command of the file names.
    fn commanded(&self, paths: &SearchPaths, file: u32, mention: &Mention) -> Option<u32> {
        let quoted = if mention.kind == MentionKind::Quoted { paths.quoted.as_slice() } else { &[] };
        let is_meant = |found: &u32| mention.kind != MentionKind::Next || *found != file;
        let found = |folder: &String| self.files.find(&join(folder, &mention.target)?).filter(is_meant);
        quoted.iter().chain(&paths.all).take(MOST_FOLDERS).find_map(found)
    }

    /// In the folders that any command names, or else anywhere, if there is only one that is nearest.
    fn anywhere(&self, name: &str, candidates: &Candidates) -> Option<u32> {
        if let Some(found) = self.files.nearest(&candidates.named, name).first() {
            return Some(*found);
        }
        match self.files.nearest(&candidates.all, name) {
            [found] => Some(*found),
            _ => None,
        }
    }

    fn candidates(&self, target: &str) -> Candidates {
        let all = self.with_ending(target);
        let is_named = |file: &&u32| {
            let folder = self.files.name(**file).strip_suffix(target).unwrap_or("/");
            self.commands.folders.contains(folder.strip_suffix('/').unwrap_or(folder))
        };
        Candidates { named: all.iter().filter(is_named).copied().collect(), all }
    }

    /// The files whose path is this one or ends with it, in order. Leading `../` say nothing here.
    fn with_ending(&self, target: &str) -> Vec<u32> {
        let mut target = target;
        while let Some(rest) = target.strip_prefix("../").or(target.strip_prefix("./")) {
            target = rest;
        }
        let backwards = |file: &u32| self.files.name(*file).bytes().rev();
        let first = self.backwards.partition_point(|file| backwards(file).lt(target.bytes().rev()));
        let same =
            self.backwards[first..].iter().take_while(|file| self.files.name(**file).ends_with(target));
        let whole = same.filter(|file| {
            let name = self.files.name(**file);
            name.len() == target.len() || name[..name.len() - target.len()].ends_with('/')
        });
        let mut found: Vec<u32> = whole.copied().collect();
        found.sort_unstable();
        found
    }
}

impl Candidates {
    fn without(&self, file: u32) -> Candidates {
        let others = |files: &[u32]| files.iter().copied().filter(|other| *other != file).collect();
        Candidates { all: others(&self.all), named: others(&self.named) }
    }
}

/// True for headers of C and POSIX. A project that has one of the same name means it only if a command says so.
fn is_of_the_system(target: &str) -> bool {
    target.starts_with("sys/") || SYSTEM_HEADERS.contains(&target)
}

#[rustfmt::skip]
const SYSTEM_HEADERS: &[&str] = &[
    "assert.h", "complex.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h", "iso646.h", "limits.h", "locale.h",
    "math.h", "setjmp.h", "signal.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbit.h", "stdbool.h", "stdckdint.h",
    "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "stdnoreturn.h", "string.h", "tgmath.h", "threads.h", "time.h",
    "uchar.h", "wchar.h", "wctype.h",
    "aio.h", "arpa/inet.h", "cpio.h", "dirent.h", "dlfcn.h", "endian.h", "fcntl.h", "fmtmsg.h", "fnmatch.h", "ftw.h",
    "getopt.h", "glob.h", "grp.h", "iconv.h", "langinfo.h", "libgen.h", "libintl.h", "malloc.h", "memory.h", "monetary.h",
    "mqueue.h", "ndbm.h", "net/if.h", "netdb.h", "netinet/in.h", "netinet/tcp.h", "nl_types.h", "poll.h", "pthread.h",
    "pwd.h", "regex.h", "sched.h", "search.h", "semaphore.h", "spawn.h", "strings.h", "syslog.h", "tar.h", "termios.h",
    "ulimit.h", "unistd.h", "utime.h", "utmpx.h", "wordexp.h", "windows.h",
];
