//! What is read although a schema refuses it, what is written back, and that nothing else is read.

use mcprism_types::{ErrorKind, ProtocolVersion};
use serde_json::{Value, json};

use ProtocolVersion::{V2024_11_05, V2025_06_18, V2025_11_25, V2026_07_28};

/// Every revision.
const ALL: &[ProtocolVersion] = ProtocolVersion::ALL;

/// The revisions up to this one.
fn until(last: ProtocolVersion) -> &'static [ProtocolVersion] {
    let count = ALL.iter().filter(|version| **version <= last).count();
    &ALL[..count]
}

/// The revisions from this one on.
fn since(first: ProtocolVersion) -> &'static [ProtocolVersion] {
    let count = ALL.iter().filter(|version| **version < first).count();
    &ALL[count..]
}

/// This revision alone.
fn only(version: ProtocolVersion) -> &'static [ProtocolVersion] {
    &since(version)[..1]
}

/// Reads a text as a type without its envelope, and writes it again.
fn recode(version: ProtocolVersion, name: &str, text: &str) -> mcprism_types::Decoded<String> {
    let types = version.types();
    let at = types.binary_search_by(|ty| ty.name.cmp(name)).unwrap_or_else(|_| panic!("{version} has no {name}"));
    (types[at].recode)(text)
}

