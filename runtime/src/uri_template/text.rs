//! Characters of a URI, and what is done to others so that they become some.

use std::fmt::Write as _;

/// A character of a URI, and whether it was percent-encoded.
///
/// What means the same is the same: a `%7E` is a `~`, and an `é` is a `%C3%A9`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Token {
    pub(super) char: char,
    pub(super) encoded: bool,
}

impl Token {
    /// Whether it is this reserved character, and means it.
    pub(super) fn is(self, char: char) -> bool {
        !self.encoded && self.char == char
    }

    /// Whether it can only be part of a name or a value.
    pub(super) fn is_plain(self) -> bool {
        self.encoded || is_unreserved(self.char)
    }
}

fn is_unreserved(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '-' | '.' | '_' | '~')
}

fn is_reserved(char: char) -> bool {
    ":/?#[]@!$&'()*+,;=".contains(char)
}

/// The characters of a URI; `None` if a percent encoding is cut off or they aren't UTF-8.
pub(super) fn tokens(uri: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::with_capacity(uri.len());
    let mut rest = uri;
    while let Some(char) = rest.chars().next() {
        if char != '%' {
            tokens.push(Token { char, encoded: !is_unreserved(char) && !is_reserved(char) });
            rest = &rest[char.len_utf8()..];
            continue;
        }
        let mut bytes = Vec::new();
        while rest.starts_with('%') {
            bytes.push(triplet(rest)?);
            rest = &rest[3..];
        }
        let decoded = std::str::from_utf8(&bytes).ok()?;
        tokens.extend(decoded.chars().map(|char| Token { char, encoded: !is_unreserved(char) }));
    }
    Some(tokens)
}

/// The byte that a text begins with in a percent encoding.
pub(super) fn triplet(text: &str) -> Option<u8> {
    let digit = |byte: u8| (byte as char).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    match text.as_bytes() {
        [b'%', high, low, ..] => Some(digit(*high)? * 16 + digit(*low)?),
        _ => None,
    }
}

/// The string that was encoded. If reserved characters stay what they are when it is encoded again, then so
/// do the encodings of reserved characters now, and a `%25` that would begin an encoding.
pub(super) fn decoded(tokens: &[Token], reserved: bool) -> String {
    let is_digit = |at: usize| tokens.get(at).is_some_and(|token| token.char.is_ascii_hexdigit());
    let mut string = String::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let kept = is_reserved(token.char) || token.char == '%' && is_digit(at + 1) && is_digit(at + 2);
        if reserved && token.encoded && kept {
            push_encoded(token.char, &mut string);
        } else {
            string.push(token.char);
        }
    }
    string
}

/// Encodes a string. Reserved characters and percent encodings stay what they are if they are allowed.
pub(super) fn encode(string: &str, reserved: bool, uri: &mut String) {
    for (at, char) in string.char_indices() {
        let allowed = reserved && (is_reserved(char) || triplet(&string[at..]).is_some());
        if allowed || is_unreserved(char) {
            uri.push(char);
        } else {
            push_encoded(char, uri);
        }
    }
}

fn push_encoded(char: char, uri: &mut String) {
    for byte in char.encode_utf8(&mut [0; 4]).bytes() {
        let _ = write!(uri, "%{byte:02X}");
    }
}

/// The first so many characters. A percent encoding is one of them if it stays one.
pub(super) fn prefix(string: &str, count: usize, reserved: bool) -> &str {
    let mut end = 0;
    for _ in 0..count {
        let rest = &string[end..];
        end += match rest.chars().next() {
            None => break,
            Some(_) if reserved && triplet(rest).is_some() => 3,
            Some(char) => char.len_utf8(),
        };
    }
    &string[..end]
}
