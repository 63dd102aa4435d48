//! Messages of a stream that stand on a line each, as stdio has them.

/// How many bytes a line may have unless somebody says otherwise: 16 MiB.
pub const DEFAULT_LIMIT: usize = 16 * 1024 * 1024;

/// How much room stays once a longer line is gone.
const KEPT: usize = 256 * 1024;

/// Splits a stream of bytes into lines, one for each message.
///
/// It survives whatever a stream brings: characters that come in two pieces, a byte order mark at the
/// beginning, carriage returns before the line breaks, blank lines. A line that is no UTF-8 or has too
/// many bytes costs that line and nothing else, and never more memory than the limit and one push.
/// The lines are those of the [stdio transport](https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio):
/// messages are delimited by line breaks, and hold none.
///
/// ```
/// use mcprism::framing::{Line, Lines};
///
/// let mut lines = Lines::default();
/// lines.push(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"meth");
/// assert_eq!(lines.next(), None);
/// lines.push(b"od\":\"ping\"}\r\n\n");
/// assert_eq!(lines.next(), Some(Line::Text(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)));
/// assert_eq!(lines.next(), None);
/// ```
#[derive(Debug)]
pub struct Lines {
    /// What was pushed and has not been taken.
    bytes: Vec<u8>,
    /// Where in `bytes` the next line begins.
    start: usize,
    /// Up to where `bytes` was looked through for a line break.
    seen: usize,
    limit: usize,
    /// Whether the line that is read was too long already, so that the rest of it is passed over.
    skipping: bool,
    /// Whether nothing was taken yet: a byte order mark may come.
    fresh: bool,
}

/// What a stream brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A line that isn't blank, without its end.
    Text(&'a str),
    /// A line with more bytes than the limit; it was passed over.
    TooLong,
    /// A line that is no UTF-8; it was passed over.
    NotUtf8,
}

impl Default for Lines {
    fn default() -> Self {
        Self::new(DEFAULT_LIMIT)
    }
}

impl Lines {
    /// Lines of at most so many bytes each, their end not counted.
    pub fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), start: 0, seen: 0, limit, skipping: false, fresh: true }
    }

    /// Takes what was read from the stream. Take every line with [`next`](Self::next) before the next
    /// push, so that no more than one line is kept.
    pub fn push(&mut self, bytes: &[u8]) {
        // What was taken makes room; the rest of a line that is too long isn't kept.
        self.bytes.drain(..self.start);
        self.seen -= self.start;
        self.start = 0;
        if self.skipping {
            self.bytes.clear();
            self.seen = 0;
        }
        self.make_room(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// Grows by doubling, but never past a line and a push; and gives back what a long line has taken.
    fn make_room(&mut self, more: usize) {
        let (need, most) = (self.bytes.len() + more, self.limit + 2 + more);
        if need > self.bytes.capacity() {
            let doubled = (2 * self.bytes.capacity()).max(need);
            // The last step goes all the way, so that two large buffers never stand side by side.
            let wanted = if doubled > most / 2 { most.max(need) } else { doubled };
            self.bytes.reserve_exact(wanted - self.bytes.len());
        } else if self.bytes.is_empty() && self.bytes.capacity() > KEPT.max(more) {
            self.bytes.shrink_to(KEPT.max(more));
        }
    }

    /// The next line that is complete; `None` if the stream has to bring more first.
    #[expect(clippy::should_implement_trait, reason = "an iterator can't lend what it holds")]
    pub fn next(&mut self) -> Option<Line<'_>> {
        loop {
            let end = memchr::memchr(b'\n', &self.bytes[self.seen..]).map(|at| self.seen + at);
            let Some(end) = end else {
                self.seen = self.bytes.len();
                // The end may be a carriage return that doesn't count.
                if !self.skipping && self.bytes.len() - self.start > self.limit + 1 {
                    self.skipping = true;
                    self.fresh = false;
                    return Some(Line::TooLong);
                }
                return None;
            };
            let start = std::mem::replace(&mut self.start, end + 1);
            self.seen = end + 1;
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            if let Some((from, to)) = self.trimmed(start, end) {
                return Some(self.line(from, to));
            }
        }
    }

    /// What is left when the stream has ended: a line without an end, which a peer may have written last.
    /// A message that was cut off is found by whoever reads it as JSON.
    pub fn finish(&mut self) -> Option<Line<'_>> {
        let start = std::mem::replace(&mut self.start, self.bytes.len());
        self.seen = self.bytes.len();
        if std::mem::take(&mut self.skipping) {
            return None;
        }
        let (from, to) = self.trimmed(start, self.bytes.len())?;
        Some(self.line(from, to))
    }

    /// A line without a byte order mark and white space around it; `None` if nothing is left.
    fn trimmed(&mut self, start: usize, end: usize) -> Option<(usize, usize)> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let mut from = start;
        if std::mem::take(&mut self.fresh) && self.bytes[start..end].starts_with(MARK) {
            from += MARK.len();
        }
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
        let line = &self.bytes[from..end];
        let first = line.iter().position(|byte| !blank(byte))?;
        let last = line.iter().rposition(|byte| !blank(byte))?;
        Some((from + first, from + last + 1))
    }

    fn line(&self, from: usize, to: usize) -> Line<'_> {
        if to - from > self.limit {
            return Line::TooLong;
        }
        std::str::from_utf8(&self.bytes[from..to]).map_or(Line::NotUtf8, Line::Text)
    }
}
