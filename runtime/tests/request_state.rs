//! Sealed states: only who has the key makes or changes one, and each holds for one request, person and time.

use mcprism::session::request_state::{Rejected, Seal, State, digest};
use mcprism::types::{Json, Map};

fn state() -> State {
    State {
        request: digest("tools/call", Some(r#"{"name":"tide"}"#)),
        principal: None,
        expires: 1_000,
        asked: Map::from([("sure".to_owned(), "digest".to_owned())]),
        answers: Map::from([("name".to_owned(), Json::from(serde_json::json!({"action": "accept"})))]),
    }
}

/// spec: 2026-07-28 basic/patterns/mrtr, Server Requirements 4 and 5.
#[test]
fn a_state_comes_back_as_it_was_to_who_may_have_it() {
    let seal = Seal::new(b"key", 4096);
    let text = seal.close(&state()).unwrap();
    let request = state().request;
    assert_eq!(seal.open(&text, &request, None, 999), Ok(state()));
    assert_eq!(seal.open(&text, &request, None, 1_000), Err(Rejected::Expired));
    assert_eq!(seal.open(&text, "another", None, 0), Err(Rejected::OtherRequest));
    assert_eq!(seal.open(&text, &request, Some("eve"), 0), Err(Rejected::OtherPrincipal));
    assert_eq!(Seal::new(b"other", 4096).open(&text, &request, None, 0), Err(Rejected::Forged));
    // Another process with the same key takes it.
    assert_eq!(Seal::new(b"key", 4096).open(&text, &request, None, 0), Ok(state()));
}
