//! The bytes of one exchange: a request and its answer.

/// Where received bytes came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// One request and its answer so far.
pub(crate) struct Transfer<'a> {
    request: &'a [u8],
    end_marker: Option<&'a [u8]>,
    /// The rest of the output limit.
    room: usize,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// Where the first line starts that has not been compared with the marker.
    line_start: usize,
    /// Up to where line ends have been looked for.
    searched: usize,
    /// Length of the answer once the marker was found.
    answer_length: Option<usize>,
}

impl<'a> Transfer<'a> {
    /// A request that is answered by whatever is printed until the process ends.
    pub(crate) fn until_end(request: &'a [u8], maximum_bytes: usize) -> Transfer<'a> {
        Transfer {
            request,
            end_marker: None,
            room: maximum_bytes,
            stdout: Vec::new(),
            stderr: Vec::new(),
            line_start: 0,
            searched: 0,
            answer_length: None,
        }
    }

    /// A request whose answer ends with a line that equals the marker.
    pub(crate) fn until_marker(
        request: &'a [u8],
        end_marker: &'a [u8],
        maximum_bytes: usize,
    ) -> Transfer<'a> {
        Transfer { end_marker: Some(end_marker), ..Transfer::until_end(request, maximum_bytes) }
    }

    /// What is still to be written.
    pub(crate) fn pending(&self) -> &'a [u8] {
        self.request
    }

    /// Notes that this many bytes were written.
    pub(crate) fn sent(&mut self, count: usize) {
        self.request = self.request.get(count..).unwrap_or_default();
    }

    /// Drops the rest of the request: the program does not read it.
    pub(crate) fn stop_sending(&mut self) {
        self.request = &[];
    }

    /// Whether the answer ends only with the process.
    pub(crate) fn ends_with_process(&self) -> bool {
        self.end_marker.is_none()
    }

    /// Keeps what fits under the limit, and returns whether everything did.
    pub(crate) fn receive(&mut self, stream: Stream, bytes: &[u8]) -> bool {
        let kept = bytes.get(..self.room).unwrap_or(bytes);
        self.room -= kept.len();
        match stream {
            Stream::Output => {
                self.stdout.extend_from_slice(kept);
                self.find_marker();
            }
            Stream::Error => self.stderr.extend_from_slice(kept),
        }
        kept.len() == bytes.len()
    }

    /// Whether the marker was found and the whole request was written. A rest would spoil the next exchange.
    pub(crate) fn is_complete(&self) -> bool {
        self.answer_length.is_some() && self.request.is_empty()
    }

    /// Standard output without the marker, standard error, and what was printed after the marker.
    pub(crate) fn into_parts(mut self) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
        let mut rest = Vec::new();
        if let Some(length) = self.answer_length {
            rest = self.stdout.split_off(self.line_start.min(self.stdout.len()));
            self.stdout.truncate(length);
        }
        (self.stdout, self.stderr, rest)
    }

    /// Searches the new complete lines for the marker.
    fn find_marker(&mut self) {
        let Some(marker) = self.end_marker else { return };
        while self.answer_length.is_none() {
            let unsearched = self.stdout.get(self.searched..).unwrap_or_default();
            let Some(offset) = unsearched.iter().position(|byte| *byte == b'\n') else {
                self.searched = self.stdout.len();
                return;
            };
            let line_end = self.searched + offset;
            if self.stdout.get(self.line_start..line_end) == Some(marker) {
                self.answer_length = Some(self.line_start);
            }
            self.searched = line_end + 1;
            self.line_start = line_end + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Stream, Transfer};

    /// Receives the pieces, and compares answer, rest, and whether an answer was complete.
    fn check(pieces: &[&str], maximum: usize, answer: &str, rest: &str, answered: bool, fits: bool) {
        let mut transfer = Transfer::until_marker(b"", b"END", maximum);
        let mut all_fit = true;
        for piece in pieces {
            all_fit &= transfer.receive(Stream::Output, piece.as_bytes());
        }
        assert_eq!(transfer.is_complete(), answered, "{pieces:?}");
        assert_eq!(all_fit, fits, "{pieces:?}");
        let (stdout, _, remaining) = transfer.into_parts();
        assert_eq!(String::from_utf8_lossy(&stdout), answer, "{pieces:?}");
        assert_eq!(String::from_utf8_lossy(&remaining), rest, "{pieces:?}");
    }

    #[test]
    fn markers_and_limits() {
        check(&["sat\nEND\n"], 100, "sat\n", "", true, true);
        check(&["END\n"], 100, "", "", true, true);
        check(&["sa", "t\nE", "ND", "\n"], 100, "sat\n", "", true, true);
        check(&["xEND\nEND \nEND"], 100, "xEND\nEND \nEND", "", false, true);
        check(&["a\nEND\nlate"], 100, "a\n", "late", true, true);
        check(&["a\nEND\nb\nEND\n"], 100, "a\n", "b\nEND\n", true, true);
        check(&["abc", "def"], 4, "abcd", "", false, false);
        check(&["abcd"], 4, "abcd", "", false, true);
    }
}
