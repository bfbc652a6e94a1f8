//! SHA-256 as FIPS 180-4 defines it: witnesses name their programs by it, and nothing else needs it.

/// The hash of some bytes.
pub(super) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut state = START;
    let blocks = bytes.chunks_exact(64);
    let mut tail = blocks.remainder().to_vec();
    blocks.for_each(|block| absorb(&mut state, block));
    tail.push(0x80);
    while tail.len() % 64 != 56 {
        tail.push(0);
    }
    tail.extend_from_slice(&(8 * bytes.len() as u64).to_be_bytes());
    tail.chunks_exact(64).for_each(|block| absorb(&mut state, block));
    let mut hash = [0; 32];
    for (bytes, word) in hash.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    hash
}

/// Bytes as hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The fractional parts of the square roots of the first eight primes.
const START: [u32; 8] =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/// The fractional parts of the cube roots of the first 64 primes.
const ROUND_CONSTANTS: [u32; 64] = round_constants();

/// Computed rather than listed: 32 bits behind the point of a cube root are the root of the prime times 2^96.
const fn round_constants() -> [u32; 64] {
    let mut constants = [0; 64];
    let (mut count, mut candidate) = (0, 2);
    while count < 64 {
        if is_prime(candidate) {
            constants[count] = cube_root_fraction(candidate);
            count += 1;
        }
        candidate += 1;
    }
    constants
}

const fn is_prime(number: u128) -> bool {
    let mut divisor = 2;
    while divisor * divisor <= number {
        if number.is_multiple_of(divisor) {
            return false;
        }
        divisor += 1;
    }
    true
}

/// The low 32 bits of the integer cube root of `number` times 2^96, found bit by bit.
const fn cube_root_fraction(number: u128) -> u32 {
    let scaled = number << 96;
    let mut root: u128 = 0;
    let mut bit: u128 = 1 << 35;
    while bit > 0 {
        let tried = root | bit;
        if tried * tried * tried <= scaled {
            root = tried;
        }
        bit >>= 1;
    }
    root as u32
}

fn absorb(state: &mut [u32; 8], block: &[u8]) {
    let schedule = schedule(block);
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in schedule.into_iter().zip(ROUND_CONSTANTS) {
        let sum_of_e = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let first = h.wrapping_add(sum_of_e).wrapping_add(choice).wrapping_add(constant).wrapping_add(word);
        let sum_of_a = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let second = sum_of_a.wrapping_add(majority);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
    }
    for (word, change) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(change);
    }
}

fn schedule(block: &[u8]) -> [u32; 64] {
    let mut words = [0; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for at in 16..64 {
        let (early, late) = (words[at - 15], words[at - 2]);
        let first = early.rotate_right(7) ^ early.rotate_right(18) ^ early >> 3;
        let second = late.rotate_right(17) ^ late.rotate_right(19) ^ late >> 10;
        words[at] = words[at - 16].wrapping_add(first).wrapping_add(words[at - 7]).wrapping_add(second);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_standard() {
        let check = |text: &[u8], expected: &str| assert_eq!(hexadecimal(&sha256(text)), expected);
        check(b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        check(b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        check(
            b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        );
        check(&[b'a'; 1_000_000], "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}
