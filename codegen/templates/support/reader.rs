//! Reads JSON text once, from left to right, and hands out values, members and raw slices.
//!
//! It finds where things begin and end, and checks what has to hold for text that is kept unread
//! (depth, paired surrogates, finite numbers). Strings with escapes are read by serde_json.

use std::borrow::Cow;

use crate::error::{DecodeError, Decoded};
use crate::scan;

/// How deep a text may be nested: the deepest that serde_json reads, so that whatever was taken
/// can be parsed later.
pub const MAX_DEPTH: u32 = 127;

/// The kinds of JSON values, with numbers as one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number, whole or not.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// The kind with its article, as error messages say it.
    pub fn described(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// A place in a JSON text.
#[derive(Clone)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    /// Whether a line break was passed since [`raw`](Self::raw) last started.
    broke_line: bool,
}

impl<'a> Reader<'a> {
    /// A reader at the start of a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0, broke_line: false }
    }

    /// Checks that nothing but white space is left.
    ///
    /// # Errors
    /// [`Syntax`](crate::ErrorKind::Syntax) if something is.
    pub fn finish(&mut self) -> Decoded<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("the end of the text")),
        }
    }

    /// The kind of the value that comes next.
    ///
    /// # Errors
    /// [`Syntax`](crate::ErrorKind::Syntax) if no value does.
    pub fn kind(&mut self) -> Decoded<Kind> {
        match self.peek() {
            Some(b'{') => Ok(Kind::Object),
            Some(b'[') => Ok(Kind::Array),
            Some(b'"') => Ok(Kind::String),
            Some(b't' | b'f') => Ok(Kind::Boolean),
            Some(b'n') => Ok(Kind::Null),
            Some(b'-' | b'0'..=b'9') => Ok(Kind::Number),
            _ => Err(self.unexpected("a value")),
        }
    }

    /// Checks the kind of the value that comes next.
    ///
    /// # Errors
    /// Says what was expected and what was found.
    pub fn expect(&mut self, kind: Kind) -> Decoded<()> {
        let found = self.kind()?;
        if found == kind {
            return Ok(());
        }
        Err(self.mismatch(kind.described(), found))
    }

    /// A mismatch, unless the value isn't even JSON: then that is the error.
    pub(crate) fn mismatch(&mut self, expected: &str, found: Kind) -> DecodeError {
        match self.skip() {
            Err(error) => error,
            Ok(_) => DecodeError::shape(format!("expected {expected}, found {}", found.described())),
        }
    }

    /// Passes over the next value, whatever it is, checks it, and returns its text.
    ///
    /// # Errors
    /// [`Syntax`](crate::ErrorKind::Syntax) for malformed JSON, for an unpaired surrogate, for a
    /// number beyond the range of a double, and past [`MAX_DEPTH`].
    pub fn skip(&mut self) -> Decoded<&'a str> {
        self.space();
        let start = self.at;
        // One bit for each open container, innermost lowest: 1 for an object.
        let mut containers = 0u128;
        let outer = self.depth;
        loop {
            match self.kind()? {
                Kind::Object => {
                    self.enter()?;
                    containers = containers << 1 | 1;
                    if !self.eat(b'}') {
                        self.key()?;
                        continue;
                    }
                    self.depth -= 1;
                    containers >>= 1;
                }
                Kind::Array => {
                    self.enter()?;
                    containers <<= 1;
                    if !self.eat(b']') {
                        continue;
                    }
                    self.depth -= 1;
                    containers >>= 1;
                }
                Kind::String => drop(self.string_token()?),
                Kind::Number => drop(self.number_token()?),
                Kind::Boolean | Kind::Null => drop(self.word()?),
            }
            loop {
                if self.depth == outer {
                    return Ok(&self.text[start..self.at]);
                }
                let object = containers & 1 == 1;
                if self.eat(b',') {
                    if object {
                        self.key()?;
                    }
                    break;
                }
                if !self.eat(if object { b'}' } else { b']' }) {
                    return Err(self.unexpected(if object { "`,` or `}`" } else { "`,` or `]`" }));
                }
                self.depth -= 1;
                containers >>= 1;
            }
        }
    }

    /// The text of the next value, on one line.
    ///
    /// # Errors
    /// As [`skip`](Self::skip).
    pub fn raw(&mut self) -> Decoded<Cow<'a, str>> {
        self.space();
        self.broke_line = false;
        let text = self.skip()?;
        Ok(match self.broke_line {
            // Inside strings line breaks are escaped, so these are white space.
            true => Cow::Owned(text.replace(['\n', '\r'], "")),
            false => Cow::Borrowed(text),
        })
    }

    /// The next value, which is a string.
    ///
    /// # Errors
    /// If it isn't one, or isn't well formed.
    pub fn string(&mut self) -> Decoded<Cow<'a, str>> {
        self.expect(Kind::String)?;
        let (token, escaped) = self.string_token()?;
        if !escaped {
            return Ok(Cow::Borrowed(&token[1..token.len() - 1]));
        }
        serde_json::from_str(token).map(Cow::Owned).map_err(|error| DecodeError::syntax(error.to_string()))
    }

    /// The text of the next value, which is a number.
    ///
    /// # Errors
    /// If it isn't one, or isn't finite.
    pub fn number(&mut self) -> Decoded<&'a str> {
        self.expect(Kind::Number)?;
        self.number_token()
    }

    /// The next value, which is a boolean.
    ///
    /// # Errors
    /// If it isn't one.
    pub fn boolean(&mut self) -> Decoded<bool> {
        self.expect(Kind::Boolean)?;
        Ok(self.word()? == "true")
    }

    /// The next value, which is null.
    ///
    /// # Errors
    /// If it isn't.
    pub fn null(&mut self) -> Decoded<()> {
        self.expect(Kind::Null)?;
        self.word().map(drop)
    }

    /// Reads an object: `member` is called with each name and has to read the value.
    ///
    /// # Errors
    /// Whatever `member` returns, with the name added to its place.
    pub fn object(&mut self, member: &mut dyn FnMut(&mut Self, &str) -> Decoded<()>) -> Decoded<()> {
        self.expect(Kind::Object)?;
        self.enter()?;
        if !self.eat(b'}') {
            loop {
                let key = self.key()?;
                member(self, &key).map_err(|error| error.inside(&key))?;
                if !self.eat(b',') {
                    break;
                }
            }
            if !self.eat(b'}') {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Reads an array: `item` is called for each item and has to read it.
    ///
    /// # Errors
    /// Whatever `item` returns, with the index added to its place.
    pub fn array(&mut self, item: &mut dyn FnMut(&mut Self) -> Decoded<()>) -> Decoded<()> {
        self.expect(Kind::Array)?;
        self.enter()?;
        if !self.eat(b']') {
            let mut index = 0usize;
            loop {
                item(self).map_err(|error| error.inside(&index.to_string()))?;
                index += 1;
                if !self.eat(b',') {
                    break;
                }
            }
            if !self.eat(b']') {
                return Err(self.unexpected("`,` or `]`"));
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// A reader at a member of the object that comes next, while this one stays where it is.
    /// `None` if there is no such member.
    ///
    /// # Errors
    /// If no object comes next, or what stands before the member is malformed.
    pub fn member(&self, name: &str) -> Decoded<Option<Reader<'a>>> {
        let mut ahead = self.clone();
        ahead.expect(Kind::Object)?;
        ahead.enter()?;
        if ahead.eat(b'}') {
            return Ok(None);
        }
        loop {
            if ahead.key()? == name {
                return Ok(Some(ahead));
            }
            ahead.skip()?;
            if ahead.eat(b'}') {
                return Ok(None);
            }
            if !ahead.eat(b',') {
                return Err(ahead.unexpected("`,` or `}`"));
            }
        }
    }

    /// The string that a member of the next object holds; `None` if the member is absent.
    ///
    /// # Errors
    /// As [`member`](Self::member), and if the member isn't a string.
    pub fn tag(&self, name: &str) -> Decoded<Option<Cow<'a, str>>> {
        match self.member(name)? {
            None => Ok(None),
            Some(mut ahead) => ahead.string().map(Some).map_err(|error| error.inside(name)),
        }
    }

    /// As [`tag`](Self::tag), for a member that may be absent: null reads as that.
    ///
    /// # Errors
    /// As [`member`](Self::member), and if the member is neither a string nor null.
    pub fn optional_tag(&self, name: &str) -> Decoded<Option<Cow<'a, str>>> {
        match self.member(name)?.map(|mut ahead| ahead.kind()).transpose()? {
            Some(Kind::Null) => Ok(None),
            _ => self.tag(name),
        }
    }

    /// The string at the end of a way through the next object; `None` if something on it is absent.
    ///
    /// # Errors
    /// As [`tag`](Self::tag), and if something on the way isn't an object.
    pub fn tag_below(&self, way: &[&str]) -> Decoded<Option<Cow<'a, str>>> {
        match way {
            [name] => self.tag(name),
            [first, rest @ ..] => match self.member(first)? {
                Some(inner) => inner.tag_below(rest).map_err(|error| error.inside(first)),
                None => Ok(None),
            },
            [] => Ok(None),
        }
    }

    /// Whether the next object has a member at the end of this way, and it isn't null. What isn't an
    /// object has none.
    ///
    /// # Errors
    /// If no object comes next, or what stands before the member is malformed.
    pub fn has(&self, way: &[&str]) -> Decoded<bool> {
        let mut place = self.clone();
        for (at, step) in way.iter().enumerate() {
            if at > 0 && place.kind()? != Kind::Object {
                return Ok(false);
            }
            match place.member(step)? {
                Some(member) => place = member,
                None => return Ok(false),
            }
        }
        Ok(place.kind()? != Kind::Null)
    }

    fn key(&mut self) -> Decoded<Cow<'a, str>> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a member's name"));
        }
        let key = self.string()?;
        match self.eat(b':') {
            true => Ok(key),
            false => Err(self.unexpected("`:`")),
        }
    }

    fn enter(&mut self) -> Decoded<()> {
        self.at += 1;
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => Err(DecodeError::syntax(format!("nested deeper than {MAX_DEPTH} levels"))),
            false => Ok(()),
        }
    }

    fn space(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t' => {}
                b'\n' | b'\r' => self.broke_line = true,
                _ => return,
            }
            self.at += 1;
        }
    }

    fn peek(&mut self) -> Option<u8> {
        self.space();
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn unexpected(&mut self, expected: &str) -> DecodeError {
        let found = match self.text[self.at..].chars().next() {
            Some(found) => format!("`{}`", found.escape_debug()),
            None => "the end of the text".to_owned(),
        };
        DecodeError::syntax(format!("expected {expected}, found {found} at byte {}", self.at))
    }

    fn string_token(&mut self) -> Decoded<(&'a str, bool)> {
        let start = self.at;
        let (length, escaped) = scan::string(&self.text.as_bytes()[start..])
            .map_err(|fault| DecodeError::syntax(format!("{fault}, in the string at byte {start}")))?;
        self.at += length;
        Ok((&self.text[start..self.at], escaped))
    }

    fn number_token(&mut self) -> Decoded<&'a str> {
        let start = self.at;
        let length = scan::number(&self.text.as_bytes()[start..])
            .ok_or_else(|| DecodeError::syntax(format!("malformed number at byte {start}")))?;
        self.at += length;
        let token = &self.text[start..self.at];
        // Only an exponent or some three hundred digits lead out of the range.
        if (token.len() > 300 || token.bytes().any(|byte| byte | 0x20 == b'e'))
            && !token.parse::<f64>().is_ok_and(f64::is_finite)
        {
            return Err(DecodeError::syntax(format!("number out of range at byte {start}")));
        }
        Ok(token)
    }

    fn word(&mut self) -> Decoded<&'static str> {
        let rest = &self.text[self.at..];
        for word in ["true", "false", "null"] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(word);
            }
        }
        Err(self.unexpected("`true`, `false` or `null`"))
    }
}
