//! The envelope, row by row: what is read as what, which code and id a fault has, what is written.

use mcprism::jsonrpc::{
    ErrorObject, ErrorResponse, Fault, Id, Incoming, Message, Notification, Request, Response, code,
};
use mcprism::types::{Decode, ErrorKind, Json, Map, ProtocolVersion, v2025_11_25 as mcp, v2026_07_28 as modern};
use serde_json::Value;

/// What a text has to be read as, in short.
#[derive(Debug, PartialEq)]
enum Read {
    Request(Id, String),
    Notification(String),
    Response(Id),
    Error(Option<Id>, i64),
    Fault { code: i64, id: Option<Id>, response: bool, pointer: String },
}

fn brief(read: Result<Message<'_>, Fault>) -> Read {
    match read {
        Ok(Message::Request(request)) => Read::Request(request.id, request.method.into_owned()),
        Ok(Message::Notification(notification)) => Read::Notification(notification.method.into_owned()),
        Ok(Message::Response(response)) => Read::Response(response.id),
        Ok(Message::Error(error)) => Read::Error(error.id, error.error.code),
        Err(fault) => {
            Read::Fault { code: fault.code, id: fault.id, response: fault.response, pointer: fault.error.pointer() }
        }
    }
}

fn read(text: &str) -> Read {
    brief(Message::parse(text))
}

