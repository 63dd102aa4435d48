//! The state machines, each rule as a row of events.

use std::time::{Duration, Instant};

use mcprism::jsonrpc::{ErrorObject, Id};
use mcprism::session::calls::Calls;
use mcprism::session::capability::{declares, needed, tree};
use mcprism::session::deadline::{Deadline, Limits};
use mcprism::session::gate::{Closed, Declared, open};
use mcprism::session::level::Level;
use mcprism::session::meta::Meta;
use mcprism::session::server::{Admission, ServerSession};
use mcprism::session::subscriptions::{Change, Filter, Subscriptions, TooMany};
use mcprism::session::tasks::{Refused, Status, Tasks, timestamp};
use mcprism::types::ProtocolVersion::{self, V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use mcprism::types::{JsonObject, MethodKind, Sender};
use serde_json::json;

fn object(value: serde_json::Value) -> JsonObject {
    JsonObject::try_from(value).expect("it is an object")
}

/// spec: 2025-11-25 basic, Requests and Responses.
#[test]
fn an_answer_finds_its_request() {
    let mut calls = Calls::default();
    let first = calls.fresh();
    calls.insert(first.clone(), "first");
    let second = calls.fresh();
    calls.insert(second.clone(), "second");
    assert_ne!(first, second);
    // A number that comes back as a string; but not any string that looks like one.
    for other in [Id::from("00"), Id::from(" 0"), Id::from("+0"), Id::from("-0"), Id::from("0.0"), Id::from(7)] {
        assert_eq!(calls.answered(&other), None, "{other}");
    }
    assert_eq!(calls.answered(&Id::from("0")), Some("first"));
    assert_eq!(calls.answered(&first), None, "an answer comes once");
    // Where both are pending, each is itself.
    calls.insert(Id::from("1"), "string");
    assert_eq!(calls.answered(&Id::from("1")), Some("string"));
    assert_eq!(calls.answered(&Id::from(1)), Some("second"));
    assert!(calls.is_empty());
}

#[test]
fn a_fresh_id_is_not_pending() {
    let mut calls = Calls::default();
    calls.insert(Id::from(0), ());
    calls.insert(Id::from(1), ());
    assert_eq!(calls.fresh(), Id::from(2));
}

/// spec: 2025-11-25 basic/lifecycle, Timeouts.
#[test]
fn progress_moves_the_deadline_up_to_a_maximum() {
    let (second, start) = (Duration::from_secs(1), Instant::now());
    let mut deadline = Deadline::new(Limits { idle: 30 * second, total: 70 * second }, start);
    assert_eq!(deadline.due(), start + 30 * second);
    deadline.progress(start + 20 * second);
    assert_eq!(deadline.due(), start + 50 * second);
    deadline.progress(start + 49 * second);
    assert_eq!(deadline.due(), start + 70 * second);
    // No limit at all is no overflow.
    let far = Deadline::new(Limits { idle: Duration::MAX, total: Duration::MAX }, start);
    assert!(far.due() > start + Duration::from_secs(50 * 365 * 86_400));
}

#[test]
fn a_capability_is_declared_if_an_object_or_true_is_at_the_end() {
    let all = object(json!({
        "tools": {"listChanged": true}, "resources": {"subscribe": false}, "logging": {}, "prompts": null,
        "experimental": 5, "a": {"b": {"c": {}}},
    }));
    for path in ["tools", "tools.listChanged", "resources", "logging", "a.b.c"] {
        assert!(declares(&all, path), "{path}");
    }
    for path in ["resources.subscribe", "prompts", "prompts.listChanged", "experimental", "tools.x", "x", "", "a.b.c.d"]
    {
        assert!(!declares(&all, path), "{path}");
    }
    let paths = ["tools.listChanged", "tools", "tasks.requests.tools.call", "resources.subscribe"];
    let built = tree(paths);
    assert_eq!(
        built,
        json!({
            "tools": {"listChanged": true}, "tasks": {"requests": {"tools": {"call": {}}}},
            "resources": {"subscribe": true},
        })
    );
    assert!(paths.iter().all(|path| declares(&object(built.clone()), path)));
}

#[test]
fn capabilities_follow_from_what_is_served() {
    let serves =
        |name: &str, _: MethodKind| matches!(name, "tools/list" | "completion/complete" | "resources/subscribe");
    // The first revision has no word for completions.
    assert_eq!(needed(V2024_11_05, Sender::Server, serves), ["resources.subscribe", "tools"]);
    assert_eq!(needed(V2025_03_26, Sender::Server, serves), ["completions", "resources.subscribe", "tools"]);
    assert_eq!(needed(V2026_07_28, Sender::Server, serves), ["completions", "tools"]);
}

/// spec: 2025-11-25 client/elicitation and client/sampling, Capabilities; basic/utilities/tasks.
#[test]
fn the_gate_knows_directions_capabilities_and_conditions() {
    let none = object(json!({}));
    let forms = object(json!({"elicitation": {}, "sampling": {}, "roots": {}}));
    let all = object(json!({"elicitation": {"url": {}}, "sampling": {"tools": {}}, "roots": {}}));
    let ask = |version: ProtocolVersion, method: &str, params: serde_json::Value, client: &JsonObject| {
        let declared = Declared { client: Some(client), server: Some(&none) };
        let kinds = [MethodKind::Request, MethodKind::InputRequest];
        let opened = open(version, Sender::Server, &kinds, method, Some(&params.to_string()), declared);
        opened.map(|method| method.name)
    };
    let closed = |path, conditional| Err(Closed::Capability { declared_by: Sender::Client, path, conditional });
    assert_eq!(ask(V2025_11_25, "tools/call", json!({}), &all), Err(Closed::Method));
    assert_eq!(ask(V2025_11_25, "no/such", json!({}), &all), Err(Closed::Method));
    assert_eq!(ask(V2024_11_05, "elicitation/create", json!({}), &all), Err(Closed::Method));
    assert_eq!(ask(V2025_06_18, "elicitation/create", json!({}), &none), closed("elicitation", false));
    assert_eq!(ask(V2025_06_18, "elicitation/create", json!({}), &forms), Ok("elicitation/create"));
    assert_eq!(ask(V2025_11_25, "elicitation/create", json!({"mode": "url"}), &forms), closed("elicitation.url", true));
    assert_eq!(ask(V2025_11_25, "elicitation/create", json!({"mode": "url"}), &all), Ok("elicitation/create"));
    assert_eq!(
        ask(V2025_11_25, "sampling/createMessage", json!({"tools": []}), &forms),
        closed("sampling.tools", true)
    );
    assert_eq!(
        ask(V2025_11_25, "sampling/createMessage", json!({"tools": null}), &forms),
        Ok("sampling/createMessage")
    );
    assert_eq!(ask(V2026_07_28, "roots/list", json!({}), &forms), Ok("roots/list"));
    let as_task = closed("tasks.requests.elicitation.create", true);
    assert_eq!(ask(V2025_11_25, "elicitation/create", json!({"task": {}}), &forms), as_task);
    // A side of which nothing is known may have anything.
    let unknown = Declared::default();
    assert!(open(V2025_11_25, Sender::Client, &[MethodKind::Request], "tools/list", None, unknown).is_ok());
    // A notification is no request.
    let request = open(V2025_11_25, Sender::Client, &[MethodKind::Request], "notifications/initialized", None, unknown);
    assert_eq!(request.map(|_| ()), Err(Closed::Method));
}

/// spec: 2026-07-28 basic/versioning; 2025-11-25 basic/lifecycle.
#[test]
fn a_request_is_served_at_the_revision_that_it_says_or_that_was_agreed() {
    let modern = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}"#;
    let hello = r#"{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#;
    let mut both = ServerSession::new(ProtocolVersion::ALL);
    let admit = |session: &mut ServerSession, method: &str, params: &str| {
        session.admit(method, &Meta::read(Some(params)).unwrap()).map(|admission| match admission {
            Admission::Serve(peer) => Some(peer.version()),
            Admission::Pong => None,
        })
    };
    assert_eq!(admit(&mut both, "ping", "{}"), Ok(None));
    assert!(!both.errors_without_id());
    assert_eq!(admit(&mut both, "tools/list", modern), Ok(Some(V2026_07_28)));
    assert!(both.errors_without_id());
    assert_eq!(admit(&mut both, "tools/list", "{}").unwrap_err().code, -32602);
    assert_eq!(both.initialize(Some(hello)).unwrap().version(), V2025_03_26);
    assert!(both.batches() && !both.errors_without_id());
    assert_eq!(both.initialize(Some(hello)).unwrap_err().code, -32600);
    assert_eq!(admit(&mut both, "tools/list", "{}"), Ok(Some(V2025_03_26)));
    assert_eq!(admit(&mut both, "tools/list", modern), Ok(Some(V2026_07_28)));
    assert_eq!(admit(&mut both, "ping", "{}"), Ok(Some(V2025_03_26)));
    // What clients of the same kind declare is read once, and what others declare is not mixed up with it.
    let Ok(Admission::Serve(one)) = both.admit("x", &Meta::read(Some(modern)).unwrap()) else { panic!() };
    let Ok(Admission::Serve(two)) = both.admit("x", &Meta::read(Some(modern)).unwrap()) else { panic!() };
    assert!(std::sync::Arc::ptr_eq(&one, &two) && one.declares("roots"));
    let other = modern.replace(r#"{"roots":{}}"#, "{}");
    let Ok(Admission::Serve(three)) = both.admit("x", &Meta::read(Some(&other)).unwrap()) else { panic!() };
    assert!(!three.declares("roots"));
    // A name that is written with escapes is the same name.
    let escaped = modern.replace("protocolVersion", "protocol\\u0056ersion");
    assert_eq!(admit(&mut both, "tools/list", &escaped), Ok(Some(V2026_07_28)));
}

#[test]
fn what_is_wrong_in_meta_says_where() {
    for (params, pointer) in [
        (r#"{"_meta":5}"#, "/_meta"),
        (r#"{"_meta":{"progressToken":true}}"#, "/_meta/progressToken"),
        (r#"{"_meta":{"io.modelcontextprotocol/logLevel":1}}"#, "/_meta/io.modelcontextprotocol~1logLevel"),
        (r#"{"_meta":{"io.modelcontextprotocol/clientInfo":[]}}"#, "/_meta/io.modelcontextprotocol~1clientInfo"),
    ] {
        assert_eq!(Meta::read(Some(params)).unwrap_err().pointer(), pointer, "{params}");
    }
    assert_eq!(Meta::read(Some(r#"{"_meta":null}"#)), Ok(Meta::default()));
    assert_eq!(Meta::read(Some(r#"{"_meta":{"progressToken":null,"x":[1]}}"#)), Ok(Meta::default()));
}

/// spec: 2025-11-25 server/resources, Subscriptions; 2026-07-28 basic/patterns/subscriptions.
#[test]
fn who_is_told_of_what() {
    let mut all = Subscriptions::default();
    let updated = |uri: &str| Change::Resource(uri.to_owned());
    assert!(all.told(&Change::Tools).is_empty());
    all.begin_session();
    assert_eq!(all.told(&Change::Tools), [None]);
    assert!(all.told(&updated("a")).is_empty());
    all.subscribe("a").unwrap();
    all.subscribe("a").unwrap();
    assert_eq!(all.told(&updated("a")), [None]);
    let filter = Filter { tools: true, uris: ["a".to_owned()].into(), ..Filter::default() };
    all.listen(Id::from("s"), filter.clone()).unwrap();
    assert_eq!(all.told(&updated("a")), [None, Some(Id::from("s"))]);
    assert_eq!(all.told(&Change::Prompts), [None]);
    all.unsubscribe("a");
    all.unsubscribe("never");
    assert_eq!(all.told(&updated("a")), [Some(Id::from("s"))]);
    all.end(&Id::from("t"));
    assert_eq!(all.end_all(), [Id::from("s")]);
    assert!(all.told(&updated("a")).is_empty());
    // There is an end to it.
    assert!((0..10_000).any(|at| all.subscribe(&at.to_string()) == Err(TooMany)));
    assert_eq!(all.listen(Id::from(1), filter), Err(TooMany));
}

#[test]
fn a_filter_is_read_and_limited() {
    let params = json!({"notifications": {
        "toolsListChanged": true, "promptsListChanged": false, "resourcesListChanged": null,
        "resourceSubscriptions": ["b", "a", "b"], "vendor": 1,
    }});
    let filter = Filter::read(Some(&params.to_string())).unwrap();
    assert_eq!(filter.written(), json!({"toolsListChanged": true, "resourceSubscriptions": ["a", "b"]}));
    assert_eq!(filter.clone().limited(false, true, true, true).written(), json!({"resourceSubscriptions": ["a", "b"]}));
    assert_eq!(filter.limited(true, true, true, false).written(), json!({"toolsListChanged": true}));
    assert_eq!(Filter::read(None).unwrap_err().to_string(), "missing member `notifications`");
    let wrong = Filter::read(Some(r#"{"notifications":{"toolsListChanged":1}}"#)).unwrap_err();
    assert_eq!(wrong.pointer(), "/notifications/toolsListChanged");
}

/// spec: 2025-11-25 basic/utilities/tasks, Task Status Lifecycle and TTL.
#[test]
fn a_task_has_a_life() {
    let mut tasks = Tasks::new(2);
    let made = tasks.create("a".to_owned(), Some(1_000), 0).unwrap();
    assert_eq!((made.status, made.ttl), (Status::Working, 1_000));
    assert_eq!(tasks.create("a".to_owned(), None, 0), Err(Refused::TooMany));
    assert_eq!(tasks.moves("a", Status::InputRequired, 1).map(|task| task.status), Some(Status::InputRequired));
    assert_eq!(tasks.moves("a", Status::InputRequired, 2), None);
    assert_eq!(tasks.moves("a", Status::Completed, 2), None, "it is finished with its outcome only");
    assert_eq!(tasks.moves("a", Status::Working, 2).map(|task| task.updated), Some(2));
    assert_eq!(tasks.outcome("a", 3), Ok(None));
    assert_eq!(tasks.finish("a", false, Ok("{}".to_owned()), 3).map(|task| task.status), Some(Status::Completed));
    assert_eq!(tasks.finish("a", true, Ok("{}".to_owned()), 4), None);
    assert_eq!(tasks.moves("a", Status::Working, 4), None);
    assert_eq!(tasks.cancel("a", ErrorObject::new(1, "c"), 4), Err(Refused::Finished(Status::Completed)));
    // Its time passes; that of one that works doesn't.
    tasks.create("b".to_owned(), Some(0), 5).unwrap();
    assert_eq!(tasks.create("c".to_owned(), None, 6), Err(Refused::TooMany));
    assert!(tasks.get("a", 999).is_ok());
    assert_eq!(tasks.get("a", 1_000), Err(Refused::Unknown));
    assert!(tasks.get("b", 1_000).is_ok());
    assert_eq!(tasks.cancel("b", ErrorObject::new(1, "c"), 1_001).map(|task| task.status), Ok(Status::Cancelled));
    assert_eq!(tasks.finish("b", false, Ok("late".to_owned()), 1_002), None, "what was cancelled stays so");
    // Nobody may have one kept for ever.
    let kept = tasks.create("d".to_owned(), Some(u64::MAX), 2_000).unwrap();
    assert_eq!(kept.ttl, 86_400_000);
}

#[test]
fn tasks_come_in_pages() {
    let mut tasks = Tasks::new(1_000);
    for at in 0..250 {
        tasks.create(format!("{at:03}"), None, 0).unwrap();
    }
    let (mut cursor, mut seen) = (None::<String>, Vec::new());
    loop {
        let (page, next) = tasks.list(cursor.as_deref(), 0).unwrap();
        seen.extend(page.into_iter().map(|task| task.id));
        match next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(seen, (0..250).map(|at| format!("{at:03}")).collect::<Vec<_>>());
    assert_eq!(tasks.list(Some("250"), 0), Err(Refused::Cursor));
}

#[test]
fn times_are_written_as_rfc_3339_has_them() {
    for (millis, written) in [
        (0, "1970-01-01T00:00:00.000Z"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
        (1_764_071_999_001, "2025-11-25T11:59:59.001Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    ] {
        assert_eq!(timestamp(millis), written);
    }
}

#[test]
fn levels_are_ordered_and_read_exactly() {
    assert!(Level::ALL.is_sorted());
    for level in Level::ALL {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    assert!("Info".parse::<Level>().is_err());
}
