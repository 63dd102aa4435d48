//! URIs with gaps in them: the templates of resources, filled in and read back.
//!
//! The templates are those of [RFC 6570](https://www.rfc-editor.org/rfc/rfc6570), all four levels, which
//! `uriTemplate` of a [resource template](https://modelcontextprotocol.io/specification/2025-11-25/server/resources#resource-templates)
//! is written in. The RFC says how a template is expanded; how a URI is read back it leaves open, and
//! [`UriTemplate::matches`] says what it does.

mod cut;
mod expand;
mod parse;
mod read;
mod text;

use std::collections::BTreeMap;
use std::fmt;

use parse::Part;

/// A URI with gaps that variables fill.
///
/// ```
/// use mcprism::uri_template::{UriTemplate, Variables};
///
/// let template = UriTemplate::parse("logs://{host}/{+file}{?since,until}")?;
/// let uri = "logs://db1/var/log/syslog?until=9%3A30";
/// let variables = template.matches(uri).expect("it is one of these");
/// assert_eq!(variables["file"].as_str(), Some("var/log/syslog"));
/// assert_eq!(variables["until"].as_str(), Some("9:30"));
/// assert_eq!(variables.get("since"), None);
/// assert_eq!(template.expand(&variables), uri);
/// assert_eq!(template.expand(&Variables::new()), "logs:///");
/// # Ok::<(), mcprism::uri_template::TemplateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriTemplate {
    text: String,
    parts: Vec<Part>,
}

/// The variables that have a value, by name. A name is spelled as in the template.
pub type Variables = BTreeMap<String, Value>;

/// What a variable stands for. A list or a map with nothing in it is the same as no value at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A single string, which may be empty.
    String(String),
    /// Several strings.
    List(Vec<String>),
    /// Names and their values, in the order in which they are written.
    Map(Vec<(String, String)>),
}

/// Why a text is no template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The byte at which it goes wrong.
    pub at: usize,
    /// What is wrong there.
    pub what: &'static str,
}

impl UriTemplate {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// When the text isn't what the grammar of the RFC allows. A `'` outside of braces is allowed all the
    /// same, as [its erratum](https://www.rfc-editor.org/errata/eid6937) has it. A literal whose percent
    /// encodings aren't UTF-8 is refused too, for no URI that has one could be read.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        Ok(Self { text: text.to_owned(), parts: parse::parts(text)? })
    }

    /// The template as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The URI that has these values in its gaps. A variable without a value leaves nothing behind.
    ///
    /// Two things the RFC leaves open are decided here: a prefix (`{name:3}`) of a list or a map is taken
    /// for no value, and the names in a map that is spread out (`{?map*}`) are encoded like values, so that
    /// a name can't smuggle in a `&`.
    pub fn expand(&self, variables: &Variables) -> String {
        expand::within(&self.parts, variables, usize::MAX).unwrap_or_default()
    }

    /// The values with which the template gives this URI; `None` if there are none.
    ///
    /// If `matches(uri)` gives some variables, then `expand` makes a URI of them that matches and gives the
    /// same variables. A URI is read thus:
    ///
    /// - Values are percent-decoded, once. What is no UTF-8 then, or has a `%` without two digits, doesn't
    ///   match. `{+name}` and `{#name}` leave `%2F` and the other encodings of reserved characters as they
    ///   are, because these variables tell a `/` from a `%2F`.
    /// - `{+name}` and `{#name}` may hold anything. Other variables end before a `/`, a `?` or a `#`; those
    ///   of a query only before a `&` or a `#`. They needn't have been encoded as the RFC would: `{name}`
    ///   finds `a:b` as well as `a%3Ab`.
    /// - A comma that isn't encoded makes a list. A variable that is spread out (`{/name*}`) is always a
    ///   list or a map.
    /// - The variables of `{?a,b}`, `{&a,b}` and `{;a,b}` are found by name, in any order. A name that
    ///   comes twice doesn't match, nor does one that the expression doesn't have, unless a variable is spread
    ///   out and gets it.
    /// - A gap with nothing in it, like `{name}` in `note://{name}` for `note://`, leaves its variable out.
    ///   Of `{a,b}` with one value, `a` has it.
    /// - If a URI can be read in several ways, the last expression takes as much as it can, then the one
    ///   before it, and so on: `{+folder}/{file}` splits at the last `/`, and of `{a}-{b}` for `x-y-z` is
    ///   `a` the `x`. Of `{a}{b}` with nothing between, `b` has everything.
    /// - A variable that occurs twice has to have one value that explains both.
    ///
    /// A value is whatever the peer has written, with a `..`, a `/` or a NUL in it if it likes. Where it names a
    /// file, [`roots`](crate::roots) says whether that is one of those it may have.
    ///
    /// The time it takes grows with the length of the URI times the number of parts of the template, and no
    /// faster, whatever both of them hold.
    pub fn matches(&self, uri: &str) -> Option<Variables> {
        let found = self.found(uri)?;
        let variables = read::merged(&self.parts, &found);
        // An encoding is at most three times as long; more comes of a value that stands in many places, and
        // then the URI wasn't made of it.
        let again = expand::within(&self.parts, &variables, uri.len().saturating_mul(4) + 16)?;
        (again == uri || self.found(&again)? == found).then_some(variables)
    }

    /// What each variable of each expression stands for in a URI, before anybody asks whether these agree.
    fn found(&self, uri: &str) -> Option<Vec<Option<Value>>> {
        let uri = text::tokens(uri)?;
        let pieces = cut::pieces(&self.parts, &uri)?;
        let mut found = Vec::new();
        for (part, piece) in self.parts.iter().zip(pieces) {
            if let Part::Expression(expression) = part {
                found.extend(read::values(expression, piece)?);
            }
        }
        Some(found)
    }
}

impl fmt::Display for UriTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Value {
    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(string) => Some(string),
            Self::List(_) | Self::Map(_) => None,
        }
    }
}

impl From<&str> for Value {
    fn from(string: &str) -> Self {
        Self::String(string.to_owned())
    }
}

impl From<String> for Value {
    fn from(string: String) -> Self {
        Self::String(string)
    }
}

impl From<Vec<String>> for Value {
    fn from(list: Vec<String>) -> Self {
        Self::List(list)
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "URI template, byte {}: {}", self.at, self.what)
    }
}

impl std::error::Error for TemplateError {}
