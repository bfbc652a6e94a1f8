//! The last step of cutting: parts that are contained in others go, and small parts are joined.

use crate::{Cut, Part};
use std::collections::BTreeSet;

/// Removes parts that are contained in others, which take over the files that they own, and joins small parts.
///
/// The published listing (algorithm 10) removes both of two equal parts if the set changes while it is walked, and adds the
/// sizes of two parts although they share files; here the first of equal parts stays, and the size of the union counts.
pub fn join(cut: &Cut<'_>, parts: Vec<Part>) -> Vec<Part> {
    next_fit(cut, without_contained(cut, parts))
}

fn without_contained(cut: &Cut<'_>, mut parts: Vec<Part>) -> Vec<Part> {
    // Only a larger part, or an equal one before it, can contain a part.
    parts.sort_by(|a, b| b.files.len().cmp(&a.files.len()).then_with(|| a.files.cmp(&b.files)));
    let mut holders: Vec<Vec<usize>> = vec![Vec::new(); cut.graph.file_count()];
    let mut kept: Vec<Part> = Vec::new();
    for part in parts {
        let rarest = part.files.iter().min_by_key(|&&file| holders[file as usize].len());
        let candidates = rarest.map_or(&[][..], |&file| holders[file as usize].as_slice());
        let holder = candidates.iter().find(|&&index| contains(&kept[index], &part));
        match holder {
            Some(&index) => kept[index].owned.extend(part.owned),
            None => {
                part.files.iter().for_each(|&file| holders[file as usize].push(kept.len()));
                kept.push(part);
            }
        }
    }
    kept.into_iter().map(|part| Part::new(part.files, part.owned)).collect()
}

fn contains(whole: &Part, part: &Part) -> bool {
    part.files.iter().all(|&file| whole.contains(file))
}

/// Joins parts in ascending order as long as their union fits.
fn next_fit(cut: &Cut<'_>, mut parts: Vec<Part>) -> Vec<Part> {
    let first_rank = |part: &Part| part.files.iter().map(|&file| cut.rank(file)).min();
    parts.sort_by_cached_key(|part| (cut.size_of(&part.files), first_rank(part)));
    let mut joined = Vec::new();
    let (mut files, mut owned, mut size) = (BTreeSet::new(), Vec::new(), 0);
    for part in parts {
        let new: Vec<u32> = part.files.iter().copied().filter(|file| !files.contains(file)).collect();
        let more = cut.size_of(&new);
        if !files.is_empty() && size + more > cut.most() {
            let full = std::mem::take(&mut files);
            joined.push(Part::new(full.into_iter().collect(), std::mem::take(&mut owned)));
            size = cut.size_of(&part.files);
            files.extend(&part.files);
        } else {
            size += more;
            files.extend(new);
        }
        owned.extend(part.owned);
    }
    if !files.is_empty() {
        joined.push(Part::new(files.into_iter().collect(), owned));
    }
    joined
}
