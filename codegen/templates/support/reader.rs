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
    /// The last long string that was passed: its beginning, its end, and whether it has escapes.
    long: Option<(usize, usize, bool)>,
    /// What is looked out for, if anything is.
    watch: Option<Watch>,
    /// Whether it was met.
    met: bool,
}

/// Names of members that a reader looks out for among those that types don't name.
#[derive(Clone, Copy)]
struct Watch {
    names: &'static [&'static str],
    /// Members whose own members are looked at, and the names of those.
    inside: Inside,
}

/// Members, and the names that are looked for in each.
pub(crate) type Inside = &'static [(&'static str, &'static [&'static str])];

impl<'a> Reader<'a> {
    /// A reader at the start of a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0, broke_line: false, long: None, watch: None, met: false }
    }

    /// A reader that notes whether it meets, among members that types don't name, one of these names,
    /// or such a member with one of its names inside, or a kind that a type doesn't know.
    #[allow(dead_code, reason = "only conversions look out for anything")]
    pub(crate) fn watching(
        text: &'a str,
        names: &'static [&'static str],
        inside: Inside,
    ) -> Self {
        Self { watch: Some(Watch { names, inside }), ..Self::new(text) }
    }

    /// Whether it has met what it was to look out for.
    #[allow(dead_code, reason = "only conversions look out for anything")]
    pub(crate) fn met(&self) -> bool {
        self.met
    }

    /// Where it stands, for [`meet`](Self::meet).
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Notes a member that a type doesn't name, and whose value has been read since `start`.
    #[inline]
    pub(crate) fn meet(&mut self, name: &str, start: usize) {
        if self.watch.is_some() {
            self.look_at(name, start);
        }
    }

    fn look_at(&mut self, name: &str, start: usize) {
        let Some(watch) = self.watch else { return };
        self.met |= watch.names.contains(&name);
        if let Some((_, names)) = watch.inside.iter().find(|(member, _)| *member == name) {
            let text = &self.text[start..self.at];
            // Most are too short to hold any of them.
            if names.iter().any(|name| name.len() < text.len()) {
                let mut met = false;
                // It has been read, so it is well formed; what isn't an object has no members.
                let _ = Reader::new(text).members(&mut |name, _| met |= names.contains(&&*name));
                self.met |= met;
            }
        }
    }

    /// Notes a kind that a type doesn't know.
    #[inline]
    pub(crate) fn meet_kind(&mut self) {
        self.met |= self.watch.is_some();
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
        match self.kind()? {
            found if found == kind => Ok(()),
            found => Err(self.mismatch(kind.described(), found)),
        }
    }

    /// A mismatch, unless the value isn't even JSON: then that is the error.
    #[cold]
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
        let first = self.peek();
        let start = self.at;
        if !matches!(first, Some(b'{' | b'[')) {
            self.scalar(first)?;
            return Ok(&self.text[start..self.at]);
        }
        // One bit for each open container, innermost lowest: 1 for an object.
        let mut containers = 0u128;
        let outer = self.depth;
        let mut next = first;
        loop {
            // A value begins.
            match next {
                Some(open @ (b'{' | b'[')) => {
                    self.enter()?;
                    let object = open == b'{';
                    containers = containers << 1 | u128::from(object);
                    next = self.peek();
                    if next == Some(if object { b'}' } else { b']' }) {
                        self.at += 1;
                        self.depth -= 1;
                        containers >>= 1;
                    } else {
                        if object {
                            next = self.name()?;
                        }
                        continue;
                    }
                }
                scalar => self.scalar(scalar)?,
            }
            // A value has ended.
            loop {
                if self.depth == outer {
                    return Ok(&self.text[start..self.at]);
                }
                let object = containers & 1 == 1;
                match (self.peek(), object) {
                    (Some(b','), _) => {
                        self.at += 1;
                        next = self.peek();
                        if object {
                            next = self.name()?;
                        }
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.at += 1;
                        self.depth -= 1;
                        containers >>= 1;
                    }
                    (_, true) => return Err(self.unexpected("`,` or `}`")),
                    (_, false) => return Err(self.unexpected("`,` or `]`")),
                }
            }
        }
    }

    /// Passes over a member's name and its colon; returns the byte that its value begins with.
    #[inline]
    fn name(&mut self) -> Decoded<Option<u8>> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a member's name"));
        }
        self.pass_string()?;
        if !self.eat(b':') {
            return Err(self.unexpected("`:`"));
        }
        Ok(self.peek())
    }

    /// Passes over a value that is no container and begins with this byte.
    #[inline]
    fn scalar(&mut self, first: Option<u8>) -> Decoded<()> {
        match first {
            Some(b'"') => self.pass_string().map(drop),
            Some(b'-' | b'0'..=b'9') => self.pass_number(),
            Some(b't' | b'f' | b'n') => self.word().map(drop),
            _ => Err(self.unexpected("a value")),
        }
    }

    /// The text of the next value, on one line.
    ///
    /// # Errors
    /// As [`skip`](Self::skip).
    pub fn raw(&mut self) -> Decoded<Cow<'a, str>> {
        self.peek();
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
    #[inline]
    pub fn string(&mut self) -> Decoded<Cow<'a, str>> {
        if self.peek() != Some(b'"') {
            self.expect(Kind::String)?;
        }
        self.string_token()
    }

    /// The text of the next value, which is a number.
    ///
    /// # Errors
    /// If it isn't one, or isn't finite.
    pub fn number(&mut self) -> Decoded<&'a str> {
        if !matches!(self.peek(), Some(b'-' | b'0'..=b'9')) {
            self.expect(Kind::Number)?;
        }
        let start = self.at;
        self.pass_number()?;
        Ok(&self.text[start..self.at])
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
        if self.peek() != Some(b'{') {
            self.expect(Kind::Object)?;
        }
        self.enter()?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            self.depth -= 1;
            return Ok(());
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a member's name"));
            }
            let start = self.at;
            let escaped = self.pass_string()?;
            let token = &self.text[start..self.at];
            if !self.eat(b':') {
                return Err(self.unexpected("`:`"));
            }
            if escaped {
                let key = unescaped(token)?;
                member(self, &key).map_err(|error| error.inside(&key))?;
            } else {
                let key = &token[1..token.len() - 1];
                if let Err(error) = member(self, key) {
                    return Err(error.inside(key));
                }
            }
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.unexpected("`,` or `}`")),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    /// Passes over an object: `member` is called with each name and the text of its value.
    ///
    /// # Errors
    /// If no object comes next, or it is malformed.
    pub(crate) fn members(&mut self, member: &mut dyn FnMut(Cow<'a, str>, &'a str)) -> Decoded<()> {
        self.expect(Kind::Object)?;
        self.enter()?;
        let mut more = !self.eat(b'}');
        while more {
            let name = self.key()?;
            self.peek();
            let value = self.skip()?;
            member(name, value);
            more = self.eat(b',');
            if !more && !self.eat(b'}') {
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
        if self.peek() != Some(b'[') {
            self.expect(Kind::Array)?;
        }
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
        Ok(ahead.go_to(name)?.then_some(ahead))
    }

    /// Goes to a member of the object that comes next; otherwise to its end.
    fn go_to(&mut self, name: &str) -> Decoded<bool> {
        self.expect(Kind::Object)?;
        self.enter()?;
        if self.eat(b'}') {
            return Ok(false);
        }
        loop {
            if self.key()? == name {
                return Ok(true);
            }
            self.skip()?;
            if self.eat(b'}') {
                return Ok(false);
            }
            if !self.eat(b',') {
                return Err(self.unexpected("`,` or `}`"));
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
    pub fn has(&mut self, way: &[&str]) -> Decoded<bool> {
        let mut place = self.clone();
        let found = place.find(way);
        self.long = place.long;
        found
    }

    /// As [`has`](Self::has), ending where the way leads.
    fn find(&mut self, way: &[&str]) -> Decoded<bool> {
        let place = self;
        for (at, step) in way.iter().enumerate() {
            if at > 0 && place.kind()? != Kind::Object {
                return Ok(false);
            }
            if !place.go_to(step)? {
                return Ok(false);
            }
        }
        // Below another member, null is what it says: the arm that is meant refuses it by its place.
        Ok(way.len() > 1 || place.kind()? != Kind::Null)
    }

    /// A member's name, up to its colon.
    #[inline]
    fn key(&mut self) -> Decoded<Cow<'a, str>> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a member's name"));
        }
        let key = self.string_token()?;
        match self.eat(b':') {
            true => Ok(key),
            false => Err(self.unexpected("`:`")),
        }
    }

    /// Whether null comes next.
    #[inline]
    pub(crate) fn at_null(&mut self) -> bool {
        self.peek() == Some(b'n')
    }

    #[inline]
    fn enter(&mut self) -> Decoded<()> {
        self.at += 1;
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => Err(too_deep()),
            false => Ok(()),
        }
    }

    /// The next byte that is no white space.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        match self.text.as_bytes().get(self.at) {
            Some(byte) if *byte > b' ' => Some(*byte),
            _ => self.pass_space(),
        }
    }

    /// Most texts have no white space between tokens.
    #[inline(never)]
    fn pass_space(&mut self) -> Option<u8> {
        loop {
            match self.text.as_bytes().get(self.at) {
                Some(b' ' | b'\t') => {}
                Some(b'\n' | b'\r') => self.broke_line = true,
                other => return other.copied(),
            }
            self.at += 1;
        }
    }

    #[inline]
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    #[cold]
    fn unexpected(&mut self, expected: &str) -> DecodeError {
        let found = match self.text[self.at..].chars().next() {
            Some(found) => format!("`{}`", found.escape_debug()),
            None => "the end of the text".to_owned(),
        };
        DecodeError::syntax(format!("expected {expected}, found {found} at byte {}", self.at))
    }

    /// Passes over a string, and says whether escapes are in it.
    #[inline(always)]
    fn pass_string(&mut self) -> Decoded<bool> {
        // Most strings are short and plain.
        match scan::short(self.text.as_bytes(), self.at) {
            Some(end) => {
                self.at = end;
                Ok(false)
            }
            None => self.pass_long_string(),
        }
    }

    fn pass_long_string(&mut self) -> Decoded<bool> {
        let start = self.at;
        let (end, escaped) = match self.long {
            Some((known, end, escaped)) if known == start => (end, escaped),
            _ => match scan::string(&self.text.as_bytes()[start..]) {
                Ok((length, escaped)) => (start + length, escaped),
                Err(fault) => return Err(malformed_string(fault, start)),
            },
        };
        if end - start >= LONG {
            self.long = Some((start, end, escaped));
        }
        self.at = end;
        Ok(escaped)
    }

    /// Passes over a string, and returns what it holds.
    #[inline(always)]
    fn string_token(&mut self) -> Decoded<Cow<'a, str>> {
        let start = self.at;
        match self.pass_string()? {
            false => Ok(Cow::Borrowed(&self.text[start + 1..self.at - 1])),
            true => unescaped(&self.text[start..self.at]),
        }
    }

    #[inline]
    fn pass_number(&mut self) -> Decoded<()> {
        let start = self.at;
        let Some((length, far)) = scan::number(&self.text.as_bytes()[start..]) else {
            return Err(malformed_number(start));
        };
        self.at += length;
        match far && !self.text[start..self.at].parse::<f64>().is_ok_and(f64::is_finite) {
            true => Err(out_of_range(start)),
            false => Ok(()),
        }
    }

    fn word(&mut self) -> Decoded<&'static str> {
        let rest = &self.text.as_bytes()[self.at..];
        let word = match rest.first() {
            Some(b't') => "true",
            Some(b'f') => "false",
            _ => "null",
        };
        match rest.starts_with(word.as_bytes()) {
            true => {
                self.at += word.len();
                Ok(word)
            }
            false => Err(self.unexpected("`true`, `false` or `null`")),
        }
    }
}

/// Strings of so many bytes are not looked through twice.
const LONG: usize = 256;

#[cold]
fn malformed_string(fault: &str, start: usize) -> DecodeError {
    DecodeError::syntax(format!("{fault}, in the string at byte {start}"))
}

#[cold]
fn unescaped(token: &str) -> Decoded<Cow<'_, str>> {
    serde_json::from_str(token).map(Cow::Owned).map_err(|error| DecodeError::syntax(error.to_string()))
}

#[cold]
fn too_deep() -> DecodeError {
    DecodeError::syntax(format!("nested deeper than {MAX_DEPTH} levels"))
}

#[cold]
fn malformed_number(start: usize) -> DecodeError {
    DecodeError::syntax(format!("malformed number at byte {start}"))
}

#[cold]
fn out_of_range(start: usize) -> DecodeError {
    DecodeError::syntax(format!("number out of range at byte {start}"))
}
