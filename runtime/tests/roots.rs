//! Files that lie in a root, and files that only look so.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use mcprism::roots::{LexicalPath, PathError, PathStyle, Refusal, Roots};

/// What a table says of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Is {
    Inside,
    Outside,
    Refused(PathError),
}
use Is::{Inside, Outside, Refused};

fn lexically(root: &str, file: &str, style: PathStyle) -> Is {
    let root = LexicalPath::from_uri(root, style).unwrap_or_else(|error| panic!("{root}: {error}"));
    let file = if file.contains("://") || file.to_ascii_lowercase().starts_with("file:") {
        LexicalPath::from_uri(file, style)
    } else {
        LexicalPath::from_path(file, style)
    };
    match file {
        Ok(file) if root.contains(&file) => Inside,
        Ok(_) => Outside,
        Err(error) => Refused(error),
    }
}

#[test]
fn posix_paths_are_compared_by_name() {
    let table = [
        ("file:///srv/data", Inside),
        ("file:///srv/data/", Inside),
        ("file:///srv/data/ok.txt", Inside),
        ("FILE:///srv/data/ok.txt", Inside),
        ("file:/srv/data/ok.txt", Inside),
        ("file://localhost/srv/data/ok.txt", Inside),
        ("file://LocalHost/srv/data/ok.txt", Inside),
        ("file:////srv//data/./ok.txt", Inside),
        ("file:///srv/data/a/../b", Inside),
        ("file:///srv/x/../data/b", Inside),
        ("file:///../srv/data/b", Inside),
        ("file:///srv/data/...", Inside),
        ("file:///srv/data/a.", Inside),
        ("file:///srv/data/a%20b%3F%23", Inside),
        ("file:///srv/%64ata/\u{e9}%C3%A9", Inside),
        ("file:///srv/data%2Fa", Inside),
        ("/srv/data/a%2e", Inside),
        ("/srv/data/a?b#c\\d", Inside),
        // Decoded once: this is a strange name and no parent.
        ("file:///srv/data/%252e%252e/x", Inside),
        ("file:///srv/data/%5C..%5C..", Inside),
        ("file:///srv/data/../x", Outside),
        ("file:///srv/data/..", Outside),
        ("file:///srv/data/%2e%2e/x", Outside),
        ("file:///srv/data/.%2E/x", Outside),
        ("file:///srv/data/%2E%2E%2Fx", Outside),
        ("file:///srv/data/a/../../x", Outside),
        ("file:///srv/database/x", Outside),
        ("file:///srv/data-evil", Outside),
        ("file:///srv/data.", Outside),
        ("file:///srv/data%20", Outside),
        ("file:///srv/Data/x", Outside),
        ("file:///srv", Outside),
        ("file:///", Outside),
        ("/", Outside),
        ("file:///C:/srv/data", Outside),
        ("file://evil.test/srv/data/ok.txt", Outside),
        ("file://localhost:80/srv/data/ok.txt", Outside),
        ("file://me@localhost/srv/data/ok.txt", Outside),
        ("file://127.0.0.1/srv/data/ok.txt", Outside),
        ("file://C:/srv/data", Outside),
        ("file://./srv/data", Outside),
        ("file:///srv/data/a%00b", Refused(PathError::Nul)),
        ("/srv/data/a\0b", Refused(PathError::Nul)),
        ("file:///srv/data/a\0b", Refused(PathError::Nul)),
        ("file:///srv/data/.\t./x", Refused(PathError::Character)),
        ("file:///srv/data/a\nb", Refused(PathError::Character)),
        ("file:///srv/data\\..\\x", Refused(PathError::Character)),
        ("file:///srv/data/a?b", Refused(PathError::QueryOrFragment)),
        ("file:///srv/data/a#b", Refused(PathError::QueryOrFragment)),
        ("file:///srv/data/%", Refused(PathError::PercentEncoding)),
        ("file:///srv/data/%2", Refused(PathError::PercentEncoding)),
        ("file:///srv/data/%+2", Refused(PathError::PercentEncoding)),
        ("file:///srv/data/%u002e", Refused(PathError::PercentEncoding)),
        ("file:///srv/data/%ff", Refused(PathError::NotUtf8)),
        // A dot in too many bytes.
        ("file:///srv/data/%c0%ae%c0%ae/x", Refused(PathError::NotUtf8)),
        ("file:srv/data", Refused(PathError::Relative)),
        ("file:", Refused(PathError::Relative)),
        ("file://", Refused(PathError::Relative)),
        ("file://localhost", Refused(PathError::Relative)),
        ("srv/data", Refused(PathError::Relative)),
        ("", Refused(PathError::Relative)),
        ("~/x", Refused(PathError::Relative)),
        ("http://h.test/srv/data", Refused(PathError::NotFileUri)),
        (" file:///srv/data", Refused(PathError::NotFileUri)),
    ];
    for (file, wanted) in table {
        assert_eq!(lexically("file:///srv/data", file, PathStyle::Posix), wanted, "{file:?}");
        assert_eq!(lexically("file:///srv//./x/../data/", file, PathStyle::Posix), wanted, "{file:?}");
    }
    assert_eq!(lexically("file:///", "file:///etc/passwd", PathStyle::Posix), Inside);
}

