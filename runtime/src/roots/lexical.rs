//! Paths as they are written, in either style, without a look at any disk.

use std::fmt;
use std::path::PathBuf;

/// How a system writes its paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStyle {
    /// Names between slashes, which may hold anything else, and differ by case.
    Posix,
    /// Drives and shares, and names between slashes of either kind, which don't differ by the case of ASCII
    /// letters.
    Windows,
}

impl PathStyle {
    /// The style of the system that this was compiled for.
    pub const NATIVE: Self = if cfg!(windows) { Self::Windows } else { Self::Posix };
}

/// An absolute path as it is written.
///
/// It is taken apart, and compared name by name. It knows of no links: whether a file really lies in a
/// folder is for [`Roots`](super::Roots) to say.
///
/// ```
/// use mcprism::roots::{LexicalPath, PathStyle};
///
/// let root = LexicalPath::from_uri("file:///C:/Users/Ada", PathStyle::Windows)?;
/// let file = |path| LexicalPath::from_path(path, PathStyle::Windows);
/// assert!(root.contains(&file(r"c:\users\ada\notes\..\todo.txt")?));
/// assert!(!root.contains(&file(r"C:\Users\Adam\todo.txt")?));
/// assert!(!root.contains(&file(r"C:\Users\Ada\..\Bob")?));
/// # Ok::<(), mcprism::roots::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexicalPath {
    style: PathStyle,
    anchor: Anchor,
    /// With `..`, without `.` and empty ones.
    names: Vec<String>,
}

/// What a path starts at.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Anchor {
    /// The one root of a POSIX system.
    Root,
    /// A drive, as a capital letter.
    Drive(char),
    /// A share of a host, or everything of one where shares are unknown; in small letters.
    Remote { host: String, share: String },
}

/// Why a text names no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// It is no URI, or one of another scheme than `file:`.
    NotFileUri,
    /// The URI has a query or a fragment, which a file hasn't; a `?` or `#` in a name is `%3F` or `%23`.
    QueryOrFragment,
    /// The URI has a character that no URI has, and that programs read in different ways: a control
    /// character, or a `\` where that is no slash.
    Character,
    /// A `%` without two digits after it.
    PercentEncoding,
    /// What was percent-encoded isn't UTF-8, or the path isn't.
    NotUtf8,
    /// A NUL, which some programs take for the end.
    Nul,
    /// The path doesn't say where it starts.
    Relative,
    /// The path is on another machine.
    Remote,
    /// A name that a Windows system takes for another one, a device or a stream: `NUL`, `a.`, `a:b`.
    Name,
}

impl LexicalPath {
    /// The path in a `file:` URI of [RFC 8089](https://www.rfc-editor.org/rfc/rfc8089), percent-decoded once.
    ///
    /// # Errors
    ///
    /// When it is no such URI, or the path is none in this style. See [`PathError`].
    pub fn from_uri(uri: &str, style: PathStyle) -> Result<Self, PathError> {
        let (scheme, rest) = uri.split_once(':').ok_or(PathError::NotFileUri)?;
        if !scheme.eq_ignore_ascii_case("file") {
            return Err(PathError::NotFileUri);
        }
        if rest.contains(['?', '#']) {
            return Err(PathError::QueryOrFragment);
        }
        let is_backslash = |char| char == '\\' && style == PathStyle::Posix;
        if rest.contains('\0') {
            return Err(PathError::Nul);
        }
        if rest.contains(|char: char| char.is_control() || is_backslash(char)) {
            return Err(PathError::Character);
        }
        let (host, path) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_at(rest.find(['/', '\\']).unwrap_or(rest.len())),
            None => ("", rest),
        };
        let path = decoded(path)?;
        let host = if host.eq_ignore_ascii_case("localhost") { "" } else { host };
        match (style, host) {
            (PathStyle::Posix, "") => Self::from_path(&path, style),
            (PathStyle::Posix, host) => {
                let local = Self::from_path(&path, style)?;
                let anchor = Anchor::Remote { host: host.to_ascii_lowercase(), share: String::new() };
                Ok(Self { anchor, ..local })
            }
            // A drive has a slash before it in a URI.
            (PathStyle::Windows, "") => match path.strip_prefix(['/', '\\']) {
                Some(rest) if drive(rest).is_some() => Self::from_path(rest, style),
                _ => Self::from_path(&path, style),
            },
            (PathStyle::Windows, host) => Self::remote(host, &path),
        }
    }

    /// An absolute path.
    ///
    /// # Errors
    ///
    /// When the path doesn't start at a root, a drive or a share, or holds what no path of this style may.
    pub fn from_path(path: &str, style: PathStyle) -> Result<Self, PathError> {
        if path.contains('\0') {
            return Err(PathError::Nul);
        }
        match style {
            PathStyle::Posix => {
                let rest = path.strip_prefix('/').ok_or(PathError::Relative)?;
                Ok(Self { style, anchor: Anchor::Root, names: names(rest, style)? })
            }
            PathStyle::Windows => {
                // What `canonicalize` gives has a prefix that turns the rules off, and keeps them.
                let (path, is_share) = match path.strip_prefix(r"\\?\") {
                    Some(verbatim) => match verbatim.strip_prefix(r"UNC\") {
                        Some(share) => (share, true),
                        None if drive(verbatim).is_some() => (verbatim, false),
                        None => return Err(PathError::Name),
                    },
                    None => match path.strip_prefix(['/', '\\']).and_then(|rest| rest.strip_prefix(['/', '\\'])) {
                        Some(share) => (share, true),
                        None => (path, false),
                    },
                };
                if is_share {
                    let (host, rest) = path.split_at(path.find(['/', '\\']).unwrap_or(path.len()));
                    return Self::remote(host, rest);
                }
                let (letter, rest) = drive(path).ok_or(PathError::Relative)?;
                let rest = rest.strip_prefix(['/', '\\']).ok_or(PathError::Relative)?;
                Ok(Self { style, anchor: Anchor::Drive(letter), names: names(rest, style)? })
            }
        }
    }

    /// A path on a Windows share; the path begins with a slash.
    fn remote(host: &str, path: &str) -> Result<Self, PathError> {
        let is_host = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_' | '.');
        // Hosts of dots and question marks are devices.
        if !host.contains(char::is_alphanumeric) || !host.chars().all(is_host) {
            return Err(PathError::Name);
        }
        let mut names = names(path, PathStyle::Windows)?;
        if names.first().is_none_or(|share| share == "..") {
            return Err(PathError::Relative);
        }
        let share = names.remove(0).to_ascii_lowercase();
        Ok(Self { style: PathStyle::Windows, anchor: Anchor::Remote { host: host.to_ascii_lowercase(), share }, names })
    }

    /// Whether another path is this one or lies in it, if no name in them is a link.
    pub fn contains(&self, other: &Self) -> bool {
        let (own, others) = (self.without_parents(), other.without_parents());
        let is_same = |(own, other): (&&str, &&str)| match self.style {
            PathStyle::Posix => own == other,
            // How other letters are compared depends on the disk; to refuse is safe.
            PathStyle::Windows => own.eq_ignore_ascii_case(other),
        };
        self.shares_anchor_with(other) && own.len() <= others.len() && own.iter().zip(&others).all(is_same)
    }

    /// Whether both start at the same root, drive or share.
    pub(super) fn shares_anchor_with(&self, other: &Self) -> bool {
        self.style == other.style && self.anchor == other.anchor
    }

    /// Whether the path says that it is on another machine.
    pub(super) fn is_remote(&self) -> bool {
        matches!(self.anchor, Anchor::Remote { .. })
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The root, drive or share that the path starts at.
    pub(super) fn anchor(&self) -> PathBuf {
        PathBuf::from(self.written(&[]))
    }

    /// The names that are left when every `..` has taken the one before it.
    fn without_parents(&self) -> Vec<&str> {
        let mut left = Vec::new();
        for name in &self.names {
            if name == ".." {
                left.pop();
            } else {
                left.push(name.as_str());
            }
        }
        left
    }

    fn written(&self, names: &[String]) -> String {
        let slash = match self.style {
            PathStyle::Posix => "/",
            PathStyle::Windows => r"\",
        };
        let anchor = match &self.anchor {
            Anchor::Root => String::new(),
            Anchor::Drive(letter) => format!("{letter}:"),
            Anchor::Remote { host, share } if share.is_empty() => format!("{slash}{slash}{host}"),
            Anchor::Remote { host, share } => format!("{slash}{slash}{host}{slash}{share}"),
        };
        anchor + slash + &names.join(slash)
    }
}

