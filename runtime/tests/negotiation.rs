//! How a client finds out which revision a server speaks: each way as a row of events.

use mcprism::jsonrpc::ErrorObject;
use mcprism::session::negotiation::{Event, Negotiation, Step};
use mcprism::types::ProtocolVersion::{self, V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use mcprism::{Error, types::Era};
use serde_json::{Value, json};

/// What came of what was sent, to be written in a row.
enum Came {
    Result(Value),
    Error(i64, Value),
    Silence,
}

use Came::{Error as Refused, Result as Answered, Silence};

/// A step, as a word.
fn word(step: &Step) -> String {
    match step {
        Step::Discover(version) => format!("discover {version}"),
        Step::Initialize(version) => format!("initialize {version}"),
        Step::Agreed(agreed) => format!("agreed {}", agreed.version),
        Step::Failed(Error::UnsupportedVersion { offered, .. }) => format!("unsupported {}", offered.join(" ")),
        Step::Failed(Error::Rpc(error)) => format!("error {}", error.code),
        Step::Failed(Error::Invalid { error, .. }) => format!("invalid {error}"),
        Step::Failed(error) => format!("failed {error}"),
    }
}

/// The steps of a negotiation.
fn steps(spoken: &[ProtocolVersion], came: &[Came]) -> Vec<String> {
    let (mut negotiation, first) = Negotiation::begin(spoken);
    let mut steps = vec![word(&first)];
    for came in came {
        let next = match came {
            Answered(result) => negotiation.next(Event::Result(&result.to_string())),
            Refused(code, data) => {
                let error = ErrorObject::new(*code, "m");
                let error = if data.is_null() { error } else { error.with_data(data.clone()) };
                negotiation.next(Event::Error(&error))
            }
            Silence => negotiation.next(Event::Silence),
        };
        steps.push(word(&next));
    }
    steps
}

fn discovered(versions: &[&str]) -> Came {
    Answered(json!({
        "resultType": "complete", "supportedVersions": versions, "capabilities": {}, "ttlMs": 0, "cacheScope": "public",
    }))
}

fn initialized(version: &str) -> Came {
    Answered(json!({"protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}))
}

fn supported(versions: &[&str]) -> Came {
    Refused(-32022, json!({"supported": versions, "requested": "2026-07-28"}))
}

const ALL: &[ProtocolVersion] = ProtocolVersion::ALL;
const LEGACY: &[ProtocolVersion] = &[V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25];
const MODERN: &[ProtocolVersion] = &[V2026_07_28];

/// spec: 2026-07-28 basic/versioning, Compatibility Matrix: every cell as the client sees it.
#[test]
fn the_matrix_as_the_client_sees_it() {
    // Modern and modern: works; so it does for a client of both eras.
    for spoken in [MODERN, ALL] {
        let cell = steps(spoken, &[discovered(&["2026-07-28"])]);
        assert_eq!(cell, ["discover 2026-07-28", "agreed 2026-07-28"]);
    }
    // Modern and legacy: fails, whatever the server answers, and says what to do.
    for came in [Refused(-32601, Value::Null), Refused(-32602, Value::Null), Silence, Answered(json!({"tools": []}))] {
        let cell = steps(MODERN, &[came]);
        assert!(cell[1].contains("allow 2025-11-25 or an older revision"), "{cell:?}");
    }
    // Both and legacy: works, by falling back.
    let cell = steps(ALL, &[Refused(-32601, Value::Null), initialized("2025-06-18")]);
    assert_eq!(cell, ["discover 2026-07-28", "initialize 2025-11-25", "agreed 2025-06-18"]);
    let cell = steps(ALL, &[Silence, initialized("2025-11-25")]);
    assert_eq!(cell, ["discover 2026-07-28", "initialize 2025-11-25", "agreed 2025-11-25"]);
    // Legacy and modern: fails, and the error says what the server speaks, if it does.
    let cell = steps(LEGACY, &[supported(&["2026-07-28"])]);
    assert_eq!(cell, ["initialize 2025-11-25", "unsupported 2026-07-28"]);
    let cell = steps(LEGACY, &[Refused(-32601, Value::Null)]);
    assert_eq!(cell, ["initialize 2025-11-25", "error -32601"]);
    // Legacy and both, legacy and legacy: work.
    let cell = steps(LEGACY, &[initialized("2025-11-25")]);
    assert_eq!(cell, ["initialize 2025-11-25", "agreed 2025-11-25"]);
}

/// spec: 2026-07-28 basic/transports/stdio, Backward Compatibility.
#[test]
fn any_error_that_is_not_a_modern_one_means_a_legacy_server() {
    for code in [-32601, -32602, -32600, -32603, -32000, -32001, -32700, -1, 0, 7, i64::MAX] {
        let came = steps(ALL, &[Refused(code, Value::Null)]);
        assert_eq!(came, ["discover 2026-07-28", "initialize 2025-11-25"], "{code}");
    }
    // A code of the modern era without what belongs to it says nothing.
    assert_eq!(steps(ALL, &[Refused(-32022, Value::Null)])[1], "initialize 2025-11-25");
    assert_eq!(steps(ALL, &[Refused(-32022, json!({"supported": "all"}))])[1], "initialize 2025-11-25");
    // An answer that is no DiscoverResult.
    for other in [json!({}), json!({"supportedVersions": "2026-07-28"}), json!([]), json!(null)] {
        assert_eq!(steps(ALL, &[Answered(other.clone())])[1], "initialize 2025-11-25", "{other}");
    }
}

/// spec: 2026-07-28 basic/versioning, Protocol Version Negotiation.
#[test]
fn a_modern_error_keeps_the_client_modern() {
    assert_eq!(steps(ALL, &[supported(&["2031-01-01"])])[1], "unsupported 2031-01-01");
    // The same revision again would be refused again.
    assert_eq!(steps(ALL, &[supported(&["2026-07-28"])])[1], "unsupported 2026-07-28");
    // What the server lists may be of the other era.
    let came = steps(ALL, &[supported(&["2031-01-01", "2025-06-18"]), initialized("2025-06-18")]);
    assert_eq!(came, ["discover 2026-07-28", "initialize 2025-06-18", "agreed 2025-06-18"]);
    assert_eq!(steps(ALL, &[Refused(-32021, json!({"requiredCapabilities": {"sampling": {}}}))])[1], "error -32021");
    assert_eq!(steps(ALL, &[discovered(&["2031-01-01"])])[1], "unsupported 2031-01-01");
    assert_eq!(steps(ALL, &[discovered(&["2031-01-01", "2026-07-28"])])[1], "agreed 2026-07-28");
    assert_eq!(steps(ALL, &[discovered(&[])])[1], "unsupported ");
}

/// spec: 2025-11-25 basic/lifecycle, Version Negotiation.
#[test]
fn a_version_that_the_client_does_not_speak_is_refused() {
    let spoken = &[V2025_06_18, V2025_11_25];
    assert_eq!(steps(spoken, &[initialized("1999-01-01")])[1], "unsupported 1999-01-01");
    assert_eq!(steps(spoken, &[initialized("2024-11-05")])[1], "unsupported 2024-11-05");
    assert_eq!(steps(spoken, &[initialized("2025-06-18")])[1], "agreed 2025-06-18");
    // There is no handshake for a modern one.
    assert_eq!(steps(ALL, &[Silence, initialized("2026-07-28")])[2], "unsupported 2026-07-28");
    let missing = Answered(json!({"capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}));
    assert_eq!(steps(spoken, &[missing])[1], "invalid missing member `protocolVersion`");
}

/// A client that is pinned asks for that revision alone.
#[test]
fn a_pinned_client_asks_for_its_revision() {
    for version in ALL {
        let first = &steps(&[*version], &[])[0];
        match version.era() {
            Era::Legacy => assert_eq!(*first, format!("initialize {version}")),
            Era::Modern => assert_eq!(*first, format!("discover {version}")),
        }
    }
}

/// The tables of the cases B3-04 and B3-06, from the folder that `MCPRISM_CASES` points at.
#[test]
fn the_reported_cases() {
    let Some(folder) = std::env::var_os("MCPRISM_CASES") else {
        eprintln!("skipped: MCPRISM_CASES does not point at a folder");
        return;
    };
    let cases = std::fs::read_to_string(std::path::Path::new(&folder).join("cases.jsonl")).unwrap();
    let rows = |id: &str| -> Vec<Value> {
        let mut cases = cases.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let case = cases.find(|case| case["id"] == id).unwrap();
        serde_json::from_str(case["input"].as_str().unwrap()).unwrap()
    };
    let mut seen = 0;
    for row in rows("B3-06").iter().filter(|row| row["on"] == "stdio") {
        let (code, data) = (row["error"]["code"].as_i64().unwrap(), row["error"]["data"].clone());
        // The last row asked for a revision that is yet to come.
        let step = steps(ALL, &[Refused(code, data)]).remove(1);
        let wanted = match row["want"].as_str().unwrap() {
            "fall back to initialize" => "initialize 2025-11-25",
            // It was 2027-03-01 that was asked for; here the newest is the one that is offered.
            "stay modern, retry at 2026-07-28" => "unsupported 2026-07-28",
            "typed error listing 2031-01-01; no initialize" => "unsupported 2031-01-01",
            "stay modern, surface the missing capability" => "error -32021",
            other => panic!("{other}"),
        };
        assert_eq!(step, wanted, "{row}");
        seen += 1;
    }
    assert_eq!(seen, 10);
    for row in rows("B3-04") {
        let names = row["client_supports"].as_array().unwrap();
        let spoken: Vec<ProtocolVersion> = names.iter().map(|name| name.as_str().unwrap().parse().unwrap()).collect();
        let line: Value = serde_json::from_str(row["line"].as_str().unwrap()).unwrap();
        let step = steps(&spoken, &[Answered(line["result"].clone())]).remove(1);
        let want = row["want"].as_str().unwrap();
        let right = match want.split([' ', ':']).next().unwrap() {
            "typed" => step == "unsupported 1999-01-01",
            "same," => step == "unsupported 2024-11-05",
            "ok" => step == "agreed 2025-06-18",
            "error" => step.starts_with("invalid"),
            other => panic!("{other}"),
        };
        assert!(right, "{want}: {step}");
    }
}