#[test]
fn windows_paths_are_compared_by_name() {
    let table = [
        ("file:///C:/Users/Ada", Inside),
        ("file:///c%3A/users/ADA/x", Inside),
        ("file:///C:\\Users\\Ada\\x", Inside),
        ("file:/C:/Users/Ada/x", Inside),
        ("file:C:/Users/Ada/x", Inside),
        ("file://localhost/C:/Users/Ada/x", Inside),
        ("C:\\Users\\Ada\\x", Inside),
        ("c:/users/ada//./x/", Inside),
        ("\\\\?\\C:\\Users\\Ada\\x", Inside),
        ("C:\\Users\\Ada\\common\\nullable.txt", Inside),
        ("C:\\Users\\Ada\\.git\\COM", Inside),
        ("C:\\Users\\Ada\\..\\Bob", Outside),
        ("C:\\Users\\Ada\\x/..\\../Bob", Outside),
        ("file:///C:/Users/Ada/%2e%2e%5cBob", Outside),
        ("C:\\Users\\Adam", Outside),
        ("D:\\Users\\Ada\\x", Outside),
        ("\\\\server\\share\\Users\\Ada", Outside),
        ("\\\\localhost\\C$\\Users\\Ada", Outside),
        ("//server/share/x", Outside),
        ("file://server/share/x", Outside),
        ("file:////server/share/x", Outside),
        ("file://C:/Users/Ada", Refused(PathError::Name)),
        ("file:///C|/Users/Ada", Refused(PathError::Relative)),
        ("C:Users\\Ada\\x", Refused(PathError::Relative)),
        ("C:", Refused(PathError::Relative)),
        ("file:///C:", Refused(PathError::Relative)),
        ("\\Users\\Ada", Refused(PathError::Relative)),
        ("/Users/Ada", Refused(PathError::Relative)),
        ("file:///Users/Ada", Refused(PathError::Relative)),
        ("\\\\server", Refused(PathError::Relative)),
        ("\\\\server\\..\\x", Refused(PathError::Relative)),
        ("\\\\.\\C:\\Users\\Ada", Refused(PathError::Name)),
        ("\\\\.\\PhysicalDrive0", Refused(PathError::Name)),
        ("//?/C:/Users/Ada", Refused(PathError::Name)),
        ("file:////%3F/C:/Users/Ada", Refused(PathError::Name)),
        ("\\\\?\\GLOBALROOT\\Device", Refused(PathError::Name)),
        ("C:\\Users\\Ada.\\x", Refused(PathError::Name)),
        ("C:\\Users\\Ada \\x", Refused(PathError::Name)),
        ("C:\\Users\\Ada\\...\\x", Refused(PathError::Name)),
        ("C:\\Users\\Ada\\.. \\x", Refused(PathError::Name)),
        ("C:\\Users\\Ada\\a.txt:stream", Refused(PathError::Name)),
        ("C:\\Users\\Ada\\a.txt::$DATA", Refused(PathError::Name)),
        ("C:\\Users\\Ada\\NUL", Refused(PathError::Name)),
        ("C:\\Users\\Ada\\aux.h", Refused(PathError::Name)),
        ("C:\\Users\\Ada\\com1 .txt", Refused(PathError::Name)),
        ("C:\\Users\\Ada\\LPT\u{b2}", Refused(PathError::Name)),
        ("C:\\Users\\Ada\\conin$", Refused(PathError::Name)),
        ("C:\\Users\\Ada\\a*", Refused(PathError::Name)),
        ("file:///C:/Users/Ada/a%0Ab", Refused(PathError::Name)),
        ("C:\\Users\\Ada\\a\0", Refused(PathError::Nul)),
    ];
    for (file, wanted) in table {
        assert_eq!(lexically("file:///C:/Users/Ada", file, PathStyle::Windows), wanted, "{file:?}");
    }
    let table = [
        ("\\\\SERVER\\Share\\x\\y", Inside),
        ("file://server/share/x/y", Inside),
        ("file:////server/share/X", Inside),
        ("\\\\?\\UNC\\server\\share\\x", Inside),
        ("\\\\server\\share\\x\\..\\..\\..\\x", Inside),
        ("\\\\server\\share\\y", Outside),
        ("\\\\server\\share2\\x", Outside),
        ("\\\\other\\share\\x", Outside),
        ("C:\\server\\share\\x", Outside),
    ];
    for (file, wanted) in table {
        assert_eq!(lexically("file://server/share/x", file, PathStyle::Windows), wanted, "{file:?}");
    }
}

