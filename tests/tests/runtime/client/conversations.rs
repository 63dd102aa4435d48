//! Each file in `tests/client-conversations` is a conversation with a client, every line of which is judged.

use mcprism_tests::client_conversation::{ClientConversation, hold};
use mcprism_tests::schemas::root;

#[test]
fn the_client_says_what_it_should() {
    let mut files: Vec<_> = std::fs::read_dir(root().join("tests/client-conversations"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let only = std::env::var("MCPRISM_ONLY").ok();
    let mut failed = Vec::new();
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let conversation: ClientConversation =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        // A clock that moves as soon as everybody waits.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        let thread = std::thread::Builder::new().name(name.clone());
        let held = thread.spawn(move || runtime.block_on(hold(&conversation))).unwrap().join();
        if held.is_err() {
            failed.push(name);
        }
    }
    assert!(failed.is_empty(), "these went otherwise (see above): {failed:?}");
}
