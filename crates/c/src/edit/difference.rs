//! The changes that an external reducer made to a text, as edits: a difference of words.
//!
//! Words are matched, and the text between matched words is replaced, so applying the edits always gives the new text,
//! blanks included. Lines that occur once in both texts are matched first, which keeps the rest small. Between them
//! words are matched with the linear-space algorithm of E. W. Myers, «An O(ND) difference algorithm and its
//! variations», Algorithmica 1, 1986. Stretches with too many differences are replaced as a whole.
//!
//! The crate `similar` can bound its work only by a deadline. Edits that depend on the speed of the machine would make
//! reductions irreproducible.

use crate::{Edit, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// Two stretches of words with more than twice this many differences are not matched, because the work grows with the
/// square.
const MOST_DIFFERENCES: usize = 8_000;

/// The edits that turn one text into another, in order.
pub fn difference(before: &str, after: &str) -> Vec<Edit> {
    let (old, new) = (words(before), words(after));
    let mut edits = Vec::new();
    let (mut old_done, mut new_done) = (0, 0);
    for (left, right) in matched_words(before, after, &old, &new) {
        let (old_word, new_word) = (&old[left], &new[right]);
        edits.extend(replaced(before, old_done..old_word.start, &after[new_done..new_word.start]));
        (old_done, new_done) = (old_word.end, new_word.end);
    }
    edits.extend(replaced(before, old_done..before.len(), &after[new_done..]));
    edits
}

/// The edit that replaces a range by a text, without their common beginning and end. Returns `None` if they are equal.
fn replaced(before: &str, range: Range<usize>, text: &str) -> Option<Edit> {
    let old = &before[range.clone()];
    let same = |(left, right): &(char, char)| left == right;
    let length = |pairs: Vec<(char, char)>| pairs.iter().map(|(left, _)| left.len_utf8()).sum::<usize>();
    let start = length(old.chars().zip(text.chars()).take_while(same).collect());
    let (old, text) = (&old[start..], &text[start..]);
    let end = length(old.chars().rev().zip(text.chars().rev()).take_while(same).collect());
    let (old, text) = (&old[..old.len() - end], &text[..text.len() - end]);
    let span = Span::new((range.start + start) as u32, (range.start + start + old.len()) as u32);
    (!old.is_empty() || !text.is_empty()).then(|| Edit::replace(span, text))
}

/// The words of a text: names and numbers, and every other character that is not blank.
fn words(text: &str) -> Vec<Range<usize>> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut is_in_name = false;
    for (place, letter) in text.char_indices() {
        let end = place + letter.len_utf8();
        match words.last_mut() {
            Some(last) if is_in_name && is_name(letter) => last.end = end,
            _ if letter.is_whitespace() => {}
            _ => words.push(place..end),
        }
        is_in_name = is_name(letter);
    }
    words
}

/// The words that stay, in order, as places in both lists.
fn matched_words(
    before: &str,
    after: &str,
    old: &[Range<usize>],
    new: &[Range<usize>],
) -> Vec<(usize, usize)> {
    let mut numbers = BTreeMap::new();
    let old_numbers = numbered(before, old, &mut numbers);
    let new_numbers = numbered(after, new, &mut numbers);
    let mut matched = Vec::new();
    let (mut old_done, mut new_done) = (0, 0);
    for (old_line, new_line) in matched_lines(before, after) {
        let (left, right) = (within(old, &old_line), within(new, &new_line));
        // Both lines are equal except for surrounding blanks, so they have the same words.
        let gap = (old_done..left.start, new_done..right.start);
        (old_done, new_done) = (left.end, right.end);
        matched.extend(common(&old_numbers, &new_numbers, gap));
        matched.extend(left.zip(right));
    }
    let gap = (old_done..old.len(), new_done..new.len());
    matched.extend(common(&old_numbers, &new_numbers, gap));
    matched
}

/// A number for each word, equal for equal words.
fn numbered<'a>(text: &'a str, words: &[Range<usize>], numbers: &mut BTreeMap<&'a str, usize>) -> Vec<usize> {
    let mut number = |word: &Range<usize>| {
        let next = numbers.len();
        *numbers.entry(&text[word.clone()]).or_insert(next)
    };
    words.iter().map(&mut number).collect()
}

/// The positions of the words inside a stretch of the text.
fn within(words: &[Range<usize>], stretch: &Range<usize>) -> Range<usize> {
    let start = words.partition_point(|word| word.start < stretch.start);
    start..words.partition_point(|word| word.start < stretch.end)
}

