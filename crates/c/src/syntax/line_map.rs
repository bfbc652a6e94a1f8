//! Maps byte offsets to files, lines and columns, following line markers.

use rustc_hash::FxHashMap;

/// A place in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position<'a> {
    /// The file, as the last line marker names it.
    pub file: &'a str,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in bytes, counted from 1.
    pub column: u32,
}

/// Maps byte offsets to files, lines and columns.
#[derive(Debug, Clone)]
pub struct LineMap {
    files: Vec<String>,
    /// The position of each file in `files`, by the bytes of its name.
    known: FxHashMap<Box<[u8]>, u32>,
    markers: Vec<Marker>,
    /// Where each physical line begins.
    line_starts: Vec<u32>,
}

/// From `offset` on, lines belong to a file and are counted from `line`.
#[derive(Debug, Clone, Copy)]
struct Marker {
    offset: u32,
    file: u32,
    line: u32,
    system: bool,
}

impl LineMap {
    pub(crate) fn new(name: &str) -> LineMap {
        LineMap {
            files: vec![name.to_owned()],
            known: FxHashMap::from_iter([(name.as_bytes().into(), 0)]),
            markers: vec![Marker { offset: 0, file: 0, line: 1, system: false }],
            line_starts: vec![0],
        }
    }

    /// Records a line marker: the line that begins at `offset` has this number, in this file if one is given, which
    /// may be a system header.
    pub(crate) fn mark(&mut self, offset: u32, line: u32, file: Option<&[u8]>, system: bool) {
        let last = self.markers.last();
        let current = last.map_or(0, |marker| marker.file);
        // A marker without a file name stays in the same file.
        let system = system || file.is_none() && last.is_some_and(|marker| marker.system);
        let file = match file {
            None => current,
            Some(file) if self.files[current as usize].as_bytes() == file => current,
            Some(file) => self.file(file),
        };
        self.markers.push(Marker { offset, file, line, system });
    }

    fn file(&mut self, name: &[u8]) -> u32 {
        if let Some(index) = self.known.get(name) {
            return *index;
        }
        let index = self.files.len() as u32;
        self.files.push(String::from_utf8_lossy(name).into_owned());
        self.known.insert(name.into(), index);
        index
    }

    /// Records where the lines of the text begin; called once, at the end.
    pub(crate) fn measure(&mut self, text: &[u8]) {
        self.line_starts.truncate(1);
        let newlines = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        self.line_starts.extend(newlines.map(|(index, _)| index as u32 + 1));
    }

    /// The place of a byte.
    pub fn position(&self, offset: u32) -> Position<'_> {
        let marker = self.marker(offset);
        let physical = self.physical_line(offset);
        let first = self.physical_line(marker.offset);
        Position {
            file: &self.files[marker.file as usize],
            line: marker.line.saturating_add((physical - first) as u32),
            column: offset - self.line_starts[physical] + 1,
        }
    }

    /// True if a byte comes from a system header, according to the line marker before it.
    pub fn is_in_system_header(&self, offset: u32) -> bool {
        self.marker(offset).system
    }

    fn marker(&self, offset: u32) -> Marker {
        self.markers[self.markers.partition_point(|marker| marker.offset <= offset) - 1]
    }

    /// Where the line of the text that holds a byte begins.
    pub(crate) fn line_start(&self, offset: u32) -> u32 {
        self.line_starts[self.physical_line(offset)]
    }

    /// The line of the text that holds a byte, counted from 0 and regardless of line markers.
    pub fn physical_line(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|start| *start <= offset) - 1
    }
}
