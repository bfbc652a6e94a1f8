//! Gives back the memory that a guardian has copied from juvenal.
//!
//! The inner guardian of a tree without a namespace does not share the memory of juvenal, so that the system does not
//! kill both when memory is short. As a copy it would keep every page that juvenal changes afterwards, for as long as
//! the tree lives, and it would look as large as juvenal to whoever looks for a process to kill.

use super::call;
use std::ffi::CStr;
use std::os::fd::RawFd;

const MAPS_FILE: &CStr = c"/proc/self/maps";
/// Smaller mappings are kept: libraries have their variables there, and they save next to nothing.
const SMALLEST_BYTES: usize = 256 * 1024;

/// Empties every large mapping that is writable and belongs to no file, except for the one that holds our stack.
///
/// Afterwards nothing that juvenal has allocated may be used.
pub(super) fn give_back() {
    let file = call::open(MAPS_FILE, libc::O_RDONLY);
    if file < 0 {
        return;
    }
    let mut line = Line::default();
    let mut buffer = [0u8; 2048];
    loop {
        let count = call::read(file as RawFd, &mut buffer);
        if count <= 0 {
            break;
        }
        for byte in buffer.iter().take(count as usize) {
            if *byte == b'\n' {
                line.empty_mapping(buffer.as_ptr() as usize);
                line = Line::default();
            } else {
                line.add(*byte);
            }
        }
    }
    call::close(file as RawFd);
}

/// What is read of a line such as `7f12a000-7f12b000 rw-p 00000000 00:00 0   [heap]`.
#[derive(Default)]
struct Line {
    start: usize,
    end: usize,
    is_writable: bool,
    is_file: bool,
    /// The number of fields before the current one.
    field: u32,
    follows_dash: bool,
}

impl Line {
    fn add(&mut self, byte: u8) {
        match (self.field, byte) {
            (_, b' ') => self.field += 1,
            (0, b'-') => self.follows_dash = true,
            (0, digit) if self.follows_dash => self.end = with_digit(self.end, digit),
            (0, digit) => self.start = with_digit(self.start, digit),
            (1, b'w') => self.is_writable = true,
            (4, digit) if digit != b'0' => self.is_file = true,
            _ => {}
        }
    }

    fn empty_mapping(&self, kept_address: usize) {
        let holds_stack = self.start <= kept_address && kept_address < self.end;
        let bytes = self.end.saturating_sub(self.start);
        if self.is_writable && !self.is_file && !holds_stack && bytes >= SMALLEST_BYTES {
            call::empty_pages(self.start, bytes);
        }
    }
}

fn with_digit(number: usize, digit: u8) -> usize {
    let value = if digit.is_ascii_digit() { digit & 15 } else { (digit & 15).wrapping_add(9) };
    number.wrapping_shl(4).wrapping_add(value as usize)
}

#[cfg(test)]
mod tests {
    use super::Line;

    #[test]
    fn lines_are_read() {
        let rows = [
            ("7f12a0000000-7f12afffe000 rw-p 00000000 00:00 0 ", 0x7f12_a000_0000, 0xfffe000, true, false),
            ("55d0c000-55d0d000 r-xp 00001000 fe:00 1024  /usr/bin/x w", 0x55d0_c000, 0x1000, false, true),
        ];
        for (text, start, bytes, is_writable, is_file) in rows {
            let mut line = Line::default();
            text.bytes().for_each(|byte| line.add(byte));
            assert_eq!((line.start, line.end - line.start), (start, bytes), "{text}");
            assert_eq!((line.is_writable, line.is_file), (is_writable, is_file), "{text}");
        }
    }
}
