//! Whether a file lies in one of the roots that a client has shown.
//!
//! [Roots](https://modelcontextprotocol.io/specification/2025-11-25/client/roots) are the folders and files that
//! a server should keep to. "Validate all paths against provided roots", says the page, and a comparison of two
//! strings doesn't do that: `/root-evil` begins with `/root`, `%2e%2e` is `..`, and a link leads anywhere.
//! So there are two judgments here. A [`LexicalPath`] knows nothing but the text, of this machine or another
//! one; [`Roots`] ask the disk of this machine, and their word counts.

mod lexical;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use lexical::{LexicalPath, PathError, PathStyle};

/// The roots of a client, which [`resolve_uri`](Self::resolve_uri) and [`resolve_path`](Self::resolve_path)
/// compare files with.
///
/// # Between the check and the use
///
/// The answer is about the disk as it was. Whoever can write into a root can put a link where a folder was a
/// moment later, and the path that was checked leads out of it. Use the path that was given back and not the
/// one that was asked about, use it at once, and don't keep it. Where that isn't enough, because others that
/// aren't trusted write there, leave it to the system to stay in the root as it opens the file (`openat2` with
/// `RESOLVE_BENEATH`, a sandbox, another user). A hard link can't be told from any other file.
///
/// ```
/// use mcprism::roots::{Refusal, Roots};
///
/// let folder = std::env::temp_dir().canonicalize()?;
/// # if cfg!(unix) {
/// let roots = Roots::new([format!("file://{}", folder.display())])?;
/// let inside = roots.resolve_path(&folder.join("not-there-yet.txt"))?;
/// assert_eq!(inside, folder.join("not-there-yet.txt"));
/// let outside = roots.resolve_uri("file:///etc/passwd");
/// assert!(matches!(outside, Err(Refusal::Outside)));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    roots: Vec<LexicalPath>,
}

/// Why a URI can't be a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootError {
    /// The URI.
    pub uri: String,
    /// What is wrong with it.
    pub error: PathError,
}

/// Why there is no path for a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// What was asked about names no file.
    Path(PathError),
    /// It lies in no root, or nobody can tell that it does.
    Outside,
    /// It looks as if it lay in a root, and a link on the way leads nowhere. A file that was made through it
    /// would be wherever the link says.
    DanglingLink(PathBuf),
    /// It looks as if it lay in a root, and the disk won't say.
    Disk(io::Error),
}

impl Roots {
    /// Roots with these URIs. The disk isn't asked before something is compared with them, for what a root
    /// is may change. Without any URI, everything is outside.
    ///
    /// # Errors
    ///
    /// When one of them is no `file:` URI, or the file isn't on this machine. That they are `file://` is what
    /// the specification demands.
    pub fn new<I>(uris: I) -> Result<Self, RootError>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let root = |uri: &str| {
            let path = LexicalPath::from_uri(uri, PathStyle::NATIVE)?;
            // Elsewhere a path with a host would be none, or a folder of this machine.
            let is_foreign = path.is_remote() && PathStyle::NATIVE == PathStyle::Posix;
            if is_foreign { Err(PathError::Remote) } else { Ok(path) }
        };
        let roots = uris.into_iter().map(|uri| {
            let uri = uri.as_ref();
            root(uri).map_err(|error| RootError { uri: uri.to_owned(), error })
        });
        Ok(Self { roots: roots.collect::<Result<_, _>>()? })
    }

    /// The real path of the file with this `file:` URI, with all links resolved, if it lies in a root.
    ///
    /// # Errors
    ///
    /// A [`Refusal`]. No path, however it is written, makes this fail in another way.
    pub fn resolve_uri(&self, uri: &str) -> Result<PathBuf, Refusal> {
        self.resolve(&LexicalPath::from_uri(uri, PathStyle::NATIVE)?)
    }

    /// The real path of the file with this absolute path, with all links resolved, if it lies in a root.
    /// The file needn't exist; then it is as real as the folder is that it would be in.
    ///
    /// # Errors
    ///
    /// A [`Refusal`], also for a path that is relative or isn't UTF-8.
    pub fn resolve_path(&self, path: &Path) -> Result<PathBuf, Refusal> {
        let path = path.to_str().ok_or(PathError::NotUtf8)?;
        self.resolve(&LexicalPath::from_path(path, PathStyle::NATIVE)?)
    }

    fn resolve(&self, path: &LexicalPath) -> Result<PathBuf, Refusal> {
        // Another drive or machine isn't even asked: asking tells it who we are.
        if !self.roots.iter().any(|root| root.shares_anchor_with(path)) {
            return Err(Refusal::Outside);
        }
        match real(path) {
            Ok(real_path) => {
                // A root that can't be reached now holds nothing.
                let is_inside = |root: &LexicalPath| real(root).is_ok_and(|root| real_path.starts_with(root));
                if self.roots.iter().any(is_inside) { Ok(real_path) } else { Err(Refusal::Outside) }
            }
            // What the disk says of files outside of the roots is nobody's business.
            Err(refusal) if self.roots.iter().any(|root| root.contains(path)) => Err(refusal),
            Err(_) => Err(Refusal::Outside),
        }
    }
}

/// The path without links, and without `..`, as the system goes along it, name by name. What doesn't exist is
/// taken as it is written, after the longest part that does.
fn real(path: &LexicalPath) -> Result<PathBuf, Refusal> {
    let mut real = fs::canonicalize(path.anchor()).map_err(Refusal::Disk)?;
    let mut names = path.names().iter();
    while let Some(name) = names.next() {
        if !real.is_dir() {
            return Err(Refusal::Disk(io::ErrorKind::NotADirectory.into()));
        }
        if name == ".." {
            real.pop();
            continue;
        }
        let next = real.join(name);
        match fs::canonicalize(&next) {
            Ok(next) => real = next,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if fs::symlink_metadata(&next).is_ok() {
                    return Err(Refusal::DanglingLink(next));
                }
                // In what doesn't exist there is no parent to go to.
                if names.clone().any(|name| name == "..") {
                    return Err(Refusal::Outside);
                }
                real = next;
                real.extend(names);
                return Ok(real);
            }
            Err(error) => return Err(Refusal::Disk(error)),
        }
    }
    Ok(real)
}

impl From<PathError> for Refusal {
    fn from(error: PathError) -> Self {
        Self::Path(error)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(error) => error.fmt(f),
            Self::Outside => f.write_str("the file lies in none of the roots"),
            Self::DanglingLink(link) => write!(f, "{}: the link leads nowhere", link.display()),
            Self::Disk(error) => write!(f, "the file can't be looked for: {error}"),
        }
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for RootError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "root {:?}: {}", self.uri, self.error)
    }
}

impl std::error::Error for RootError {}
