//! Messages are read by their method, results by the method that is pending.

use std::fs;

use mcprism_tests::schemas::root;
use mcprism_types::by_name::{Keyed, RecodeMessage};
use mcprism_types::{ErrorKind, Method, MethodKind, ProtocolVersion, Sender};
use serde_json::{Map, Value, json};

/// The examples of a type, as values; those of what is tolerated are left out.
fn examples(version: ProtocolVersion, ty: &str) -> Vec<Value> {
    let folder = root().join(format!("tests/examples/{version}/{ty}"));
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .filter(|path| !path.file_name().unwrap().to_string_lossy().starts_with("tolerated"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no example in {}", folder.display());
    files.iter().map(|file| serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()).collect()
}

/// The name of the type of a message, made from that of its params.
fn message_type(version: ProtocolVersion, method: &Method) -> String {
    let stem = method.params.strip_suffix("Params").unwrap_or_else(|| panic!("{version} {}", method.params));
    stem.to_owned()
}

/// The decoder for messages of this kind from this side.
fn decoder(keyed: &Keyed, kind: MethodKind, side: Sender) -> Option<RecodeMessage> {
    match (kind, side) {
        (MethodKind::Request, Sender::Client) => keyed.client_request,
        (MethodKind::Request, _) => keyed.server_request,
        (MethodKind::Notification, Sender::Client) => keyed.client_notification,
        (MethodKind::Notification, _) => keyed.server_notification,
        (MethodKind::InputRequest, Sender::Server) => keyed.input_request,
        (MethodKind::InputRequest, _) => None,
    }
}

/// All decoders for messages, with the kind and the side that they are for.
fn decoders(keyed: &Keyed) -> Vec<(MethodKind, Sender, RecodeMessage)> {
    let kinds = [MethodKind::Request, MethodKind::Notification, MethodKind::InputRequest];
    let sides = [Sender::Client, Sender::Server];
    kinds
        .into_iter()
        .flat_map(|kind| sides.map(|side| (kind, side)))
        .filter_map(|(kind, side)| decoder(keyed, kind, side).map(|decoder| (kind, side, decoder)))
        .collect()
}

fn each_version() -> impl Iterator<Item = (ProtocolVersion, &'static Keyed)> {
    ProtocolVersion::ALL.iter().map(|version| (*version, version.keyed().expect("every revision is compiled in")))
}

#[test]
fn each_method_is_read_in_its_direction_and_in_no_other() {
    for (version, keyed) in each_version() {
        for method in version.methods() {
            let ty = message_type(version, method);
            let examples = examples(version, &ty);
            for (kind, side, decode) in decoders(keyed) {
                let here = kind == method.kind && method.sender.includes(side);
                for example in &examples {
                    let params = example.get("params").map(Value::to_string);
                    match decode(method.name, params.as_deref()) {
                        Ok(read) => {
                            assert!(here, "{version} {} was read as a {kind:?} of the {side:?}", method.name);
                            assert_eq!(read.variant, ty, "{version} {}", method.name);
                            let again: Value = serde_json::from_str(&read.text).unwrap();
                            assert_eq!(again["method"], method.name, "{version}");
                            assert_eq!(again.get("params").is_some(), params.is_some(), "{version} {}", read.text);
                        }
                        Err(error) => {
                            assert!(!here, "{version} {} as a {kind:?} of the {side:?}: {error}", method.name);
                            assert_eq!(error.kind(), ErrorKind::UnknownMethod, "{version} {}: {error}", method.name);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn methods_of_other_revisions_are_unknown() {
    for (version, keyed) in each_version() {
        let others = ProtocolVersion::ALL.iter().flat_map(|other| other.methods());
        let mut count = 0;
        for method in others.filter(|method| version.method(method.name).is_none()) {
            count += 1;
            for (_, _, decode) in decoders(keyed) {
                // The method comes first: what the params hold doesn't matter.
                for params in [None, Some("{}"), Some("null"), Some("5")] {
                    let error = decode(method.name, params).expect_err(method.name);
                    assert_eq!(error.kind(), ErrorKind::UnknownMethod, "{version} {}: {error}", method.name);
                    assert!(error.message().contains(method.name), "{error}");
                }
            }
        }
        assert!(count > 0, "{version}");
    }
}

#[test]
fn names_that_only_look_like_a_method_are_unknown() {
    for (version, keyed) in each_version() {
        for name in ["", " ", "Tools/List", "tools/list ", "tools/list\0", "tools", "tools/", "ping/", "rpc.discover"] {
            for (_, _, decode) in decoders(keyed) {
                assert_eq!(decode(name, None).unwrap_err().kind(), ErrorKind::UnknownMethod, "{version} {name:?}");
            }
            assert!(version.method(name).is_none(), "{version} {name:?}");
        }
    }
}

#[test]
fn params_that_have_to_be_there() {
    for (version, keyed) in each_version() {
        for method in version.methods() {
            for side in [Sender::Client, Sender::Server].into_iter().filter(|side| method.sender.includes(*side)) {
                let Some(decode) = decoder(keyed, method.kind, side) else { panic!("{version} {}", method.name) };
                for params in [None, Some("null"), Some(" null\n")] {
                    match decode(method.name, params) {
                        Ok(read) => {
                            assert!(!method.params_required, "{version} {}", method.name);
                            assert_eq!(read.text, format!(r#"{{"method":"{}"}}"#, method.name), "{version}");
                        }
                        Err(error) => {
                            assert!(method.params_required, "{version} {}: {error}", method.name);
                            assert_eq!((error.kind(), error.pointer().as_str()), (ErrorKind::Shape, ""));
                        }
                    }
                }
                for params in ["5", "[]", "\"a\"", "true"] {
                    let error = decode(method.name, Some(params)).expect_err(method.name);
                    assert_eq!(error.kind(), ErrorKind::Shape, "{version} {}", method.name);
                }
                for params in ["", "{", "{]", "nul", "\u{a0}null", "null\u{b}"] {
                    let error = match decode(method.name, Some(params)) {
                        Ok(read) => panic!("{version} {} {params:?} was read as {}", method.name, read.text),
                        Err(error) => error,
                    };
                    // Where params have to be there, null is a fault before what follows it is.
                    let shape = method.params_required && params.starts_with("null");
                    assert_eq!(error.kind() == ErrorKind::Shape, shape, "{version} {} {params:?}", method.name);
                }
            }
        }
    }
}

/// The place of a fault counts from the params, and names it exactly.
#[test]
fn faults_in_params_have_a_place() {
    for (version, keyed) in each_version() {
        let decode = keyed.client_request.unwrap();
        let mut params = match version {
            ProtocolVersion::V2026_07_28 => json!({ "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            }}),
            _ => json!({}),
        };
        params["name"] = json!("add");
        assert!(decode("tools/call", Some(&params.to_string())).is_ok(), "{version}");
        params["arguments"] = json!([]);
        let error = decode("tools/call", Some(&params.to_string())).unwrap_err();
        assert_eq!(error.to_string(), "/arguments: expected an object, found an array", "{version}");
        params["arguments"] = json!({});
        // The earlier revisions name `_meta` for requests at large, not for this one.
        if version >= ProtocolVersion::V2025_11_25 {
            params["_meta"]["progressToken"] = json!([1]);
            let error = decode("tools/call", Some(&params.to_string())).unwrap_err();
            assert_eq!(error.pointer(), "/_meta/progressToken", "{version}");
        }
        let error = decode("ping", Some(r#"{"_meta":{"progressToken":{}}}"#)).unwrap_err();
        let wanted = match version {
            ProtocolVersion::V2026_07_28 => (ErrorKind::UnknownMethod, ""),
            _ => (ErrorKind::Shape, "/_meta/progressToken"),
        };
        assert_eq!((error.kind(), error.pointer().as_str()), wanted, "{version}");
    }
}

/// A result without its envelope, if the example has one.
fn result_of(example: &Value) -> Value {
    match example.get("jsonrpc") {
        Some(_) => example["result"].clone(),
        None => example.clone(),
    }
}

#[test]
fn each_result_is_read_by_the_method_that_is_pending() {
    for (version, keyed) in each_version() {
        for method in version.methods() {
            for ty in method.result.into_iter().chain(method.alternatives.iter().copied()) {
                for example in examples(version, ty) {
                    let text = result_of(&example).to_string();
                    let read = (keyed.result)(method.name, &text)
                        .unwrap_or_else(|error| panic!("{version} {} {ty}: {error}: {text}", method.name));
                    assert_eq!(read.variant, ty, "{version} {}: {text}", method.name);
                }
            }
        }
    }
}

#[test]
fn results_of_unknown_methods_stay_raw() {
    for (version, keyed) in each_version() {
        for text in [r#"{"score":3,"_meta":{"k":1.0}}"#, "{}", "null", "[1,1.0]", "5", r#"{"resultType":"later"}"#] {
            let read = (keyed.result)("com.example/score", text).unwrap();
            assert_eq!((read.variant, read.text.as_str()), ("Unknown", text), "{version}");
        }
        assert_eq!((keyed.result)("com.example/score", "{").unwrap_err().kind(), ErrorKind::Syntax);
    }
}

#[test]
fn results_of_notifications_stay_raw() {
    for (version, keyed) in each_version() {
        let read = (keyed.result)("notifications/cancelled", r#"{"a":1}"#).unwrap();
        assert_eq!(read.variant, "Unknown", "{version}");
    }
}

#[test]
fn unknown_result_types_stay_raw_where_there_are_alternatives() {
    let keyed = ProtocolVersion::V2026_07_28.keyed().unwrap();
    let methods = ProtocolVersion::V2026_07_28.methods();
    let alternatives: Vec<_> = methods.iter().filter(|method| !method.alternatives.is_empty()).collect();
    let names: Vec<_> = alternatives.iter().map(|method| method.name).collect();
    assert_eq!(names, ["prompts/get", "resources/read", "tools/call"]);
    for method in alternatives {
        let later = r#"{"resultType":"streamed","content":5,"messages":null}"#;
        let read = (keyed.result)(method.name, later).unwrap();
        assert_eq!((read.variant, read.text.as_str()), ("Unknown", later), "{}", method.name);
        for bad in ["{}", r#"{"resultType":5}"#, r#"{"resultType":null}"#, "[]", "null"] {
            assert_eq!((keyed.result)(method.name, bad).unwrap_err().kind(), ErrorKind::Shape, "{} {bad}", method.name);
        }
        let input =
            r#"{"inputRequests":{"a":{"method":"roots/list"}},"requestState":"s","resultType":"input_required"}"#;
        let read = (keyed.result)(method.name, input).unwrap();
        assert_eq!((read.variant, read.text.as_str()), ("InputRequiredResult", input), "{}", method.name);
    }
    // The tag decides, not what else is there.
    let both = r#"{"content":[],"inputRequests":{},"resultType":"complete"}"#;
    assert_eq!((keyed.result)("tools/call", both).unwrap().variant, "CallToolResult");
    let error = (keyed.result)("tools/call", r#"{"resultType":"complete"}"#).unwrap_err();
    assert_eq!(error.to_string(), "missing member `content`");
}

#[test]
fn tasks_stand_for_results_at_2025_11_25() {
    let keyed = ProtocolVersion::V2025_11_25.keyed().unwrap();
    let task = r#"{"task":{"createdAt":"a","lastUpdatedAt":"b","status":"working","taskId":"t","ttl":null}}"#;
    for method in ["tools/call", "sampling/createMessage", "elicitation/create"] {
        let read = (keyed.result)(method, task).unwrap();
        assert_eq!((read.variant, read.text.as_str()), ("CreateTaskResult", task), "{method}");
    }
    let error = (keyed.result)("tools/call", r#"{"task":{"taskId":"t"}}"#).unwrap_err();
    assert_eq!(error.pointer(), "/task");
    // A result with all that it needs is that result.
    let both = r#"{"content":[],"task":{}}"#;
    assert_eq!((keyed.result)("tools/call", both).unwrap().variant, "CallToolResult");
    // Elsewhere a task is a member that the revision doesn't name.
    for version in [ProtocolVersion::V2024_11_05, ProtocolVersion::V2025_06_18] {
        let read = (version.keyed().unwrap().result)("tools/call", task).unwrap();
        assert_eq!(read.variant, "CallToolResult", "{version}");
        assert!(read.text.contains(r#""task":{"#), "{version}");
    }
    assert!((keyed.result)("prompts/get", task).is_err());
}

/// A result of another shape doesn't land in whichever type is open enough.
#[test]
fn open_results_swallow_nothing() {
    for (version, keyed) in each_version() {
        let modern = version == ProtocolVersion::V2026_07_28;
        let with = |members: Value| {
            let mut members: Map<String, Value> = members.as_object().unwrap().clone();
            if modern {
                members.insert("resultType".into(), json!("complete"));
                members.insert("ttlMs".into(), json!(0));
                members.insert("cacheScope".into(), json!("private"));
            }
            Value::Object(members).to_string()
        };
        if !modern {
            assert_eq!((keyed.result)("ping", "{}").unwrap().variant, "EmptyResult", "{version}");
        }
        let call = (keyed.result)("tools/call", &with(json!({ "content": [], "vendor": { "x": 1 } }))).unwrap();
        assert_eq!(call.variant, "CallToolResult", "{version}");
        assert!(call.text.contains(r#""vendor":{"x":1}"#), "{version} {}", call.text);
        let list = (keyed.result)("tools/list", &with(json!({ "tools": [], "content": [] }))).unwrap();
        assert_eq!(list.variant, "ListToolsResult", "{version}");
        assert!(list.text.contains(r#""content":[]"#), "{version} {}", list.text);
        assert!((keyed.result)("tools/list", &with(json!({ "content": [] }))).is_err(), "{version}");
    }
}

#[test]
fn results_of_known_methods_are_objects() {
    for (version, keyed) in each_version() {
        for method in version.methods().iter().filter(|method| method.result.is_some()) {
            for text in ["null", "[]", "5", "\"a\""] {
                let error = (keyed.result)(method.name, text).expect_err(method.name);
                assert_eq!((error.kind(), error.pointer().as_str()), (ErrorKind::Shape, ""), "{version} {text}");
            }
        }
    }
}

/// The traits, the tables and the unions say the same.
#[test]
fn traits_and_tables_agree() {
    use mcprism_types::{Notification, Request, Revision, v2025_11_25 as mcp, v2026_07_28 as modern};

    fn request<T: Request>(ty: &str, result: &str) {
        let method = <T::Revision as Revision>::VERSION.method(T::METHOD).expect(ty);
        assert_ne!(method.kind, MethodKind::Notification);
        assert_eq!((method.params, method.result), (format!("{ty}Params").as_str(), Some(result)));
        let error = T::from_params(Some("[")).err().expect("it is no JSON");
        assert_eq!(error.kind(), ErrorKind::Syntax);
    }
    fn notification<T: Notification>(ty: &str) {
        let method = <T::Revision as Revision>::VERSION.method(T::METHOD).expect(ty);
        assert_eq!((method.kind, method.result), (MethodKind::Notification, None));
        assert_eq!(method.params, format!("{ty}Params"));
    }
    request::<mcp::CallToolRequest>("CallToolRequest", "CallToolResult");
    request::<mcp::PingRequest>("PingRequest", "EmptyResult");
    request::<mcp::SetLevelRequest>("SetLevelRequest", "EmptyResult");
    request::<mcp::GetTaskPayloadRequest>("GetTaskPayloadRequest", "GetTaskPayloadResult");
    request::<modern::DiscoverRequest>("DiscoverRequest", "DiscoverResult");
    request::<modern::CreateMessageRequest>("CreateMessageRequest", "CreateMessageResult");
    notification::<mcp::ProgressNotification>("ProgressNotification");
    notification::<modern::CancelledNotification>("CancelledNotification");

    let request = mcp::ClientRequest::decode("tools/call", Some(r#"{"name":"add"}"#)).unwrap();
    assert_eq!((request.method(), request.type_name()), (Some("tools/call"), "CallToolRequest"));
    let mcp::ClientRequest::CallTool(call) = request else { panic!() };
    assert_eq!(call.params().map(|params| params.name.as_str()), Some("add"));
    assert!(mcp::PingRequest::from_params(None).unwrap().params().is_none());
    assert!(mcp::PingRequest::from_params(Some("{}")).unwrap().params().is_some());
}