#[track_caller]
fn check(rows: Vec<(&str, Read)>) {
    let faults: Vec<String> = rows
        .into_iter()
        .filter_map(|(text, wanted)| {
            let found = read(text);
            (found != wanted).then(|| format!("{text}\n  is {found:?}\n not {wanted:?}"))
        })
        .collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

fn request(id: impl Into<Id>) -> Read {
    Read::Request(id.into(), "ping".into())
}

fn invalid(id: Option<i64>, pointer: &str) -> Read {
    let id = id.map(Id::from);
    Read::Fault { code: code::INVALID_REQUEST, id, response: false, pointer: pointer.into() }
}

fn invalid_response(id: Option<i64>, pointer: &str) -> Read {
    let id = id.map(Id::from);
    Read::Fault { code: code::INVALID_REQUEST, id, response: true, pointer: pointer.into() }
}

#[test]
fn ids_of_requests() {
    check(vec![
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, request(1)),
        (r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#, request(0)),
        (r#"{"jsonrpc":"2.0","id":-7,"method":"ping"}"#, request(-7)),
        (r#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#, request(1)),
        (r#"{"jsonrpc":"2.0","id":0.0,"method":"ping"}"#, request(0)),
        (r#"{"jsonrpc":"2.0","id":-0.0,"method":"ping"}"#, request(0)),
        (r#"{"jsonrpc":"2.0","id":1.2e1,"method":"ping"}"#, request(12)),
        (r#"{"jsonrpc":"2.0","id":9007199254740993.0,"method":"ping"}"#, request(9_007_199_254_740_993)),
        (r#"{"jsonrpc":"2.0","id":9223372036854775807,"method":"ping"}"#, request(i64::MAX)),
        (r#"{"jsonrpc":"2.0","id":"1","method":"ping"}"#, request("1")),
        (r#"{"jsonrpc":"2.0","id":"","method":"ping"}"#, request("")),
        (r#"{"jsonrpc":"2.0","id":"\u0041\ud83d\ude00","method":"ping"}"#, request("A😀")),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, invalid(None, "/id")),
        (r#"{"jsonrpc":"2.0","id":1e19,"method":"ping"}"#, invalid(None, "/id")),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, invalid(None, "/id")),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, invalid(None, "/id")),
        (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, invalid(None, "/id")),
        (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, invalid(None, "/id")),
        (r#"{"jsonrpc":"2.0","method":"ping"}"#, Read::Notification("ping".into())),
    ]);
    assert_ne!(Id::from(1), Id::from("1"));
}

#[test]
fn ids_of_answers() {
    check(vec![
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Read::Response(1.into())),
        (r#"{"jsonrpc":"2.0","id":1.0,"result":{}}"#, Read::Response(1.into())),
        (r#"{"jsonrpc":"2.0","id":"1","result":{}}"#, Read::Response("1".into())),
        (r#"{"jsonrpc":"2.0","id":"","result":{}}"#, Read::Response("".into())),
        (r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#, invalid_response(None, "/id")),
        (r#"{"jsonrpc":"2.0","id":null,"result":{}}"#, invalid_response(None, "/id")),
        (r#"{"jsonrpc":"2.0","id":{},"result":{}}"#, invalid_response(None, "/id")),
        (r#"{"jsonrpc":"2.0","result":{}}"#, invalid_response(None, "")),
        (
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}"#,
            Read::Error(None, code::PARSE_ERROR),
        ),
        (r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"bad"}}"#, Read::Error(None, code::INVALID_REQUEST)),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603.0,"message":"f","data":null}}"#,
            Read::Error(Some(1.into()), code::INTERNAL_ERROR),
        ),
        (r#"{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":""}}"#, Read::Error(Some("a".into()), 1)),
        (r#"{"jsonrpc":"2.0","id":1.5,"error":{"code":1,"message":""}}"#, invalid_response(None, "/id")),
        (r#"{"jsonrpc":"2.0","id":[],"error":{"code":1,"message":""}}"#, invalid_response(None, "/id")),
    ]);
}

#[test]
fn jsonrpc_is_2_0() {
    check(vec![
        (r#"{"id":3,"method":"ping"}"#, invalid(Some(3), "")),
        (r#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#, invalid(Some(3), "/jsonrpc")),
        (r#"{"jsonrpc":"2","id":3,"method":"ping"}"#, invalid(Some(3), "/jsonrpc")),
        (r#"{"jsonrpc":2.0,"id":3,"method":"ping"}"#, invalid(Some(3), "/jsonrpc")),
        (r#"{"jsonrpc":null,"id":3,"method":"ping"}"#, invalid(Some(3), "/jsonrpc")),
        (r#"{"jsonrpc":" 2.0","method":"ping"}"#, invalid(None, "/jsonrpc")),
        (r#"{"jsonrpc":"1.0","id":3,"result":{}}"#, invalid_response(Some(3), "/jsonrpc")),
        (r#"{"jsonrpc":"2.\u0030","id":3,"method":"ping"}"#, request(3)),
        (r#"{"method":"ping","id":3,"jsonrpc":"2.0"}"#, request(3)),
    ]);
}

#[test]
fn what_makes_no_message() {
    check(vec![
        ("{}", invalid(None, "")),
        (r#"{"jsonrpc":"2.0"}"#, invalid(None, "")),
        (r#"{"jsonrpc":"2.0","id":1}"#, invalid(Some(1), "")),
        (r#"{"jsonrpc":"2.0","id":1,"params":{}}"#, invalid(Some(1), "")),
        (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, invalid(Some(1), "/method")),
        (r#"{"jsonrpc":"2.0","id":1,"method":null}"#, invalid(Some(1), "/method")),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#, invalid_response(Some(1), "")),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#, invalid(Some(1), "")),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","error":{"code":1,"message":""}}"#, invalid(Some(1), "")),
        (r#"{"jsonrpc":"2.0","id":1,"error":"bad"}"#, invalid_response(Some(1), "/error")),
        (r#"{"jsonrpc":"2.0","id":1,"error":null}"#, invalid_response(Some(1), "/error")),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"message":"a"}}"#, invalid_response(Some(1), "/error")),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#, invalid_response(Some(1), "/error")),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}"#, invalid_response(Some(1), "/error/code")),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":""}}"#, invalid_response(Some(1), "/error/code")),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":null}}"#, invalid_response(Some(1), "/error/message")),
        ("42", invalid(None, "")),
        ("null", invalid(None, "")),
        (r#""text""#, invalid(None, "")),
        ("[]", invalid(None, "")),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, invalid(None, "")),
    ]);
}

#[test]
fn names_that_stand_twice() {
    let twice = |name: &str, id| invalid(id, &format!("/{name}"));
    check(vec![
        (r#"{"jsonrpc":"2.0","id":5,"method":"ping","method":"tools/call"}"#, twice("method", Some(5))),
        (r#"{"jsonrpc":"2.0","id":5,"method":"ping","method":"ping"}"#, twice("method", Some(5))),
        (r#"{"jsonrpc":"2.0","id":5,"method":"ping","m\u0065thod":"ping"}"#, twice("method", Some(5))),
        (r#"{"jsonrpc":"2.0","id":6,"id":7,"method":"ping"}"#, twice("id", None)),
        (r#"{"jsonrpc":"2.0","id":6,"id":6,"method":"ping"}"#, twice("id", None)),
        (r#"{"jsonrpc":"2.0","id":null,"id":6,"method":"ping"}"#, twice("id", None)),
        (r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":6,"method":"ping"}"#, twice("jsonrpc", Some(6))),
        (r#"{"jsonrpc":"2.0","id":6,"method":"ping","params":{},"params":{}}"#, twice("params", Some(6))),
        (r#"{"jsonrpc":"2.0","id":6,"method":"ping","x":1,"x":1}"#, twice("x", Some(6))),
        (r#"{"jsonrpc":"2.0","id":6,"result":{},"result":{}}"#, invalid_response(Some(6), "/result")),
        (
            r#"{"jsonrpc":"2.0","id":6,"error":{"code":1,"message":"","code":2}}"#,
            invalid_response(Some(6), "/error/code"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":6,"error":{"code":1,"message":"","x":2,"x":2}}"#,
            invalid_response(Some(6), "/error/x"),
        ),
    ]);
    // Inside params it is for the type to say.
    assert_eq!(read(r#"{"jsonrpc":"2.0","id":6,"method":"ping","params":{"a":1,"a":2}}"#), request(6));
}

#[test]
fn names_are_exact() {
    let ping = |id: i64| request(id);
    check(vec![
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"safe","Name":"danger"}}"#,
            ping(1),
        ),
        (r#"{"jsonrpc":"2.0","id":2,"METHOD":"ping"}"#, invalid(Some(2), "")),
        (r#"{"jsonrpc":"2.0","id":3,"method":"ping","method\u0000":"tools/call"}"#, ping(3)),
        (r#"{"jsonrpc":"2.0","id":8,"m\u0065thod":"ping"}"#, ping(8)),
        (r#"{"jsonrpc":"2.0","Id":8,"method":"ping"}"#, Read::Notification("ping".into())),
        (r#"{"JSONRPC":"2.0","id":8,"method":"ping"}"#, invalid(Some(8), "")),
        (r#"{"jsonrpc":"2.0","id":9,"Result":{}}"#, invalid(Some(9), "")),
        // The Kelvin sign and the long s fold to ASCII letters, and are none.
        ("{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"ping\",\"re\u{17f}ult\":{}}", ping(10)),
    ]);
    let text = "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"param\u{17f}\":{\"name\":\"danger\"},\"params\":{\"name\":\"safe\"}}";
    let call = Request::<mcp::CallToolRequest>::decode(text).unwrap();
    assert_eq!(call.body.params.name, "safe");
    let text = r#"{"jsonrpc":"2.0","id":4,"m\u0065thod":"tools\/c\u0061ll","p\u0061rams":{"n\u0061me":"safe"}}"#;
    assert_eq!(Request::<mcp::CallToolRequest>::decode(text).unwrap().body.params.name, "safe");
}

#[test]
fn params_and_results_are_left_raw() {
    for raw in ["null", "5", "[1, 2]", "{ \"a\" : 1 }", "\"a\"", "{\n\"b\":[]\r\n}"] {
        let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\": {raw} }}");
        let Ok(Message::Request(request)) = Message::parse(&text) else { panic!("{text}") };
        assert_eq!(request.params, Some(raw));
        let text = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{raw}}}");
        let Ok(Message::Notification(notification)) = Message::parse(&text) else { panic!("{text}") };
        assert_eq!(notification.params, Some(raw));
        let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{raw}}}");
        let Ok(Message::Response(response)) = Message::parse(&text) else { panic!("{text}") };
        assert_eq!(response.result, raw);
    }
    let Ok(Message::Request(request)) = Message::parse(r#"{"jsonrpc":"2.0","id":1,"method":"x"}"#) else { panic!() };
    assert_eq!(request.params, None);
}

#[test]
fn a_method_without_escapes_is_borrowed() {
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#;
    let Ok(Message::Request(request)) = Message::parse(text) else { panic!() };
    assert!(matches!(request.method, std::borrow::Cow::Borrowed("tools/call")));
}

fn syntax(id: Option<i64>) -> (i64, Option<Id>) {
    (code::PARSE_ERROR, id.map(Id::from))
}

#[test]
fn what_is_no_json() {
    let rows: Vec<(&str, Option<i64>)> = vec![
        ("", None),
        (" \t\r\n", None),
        ("starting up...", None),
        (r#"{"jsonrpc":"2.0","id":2,"#, Some(2)),
        ("[1,", None),
        ("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", None),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}}"#, Some(1)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"} {}"#, Some(1)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#, Some(1)),
        (r#"{"jsonrpc":"2.0","id":1,"method":ping}"#, Some(1)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1e999}}"#, Some(1)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\ud83d"}}"#, Some(1)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}"#, Some(1)),
        (r#"{"jsonrpc":"2.0","method":"ping","params":{"a":NaN},"id":1}"#, None),
        (r#"{"jsonrpc":"2.0","id":"\ud83d","method":"ping"}"#, None),
        (r#"{"jsonrpc":"2.0","id":01,"method":"ping"}"#, None),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\nng\"}", Some(1)),
        (r#"{'jsonrpc':'2.0'}"#, None),
    ];
    for (text, id) in rows {
        let fault = Message::parse(text).expect_err(text);
        assert_eq!((fault.code, fault.id.clone()), syntax(id), "{text}: {fault}");
        assert_eq!(fault.error.kind(), ErrorKind::Syntax, "{text}");
    }
}

/// A peer that writes half of a surrogate pair into a result fails that request, and no other.
#[test]
fn a_broken_answer_fails_its_request() {
    for text in [
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"cut \ud83d"}]}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[1e999]}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"\udc00"}}"#,
    ] {
        let fault = Message::parse(text).expect_err(text);
        assert_eq!((fault.code, fault.id.clone()), syntax(Some(1)), "{text}");
        assert!(fault.response, "{text}: it was meant as an answer, so it is not to be answered");
    }
    let fault = Message::parse(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":"\ud83d"}"#).unwrap_err();
    assert!(!fault.response);
}

#[test]
fn nesting_is_bounded() {
    for depth in [126, 200, 100_000] {
        let params = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{params}}}"#);
        match Message::parse(&text) {
            Ok(_) => assert!(depth < 127),
            Err(fault) => {
                assert!(depth >= 127);
                assert_eq!((fault.code, fault.id), syntax(Some(1)));
            }
        }
    }
}

#[test]
fn batches_where_the_revision_has_them() {
    let batch = r#" [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"ping"},1,[],{"id":2,"method":"ping"}] "#;
    for version in ProtocolVersion::ALL {
        match Incoming::parse(batch, version.batches()) {
            Ok(Incoming::Batch(messages)) => {
                assert_eq!(*version, ProtocolVersion::V2025_03_26);
                let messages: Vec<Read> = messages.into_iter().map(brief).collect();
                let wanted = vec![
                    request(1),
                    Read::Notification("ping".into()),
                    invalid(None, ""),
                    invalid(None, ""),
                    invalid(Some(2), ""),
                ];
                assert_eq!(messages, wanted);
            }
            Ok(other) => panic!("{other:?}"),
            Err(fault) => {
                assert_ne!(*version, ProtocolVersion::V2025_03_26);
                assert_eq!((fault.code, fault.id, fault.response), (code::INVALID_REQUEST, None, false));
            }
        }
    }
    for batches in [true, false] {
        let fault = Incoming::parse("[ ]", batches).unwrap_err();
        assert_eq!((fault.code, fault.id), (code::INVALID_REQUEST, None));
        for text in ["[1,", "[1]]", "[1,]", r#"[{"jsonrpc":"2.0","id":1,"method":"\ud83d"}]"#] {
            assert_eq!(Incoming::parse(text, batches).unwrap_err().code, code::PARSE_ERROR, "{text}");
        }
        let single = Incoming::parse(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, batches).unwrap();
        assert!(matches!(single, Incoming::Single(Message::Request(_))));
        let fault = Incoming::parse(r#"{"jsonrpc":"2.0","id":1}"#, batches).unwrap_err();
        assert_eq!((fault.code, fault.id), (code::INVALID_REQUEST, Some(1.into())));
    }
}

#[test]
fn requests_with_a_body() {
    let text = r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"_meta":{"progressToken":1,"trace":"t"},"arguments":{"a":[1.0]},"name":"add","later":null},"vendor":{"x":1}}"#;
    let request = Request::<mcp::CallToolRequest>::decode(text).unwrap();
    assert_eq!(request.id, Id::from("a"));
    assert_eq!(request.body.extra.get("vendor").unwrap().as_str(), r#"{"x":1}"#);
    assert_eq!(request.encode().unwrap(), text);
    // What stands in another order, or with an id in another spelling, is written as ever.
    let loose = r#" { "params" : { "name" : "add" } , "method" : "tools/call" , "id" : 7.0 , "jsonrpc" : "2.0" } "#;
    let request = Request::<mcp::CallToolRequest>::decode(loose).unwrap();
    assert_eq!(request.encode().unwrap(), r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add"}}"#);
    let ping = Request::<mcp::PingRequest>::decode(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).unwrap();
    assert_eq!(ping.encode().unwrap(), r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    let any = Request::<mcp::ClientRequest>::decode(text).unwrap();
    assert_eq!((any.body.method(), any.encode().unwrap().as_str()), (Some("tools/call"), text));
}

#[test]
fn bodies_that_do_not_fit() {
    let fault = |text| Request::<mcp::CallToolRequest>::decode(text).unwrap_err();
    let rows = [
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":5}}"#, "/params/name"),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}"#, "/params"),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":null}"#, "/params"),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}"#, "/params"),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call"}"#, ""),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","name":"b"}}"#, "/params/name"),
    ];
    for (text, pointer) in rows {
        let fault = fault(text);
        assert_eq!((fault.code, fault.id.clone()), (code::INVALID_PARAMS, Some(7.into())), "{text}");
        assert_eq!((fault.error.pointer().as_str(), fault.response), (pointer, false), "{text}");
    }
    let fault = Notification::<mcp::ProgressNotification>::decode(
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#,
    )
    .unwrap_err();
    assert_eq!((fault.code, fault.id, fault.error.pointer().as_str()), (code::INVALID_PARAMS, None, "/params"));
    let fault =
        Response::<mcp::ListToolsResult>::decode(r#"{"jsonrpc":"2.0","id":4,"result":{"tools":{}}}"#).unwrap_err();
    assert_eq!((fault.id, fault.response, fault.error.pointer().as_str()), (Some(4.into()), true, "/result/tools"));
}

#[test]
fn another_kind_of_message_than_was_expected() {
    let request = r#"{"jsonrpc":"2.0","id":4,"method":"ping"}"#;
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let result = r#"{"jsonrpc":"2.0","id":4,"result":{}}"#;
    let error = r#"{"jsonrpc":"2.0","id":4,"error":{"code":1,"message":"a"}}"#;
    for text in [notification, result, error] {
        let fault = Request::<mcp::PingRequest>::decode(text).unwrap_err();
        assert_eq!((fault.code, fault.response), (code::INVALID_REQUEST, text != notification), "{text}");
    }
    for text in [request, result, error] {
        let fault = Notification::<mcp::InitializedNotification>::decode(text).unwrap_err();
        assert_eq!((fault.code, fault.id), (code::INVALID_REQUEST, Some(4.into())), "{text}");
    }
    for text in [request, notification, error] {
        assert_eq!(Response::<mcp::EmptyResult>::decode(text).unwrap_err().code, code::INVALID_REQUEST, "{text}");
    }
    for text in [request, notification, result] {
        assert_eq!(<ErrorResponse>::decode(text).unwrap_err().code, code::INVALID_REQUEST, "{text}");
    }
}

#[test]
fn notifications_with_a_body() {
    for text in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":{"_meta":{"a":1}},"vendor":[1]}"#,
    ] {
        let notification = Notification::<mcp::InitializedNotification>::decode(text).unwrap();
        assert_eq!(notification.encode().unwrap(), text);
    }
}

#[test]
fn responses_with_a_body() {
    let text =
        r#"{"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"a"}],"vendor":{"x":1}},"timing":0.5}"#;
    let response = Response::<mcp::CallToolResult>::decode(text).unwrap();
    assert_eq!(response.extra.get("timing").unwrap().as_str(), "0.5");
    assert_eq!(response.encode().unwrap(), text);
    let raw = Response::<Json>::decode(r#"{"jsonrpc":"2.0","id":9,"result":[1,null]}"#).unwrap();
    assert_eq!(raw.result.as_str(), "[1,null]");
}

#[test]
fn errors_with_a_body() {
    let text =
        r#"{"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"bad","data":{"pointer":"/a"},"x":1},"y":2}"#;
    let response = <ErrorResponse>::decode(text).unwrap();
    assert_eq!(response.error.data.as_ref().unwrap().as_str(), r#"{"pointer":"/a"}"#);
    assert_eq!(response.encode().unwrap(), text);
    let null = r#"{"jsonrpc":"2.0","id":9,"error":{"code":-1,"message":"","data":null}}"#;
    assert_eq!(<ErrorResponse>::decode(null).unwrap().encode().unwrap(), null);
    // An error without an id is written without one, never with null.
    let connection = <ErrorResponse>::decode(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}"#);
    let written = connection.unwrap().encode().unwrap();
    assert_eq!(written, r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"bad"}}"#);

    let text = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"data":{"requested":"1.0","supported":["2026-07-28"]},"message":"no"}}"#;
    let typed = ErrorResponse::<modern::UnsupportedProtocolVersionError>::decode(text).unwrap();
    assert_eq!(typed.error.data.supported, ["2026-07-28"]);
    assert_eq!(typed.encode().unwrap(), text);
    let other = text.replace("-32022", "-32021");
    let fault = ErrorResponse::<modern::UnsupportedProtocolVersionError>::decode(&other).unwrap_err();
    assert_eq!((fault.error.pointer().as_str(), fault.id), ("/error/code", Some(1.into())));
}

#[test]
fn what_is_written() {
    let error = ErrorObject::new(code::METHOD_NOT_FOUND, "no \"x\"").with_data(Value::from(5));
    let response = ErrorResponse { id: Some("a\n".into()), error, extra: Map::new() };
    let wanted = r#"{"jsonrpc":"2.0","id":"a\n","error":{"code":-32601,"message":"no \"x\"","data":5}}"#;
    assert_eq!(response.encode().unwrap(), wanted);
    let result = Response { id: (-1).into(), result: mcp::EmptyResult::new(), extra: Map::new() };
    assert_eq!(result.encode().unwrap(), r#"{"jsonrpc":"2.0","id":-1,"result":{}}"#);
    let notification = Notification { body: mcp::InitializedNotification::new() };
    assert_eq!(notification.encode().unwrap(), r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
}

#[test]
fn encode_into_appends() {
    let mut out = b"before\n".to_vec();
    Request { id: 1.into(), body: mcp::PingRequest::new() }.encode_into(&mut out).unwrap();
    out.push(b'\n');
    Notification { body: mcp::InitializedNotification::new() }.encode_into(&mut out).unwrap();
    out.push(b'\n');
    Response { id: 2.into(), result: mcp::EmptyResult::new(), extra: Map::new() }.encode_into(&mut out).unwrap();
    out.push(b'\n');
    let error = ErrorObject::new(1, "a");
    ErrorResponse { id: None, error, extra: Map::new() }.encode_into(&mut out).unwrap();
    let wanted = r#"before
{"jsonrpc":"2.0","id":1,"method":"ping"}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"result":{}}
{"jsonrpc":"2.0","error":{"code":1,"message":"a"}}"#;
    assert_eq!(String::from_utf8(out).unwrap(), wanted);
}

#[test]
fn a_body_that_is_no_object_is_not_written() {
    for body in ["null", "[]", "5"] {
        let body = Json::parse(body).unwrap();
        assert!(Request { id: 1.into(), body: body.clone() }.encode().is_err());
        assert!(Notification { body }.encode().is_err());
    }
    let empty = Json::parse("{ }").unwrap();
    let written = Request { id: 1.into(), body: empty }.encode().unwrap();
    assert!(serde_json::from_str::<Value>(&written).is_ok(), "{written}");
}

/// No member of the envelope is written twice, whatever a body or `extra` holds.
#[test]
fn the_envelope_is_written_once() {
    let extra: Map =
        ["id", "jsonrpc", "result", "error", "method", "other"].map(|name| (name, Json::parse("1").unwrap())).into();
    let response = Response { id: 2.into(), result: mcp::EmptyResult::new(), extra: extra.clone() };
    assert_eq!(response.encode().unwrap(), r#"{"jsonrpc":"2.0","id":2,"result":{},"other":1}"#);
    let error = ErrorResponse { id: Some(2.into()), error: ErrorObject::new(1, "a"), extra: extra.clone() };
    assert_eq!(error.encode().unwrap(), r#"{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"a"},"other":1}"#);
    let mut error = ErrorObject::new(1, "a");
    error.extra = ["code", "message", "data", "more"].map(|name| (name, Json::null())).into();
    assert_eq!(serde_json::to_string(&error).unwrap(), r#"{"code":1,"message":"a","more":null}"#);

    let mut body = mcp::PingRequest::new();
    body.extra = extra;
    let written = Request { id: 2.into(), body }.encode().unwrap();
    for name in ["jsonrpc", "id", "method"] {
        assert_eq!(written.matches(&format!("\"{name}\":")).count(), 1, "{name} in {written}");
    }
    assert!(Message::parse(&written).is_ok_and(|message| matches!(message, Message::Request(_))), "{written}");
}

#[test]
fn ids_read_and_print() {
    assert_eq!(Id::from(1).to_string(), "1");
    assert_eq!(Id::from("1").to_string(), "\"1\"");
    assert_eq!(serde_json::to_string(&Id::from(String::from("a"))).unwrap(), "\"a\"");
    let mut reader = mcprism::types::Reader::new("3.0");
    assert_eq!(Id::decode(&mut reader).unwrap(), Id::from(3));
    assert!(Id::from(2) < Id::from(10));
}

#[test]
fn faults_print_with_place_and_code() {
    let fault = Message::parse(r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#).unwrap_err();
    assert_eq!(fault.to_string(), "/id: expected a string or an integer, found an object (-32600)");
}
