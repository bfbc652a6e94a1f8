//! Removes what earlier juvenal processes left behind.

use crate::group::{process_namespace, remove_with_members};
use crate::hierarchy::all_parents;
use std::fs;
use std::path::Path;

/// Removes control groups of juvenal processes that no longer exist, with whatever still runs in them.
/// No processes are left: each guardian ends its tree when juvenal dies.
pub fn remove_leftovers() {
    for parent in all_parents() {
        let Ok(entries) = fs::read_dir(&parent) else { continue };
        for entry in entries.flatten() {
            if entry.file_name().to_str().is_some_and(is_left_over) {
                remove_with_members(&entry.path());
            }
        }
    }
}

/// Whether the group belongs to a process of this namespace that no longer exists.
fn is_left_over(name: &str) -> bool {
    owner(name).is_some_and(|(process, namespace)| {
        namespace == process_namespace() && !Path::new("/proc").join(process.to_string()).exists()
    })
}

/// Reads `juvenal-PROCESS-NUMBER-NAMESPACE`.
fn owner(name: &str) -> Option<(u32, u64)> {
    let mut parts = name.strip_prefix("juvenal-")?.split('-');
    let process = parts.next()?.parse().ok()?;
    let _number: u64 = parts.next()?.parse().ok()?;
    let namespace = parts.next()?.parse().ok()?;
    parts.next().is_none().then_some((process, namespace))
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn names_of_groups() {
        let check = |name, expected| assert_eq!(owner(name), expected, "{name}");
        check("juvenal-12-3-4026531836", Some((12, 4_026_531_836)));
        check("juvenal-12-3", None);
        check("juvenal-12-3-4-5", None);
        check("juvenal-x-3-4", None);
        check("user.slice", None);
    }
}