/// Lines, without surrounding blanks, that occur exactly once in each text, in a common order.
fn matched_lines(before: &str, after: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let (old, new) = (single_lines(before), single_lines(after));
    let in_both = old.iter().filter_map(|(line, place)| Some((*place, *new.get(line)?, line.len())));
    let mut pairs: Vec<(usize, usize, usize)> = in_both.collect();
    pairs.sort_unstable();
    let places: Vec<usize> = pairs.iter().map(|(_, place, _)| *place).collect();
    let kept = longest_rise(&places).into_iter().map(|index| pairs[index]);
    kept.map(|(left, right, length)| (left..left + length, right..right + length)).collect()
}

/// The start of each line that is not blank and occurs once.
fn single_lines(text: &str) -> BTreeMap<&str, usize> {
    let mut places: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    let mut start = 0;
    for line in text.split('\n') {
        let trimmed = line.trim();
        let place = start + (line.len() - line.trim_start().len());
        places.entry(trimmed).and_modify(|place| *place = None).or_insert(Some(place));
        start += line.len() + 1;
    }
    places
        .into_iter()
        .filter_map(|(line, place)| Some((line, place?)))
        .filter(|it| !it.0.is_empty())
        .collect()
}

/// The indices of a longest increasing subsequence of distinct numbers.
fn longest_rise(numbers: &[usize]) -> Vec<usize> {
    // The index of the smallest number in which a subsequence of each length ends, and the predecessor of each index.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (index, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| numbers[*end] < *number);
        previous.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut chosen = Vec::new();
    let mut next = ends.last().copied();
    while let Some(index) = next {
        chosen.push(index);
        next = previous[index];
    }
    chosen.reverse();
    chosen
}

/// A stretch of each list.
type Stretches = (Range<usize>, Range<usize>);

/// A longest common subsequence of two stretches, as pairs of places in order.
fn common(before: &[usize], after: &[usize], whole: Stretches) -> Vec<(usize, usize)> {
    let mut matched = Vec::new();
    let mut waiting = vec![whole];
    while let Some((mut old, mut new)) = waiting.pop() {
        while !old.is_empty() && !new.is_empty() && before[old.start] == after[new.start] {
            matched.push((old.start, new.start));
            (old.start, new.start) = (old.start + 1, new.start + 1);
        }
        while !old.is_empty() && !new.is_empty() && before[old.end - 1] == after[new.end - 1] {
            (old.end, new.end) = (old.end - 1, new.end - 1);
            matched.push((old.end, new.end));
        }
        if old.is_empty() || new.is_empty() {
            continue;
        }
        if let Some((x, y)) = middle(&before[old.clone()], &after[new.clone()]) {
            let (x, y) = (old.start + x, new.start + y);
            waiting.push((old.start..x, new.start..y));
            waiting.push((x..old.end, y..new.end));
        }
    }
    matched.sort_unstable();
    matched
}

/// The furthest positions that the searches from one end have reached, by diagonal.
struct Reached {
    places: Vec<usize>,
    middle: usize,
}

impl Reached {
    fn new(most: usize) -> Reached {
        Reached { places: vec![0; 2 * most + 3], middle: most + 1 }
    }

    fn at(&self, diagonal: isize) -> usize {
        self.middle
            .checked_add_signed(diagonal)
            .and_then(|index| self.places.get(index))
            .copied()
            .unwrap_or(0)
    }

    fn set(&mut self, diagonal: isize, place: usize) {
        let index = self.middle.checked_add_signed(diagonal);
        if let Some(slot) = index.and_then(|index| self.places.get_mut(index)) {
            *slot = place;
        }
    }

    /// Where a path with one more difference starts on a diagonal.
    fn start(&self, diagonal: isize, differences: isize) -> usize {
        let comes_from_above = diagonal == -differences
            || (diagonal != differences && self.at(diagonal - 1) < self.at(diagonal + 1));
        if comes_from_above { self.at(diagonal + 1) } else { self.at(diagonal - 1) + 1 }
    }
}

