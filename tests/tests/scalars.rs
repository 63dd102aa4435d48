//! The types that every revision shares, the tables of methods, and what constructors write.

use std::collections::BTreeSet;

use mcprism_types::{
    Capability, Decode, DecodeError, Era, ErrorKind, Json, JsonObject, Kind, MAX_DEPTH, Map, MethodKind, Number,
    ProtocolVersion, Reader, Sender, UnknownVersion, When, decode,
};
use mcprism_types::{v2024_11_05 as first, v2025_11_25 as mcp, v2026_07_28 as modern};
use serde_json::{Value, json};

use ProtocolVersion::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

fn number(text: &str) -> Number {
    decode(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

// Number

#[test]
fn numbers_stay_what_they_were() {
    for token in
        ["0", "1", "-1", "1.0", "0.5", "-0.0", "9007199254740993", "9223372036854775808", "18446744073709551615"]
    {
        assert_eq!(text(&number(token)), token);
    }
    assert_eq!(text(&number("-9223372036854775808")), "-9223372036854775808");
    assert_eq!(number("1e2"), 100.0);
    assert_eq!(text(&number("0.1")), "0.1");
    // Past 64 bits it is the nearest double, however that is written.
    for token in ["18446744073709551616", "5e-324", "1.7976931348623157e308", "-1e300"] {
        let again: f64 = text(&number(token)).parse().unwrap();
        assert_eq!(Ok(again), token.parse());
    }
}

#[test]
fn numbers_compare_by_value() {
    assert_eq!(number("1"), number("1.0"));
    assert_eq!(number("1"), Number::from(1.0));
    assert_eq!(number("0"), number("-0.0"));
    assert_eq!(number("1e2"), number("100"));
    assert_ne!(number("9007199254740993"), number("9007199254740992.0"));
    assert_ne!(number("9007199254740993"), number("9007199254740992"));
    assert!(number("9007199254740993") > number("9007199254740992.0"));
    assert!(number("0.5") < number("1") && number("2") > number("1.5"));
    assert!(number("18446744073709551615") > number("9223372036854775807"));
    assert!(number("1e300") > number("18446744073709551615"));
    assert!(number("0.5") < 0.75 && number("1") == 1.0);
    assert_ne!(Number::from(f64::NAN), Number::from(f64::NAN));
}

#[test]
fn numbers_convert() {
    assert_eq!((number("1").as_i64(), number("1.0").as_i64(), number("1.5").as_i64()), (Some(1), Some(1), None));
    assert_eq!(number("18446744073709551615").as_i64(), None);
    assert_eq!(number("9223372036854775808.0").as_i64(), None);
    assert_eq!(number("-9223372036854775808.0").as_i64(), Some(i64::MIN));
    assert_eq!((number("1").as_f64(), number("0.25").as_f64()), (1.0, 0.25));
    assert_eq!((number("1").to_string(), number("0.5").to_string()), ("1".into(), "0.5".into()));
    assert_eq!((Number::from(1_i32), Number::from(1_i64)), (Number::from(1_u64), Number::from(1.0)));
}

#[test]
fn numbers_that_json_lacks_are_not_written() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(serde_json::to_string(&Number::from(value)).is_err());
        let params = mcp::ProgressNotificationParams::new(value, "a");
        assert!(serde_json::to_string(&params).is_err());
    }
    for token in ["1e999", "-1e999", "01", "1.", ".5", "+1", "NaN", "Infinity", "0x1", "1_0", "-", "1e", "1e+", "--1"] {
        assert_eq!(decode::<Number>(token).unwrap_err().kind(), ErrorKind::Syntax, "{token}");
    }
    for other in ["\"1\"", "null", "true", "[]", "{}"] {
        assert_eq!(decode::<Number>(other).unwrap_err().kind(), ErrorKind::Shape, "{other}");
    }
}

// Json

