//! Streams that were cut into pieces in every way, and what comes out of them.

use mcprism::framing::{DEFAULT_LIMIT, Line, Lines};

/// What a stream brings, pushed in these pieces; the line that its end leaves comes last.
fn read(limit: usize, pieces: &[&[u8]]) -> Vec<String> {
    let shown = |line: Line<'_>| match line {
        Line::Text(text) => text.to_owned(),
        Line::TooLong => "(too long)".to_owned(),
        Line::NotUtf8 => "(not UTF-8)".to_owned(),
    };
    let mut lines = Lines::new(limit);
    let mut found = Vec::new();
    for piece in pieces {
        lines.push(piece);
        while let Some(line) = lines.next() {
            found.push(shown(line));
        }
    }
    found.extend(lines.finish().map(shown));
    assert_eq!(lines.next(), None);
    assert_eq!(lines.finish(), None);
    found
}

/// Streams, and the lines in them.
const STREAMS: &[(&[u8], &[&str])] = &[
    (b"", &[]),
    (b"\n\r\n  \n\t\r\n", &[]),
    (b"a\nb\n", &["a", "b"]),
    (b"a\r\nb\r\n", &["a", "b"]),
    (b"a\nb", &["a", "b"]),
    (b"  a  \n", &["a"]),
    (b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n", &["a", "\u{feff}b"]),
    (b"\xef\xbb\xbf\na\n", &["a"]),
    ("\u{1f600}\u{e9}\n\u{1f600}".as_bytes(), &["\u{1f600}\u{e9}", "\u{1f600}"]),
    (b"a\n\xff\xfe\nb\n", &["a", "(not UTF-8)", "b"]),
    (b"a\n\xf0\x9f\x98\nb\n", &["a", "(not UTF-8)", "b"]),
    // A raw carriage return or a line separator inside a line is part of it.
    (b"a\rb\n", &["a\rb"]),
    ("a\u{2028}b\u{85}c\n".as_bytes(), &["a\u{2028}b\u{85}c"]),
    (b"a\0b\n", &["a\0b"]),
];

#[test]
fn a_stream_gives_its_lines_however_it_is_cut() {
    for (stream, wanted) in STREAMS {
        assert_eq!(read(DEFAULT_LIMIT, &[stream]), *wanted, "{stream:?}");
        for at in 0..=stream.len() {
            let (before, after) = stream.split_at(at);
            assert_eq!(read(DEFAULT_LIMIT, &[before, b"", after]), *wanted, "{stream:?} cut at {at}");
        }
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        assert_eq!(read(DEFAULT_LIMIT, &bytes), *wanted, "{stream:?} byte by byte");
    }
}

#[test]
fn a_line_that_is_too_long_costs_that_line_only() {
    let streams: [(&[u8], &[&str]); 8] = [
        (b"12345\n", &["12345"]),
        (b"12345\r\n", &["12345"]),
        (b"123456\n", &["(too long)"]),
        (b"123456\r\n", &["(too long)"]),
        (b"123456", &["(too long)"]),
        (b"a\n1234567890123\nb\n", &["a", "(too long)", "b"]),
        (b"1234567890\n1234567890\nb", &["(too long)", "(too long)", "b"]),
        (b"\n\n1234567890\xff", &["(too long)"]),
    ];
    for (stream, wanted) in streams {
        assert_eq!(read(5, &[stream]), wanted, "{stream:?}");
        for at in 0..=stream.len() {
            let (before, after) = stream.split_at(at);
            assert_eq!(read(5, &[before, after]), wanted, "{stream:?} cut at {at}");
        }
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        assert_eq!(read(5, &bytes), wanted, "{stream:?} byte by byte");
    }
}

#[test]
fn what_is_too_long_is_not_kept() {
    let mut lines = Lines::new(1000);
    let piece = vec![b'x'; 4096];
    let mut faults = 0;
    for _ in 0..10_000 {
        lines.push(&piece);
        while let Some(line) = lines.next() {
            assert_eq!(line, Line::TooLong);
            faults += 1;
        }
        assert!(format!("{lines:?}").len() < 100_000, "it keeps what it can't use");
    }
    assert_eq!(faults, 1);
    lines.push(b"\nrest\n");
    assert_eq!(lines.next(), Some(Line::Text("rest")));
}