/// Each text reads, and comes back letter by letter as it says.
#[track_caller]
fn reads(versions: &[ProtocolVersion], ty: &str, table: &[(&str, &str)]) {
    let mut faults = Vec::new();
    for version in versions {
        for (text, written) in table {
            match recode(*version, ty, text) {
                Ok(again) if again == *written => {}
                Ok(again) => faults.push(format!("{version} {ty}: {text} came back as {again}, not {written}")),
                Err(error) => faults.push(format!("{version} {ty}: {text}: {error}")),
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Each text comes back letter by letter.
#[track_caller]
fn keeps(versions: &[ProtocolVersion], ty: &str, texts: &[&str]) {
    let table: Vec<_> = texts.iter().map(|text| (*text, *text)).collect();
    reads(versions, ty, &table);
}

/// Each text is refused for its shape, at its place.
#[track_caller]
fn refuses(versions: &[ProtocolVersion], ty: &str, table: &[(&str, &str)]) {
    let mut faults = Vec::new();
    for version in versions {
        for (text, pointer) in table {
            match recode(*version, ty, text) {
                Err(error) if error.kind() == ErrorKind::Shape && error.pointer() == *pointer => {}
                Err(error) => {
                    faults.push(format!("{version} {ty}: {text} is refused with {error:?}, not at {pointer:?}"))
                }
                Ok(again) => faults.push(format!("{version} {ty}: {text} came back as {again}")),
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The enumerations of strings, and the revisions that have them.
fn enumerations() -> Vec<(&'static str, &'static [ProtocolVersion])> {
    vec![
        ("CacheScope", since(V2026_07_28)),
        ("CreateMessageRequestParamsIncludeContext", ALL),
        ("ElicitResultAction", since(V2025_06_18)),
        ("IconTheme", since(V2025_11_25)),
        ("LoggingLevel", ALL),
        ("NumberSchemaType", since(V2025_06_18)),
        ("ResultType", since(V2026_07_28)),
        ("Role", ALL),
        ("StringSchemaFormat", since(V2025_06_18)),
        ("TaskStatus", only(V2025_11_25)),
        ("ToolChoiceMode", since(V2025_11_25)),
        ("ToolExecutionTaskSupport", only(V2025_11_25)),
    ]
}

#[test]
fn unknown_enum_strings_are_kept() {
    for (ty, versions) in enumerations() {
        keeps(versions, ty, &[r#""x-later""#, r#""""#, r#""a \"b\" é""#, r#""Unknown""#]);
        refuses(versions, ty, &[("null", ""), ("1", ""), (r#"["x"]"#, ""), ("{}", "")]);
    }
}

/// Nothing was forgotten in the list: what takes any string and nothing else is an enumeration.
#[test]
fn every_enumeration_is_listed() {
    for version in ALL {
        let found: Vec<&str> = version
            .types()
            .iter()
            .filter(|ty| (ty.recode)(r#""x-later""#).is_ok() && (ty.recode)("1").is_err() && (ty.recode)("{}").is_err())
            .map(|ty| ty.name)
            .filter(|name| *name != "Cursor")
            .collect();
        let listed: Vec<&str> =
            enumerations().into_iter().filter(|(_, versions)| versions.contains(version)).map(|(ty, _)| ty).collect();
        assert_eq!(found, listed, "{version}");
    }
}

#[test]
fn the_case_of_an_enum_string_counts() {
    use mcprism_types::{decode, v2025_11_25 as mcp};
    assert_eq!(decode::<mcp::Role>(r#""user""#).unwrap(), mcp::Role::User);
    assert_eq!(decode::<mcp::Role>(r#""u\u0073er""#).unwrap(), mcp::Role::User);
    assert_eq!(decode::<mcp::Role>(r#""User""#).unwrap(), mcp::Role::Unknown("User".into()));
    assert_eq!(decode::<mcp::Role>(r#""user ""#).unwrap(), mcp::Role::Unknown("user ".into()));
}

#[test]
fn siblings_of_an_unknown_enum_string_survive() {
    let block = r#"{"type":"text","annotations":{"audience":["assistant","system"],"priority":1},"text":"ok"}"#;
    keeps(ALL, "TextContent", &[block]);
    let result = format!(r#"{{"content":[{block},{{"type":"text","text":"two"}}]}}"#);
    keeps(until(V2025_11_25), "CallToolResult", &[&result]);
}

#[test]
fn unknown_content_is_kept() {
    let later = r#"{"type":"video","uri":"a:b","size":1.0,"deep":[{"type":"text"},null],"text":5}"#;
    keeps(ALL, "ContentBlock", &[later, r#"{"x":1,"type":""}"#]);
    keeps(ALL, "SamplingMessageContent", &[later]);
    keeps(since(V2025_11_25), "SamplingMessageContent", &[r#"[{"type":"text","text":"a"},{"type":"video"}]"#]);
    keeps(since(V2025_11_25), "SamplingMessageContentBlock", &[later]);
    keeps(ALL, "CompleteRequestParamsRef", &[r#"{"type":"ref/tool","name":5}"#]);
    keeps(since(V2025_06_18), "PrimitiveSchemaDefinition", &[r#"{"type":"date","minimum":"now"}"#]);
    keeps(since(V2025_11_25), "EnumSchema", &[r#"{"type":"set"}"#]);
    let result = r#"{"content":[{"type":"text","text":"a"},{"type":"video"},{"type":"text","text":"b"}]}"#;
    keeps(until(V2025_11_25), "CallToolResult", &[result]);
}

#[test]
fn unknown_modes_are_kept() {
    keeps(since(V2025_11_25), "ElicitRequestParams", &[r#"{"mode":"voice","message":5}"#]);
    keeps(since(V2025_11_25), "ElicitRequest", &[r#"{"method":"elicitation/create","params":{"mode":"voice"}}"#]);
    refuses(since(V2025_11_25), "ElicitRequestParams", &[(r#"{"mode":5}"#, "/mode")]);
}

#[test]
fn unknown_methods_in_standalone_unions_are_kept() {
    let later = r#"{"method":"com.example/later","params":[1],"x":null}"#;
    keeps(ALL, "ClientRequest", &[later]);
    keeps(ALL, "ServerNotification", &[later]);
    keeps(until(V2025_11_25), "ServerRequest", &[later]);
    keeps(until(V2025_11_25), "ClientNotification", &[later]);
    keeps(only(V2026_07_28), "InputRequest", &[later]);
    // The one notification of this revision leaves no choice, so its method is not a tag.
    refuses(only(V2026_07_28), "ClientNotification", &[(later, "/method")]);
    for ty in ["ClientRequest", "ServerNotification"] {
        refuses(ALL, ty, &[("{}", ""), (r#"{"method":null}"#, "/method"), (r#"{"method":1}"#, "/method")]);
    }
}

#[test]
fn unknown_results_are_kept_where_there_are_alternatives() {
    for ty in ["CallToolOutcome", "GetPromptOutcome", "ReadResourceOutcome"] {
        keeps(only(V2026_07_28), ty, &[r#"{"resultType":"later","content":5}"#]);
        refuses(only(V2026_07_28), ty, &[("{}", ""), (r#"{"resultType":null}"#, "/resultType")]);
    }
}

#[test]
fn what_is_known_is_checked_strictly() {
    refuses(
        ALL,
        "ContentBlock",
        &[
            (r#"{"type":"text"}"#, ""),
            (r#"{"type":"text","text":null}"#, "/text"),
            (r#"{"type":"text","text":5}"#, "/text"),
            (r#"{"type":"image","data":""}"#, ""),
            (r#"{"type":"resource","resource":{"uri":"a:b"}}"#, "/resource"),
            (r#"{"text":"a"}"#, ""),
            (r#"{"type":null,"text":"a"}"#, "/type"),
            (r#"{"type":["text"],"text":"a"}"#, "/type"),
            (r#"["text"]"#, ""),
            (r#""text""#, ""),
        ],
    );
}

#[test]
fn null_for_an_optional_member_reads_as_absent() {
    reads(until(V2025_11_25), "CallToolRequestParams", &[(r#"{"name":"a","arguments":null}"#, r#"{"name":"a"}"#)]);
    // The earlier revisions name `_meta` for requests at large, not for this one.
    reads(only(V2025_11_25), "CallToolRequestParams", &[(r#"{"name":"a","_meta":null}"#, r#"{"name":"a"}"#)]);
    reads(
        ALL,
        "TextContent",
        &[
            (r#"{"type":"text","text":"a","annotations":null}"#, r#"{"type":"text","text":"a"}"#),
            (
                r#"{"type":"text","text":"a","annotations":{"audience":null,"priority":null}}"#,
                r#"{"type":"text","annotations":{},"text":"a"}"#,
            ),
        ],
    );
    reads(ALL, "ModelPreferences", &[(r#"{"hints":null,"costPriority":null,"speedPriority":null}"#, "{}")]);
    reads(ALL, "ModelHint", &[(r#"{"name":null}"#, "{}")]);
    reads(
        ALL,
        "ClientCapabilities",
        &[
            (r#"{"roots":null,"sampling":null,"experimental":null}"#, "{}"),
            (r#"{"sampling":{}}"#, r#"{"sampling":{}}"#),
        ],
    );
    reads(until(V2025_11_25), "ClientCapabilities", &[(r#"{"roots":{"listChanged":null}}"#, r#"{"roots":{}}"#)]);
    reads(ALL, "Root", &[(r#"{"uri":"file:///","name":null}"#, r#"{"uri":"file:///"}"#)]);
    reads(ALL, "Prompt", &[(r#"{"name":"a","description":null,"arguments":null}"#, r#"{"name":"a"}"#)]);
    reads(ALL, "PromptArgument", &[(r#"{"name":"a","description":null,"required":null}"#, r#"{"name":"a"}"#)]);
    reads(
        ALL,
        "Resource",
        &[(
            r#"{"uri":"a:b","name":"a","description":null,"mimeType":null,"size":null,"annotations":null}"#,
            r#"{"name":"a","uri":"a:b"}"#,
        )],
    );
    reads(
        ALL,
        "Tool",
        &[(
            r#"{"name":"a","inputSchema":{"type":"object"},"description":null}"#,
            r#"{"inputSchema":{"type":"object"},"name":"a"}"#,
        )],
    );
    reads(
        since(V2025_06_18),
        "Tool",
        &[(
            r#"{"name":"a","inputSchema":{},"_meta":null,"annotations":null,"title":null,"outputSchema":null}"#,
            r#"{"inputSchema":{},"name":"a"}"#,
        )],
    );
    reads(
        ALL,
        "ProgressNotificationParams",
        &[(r#"{"progressToken":1,"progress":0.5,"total":null}"#, r#"{"progress":0.5,"progressToken":1}"#)],
    );
    reads(
        until(V2025_11_25),
        "ListToolsResult",
        &[(r#"{"tools":[],"nextCursor":null,"_meta":null}"#, r#"{"tools":[]}"#)],
    );
    reads(
        until(V2025_11_25),
        "ListToolsRequest",
        &[
            (r#"{"method":"tools/list","params":null}"#, r#"{"method":"tools/list"}"#),
            (r#"{"method":"tools/list","params":{"cursor":null}}"#, r#"{"method":"tools/list","params":{}}"#),
        ],
    );
    reads(
        until(V2025_11_25),
        "PingRequest",
        &[(
            r#"{"params":{"_meta":{"progressToken":null}},"method":"ping"}"#,
            r#"{"method":"ping","params":{"_meta":{}}}"#,
        )],
    );
    reads(
        until(V2025_11_25),
        "CallToolResult",
        &[(r#"{"content":[],"isError":null,"_meta":null}"#, r#"{"content":[]}"#)],
    );
    reads(
        &since(V2025_06_18)[..2],
        "CallToolResult",
        &[(r#"{"content":[],"structuredContent":null}"#, r#"{"content":[]}"#)],
    );
    reads(since(V2025_06_18), "ElicitResult", &[(r#"{"action":"decline","content":null}"#, r#"{"action":"decline"}"#)]);
    reads(since(V2025_11_25), "ToolChoice", &[(r#"{"mode":null}"#, "{}")]);
    reads(ALL, "CompleteResultCompletion", &[(r#"{"values":[],"total":null,"hasMore":null}"#, r#"{"values":[]}"#)]);
}

#[test]
fn null_for_an_optional_tag_reads_as_its_default() {
    let absent = r#"{"message":"a","requestedSchema":{"type":"object","properties":{}}}"#;
    let written = recode(V2025_11_25, "ElicitRequestParams", absent).unwrap();
    let null = r#"{"mode":null,"message":"a","requestedSchema":{"type":"object","properties":{}}}"#;
    reads(since(V2025_11_25), "ElicitRequestParams", &[(absent, &written), (null, &written)]);
}

/// Many servers write every member that they know of, with null where it means nothing. What tells
/// the arms of a union apart by being there must not be taken in by that.
#[test]
fn null_does_not_choose_an_arm() {
    reads(
        ALL,
        "ResourceContentsBody",
        &[
            (r#"{"uri":"a:b","text":"hi","blob":null}"#, r#"{"text":"hi","uri":"a:b","blob":null}"#),
            (r#"{"uri":"a:b","text":null,"blob":"aGk="}"#, r#"{"blob":"aGk=","uri":"a:b","text":null}"#),
        ],
    );
    reads(
        since(V2025_06_18),
        "PrimitiveSchemaDefinition",
        &[(r#"{"type":"string","minLength":1,"enum":null}"#, r#"{"type":"string","minLength":1,"enum":null}"#)],
    );
    reads(
        since(V2025_11_25),
        "PrimitiveSchemaDefinition",
        &[
            // Read as the kind without names, where that member is one that it doesn't name.
            (
                r#"{"type":"string","enum":["a"],"enumNames":null}"#,
                r#"{"type":"string","enum":["a"],"enumNames":null}"#,
            ),
            (r#"{"type":"string","enum":["a"],"oneOf":null}"#, r#"{"type":"string","enum":["a"],"oneOf":null}"#),
        ],
    );
    reads(only(V2025_11_25), "CallToolOutcome", &[(r#"{"content":[],"task":null}"#, r#"{"content":[],"task":null}"#)]);
}

#[test]
fn null_survives_where_the_type_admits_it() {
    keeps(ALL, "LoggingMessageNotificationParams", &[r#"{"data":null,"level":"info"}"#]);
    keeps(
        only(V2026_07_28),
        "CallToolResult",
        &[
            r#"{"content":[],"resultType":"complete","structuredContent":null}"#,
            r#"{"content":[],"resultType":"complete","structuredContent":[1,null]}"#,
            r#"{"content":[],"resultType":"complete","structuredContent":0.5}"#,
            r#"{"content":[],"resultType":"complete"}"#,
        ],
    );
    keeps(
        only(V2026_07_28),
        "ToolResultContent",
        &[r#"{"type":"tool_result","content":[],"structuredContent":null,"toolUseId":"a"}"#],
    );
    keeps(since(V2025_11_25), "Error", &[r#"{"code":-1,"data":null,"message":"a"}"#, r#"{"code":-1,"message":"a"}"#]);
    for version in ALL {
        let text = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"a","data":null}}"#;
        let again = mcprism_tests::roundtrip::recode(*version, "JSONRPCMessage", text).unwrap();
        let again: Value = serde_json::from_str(&again).unwrap();
        assert_eq!(again["error"].get("data"), Some(&Value::Null), "{version}");
    }
    // Members that a revision doesn't name are somebody else's: theirs stay null.
    keeps(ALL, "Root", &[r#"{"uri":"file:///","vendor":null}"#]);
    keeps(ALL, "Tool", &[r#"{"inputSchema":{"default":null},"name":"a"}"#]);
    keeps(until(V2025_11_25), "CallToolRequestParams", &[r#"{"arguments":{"a":null},"name":"a"}"#]);
}

#[test]
fn a_required_member_may_be_null_and_not_absent() {
    let with = r#"{"createdAt":"a","lastUpdatedAt":"b","status":"working","taskId":"t","ttl":null}"#;
    keeps(only(V2025_11_25), "Task", &[with, &with.replace("null", "0"), &with.replace("null", "60000")]);
    refuses(
        only(V2025_11_25),
        "Task",
        &[
            (r#"{"createdAt":"a","lastUpdatedAt":"b","status":"working","taskId":"t"}"#, ""),
            (&with.replace("null", "1.5"), "/ttl"),
            (&with.replace("null", "\"1\""), "/ttl"),
        ],
    );
    for ty in ["GetTaskResult", "CancelTaskResult", "TaskStatusNotificationParams"] {
        keeps(only(V2025_11_25), ty, &[with]);
        refuses(
            only(V2025_11_25),
            ty,
            &[(r#"{"createdAt":"a","lastUpdatedAt":"b","status":"working","taskId":"t"}"#, "")],
        );
    }
}

#[test]
fn null_for_a_required_member_is_refused() {
    refuses(ALL, "Root", &[(r#"{"uri":null}"#, "/uri")]);
    refuses(ALL, "Tool", &[(r#"{"name":"a","inputSchema":null}"#, "/inputSchema")]);
    refuses(until(V2025_11_25), "ListToolsResult", &[(r#"{"tools":null}"#, "/tools")]);
    refuses(ALL, "ProgressNotificationParams", &[(r#"{"progressToken":1,"progress":null}"#, "/progress")]);
    refuses(ALL, "LoggingLevel", &[("null", "")]);
    refuses(since(V2025_06_18), "ElicitResult", &[(r#"{"action":"accept","content":{"a":null}}"#, "/content/a")]);
    refuses(
        until(V2025_11_25),
        "GetPromptRequestParams",
        &[(r#"{"name":"a","arguments":{"b":null}}"#, "/arguments/b")],
    );
    refuses(
        only(V2026_07_28),
        "CallToolRequestParams",
        &[(r#"{"name":"a","_meta":null}"#, "/_meta"), (r#"{"name":"a"}"#, "")],
    );
}

#[test]
fn a_legacy_tool_result_without_content_has_none() {
    reads(
        until(V2025_11_25),
        "CallToolResult",
        &[
            ("{}", r#"{"content":[]}"#),
            (r#"{"isError":true}"#, r#"{"content":[],"isError":true}"#),
            (r#"{"vendor":1}"#, r#"{"content":[],"vendor":1}"#),
        ],
    );
    reads(
        &since(V2025_06_18)[..2],
        "CallToolResult",
        &[(r#"{"structuredContent":{"n":1}}"#, r#"{"content":[],"structuredContent":{"n":1}}"#)],
    );
    reads(only(V2025_11_25), "CallToolOutcome", &[("{}", r#"{"content":[]}"#)]);
    for version in until(V2025_11_25) {
        let keyed = version.keyed().unwrap();
        let read = (keyed.result)("tools/call", "{}").unwrap();
        assert_eq!((read.variant, read.text.as_str()), ("CallToolResult", r#"{"content":[]}"#), "{version}");
    }
    refuses(
        until(V2025_11_25),
        "CallToolResult",
        &[(r#"{"content":null}"#, "/content"), (r#"{"content":{}}"#, "/content")],
    );
    refuses(
        only(V2026_07_28),
        "CallToolResult",
        &[
            (r#"{"resultType":"complete"}"#, ""),
            (r#"{"resultType":"complete","structuredContent":{"n":1}}"#, ""),
            (r#"{"resultType":"complete","content":null}"#, "/content"),
        ],
    );
    // Only tool results were ever sent like this.
    refuses(until(V2025_11_25), "ListToolsResult", &[("{}", "")]);
    refuses(ALL, "GetPromptResult", &[("{}", "")]);
    refuses(since(V2025_11_25), "ToolResultContent", &[(r#"{"type":"tool_result","toolUseId":"a"}"#, "")]);
}

/// How integers may be written, and how they are written back.
const INTEGERS: &[(&str, &str)] = &[
    ("1", "1"),
    ("1.0", "1"),
    ("1.000", "1"),
    ("1e0", "1"),
    ("1.2e1", "12"),
    ("1.2E+1", "12"),
    ("1200e-2", "12"),
    ("120.0e-1", "12"),
    ("0", "0"),
    ("0.0", "0"),
    ("0e9", "0"),
    ("9007199254740993.0", "9007199254740993"),
    ("9007199254740993", "9007199254740993"),
    ("9223372036854775807", "9223372036854775807"),
    ("9223372036854775807.0", "9223372036854775807"),
    ("922337203685477580.7e1", "9223372036854775807"),
];

/// More that only integers with a sign may be.
const NEGATIVE: &[(&str, &str)] = &[
    ("-0", "0"),
    ("-0.0", "0"),
    ("-1.0", "-1"),
    ("-9223372036854775808", "-9223372036854775808"),
    ("-9223372036854775808.0", "-9223372036854775808"),
];

/// What is no integer, or none of 64 bits.
const NO_INTEGERS: &[&str] =
    &["1.5", "0.1", "1e-1", "9007199254740993.5", "9223372036854775807.5", "1e19", "1e300", "-1e19", "1e-300"];

#[test]
fn integers_accept_integral_floats() {
    let places: &[(&str, &[ProtocolVersion], &str, &str)] = &[
        ("RequestId", ALL, "N", ""),
        ("ProgressToken", ALL, "N", ""),
        ("CompleteResultCompletion", ALL, r#"{"total":N,"values":[]}"#, "/total"),
        ("CreateMessageRequestParams", ALL, r#"{"maxTokens":N,"messages":[]}"#, "/maxTokens"),
        ("Resource", ALL, r#"{"name":"a","size":N,"uri":"a:b"}"#, "/size"),
        ("StringSchema", since(V2025_06_18), r#"{"type":"string","maxLength":N}"#, "/maxLength"),
        ("TaskMetadata", only(V2025_11_25), r#"{"ttl":N}"#, "/ttl"),
        ("Error", since(V2025_11_25), r#"{"code":N,"message":"a"}"#, "/code"),
    ];
    for (ty, versions, text, pointer) in places {
        let fill = |number: &str| text.replace('N', number);
        for (number, written) in INTEGERS.iter().chain(NEGATIVE) {
            reads(versions, ty, &[(&fill(number), &fill(written))]);
        }
        for number in NO_INTEGERS {
            refuses(versions, ty, &[(&fill(number), pointer)]);
        }
        if !matches!(*ty, "RequestId" | "ProgressToken") {
            refuses(versions, ty, &[(&fill(r#""1""#), pointer), (&fill("true"), pointer)]);
        }
    }
}

#[test]
fn a_number_stays_as_it_came() {
    for number in ["1", "1.0", "0.5", "-0.0", "18446744073709551615", "9007199254740993"] {
        let text = format!(r#"{{"progress":{number},"progressToken":"a"}}"#);
        keeps(ALL, "ProgressNotificationParams", &[&text]);
    }
    refuses(ALL, "ProgressNotificationParams", &[(r#"{"progress":"1","progressToken":"a"}"#, "/progress")]);
}

#[test]
fn formats_are_annotations() {
    keeps(ALL, "Root", &[r#"{"uri":"not a uri at all"}"#, r#"{"uri":""}"#]);
    keeps(ALL, "BlobResourceContents", &[r#"{"blob":"%%% no base64","uri":" "}"#]);
    keeps(ALL, "ImageContent", &[r#"{"type":"image","data":"?","mimeType":"no/such/kind"}"#]);
    keeps(ALL, "ResourceTemplate", &[r#"{"name":"a","uriTemplate":"{{{"}"#]);
    keeps(since(V2025_11_25), "Icon", &[r#"{"src":"! no uri"}"#]);
    keeps(only(V2026_07_28), "ElicitRequestURLParams", &[r#"{"mode":"url","message":"a","url":"no uri"}"#]);
    let task = r#"{"createdAt":"yesterday","lastUpdatedAt":"","status":"working","taskId":"","ttl":null}"#;
    keeps(only(V2025_11_25), "Task", &[task]);
}

#[test]
fn inside_lazy_json_only_the_outer_kind_is_checked() {
    let schemas = [r#"{}"#, r#"{"type":5,"properties":[],"required":"x"}"#, r#"{"type":"array","$ref":null}"#];
    for schema in schemas {
        keeps(ALL, "Tool", &[&format!(r#"{{"inputSchema":{schema},"name":"a"}}"#)]);
        keeps(since(V2025_06_18), "Tool", &[&format!(r#"{{"inputSchema":{{}},"name":"a","outputSchema":{schema}}}"#)]);
        keeps(until(V2025_11_25), "CallToolRequestParams", &[&format!(r#"{{"arguments":{schema},"name":"a"}}"#)]);
        keeps(ALL, "CreateMessageRequestParams", &[&format!(r#"{{"maxTokens":1,"messages":[],"metadata":{schema}}}"#)]);
        keeps(since(V2025_06_18), "Root", &[&format!(r#"{{"_meta":{schema},"uri":"a:b"}}"#)]);
        keeps(ALL, "ClientCapabilities", &[&format!(r#"{{"experimental":{{"a":{schema}}}}}"#)]);
        keeps(
            since(V2025_11_25),
            "ToolUseContent",
            &[&format!(r#"{{"type":"tool_use","id":"1","input":{schema},"name":"a"}}"#)],
        );
    }
    for other in ["[]", "1", r#""{}""#, "true"] {
        refuses(ALL, "Tool", &[(&format!(r#"{{"inputSchema":{other},"name":"a"}}"#), "/inputSchema")]);
        refuses(
            until(V2025_11_25),
            "CallToolRequestParams",
            &[(&format!(r#"{{"arguments":{other},"name":"a"}}"#), "/arguments")],
        );
        refuses(
            only(V2025_11_25),
            "CallToolRequestParams",
            &[(&format!(r#"{{"_meta":{other},"name":"a"}}"#), "/_meta")],
        );
        refuses(since(V2025_06_18), "Root", &[(&format!(r#"{{"_meta":{other},"uri":"a:b"}}"#), "/_meta")]);
        refuses(ALL, "ClientCapabilities", &[(&format!(r#"{{"experimental":{{"a":{other}}}}}"#), "/experimental/a")]);
        refuses(
            &since(V2025_06_18)[..2],
            "CallToolResult",
            &[(&format!(r#"{{"content":[],"structuredContent":{other}}}"#), "/structuredContent")],
        );
    }
    // What `_meta` itself names is no longer lazy.
    refuses(
        only(V2025_11_25),
        "CallToolRequestParams",
        &[(r#"{"name":"a","_meta":{"progressToken":true}}"#, "/_meta/progressToken")],
    );
}

#[test]
fn bounds_are_checked() {
    let text = |priority: &str| format!(r#"{{"type":"text","annotations":{{"priority":{priority}}},"text":"a"}}"#);
    for good in ["0", "1", "0.5", "1.0", "0.0"] {
        keeps(ALL, "TextContent", &[&text(good)]);
    }
    for bad in ["-1", "2", "1.0000000000000002", "-0.1", "1e300", "-1e-300"] {
        refuses(ALL, "TextContent", &[(&text(bad), "/annotations/priority")]);
    }
    for name in ["costPriority", "intelligencePriority", "speedPriority"] {
        keeps(ALL, "ModelPreferences", &[&format!(r#"{{"{name}":0.25}}"#)]);
        for bad in ["-0.25", "1.25"] {
            refuses(ALL, "ModelPreferences", &[(&format!(r#"{{"{name}":{bad}}}"#), &format!("/{name}"))]);
        }
    }
    let cached = |ttl: &str| format!(r#"{{"cacheScope":"public","resultType":"complete","ttlMs":{ttl}}}"#);
    for (number, written) in INTEGERS {
        reads(only(V2026_07_28), "CacheableResult", &[(&cached(number), &cached(written))]);
    }
    reads(only(V2026_07_28), "CacheableResult", &[(&cached("-0.0"), &cached("0")), (&cached("-0"), &cached("0"))]);
    for bad in ["-1", "-1.0", "-9223372036854775808", "1.5", "null", r#""1""#] {
        refuses(only(V2026_07_28), "CacheableResult", &[(&cached(bad), "/ttlMs")]);
    }
    let values = |count: usize| json!({ "values": vec!["a"; count] }).to_string();
    keeps(ALL, "CompleteResultCompletion", &[&values(0), &values(100)]);
    // Up to 2025-11-25 the limit stands in the prose only.
    keeps(until(V2025_11_25), "CompleteResultCompletion", &[&values(101)]);
    refuses(only(V2026_07_28), "CompleteResultCompletion", &[(&values(101), "/values")]);
}

#[test]
fn the_first_revision_is_among_those_meant_by_all() {
    assert_eq!((ALL[0], ALL.len()), (V2024_11_05, 5));
    assert_eq!((until(V2025_11_25).len(), since(V2025_06_18).len(), only(V2025_11_25)), (4, 3, &[V2025_11_25][..]));
}