#[test]
fn a_path_is_written_as_its_system_writes_it() {
    let table = [
        ("file:///", PathStyle::Posix, "/"),
        ("file:///a//b/./%20/../c/", PathStyle::Posix, "/a/b/ /../c"),
        ("file://h/a", PathStyle::Posix, "//h/a"),
        ("file:///c:/a/b", PathStyle::Windows, "C:\\a\\b"),
        ("file:///c:/", PathStyle::Windows, "C:\\"),
        ("file://Host/Share/a", PathStyle::Windows, "\\\\host\\share\\a"),
    ];
    for (uri, style, written) in table {
        assert_eq!(LexicalPath::from_uri(uri, style).expect(uri).to_string(), written);
    }
}

#[test]
fn styles_have_nothing_in_common() {
    let posix = LexicalPath::from_uri("file:///", PathStyle::Posix).expect("a path");
    let windows = LexicalPath::from_uri("file:///C:/x", PathStyle::Windows).expect("a path");
    assert!(!posix.contains(&windows) && !windows.contains(&posix));
}

#[test]
fn a_root_has_to_be_a_file_uri() {
    for uri in ["http://h.test/srv", "/srv/data", "", "file://evil.test/srv", "file:///a%00", "file:///a?b"] {
        let error = Roots::new(["file:///C:/ok", uri]).expect_err(uri);
        assert_eq!(error.uri, uri);
        assert!(error.to_string().starts_with("root "));
    }
}