fn parse(text: &str) -> Json {
    Json::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn json_keeps_its_text() {
    for text in
        ["null", "1.0", "-0.0", r#"{"b":1,"a":[1e2,"\u0041"]}"#, "[ 1 ,\t2 ]", r#"{"a":1,"a":2}"#, "\"\u{2028}\""]
    {
        let json = parse(text);
        assert_eq!(json.as_str(), text);
        assert_eq!(json.to_string(), text);
        assert_eq!(format!("{json:?}"), text);
        assert_eq!(serde_json::to_string(&json).unwrap(), text);
    }
    assert_eq!(parse(" \n [1,\r\n 2]\n").as_str(), "[1, 2]");
    assert_eq!(Json::null().as_str(), "null");
}

#[test]
fn json_compares_by_value() {
    let same = [
        ("1", "1.0"),
        ("100", "1e2"),
        ("0", "-0.0"),
        ("0.1", "1e-1"),
        (r#"{"a":1,"b":[2]}"#, r#"{ "b" : [2.0], "a" : 1 }"#),
        (r#""A""#, r#""\u0041""#),
        (r#"{"\u0061":1}"#, r#"{"a":1}"#),
        ("18446744073709551615", "18446744073709551615"),
        ("[]", "[ ]"),
    ];
    for (a, b) in same {
        assert_eq!(parse(a), parse(b));
        assert_eq!(parse(b), parse(a));
    }
    let different = [
        ("1", "2"),
        ("1", "\"1\""),
        ("1", "true"),
        ("null", "false"),
        ("[1,2]", "[2,1]"),
        (r#"{"a":1}"#, r#"{"a":1,"b":null}"#),
        ("[]", "{}"),
        ("9007199254740993", "9007199254740992"),
        ("18446744073709551615", "18446744073709551614"),
    ];
    for (a, b) in different {
        assert_ne!(parse(a), parse(b));
        assert_ne!(parse(b), parse(a));
    }
}

/// As `Number` does: a whole number isn't rounded before it is compared.
#[test]
fn whole_numbers_in_json_compare_exactly() {
    assert_ne!(parse("9007199254740993"), parse("9007199254740992.0"));
    assert_eq!(parse("9007199254740992"), parse("9007199254740992.0"));
}

#[test]
fn json_knows_its_kind() {
    let rows = [
        ("null", Kind::Null),
        ("true", Kind::Boolean),
        ("-1", Kind::Number),
        ("\"a\"", Kind::String),
        ("[]", Kind::Array),
        ("{}", Kind::Object),
    ];
    for (text, kind) in rows {
        assert_eq!(parse(text).kind(), kind);
    }
}

#[test]
fn json_reads_into_types() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Add {
        a: f64,
        b: i64,
    }
    assert_eq!(parse(r#"{"a":1,"b":2}"#).read::<Add>().unwrap(), Add { a: 1.0, b: 2 });
    assert_eq!(parse("[]").read::<Add>().unwrap_err().kind(), ErrorKind::Shape);
    let block = parse(r#"{"type":"text","text":"a"}"#).decode_as::<mcp::ContentBlock>().unwrap();
    assert!(matches!(block, mcp::ContentBlock::Text(_)));
    let error = parse(r#"{"type":"text","text":5}"#).decode_as::<mcp::ContentBlock>().unwrap_err();
    assert_eq!(error.pointer(), "/text");
    assert_eq!(parse("[1,null]").to_value(), json!([1, null]));
}

#[test]
fn json_is_made_from_values() {
    let value = json!({ "b": [1, 1.5, null, "a\n\u{1f600}"], "a": {} });
    assert_eq!(Json::from(value.clone()).to_value(), value);
    assert_eq!(Json::from(&value), Json::from(value.clone()));
    assert_eq!(Json::from_serialize(&value).unwrap(), Json::from(value.clone()));
    assert_eq!(serde_json::to_value(Json::from(&value)).unwrap(), value);
    assert_eq!(serde_json::from_value::<Json>(value.clone()).unwrap().to_value(), value);
    assert!(Json::from_serialize(&std::collections::BTreeMap::from([((1, 2), 3)])).is_err());
    assert_eq!(Json::from_serialize(&f64::NAN).unwrap(), Json::null());
}

fn deep(levels: usize, inner: Value) -> Value {
    (0..levels).fold(inner, |value, _| json!([value]))
}

/// A `Value` of any depth can be made by hand. It can't be read back past the limit, but it must not
/// turn into null or into another value.
#[test]
fn json_made_from_a_deep_value_is_not_another() {
    let limit = MAX_DEPTH as usize;
    assert_eq!(Json::from(deep(limit, json!(1))).to_value(), deep(limit, json!(1)));
    assert_ne!(Json::from(deep(200, json!(1))), Json::from(deep(200, json!(2))));
    assert_ne!(Json::from(deep(200, json!(1))), Json::null());
    assert!(Json::from_serialize(&deep(200, json!(1))).is_err());
}

#[test]
fn json_is_checked_when_taken() {
    let limit = MAX_DEPTH as usize;
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(Json::parse(&nested(limit)).is_ok());
    assert!(serde_json::from_str::<Value>(&nested(limit)).is_ok());
    for text in [&nested(limit + 1), "", " ", "1 2", "{\"a\"}", "\"\\ud800\"", "1e400", "tru", "\"\u{1}\"", "[1,]"] {
        assert_eq!(Json::parse(text).unwrap_err().kind(), ErrorKind::Syntax, "{text}");
    }
}

#[test]
fn json_objects() {
    let object = JsonObject::parse(r#"{"a":1,"b":{"c":[1, 2]},"\u0064":null}"#).unwrap();
    assert_eq!(object.get("b").unwrap().as_str(), r#"{"c":[1, 2]}"#);
    assert_eq!(object.get("d"), Some(Json::null()));
    assert_eq!(object.get("c"), None);
    assert!(!object.is_empty());
    for empty in ["{}", "{ }", " {\n}\t"] {
        assert!(JsonObject::parse(empty).unwrap().is_empty());
    }
    assert_eq!(JsonObject::new(), JsonObject::default());
    assert_eq!(text(&JsonObject::new()), "{}");
    for other in ["[]", "null", "1", "\"{}\""] {
        let error = JsonObject::parse(other).unwrap_err();
        assert_eq!((error.kind(), error.pointer().as_str()), (ErrorKind::Shape, ""), "{other}");
        assert!(JsonObject::try_from(parse(other)).is_err());
    }
    assert!(JsonObject::try_from(json!([])).is_err());
    assert_eq!(JsonObject::try_from(json!({ "a": 1 })).unwrap().as_str(), r#"{"a":1}"#);
    assert_eq!(JsonObject::from(serde_json::Map::new()), JsonObject::new());
    assert!(JsonObject::from_serialize(&5).is_err());
    assert_eq!(Json::from(JsonObject::new()).kind(), Kind::Object);
}

/// Two ways to one member must not see two values.
#[test]
fn both_ways_to_a_member_that_stands_twice_agree() {
    let object = JsonObject::parse(r#"{"a":1,"a":2}"#).unwrap();
    assert_eq!(object.get("a").unwrap().to_value(), object.to_value()["a"]);
}

// Map

#[test]
fn maps_keep_their_order() {
    let mut map: Map<i64> = [("b", 1), ("a", 2)].into();
    assert_eq!((map.len(), map.is_empty(), map.get("a"), map.contains("c")), (2, false, Some(&2), false));
    assert_eq!(map.insert("b", 3), Some(1));
    assert_eq!(map.insert("c", 4), None);
    assert_eq!(map.iter().collect::<Vec<_>>(), [("b", &3), ("a", &2), ("c", &4)]);
    *map.get_mut("a").unwrap() = 5;
    assert_eq!(text(&map), r#"{"b":3,"a":5,"c":4}"#);
    assert_eq!((map.remove("b"), map.remove("b")), (Some(3), None));
    assert_eq!(map.into_iter().collect::<Vec<_>>(), [("a".to_owned(), 5), ("c".to_owned(), 4)]);
    assert_eq!(format!("{:?}", Map::from([("a", 1)])), r#"{"a": 1}"#);
    assert_eq!(text(&Map::<i64>::new()), "{}");
}

#[test]
fn maps_compare_without_order() {
    let a: Map<i64> = (0..40).map(|n| (n.to_string(), n)).collect();
    let b: Map<i64> = (0..40).rev().map(|n| (n.to_string(), n)).collect();
    assert_eq!(a, b);
    let mut c = b.clone();
    c.insert("7", 8);
    assert_ne!(a, c);
    c.insert("7", 7);
    c.insert("x", 7);
    assert_ne!(a, c);
    assert_ne!(Map::from([("a", 1)]), Map::from([("b", 1)]));
}

#[test]
fn maps_refuse_names_that_stand_twice() {
    for count in [2, 10, 16, 17, 18, 500] {
        let names: Vec<String> = (0..count).map(|n| format!("\"n{n}\":{n}")).collect();
        let good: Map<i64> = decode(&format!("{{{}}}", names.join(","))).unwrap();
        assert_eq!(good.len(), count);
        for (copied, place) in [(0, count - 1), (count - 2, count - 1)] {
            let mut names = names.clone();
            names[place] = format!("\"n{copied}\":0");
            let error = decode::<Map<i64>>(&format!("{{{}}}", names.join(","))).unwrap_err();
            assert_eq!((error.kind(), error.pointer()), (ErrorKind::Shape, format!("/n{copied}")), "{count}");
        }
    }
    assert!(decode::<Map>(r#"{"a":1,"\u0061":1}"#).is_err());
    let error = decode::<Map<i64>>(r#"{"a~/b":"x"}"#).unwrap_err();
    assert_eq!(error.pointer(), "/a~0~1b");
    let collected: Map<i64> = [("a", 1), ("a", 2)].into_iter().collect();
    assert_eq!(text(&collected), r#"{"a":2}"#);
}

// ProtocolVersion

#[test]
fn versions_are_ordered_and_exact() {
    assert!(ProtocolVersion::ALL.is_sorted());
    assert!(V2024_11_05 < V2025_03_26 && V2025_11_25 < V2026_07_28);
    assert_eq!(ProtocolVersion::ALL.last(), Some(&ProtocolVersion::LATEST));
    for version in ProtocolVersion::ALL {
        assert_eq!(version.as_str().parse(), Ok(*version));
        assert_eq!(version.to_string(), version.as_str());
        let name = version.as_str();
        for other in [
            format!(" {name}"),
            format!("{name} "),
            format!("v{name}"),
            name.replace('-', "_"),
            name.replace('-', ""),
            name[..9].to_owned(),
            format!("{name}\0"),
            name.replace('0', "٠"),
        ] {
            assert_eq!(other.parse::<ProtocolVersion>(), Err(UnknownVersion), "{other:?}");
        }
    }
    for other in ["", "1.0", "2024-10-07", "DRAFT-2025-v3", "latest", "2026-07-29"] {
        assert_eq!(other.parse::<ProtocolVersion>(), Err(UnknownVersion));
    }
    let message = UnknownVersion.to_string();
    assert!(ProtocolVersion::ALL.iter().all(|version| message.contains(version.as_str())), "{message}");
}

#[test]
fn facts_of_versions() {
    for version in ProtocolVersion::ALL {
        let modern = *version == V2026_07_28;
        assert_eq!(version.era(), if modern { Era::Modern } else { Era::Legacy });
        assert_eq!(version.batches(), *version == V2025_03_26);
        assert_eq!(version.errors_without_id(), *version >= V2025_11_25);
        assert_eq!(version.method("initialize").is_some(), !modern);
        assert_eq!(version.method("server/discover").is_some(), modern);
        assert_eq!(version.method("ping").is_some(), !modern);
    }
    use mcprism_types::Revision;
    assert_eq!((first::Protocol::VERSION, modern::Protocol::VERSION), (V2024_11_05, V2026_07_28));
}

// Methods

#[test]
fn tables_of_methods_are_sorted() {
    for version in ProtocolVersion::ALL {
        let names: Vec<_> = version.methods().iter().map(|method| method.name).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{version}: {names:?}");
        for method in version.methods() {
            assert_eq!(version.method(method.name), Some(method));
            assert_eq!(method.result.is_none(), method.kind == MethodKind::Notification, "{version} {}", method.name);
            let notification = method.name.starts_with("notifications/");
            assert_eq!(method.kind == MethodKind::Notification, notification, "{version} {}", method.name);
            assert!(method.alternatives.is_empty() || method.result.is_some());
            for capability in method.capabilities {
                assert_ne!(capability.sender, Sender::Both, "{version} {}", method.name);
                assert_ne!(capability.declared_by, Sender::Both, "{version} {}", method.name);
                assert!(method.sender.includes(capability.sender), "{version} {}", method.name);
            }
        }
        assert_eq!(version.method(""), None);
        assert_eq!(version.method("zzz"), None);
    }
    assert_eq!(mcp::METHODS, V2025_11_25.methods());
    let counts: Vec<_> = ProtocolVersion::ALL.iter().map(|version| version.methods().len()).collect();
    assert_eq!(counts, [24, 24, 25, 31, 21]);
}

#[test]
fn every_type_in_a_table_exists() {
    for version in ProtocolVersion::ALL {
        let types: BTreeSet<_> = version.types().iter().map(|ty| ty.name).collect();
        for method in version.methods() {
            for name in [method.params].into_iter().chain(method.result).chain(method.alternatives.iter().copied()) {
                assert!(types.contains(name), "{version} {}: {name}", method.name);
            }
        }
    }
}

#[test]
fn senders() {
    let both = ["ping", "notifications/cancelled", "notifications/progress"];
    for version in [V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25] {
        for name in both {
            assert_eq!(version.method(name).unwrap().sender, Sender::Both, "{version} {name}");
        }
        for name in ["initialize", "tools/call", "notifications/initialized", "notifications/roots/list_changed"] {
            assert_eq!(version.method(name).unwrap().sender, Sender::Client, "{version} {name}");
        }
        for name in ["sampling/createMessage", "roots/list", "notifications/message"] {
            assert_eq!(version.method(name).unwrap().sender, Sender::Server, "{version} {name}");
        }
    }
    for name in ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "notifications/tasks/status"] {
        assert_eq!(V2025_11_25.method(name).unwrap().sender, Sender::Both, "{name}");
    }
    assert_eq!(V2026_07_28.method("notifications/cancelled").unwrap().sender, Sender::Both);
    assert_eq!(V2026_07_28.method("notifications/progress").unwrap().sender, Sender::Server);
    assert_eq!(V2026_07_28.method("elicitation/create").unwrap().kind, MethodKind::InputRequest);

    assert!(Sender::Both.includes(Sender::Client) && Sender::Both.includes(Sender::Server));
    assert!(Sender::Client.includes(Sender::Client) && !Sender::Client.includes(Sender::Server));
    assert!(!Sender::Client.includes(Sender::Both) && Sender::Both.includes(Sender::Both));
}

fn capability(sender: Sender, declared_by: Sender, path: &'static str) -> Capability {
    Capability { sender, declared_by, path, when: None }
}

/// Rows taken from the pages of the specification.
#[test]
fn capabilities() {
    use Sender::{Client, Server};
    let rows: &[(ProtocolVersion, &str, Vec<Capability>)] = &[
        (V2024_11_05, "tools/call", vec![capability(Client, Server, "tools")]),
        (V2024_11_05, "resources/subscribe", vec![capability(Client, Server, "resources.subscribe")]),
        (V2024_11_05, "logging/setLevel", vec![capability(Client, Server, "logging")]),
        (V2024_11_05, "completion/complete", vec![]),
        (V2025_03_26, "completion/complete", vec![capability(Client, Server, "completions")]),
        (V2025_06_18, "sampling/createMessage", vec![capability(Server, Server.opposite(), "sampling")]),
        (V2025_06_18, "roots/list", vec![capability(Server, Client, "roots")]),
        (V2025_06_18, "elicitation/create", vec![capability(Server, Client, "elicitation")]),
        (V2025_06_18, "notifications/tools/list_changed", vec![capability(Server, Server, "tools.listChanged")]),
        (V2025_06_18, "notifications/roots/list_changed", vec![capability(Client, Client, "roots.listChanged")]),
        (V2025_06_18, "ping", vec![]),
        (V2025_06_18, "initialize", vec![]),
        (V2026_07_28, "server/discover", vec![]),
    ];
    for (version, name, wanted) in rows {
        assert_eq!(version.method(name).unwrap().capabilities, wanted.as_slice(), "{version} {name}");
    }
    let elicit = V2025_11_25.method("elicitation/create").unwrap().capabilities;
    let url = Some(When { member: "mode", equals: Some("url"), absent: false });
    assert!(
        elicit.iter().any(|capability| capability.path == "elicitation.url" && capability.when == url),
        "{elicit:?}"
    );
    let task = elicit.iter().find(|capability| capability.path == "tasks.requests.elicitation.create").unwrap();
    assert_eq!(task.when.map(|when| (when.member, when.equals, when.absent)), Some(("task", None, false)));
    let call = V2025_11_25.method("tools/call").unwrap().capabilities;
    assert!(call.iter().any(|capability| capability.path == "tasks.requests.tools.call" && capability.when.is_some()));
}

/// The other side.
trait Opposite {
    fn opposite(self) -> Self;
}

impl Opposite for Sender {
    fn opposite(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
            Self::Both => Self::Both,
        }
    }
}

// What constructors write

#[test]
fn constructors_write_what_they_were_given() {
    let block = mcp::TextContent::new("hi");
    assert_eq!(text(&block), r#"{"type":"text","text":"hi"}"#);
    let annotations = mcp::Annotations::new().with_audience(vec![mcp::Role::User]).with_priority(1);
    assert_eq!(
        text(&mcp::TextContent::new("hi").with_annotations(annotations)),
        r#"{"type":"text","annotations":{"audience":["user"],"priority":1},"text":"hi"}"#
    );
    assert_eq!(text(&mcp::Annotations::default()), "{}");
    let result = mcp::CallToolResult::new(vec![block.into()]).with_is_error(true);
    assert_eq!(text(&result), r#"{"content":[{"type":"text","text":"hi"}],"isError":true}"#);
    let arguments = JsonObject::parse(r#"{"a":1.0}"#).unwrap();
    let call = mcp::CallToolRequestParams::new("add").with_arguments(arguments);
    assert_eq!(
        text(&mcp::CallToolRequest::new(call)),
        r#"{"method":"tools/call","params":{"arguments":{"a":1.0},"name":"add"}}"#
    );
    let schema = JsonObject::parse(r#"{"type":"object"}"#).unwrap();
    assert_eq!(
        text(&mcp::Tool::new(schema, "add").with_description("Adds.")),
        r#"{"description":"Adds.","inputSchema":{"type":"object"},"name":"add"}"#
    );
    assert_eq!(
        text(&mcp::ProgressNotificationParams::new(0.5, "t").with_total(2)),
        r#"{"progress":0.5,"progressToken":"t","total":2}"#
    );
    assert_eq!(text(&mcp::ProgressNotificationParams::new(1, 7)), r#"{"progress":1,"progressToken":7}"#);
    assert_eq!(text(&mcp::Implementation::new("a", "1")), r#"{"name":"a","version":"1"}"#);
    assert_eq!(text(&mcp::PingRequest::new()), r#"{"method":"ping"}"#);
    assert_eq!(text(&mcp::PingRequest::default()), r#"{"method":"ping"}"#);
    assert_eq!(text(&mcp::ClientCapabilities::default()), "{}");
    assert_eq!(
        text(&mcp::ClientCapabilities::new().with_sampling(mcp::ClientCapabilitiesSampling::new())),
        r#"{"sampling":{}}"#
    );
    assert_eq!(text(&mcp::StringSchema::new()), r#"{"type":"string"}"#);
    assert_eq!(text(&mcp::NumberSchema::new(mcp::NumberSchemaType::Integer)), r#"{"type":"integer"}"#);
    assert_eq!(
        text(&mcp::Error::new(-32603, "bad").with_data(json!(null))),
        r#"{"code":-32603,"data":null,"message":"bad"}"#
    );
    assert_eq!(
        text(&mcp::LoggingMessageNotificationParams::new(json!("a"), mcp::LoggingLevel::Info)),
        r#"{"data":"a","level":"info"}"#
    );
    let task = mcp::TaskRequired {
        created_at: "a".into(),
        last_updated_at: "b".into(),
        status: mcp::TaskStatus::Working,
        task_id: "t".into(),
        ttl: None,
    };
    assert_eq!(
        text(&mcp::Task::new(task)),
        r#"{"createdAt":"a","lastUpdatedAt":"b","status":"working","taskId":"t","ttl":null}"#
    );
    // Empty isn't absent.
    assert_eq!(text(&mcp::Icons::new().with_icons(vec![])), r#"{"icons":[]}"#);
    assert_eq!(text(&mcp::Meta::new()), "{}");
}

#[test]
fn modern_results_carry_their_type() {
    assert_eq!(text(&modern::CallToolResult::new(vec![])), r#"{"content":[],"resultType":"complete"}"#);
    assert_eq!(text(&modern::InputRequiredResult::new()), r#"{"resultType":"input_required"}"#);
    assert_eq!(text(&modern::InputRequiredResult::default()), r#"{"resultType":"input_required"}"#);
    assert_eq!(text(&modern::EmptyResult::new()), r#"{"resultType":"complete"}"#);
    assert_eq!(
        text(&modern::CacheableResult::new(modern::CacheScope::Public, 60_000)),
        r#"{"cacheScope":"public","resultType":"complete","ttlMs":60000}"#
    );
    let result = modern::CallToolResult::new(vec![]).with_structured_content(json!([1]));
    assert_eq!(text(&result), r#"{"content":[],"resultType":"complete","structuredContent":[1]}"#);
    let meta = modern::RequestMetaObject::new(modern::ClientCapabilities::new(), "2026-07-28");
    assert_eq!(
        text(&modern::DiscoverRequest::new(modern::DiscoverRequestParams::new(meta))),
        r#"{"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#
    );
}

/// What is built is valid: it reads back as what it was.
#[test]
fn what_is_built_reads_back() {
    fn back<T: Decode + serde::Serialize + PartialEq + std::fmt::Debug>(value: T) {
        assert_eq!(decode::<T>(&text(&value)).unwrap(), value);
    }
    back(mcp::CancelledNotificationParams::default());
    back(mcp::BooleanSchema::default().with_default(false));
    back(mcp::CreateMessageRequestParams::new(5, vec![]).with_temperature(1).with_stop_sequences(vec![]));
    back(mcp::ElicitResult::new(mcp::ElicitResultAction::Unknown("later".into())));
    back(mcp::Resource::new("a", "a:b").with_size(i64::MAX));
    back(first::CallToolResult::new(vec![]));
    back(modern::ListToolsResult::new(modern::CacheScope::Private, vec![], 0));
    back(modern::Icon::new("a:b").with_theme(modern::IconTheme::Dark));
    back(modern::UnsupportedProtocolVersionErrorData::new("1", vec!["2026-07-28".into()]));
}

/// Both the value and the metadata that somebody adds to it write each name once.
#[test]
fn extra_members_never_write_a_name_twice() {
    let meta = mcp::Meta::new().with_progress_token("p1");
    let mut call = mcp::CallToolRequestParams::new("add").with_meta(meta);
    let trace = "00-11111111111111111111111111111111-2222222222222222-01";
    call.meta.get_or_insert_default().extra.insert("traceparent", json!(trace).into());
    // Names that the type has itself are not taken from `extra`: the field wins.
    for name in ["_meta", "name", "arguments", "task", "other"] {
        call.extra.insert(name, Json::parse("0").unwrap());
    }
    call.meta.as_mut().unwrap().extra.insert("progressToken", json!("p2").into());
    assert_eq!(
        text(&call),
        format!(r#"{{"_meta":{{"progressToken":"p1","traceparent":"{trace}"}},"name":"add","other":0}}"#)
    );

    let mut block = mcp::TextContent::new("a");
    block.extra = ["type", "text", "annotations"].map(|name| (name, Json::null())).into();
    assert_eq!(text(&block), r#"{"type":"text","text":"a"}"#);
    let mut request = mcp::PingRequest::new();
    request.extra = ["method", "params"].map(|name| (name, Json::null())).into();
    assert_eq!(text(&request), r#"{"method":"ping"}"#);
    let mut result = modern::CallToolResult::new(vec![]);
    result.extra = ["resultType", "content"].map(|name| (name, Json::null())).into();
    assert_eq!(text(&result), r#"{"content":[],"resultType":"complete"}"#);
}

// Errors and the reader

#[test]
fn errors_print_their_place() {
    let error = DecodeError::shape("bad").inside("a/b").inside("0").inside("~");
    assert_eq!((error.pointer().as_str(), error.message()), ("/~0/0/a~1b", "bad"));
    assert_eq!(error.to_string(), "/~0/0/a~1b: bad");
    assert_eq!(DecodeError::shape("bad").to_string(), "bad");
    assert_eq!(DecodeError::unknown_method("x").kind(), ErrorKind::UnknownMethod);
    // An empty name is a step, too.
    assert_eq!(DecodeError::shape("bad").inside("").pointer(), "/");
}

#[test]
fn the_reader_looks_ahead_without_moving() {
    let mut reader = Reader::new(r#" {"a":{"b":[1]},"c":"x"} "#);
    assert_eq!(reader.tag("c").unwrap().as_deref(), Some("x"));
    assert!(reader.tag("a").is_err());
    assert_eq!(reader.tag("d").unwrap(), None);
    assert!(reader.has(&["a", "b"]).unwrap() && !reader.has(&["c", "b"]).unwrap() && !reader.has(&["b"]).unwrap());
    assert_eq!(reader.kind().unwrap(), Kind::Object);
    assert_eq!(reader.skip().unwrap(), r#"{"a":{"b":[1]},"c":"x"}"#);
    assert!(reader.finish().is_ok());
}
