//! Mutations: random changes of bytes and of tokens.

use model::Random;

/// Mutated inputs are cut to this many bytes.
pub const LARGEST_INPUT: usize = 64 << 10;
/// A token is repeated up to so often to make nesting and lists. Most lists are short, which keeps fuzzing fast.
const MOST_REPEATS: [usize; 4] = [4, 40, 400, 8_000];
/// How many inputs of a hundred derive from a large member of the corpus.
const LARGE_MEMBERS: usize = 4;
/// Larger members make an input slow to read, so they are chosen rarely.
const LARGE: usize = 8 << 10;

/// Numbers and bytes at which readers tend to go wrong, in every format.
const EDGES: &[&[u8]] = &[
    b"0",
    b"-1",
    b"1e999",
    b"0x",
    b"4294967296",
    b"9223372036854775808",
    b"-9223372036854775809",
    b"18446744073709551616",
    b"340282366920938463463374607431768211456",
    b"99999999999999999999999999999999999999999999999999999999999999999999999999999999",
    b"\0",
    b"\xff\xfe",
    b"\xf0\x9f\x92",
    b"\xed\xa0\x80",
    "\u{202e}\u{feff}ß".as_bytes(),
    b"\r\n",
    b"\"",
    b"'",
    b"\\",
    b"|",
    b"(",
    b")",
    b"{",
    b"[",
    b"<",
];

/// An input: a member of the corpus, changed a few times.
pub fn mutated(corpus: &[Vec<u8>], dictionary: &[&str], random: &mut Random) -> Vec<u8> {
    let (large, small): (Vec<_>, Vec<_>) = corpus.iter().partition(|member| member.len() > LARGE);
    let is_large = small.is_empty() || random.percent(LARGE_MEMBERS);
    let members = if is_large && !large.is_empty() { large } else { small };
    let mut input = random.choose(&members).map(|member| member.to_vec()).unwrap_or_default();
    for _ in 0..random.between(1, 8) {
        change(&mut input, corpus, dictionary, random);
    }
    input.truncate(LARGEST_INPUT);
    input
}

fn change(input: &mut Vec<u8>, corpus: &[Vec<u8>], dictionary: &[&str], random: &mut Random) {
    let (start, end) = range(input.len(), random);
    match random.below(11) {
        0 => {
            if let Some(byte) = input.get_mut(start) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => input.insert(start, random.word() as u8),
        2 => drop(input.drain(start..end)),
        3 => {
            let repeated = input[start..end].to_vec();
            replace(input, end, end, &repeated);
        }
        4 => input.truncate(start),
        5 => replace(input, start, start, token(dictionary, random)),
        6 => {
            let (start, end) = token_at(input, start);
            replace(input, start, end, token(dictionary, random));
        }
        7 => {
            let (start, end) = token_at(input, start);
            let repeated = input[start..end].repeat(repeats(random).min(LARGEST_INPUT / (end - start + 1)));
            replace(input, start, end, &repeated);
        }
        8 => {
            let repeated = token(dictionary, random).repeat(repeats(random));
            replace(input, start, start, &repeated);
        }
        9 => {
            let other = random.choose(corpus).map_or(&[][..], Vec::as_slice);
            let (from, to) = range(other.len(), random);
            replace(input, start, end, &other[from..to]);
        }
        _ => {
            let (number_start, number_end) = number_after(input, start);
            replace(input, number_start, number_end, EDGES[random.below(10)]);
        }
    }
    input.truncate(LARGEST_INPUT);
}

fn repeats(random: &mut Random) -> usize {
    let most = random.choose(&MOST_REPEATS).copied().unwrap_or(1);
    random.between(1, most)
}

/// A short range, sometimes a long one.
fn range(length: usize, random: &mut Random) -> (usize, usize) {
    let start = random.below(length + 1);
    let longest = if random.percent(80) { 16 } else { length };
    (start, (start + random.between(1, longest.max(1))).min(length))
}

fn replace(input: &mut Vec<u8>, start: usize, end: usize, with: &[u8]) {
    let with = &with[..with.len().min(LARGEST_INPUT)];
    input.splice(start..end.max(start), with.iter().copied());
}

fn token<'a>(dictionary: &[&'a str], random: &mut Random) -> &'a [u8] {
    match random.choose(dictionary) {
        Some(word) if random.percent(70) => word.as_bytes(),
        _ => random.choose(EDGES).copied().unwrap_or_default(),
    }
}

/// The word or the single byte at a place.
fn token_at(input: &[u8], place: usize) -> (usize, usize) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let start = place - input[..place].iter().rev().take_while(|byte| is_word(byte)).count();
    let length = input[start..].iter().take_while(|byte| is_word(byte)).count();
    (start, (start + length.max(1)).min(input.len()))
}

/// The first number after a place; an empty range if there is none.
fn number_after(input: &[u8], place: usize) -> (usize, usize) {
    let Some(skipped) = input[place..].iter().position(u8::is_ascii_digit) else { return (place, place) };
    let start = place + skipped;
    (start, start + input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_are_reproducible_and_bounded() {
        let corpus = vec![b"(assert (> x 12))".to_vec(), Vec::new()];
        for number in 0..3_000 {
            let make = || mutated(&corpus, &["(assert", "true"], &mut Random::for_case(1, number));
            assert_eq!(make(), make());
            assert!(make().len() <= LARGEST_INPUT);
        }
    }

    #[test]
    fn tokens_and_numbers_are_found() {
        assert_eq!(token_at(b"a bcd e", 3), (2, 5));
        assert_eq!(token_at(b"", 0), (0, 0));
        assert_eq!(number_after(b"x = 123;", 1), (4, 7));
        assert_eq!(number_after(b"x", 1), (1, 1));
    }
}