/// A folder that is gone at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("mcprism-roots-{name}-{}", process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path.canonicalize().expect("the folder is there"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A folder with `data`, which is the root, and what lies around it:
///
/// ```text
/// data/ok.txt  data/a b  data/sub/deep/
/// data/link_to_etc -> ../etc          data/link_inside -> sub
/// data/dangling -> ../etc/new         data/loop -> loop
/// database/x   etc/passwd   alias -> data
/// ```
#[cfg(unix)]
fn world(name: &str) -> Folder {
    use std::os::unix::fs::symlink;

    let folder = Folder::new(name);
    let at = |path: &str| folder.0.join(path);
    for path in ["data/sub/deep", "database", "etc"] {
        fs::create_dir_all(at(path)).expect("a folder");
    }
    for path in ["data/ok.txt", "data/a b", "database/x", "etc/passwd", "x"] {
        fs::write(at(path), "").expect("a file");
    }
    symlink(at("etc"), at("data/link_to_etc")).expect("a link");
    symlink("sub", at("data/link_inside")).expect("a link");
    symlink("sub/deep", at("data/link_deep")).expect("a link");
    symlink("../etc/new", at("data/dangling")).expect("a link");
    symlink("loop", at("data/loop")).expect("a link");
    symlink("data", at("alias")).expect("a link");
    folder
}

/// The real path relative to the folder, or why there is none.
#[cfg(unix)]
fn shown(folder: &Path, resolved: Result<PathBuf, Refusal>) -> String {
    match resolved {
        Ok(path) => path.strip_prefix(folder).expect("a path in the folder").display().to_string(),
        Err(Refusal::Outside) => "outside".to_owned(),
        Err(Refusal::DanglingLink(_)) => "dangling".to_owned(),
        Err(Refusal::Disk(_)) => "disk".to_owned(),
        Err(error) => format!("refused: {error}"),
    }
}

#[cfg(unix)]
#[test]
fn the_disk_has_the_last_word() {
    let folder = world("disk");
    let table = [
        ("data", "data"),
        ("data/ok.txt", "data/ok.txt"),
        ("data/ok.txt/", "data/ok.txt"),
        ("data/a b", "data/a b"),
        ("data/new.txt", "data/new.txt"),
        ("data/new/er/est.txt", "data/new/er/est.txt"),
        ("data/link_inside/deep", "data/sub/deep"),
        ("data/link_inside/new", "data/sub/new"),
        ("data/sub/../ok.txt", "data/ok.txt"),
        // The parent of a link is where the link leads to.
        ("data/link_deep/../new", "data/sub/new"),
        ("data/../data/ok.txt", "data/ok.txt"),
        ("alias/ok.txt", "data/ok.txt"),
        ("data/link_to_etc", "outside"),
        ("data/link_to_etc/passwd", "outside"),
        ("data/link_to_etc/new", "outside"),
        ("data/link_to_etc/../data/ok.txt", "data/ok.txt"),
        ("data/link_to_etc/../x", "outside"),
        ("data/../x", "outside"),
        ("data/..", "outside"),
        ("database/x", "outside"),
        ("database", "outside"),
        ("etc/missing/deeper", "outside"),
        ("data/new/../ok.txt", "outside"),
        ("data/new/../../x", "outside"),
        ("data/dangling", "dangling"),
        ("data/dangling/x", "dangling"),
        ("data/dangling/../x", "dangling"),
        ("data/loop", "disk"),
        ("data/loop/x", "disk"),
        ("data/ok.txt/x", "disk"),
        ("etc/passwd/x", "outside"),
        ("data/ok.txt\0", "refused: no path has a NUL"),
    ];
    let text = |path: &str| folder.0.join(path).to_str().expect("UTF-8").to_owned();
    for root in ["data", "data/", "alias", "data/sub/..", "etc/../data"] {
        let roots = Roots::new([format!("file://{}", text(root)), "file:///not/there".to_owned()]).expect("roots");
        for (file, wanted) in table {
            let resolved = roots.resolve_path(Path::new(&text(file)));
            let resolved = shown(&folder.0, resolved);
            // What a refusal says depends on how the root was written.
            let is_same = if root.starts_with("data") { resolved == wanted } else { same_side(&resolved, wanted) };
            assert!(is_same, "{file} in {root}: {resolved}");
            if !file.contains('\0') {
                let uri = format!("file://{}", text(file).replace(' ', "%20").replace("..", "%2e%2E"));
                assert_eq!(shown(&folder.0, roots.resolve_uri(&uri)), resolved, "{uri} in {root}");
            }
        }
    }
    let nothing = Roots::default();
    assert_eq!(shown(&folder.0, nothing.resolve_path(&folder.0)), "outside");
}