/// A position inside both lists on a shortest path from one to the other. Returns `None` if there are too many
/// differences, or nothing in common.
fn middle(old: &[usize], new: &[usize]) -> Option<(usize, usize)> {
    let (old_length, new_length) = (old.len(), new.len());
    let delta = old_length as isize - new_length as isize;
    let is_odd = delta % 2 != 0;
    let most = (old_length + new_length).div_ceil(2).min(MOST_DIFFERENCES);
    let (mut forward, mut backward) = (Reached::new(most), Reached::new(most));
    for differences in 0..=most as isize {
        for diagonal in (-differences..=differences).step_by(2) {
            let start = forward.start(diagonal, differences);
            let other = start.checked_add_signed(-diagonal)?;
            let same = |(left, right): &(&usize, &usize)| left == right;
            let rest = old.iter().skip(start).zip(new.iter().skip(other));
            let end = start + rest.take_while(same).count();
            forward.set(diagonal, end);
            let is_met = is_odd && (diagonal - delta).abs() < differences;
            if is_met && end + backward.at(delta - diagonal) >= old_length {
                return inside((start, other), old_length, new_length);
            }
        }
        for diagonal in (-differences..=differences).step_by(2) {
            let start = backward.start(diagonal, differences);
            let other = start.checked_add_signed(-diagonal)?;
            let same = |(left, right): &(&usize, &usize)| left == right;
            let rest = old.iter().rev().skip(start).zip(new.iter().rev().skip(other));
            let run = rest.take_while(same).count();
            backward.set(diagonal, start + run);
            let is_met = !is_odd && (diagonal - delta).abs() <= differences;
            if is_met && start + run + forward.at(delta - diagonal) >= old_length {
                let place = (old_length.checked_sub(start + run)?, new_length.checked_sub(other + run)?);
                return inside(place, old_length, new_length);
            }
        }
    }
    None
}

/// The position, unless it is a corner, which would not divide anything.
fn inside(place: (usize, usize), old: usize, new: usize) -> Option<(usize, usize)> {
    let (x, y) = place;
    (x <= old && y <= new && place != (0, 0) && place != (old, new)).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::patch::moved;
    use model::Random;

    fn applied(before: &str, after: &str) -> Vec<Edit> {
        let edits = difference(before, after);
        let bytes = crate::patch::apply(before.as_bytes(), &edits).unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), after, "{before:?}");
        edits
    }

    fn random_text(random: &mut Random, length: usize) -> String {
        let parts = ["a", "bc", "{", "}", ";", " ", "\n", "  ", "x1", "é", "\n}\n"];
        (0..length).filter_map(|_| random.choose(&parts).copied()).collect()
    }

    #[test]
    fn applying_the_edits_gives_the_new_text() {
        let mut random = Random::for_case(1, 1);
        for _ in 0..2000 {
            let (old_length, new_length) = (random.below(60), random.below(60));
            let before = random_text(&mut random, old_length);
            applied(&before, &random_text(&mut random, new_length));
            // A text without some of its parts, as reducers leave them.
            let kept: String = before.chars().filter(|_| !random.percent(30)).collect();
            applied(&before, &kept);
        }
    }

    #[test]
    fn as_many_words_as_possible_stay() {
        let mut random = Random::for_case(2, 2);
        for _ in 0..500 {
            let draw = |random: &mut Random| -> Vec<usize> {
                (0..random.below(25)).map(|_| random.below(4)).collect()
            };
            let (old, new) = (draw(&mut random), draw(&mut random));
            let found = common(&old, &new, (0..old.len(), 0..new.len()));
            assert!(found.iter().all(|(left, right)| old[*left] == new[*right]));
            assert!(found.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
            assert_eq!(found.len(), longest_common(&old, &new), "{old:?} {new:?}");
        }
    }

    /// The length of a longest common subsequence, by the table of all beginnings.
    fn longest_common(old: &[usize], new: &[usize]) -> usize {
        let mut row = vec![0; new.len() + 1];
        for left in old {
            let mut diagonal = 0;
            for (index, right) in new.iter().enumerate() {
                let above = row[index + 1];
                row[index + 1] = if left == right { diagonal + 1 } else { above.max(row[index]) };
                diagonal = above;
            }
        }
        row.last().copied().unwrap_or(0)
    }

    #[test]
    fn places_of_statements_move_along() {
        let before = "int main(void) {\n  int x = 1;\n  x = 2;\n  return x;\n}\n";
        for (after, expected) in [
            ("int main(void) {\n  int x = 1;\n  return x;\n}\n", "return x;"),
            ("int main() { int x = 1; return x; }\n", "return x;"),
            ("int main(void) {\n  int x = 1;\n  x = 2;\n  return 0;\n}\n", "return 0;"),
        ] {
            let edits = applied(before, after);
            let place = moved(before.find("return").unwrap() as u32, &edits) as usize;
            assert!(after[place..].starts_with(expected), "{after}: {:?}", &after[place..]);
        }
    }

    #[test]
    fn long_texts_take_no_square_of_time_and_memory() {
        let line = |number: usize| format!("int variable_{number} = {number};\n");
        let before: String = (0..8000).map(line).collect();
        let after: String = (0..8000).filter(|number| number % 7 != 0).map(line).collect();
        assert_eq!(applied(&before, &after).len(), 8000usize.div_ceil(7));
        // Nothing in common and more words than are compared.
        let other: String = (0..8000).map(|number| format!("y{number} ")).collect();
        assert_eq!(applied(&before, &other).len(), 1);
    }
}