/// Written as its system writes it, with `..` as they came.
impl fmt::Display for LexicalPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(&self.names))
    }
}

/// The letter of a drive, and what comes after the colon.
fn drive(path: &str) -> Option<(char, &str)> {
    let letter = path.chars().next().filter(char::is_ascii_alphabetic)?;
    Some((letter.to_ascii_uppercase(), path[1..].strip_prefix(':')?))
}

/// The names in a path; none of them is empty or `.`.
fn names(path: &str, style: PathStyle) -> Result<Vec<String>, PathError> {
    let is_slash = |char| char == '/' || char == '\\' && style == PathStyle::Windows;
    let names: Vec<String> =
        path.split(is_slash).filter(|name| !matches!(*name, "" | ".")).map(str::to_owned).collect();
    if style == PathStyle::Windows && !names.iter().all(|name| name == ".." || is_windows_name(name)) {
        return Err(PathError::Name);
    }
    Ok(names)
}

/// Whether Windows takes a name for itself, and for a file.
/// See [Naming files](https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file).
fn is_windows_name(name: &str) -> bool {
    const DEVICES: &[&str] = &["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
    const PORTS: &[&str] = &["COM", "LPT"];
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ').to_ascii_uppercase();
    let is_port = PORTS.iter().any(|port| {
        let number = stem.strip_prefix(port).unwrap_or_default();
        number.chars().count() == 1 && number.contains(|char| "0123456789\u{b9}\u{b2}\u{b3}".contains(char))
    });
    let is_forbidden = |char: char| char.is_control() || r#"<>:"|?*/\"#.contains(char);
    !name.ends_with(['.', ' ']) && !name.contains(is_forbidden) && !is_port && !DEVICES.contains(&stem.as_str())
}

fn decoded(text: &str) -> Result<String, PathError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes().iter();
    while let Some(byte) = rest.next() {
        if *byte != b'%' {
            bytes.push(*byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|byte| (*byte as char).to_digit(16)).ok_or(PathError::PercentEncoding);
        let value = digit()? * 16 + digit()?;
        bytes.push(u8::try_from(value).map_err(|_| PathError::PercentEncoding)?);
    }
    String::from_utf8(bytes).map_err(|_| PathError::NotUtf8)
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFileUri => "not a file: URI",
            Self::QueryOrFragment => "a file: URI has no query and no fragment; write %3F and %23",
            Self::Character => "a character that no URI has; percent-encode it",
            Self::PercentEncoding => "a percent sign without two digits; write %25",
            Self::NotUtf8 => "the path isn't UTF-8",
            Self::Nul => "no path has a NUL",
            Self::Relative => "the path isn't absolute",
            Self::Remote => "the path is on another machine",
            Self::Name => "a name that no file has on Windows",
        })
    }
}

impl std::error::Error for PathError {}