/// Whether both are paths and the same, or neither is one.
#[cfg(unix)]
fn same_side(one: &str, other: &str) -> bool {
    let is_refusal = |text: &str| ["outside", "dangling", "disk"].contains(&text) || text.starts_with("refused");
    one == other || is_refusal(one) && is_refusal(other)
}

#[cfg(unix)]
#[test]
fn a_root_that_is_a_file_or_missing_is_a_root() {
    let folder = world("odd");
    let uri = |path: &str| format!("file://{}/{path}", folder.0.display());
    let roots = Roots::new([uri("data/ok.txt"), uri("later"), uri("data/dangling"), uri("x/y")]).expect("roots");
    let table = [
        ("data/ok.txt", "data/ok.txt"),
        ("data/ok.txt2", "outside"),
        ("data", "outside"),
        ("later", "later"),
        ("later/on", "later/on"),
        ("later2", "outside"),
        ("later/../x", "outside"),
        ("etc/new", "outside"),
        ("data/dangling", "dangling"),
        ("x", "outside"),
    ];
    for (file, wanted) in table {
        assert_eq!(shown(&folder.0, roots.resolve_uri(&uri(file))), wanted, "{file}");
    }
}

#[cfg(unix)]
#[test]
fn other_texts_are_refused_and_long_ones_cost_little() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = world("texts");
    let roots = Roots::new([format!("file://{}/data", folder.0.display())]).expect("roots");
    let path = |error| matches!(error, Err(Refusal::Path(_)));
    assert!(path(roots.resolve_uri("/srv/data")));
    assert!(path(roots.resolve_uri("")));
    assert!(path(roots.resolve_path(Path::new(""))));
    assert!(path(roots.resolve_path(Path::new("data/ok.txt"))));
    assert!(path(roots.resolve_path(Path::new(OsStr::from_bytes(b"/\xff")))));
    for part in ["/a", "/..", "/%2e%2e", "%2Fa", "a"] {
        let uri = format!("file://{}/data/{}", folder.0.display(), part.repeat(300_000));
        // Whoever wants to write there is told that the path is too long.
        let resolved = roots.resolve_uri(&uri);
        assert_eq!(resolved.is_ok(), part.len() > 1 && part.ends_with('a'), "{part}");
    }
}

/// The rows of case B5-09 have a folder that isn't here; a folder of the test takes its place.
#[cfg(unix)]
#[test]
fn case_b5_09_ends_as_it_wants() {
    let Some(cases) = env::var_os("MCPRISM_CASES") else { return };
    let rows = fs::read(Path::new(&cases).join("inputs/B5-09.json")).expect("the input of the case");
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&rows).expect("a table");
    assert!(!rows.is_empty());
    let folder = world("case");
    let here = folder.0.to_str().expect("UTF-8");
    let text = |row: &serde_json::Value, key: &str| row[key].as_str().expect(key).replace("/srv", here);
    for row in &rows {
        let roots = Roots::new([text(row, "root")]).expect("a root");
        let resolved = roots.resolve_uri(&text(row, "uri"));
        let is_as_wanted = match text(row, "want").split([' ', ',', ':']).next() {
            Some("inside") => resolved.is_ok(),
            Some("outside") => matches!(resolved, Err(Refusal::Outside)),
            Some("refuse") => matches!(resolved, Err(Refusal::Path(_))),
            _ => false,
        };
        assert!(is_as_wanted, "{row}: {resolved:?}");
    }
}
