//! The rules, row by row: which texts break which of them, where, and in which revisions.

use mcprism::rules::{
    Breach, Force, MAX_BREACHES, Rising, best_model, breaches, meta_key, reserved_meta_key, structured_content,
    tool_name,
};
use mcprism::types::ProtocolVersion::{
    self, V2024_11_05 as FIRST, V2025_03_26 as MARCH, V2025_06_18 as JUNE, V2025_11_25 as NOVEMBER,
    V2026_07_28 as MODERN,
};
use mcprism::types::bridge::Part;

/// A text, and where it breaks a rule in each of these revisions.
type Row<'a> = (&'a [ProtocolVersion], &'a str, &'a [&'a str]);

const ALL: &[ProtocolVersion] = ProtocolVersion::ALL;
const SINCE_MARCH: &[ProtocolVersion] = &[MARCH, JUNE, NOVEMBER, MODERN];
const SINCE_JUNE: &[ProtocolVersion] = &[JUNE, NOVEMBER, MODERN];
const SINCE_NOVEMBER: &[ProtocolVersion] = &[NOVEMBER, MODERN];
const UNTIL_JUNE: &[ProtocolVersion] = &[FIRST, MARCH, JUNE];

fn pointers(found: &[Breach]) -> Vec<&str> {
    found.iter().map(|breach| breach.pointer.as_str()).collect()
}

#[track_caller]
fn check(method: &str, part: Part, page: &str, rows: &[Row<'_>]) {
    let mut faults = Vec::new();
    for (versions, text, wanted) in rows {
        assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "no JSON: {text}");
        for version in *versions {
            let found = breaches(*version, method, part, text);
            if pointers(&found) != *wanted {
                faults.push(format!("{version} {text}\n  breaks {found:?}\n  not at {wanted:?}"));
            }
            faults
                .extend(found.iter().filter(|breach| breach.page != page).map(|breach| format!("{breach} not {page}")));
            survive(*version, method, part, text);
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Texts that are cut, doubled or of another kind are judged somehow.
fn survive(version: ProtocolVersion, method: &str, part: Part, text: &str) {
    for (end, _) in text.char_indices() {
        breaches(version, method, part, &text[..end]);
    }
    for bad in [format!("[{text}]"), format!("{text}{text}"), text.replace('{', "["), text.replace('"', "")] {
        breaches(version, method, part, &bad);
    }
}

fn tools(list: &str) -> String {
    format!(r#"{{"tools":[{list}],"resultType":"complete","ttlMs":0,"cacheScope":"private"}}"#)
}

fn named(name: &str) -> String {
    format!(r#"{{"name":{name:?},"inputSchema":{{"type":"object"}}}}"#)
}

fn with_schema(schema: &str) -> String {
    tools(&format!(r#"{{"name":"a","inputSchema":{schema}}}"#))
}

/// spec: 2025-11-25 and 2026-07-28 server/tools, tool names
#[test]
fn names_of_tools() {
    let longest = "x".repeat(128);
    let longer = "x".repeat(129);
    for good in ["a", "getUser", "DATA_EXPORT_v2", "admin.tools.list", "a-b", "0", longest.as_str()] {
        assert_eq!(tool_name(good), Ok(()), "{good}");
        check("tools/list", Part::Result, "server/tools", &[(ALL, &tools(&named(good)), &[])]);
    }
    for bad in ["", "a b", "a,b", "a/b", "näme", "a\tb", "a:b", longer.as_str()] {
        let breach = tool_name(bad).unwrap_err();
        assert_eq!((breach.pointer.as_str(), breach.page, breach.force), ("", "server/tools", Force::Should));
        let text = tools(&named(bad));
        let rows: &[Row<'_>] = &[(UNTIL_JUNE, &text, &[]), (SINCE_NOVEMBER, &text, &["/tools/0/name"])];
        check("tools/list", Part::Result, "server/tools", rows);
    }
}

/// spec: 2024-11-05 server/tools, tool; 2025-11-25 server/tools, tool names
#[test]
fn names_of_tools_differ() {
    let list = |names: &[&str]| tools(&names.iter().map(|name| named(name)).collect::<Vec<_>>().join(","));
    let rows: &[Row<'_>] = &[
        (ALL, &list(&["a", "b", "A"]), &[]),
        (ALL, &list(&["a", "b", "a"]), &["/tools/2/name"]),
        (ALL, &list(&["a", "a", "a"]), &["/tools/1/name", "/tools/2/name"]),
    ];
    check("tools/list", Part::Result, "server/tools", rows);
}

/// spec: 2025-11-25 server/tools, tool; the schemas of the others
#[test]
fn schemas_of_tools() {
    let with_output = |schema: &str| tools(&named("a").replace("}}", &format!(r#"}},"outputSchema":{schema}}}"#)));
    let rows: &[Row<'_>] = &[
        (ALL, &with_schema(r#"{"type":"object"}"#), &[]),
        (ALL, &with_schema(r#"{"additionalProperties":false,"type":"object"}"#), &[]),
        (ALL, &with_schema("null"), &["/tools/0/inputSchema"]),
        (ALL, &with_schema("{}"), &["/tools/0/inputSchema"]),
        (ALL, &with_schema("true"), &["/tools/0/inputSchema"]),
        (ALL, &with_schema(r#"{"type":"array"}"#), &["/tools/0/inputSchema"]),
        (ALL, &with_schema(r#"{"type":["object"]}"#), &["/tools/0/inputSchema"]),
        (ALL, r#"{"tools":[{"name":"a"}]}"#, &["/tools/0/inputSchema"]),
        (ALL, &with_output(r#"{"type":"object"}"#), &[]),
        (ALL, &with_output("null"), &[]),
        (&[FIRST, MARCH, MODERN], &with_output(r#"{"type":"array"}"#), &[]),
        (&[JUNE, NOVEMBER], &with_output(r#"{"type":"array"}"#), &["/tools/0/outputSchema"]),
    ];
    check("tools/list", Part::Result, "server/tools", rows);
}

/// spec: 2026-07-28 server/tools, x-mcp-header; basic/transports/streamable-http
#[test]
fn headers_of_tools() {
    let schema = |rest: &str| with_schema(&format!(r#"{{"type":"object",{rest}}}"#));
    let one = |property: &str| schema(&format!(r#""properties":{{"p":{property}}}"#));
    const AT: &str = "/tools/0/inputSchema/properties/p/x-mcp-header";
    let rows: &[Row<'_>] = &[
        (&[MODERN], &one(r#"{"type":"string","x-mcp-header":"Region"}"#), &[]),
        (&[MODERN], &one(r#"{"type":["integer","null"],"x-mcp-header":"!#$%&'*+-.^_`|~"}"#), &[]),
        (&[MODERN], &one(r#"{"type":"object","properties":{"q":{"type":"boolean","x-mcp-header":"Q"}}}"#), &[]),
        // A property may have this name, and data may be anything.
        (&[MODERN], &schema(r#""properties":{"x-mcp-header":{"type":"number"}}"#), &[]),
        (&[MODERN], &one(r#"{"default":{"x-mcp-header":1},"enum":[{"x-mcp-header":""}]}"#), &[]),
        (&[MODERN], &one(r#"{"type":"string","x-mcp-header":""}"#), &[AT]),
        (&[MODERN], &one(r#"{"type":"string","x-mcp-header":"a b"}"#), &[AT]),
        (&[MODERN], &one(r#"{"type":"string","x-mcp-header":"a\r\nb"}"#), &[AT]),
        (&[MODERN], &one(r#"{"type":"string","x-mcp-header":1}"#), &[AT]),
        (&[MODERN], &one(r#"{"type":"number","x-mcp-header":"N"}"#), &[AT]),
        (&[MODERN], &one(r#"{"type":"object","x-mcp-header":"N"}"#), &[AT]),
        (&[MODERN], &one(r#"{"type":["string","number"],"x-mcp-header":"N"}"#), &[AT]),
        (&[MODERN], &one(r#"{"x-mcp-header":"N"}"#), &[AT]),
        (
            &[MODERN],
            &schema(
                r#""properties":{"a":{"type":"string","x-mcp-header":"ID"},"b":{"type":"string","x-mcp-header":"Id"}}"#,
            ),
            &["/tools/0/inputSchema/properties/b/x-mcp-header"],
        ),
        (&[MODERN], &schema(r#""x-mcp-header":"Top""#), &["/tools/0/inputSchema/x-mcp-header"]),
        (
            &[MODERN],
            &one(r#"{"type":"array","items":{"type":"string","x-mcp-header":"A"}}"#),
            &["/tools/0/inputSchema/properties/p/items/x-mcp-header"],
        ),
        (
            &[MODERN],
            &schema(r#""anyOf":[{},{"properties":{"p":{"type":"string","x-mcp-header":"A"}}}]"#),
            &["/tools/0/inputSchema/anyOf/1/properties/p/x-mcp-header"],
        ),
        (
            &[MODERN],
            &schema(r#""$defs":{"x":{"type":"string","x-mcp-header":"A"}}"#),
            &["/tools/0/inputSchema/$defs/x/x-mcp-header"],
        ),
        (&[FIRST, MARCH, JUNE, NOVEMBER], &one(r#"{"type":"number","x-mcp-header":""}"#), &[]),
    ];
    check("tools/list", Part::Result, "server/tools", rows);
}

/// Whether the tool has an output schema, a result, and what has to fit the schema; the outer `None` stands for
/// a breach.
type OutputRow<'a> = (&'a [ProtocolVersion], bool, &'a str, Option<Option<&'a str>>);

/// spec: 2025-06-18, 2025-11-25 and 2026-07-28 server/tools, output schema
#[test]
fn structured_content_is_there() {
    let with = r#"{"content":[],"structuredContent":{"a":1}}"#;
    let without = r#"{"content":[]}"#;
    let null = r#"{"content":[],"structuredContent":null}"#;
    let failed = r#"{"content":[],"isError":true}"#;
    let task = r#"{"task":{"taskId":"1","status":"working"}}"#;
    let interim = r#"{"resultType":"input_required","requestState":"s"}"#;
    let complete = r#"{"resultType":"complete","content":[],"structuredContent":[1]}"#;
    let rows: &[OutputRow<'_>] = &[
        (SINCE_JUNE, true, with, Some(Some(r#"{"a":1}"#))),
        (SINCE_JUNE, false, with, Some(None)),
        (&[FIRST, MARCH], true, with, Some(None)),
        (SINCE_JUNE, true, without, None),
        (&[FIRST, MARCH], true, without, Some(None)),
        (SINCE_JUNE, false, without, Some(None)),
        (&[JUNE, NOVEMBER], true, null, None),
        (&[MODERN], true, null, Some(Some("null"))),
        (SINCE_JUNE, true, failed, Some(None)),
        (SINCE_JUNE, true, &failed.replace("true", "false"), None),
        (&[NOVEMBER], true, task, Some(None)),
        (&[MODERN], true, interim, Some(None)),
        (&[MODERN], true, complete, Some(Some("[1]"))),
        (SINCE_JUNE, true, "", None),
        (SINCE_JUNE, true, r#"{"structuredContent":{"a""#, None),
    ];
    for (versions, has_schema, text, wanted) in rows {
        for version in *versions {
            let found = structured_content(*version, *has_schema, text);
            let found = match &found {
                Ok(content) => Some(content.as_ref().map(|json| json.as_str())),
                Err(breach) => {
                    assert_eq!((breach.pointer.as_str(), breach.force), ("/structuredContent", Force::Must));
                    None
                }
            };
            assert_eq!(found, *wanted, "{version} {text}");
        }
    }
}

fn sampling(messages: &[&str]) -> String {
    format!(r#"{{"messages":[{}],"maxTokens":1}}"#, messages.join(","))
}

/// spec: 2025-11-25 and 2026-07-28 client/sampling, message content constraints
#[test]
fn tools_in_sampling() {
    const TEXT: &str = r#"{"role":"user","content":{"type":"text","text":"x"}}"#;
    const REPLY: &str = r#"{"role":"assistant","content":[{"type":"text","text":"x"}]}"#;
    const ASK: &str = r#"{"role":"assistant","content":{"type":"tool_use","id":"a","name":"t","input":{}}}"#;
    const ASK_BOTH: &str = r#"{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"a","name":"t","input":{}},{"id":"b","type":"tool_use","name":"t","input":{}}]}"#;
    const A: &str = r#"{"role":"user","content":{"type":"tool_result","toolUseId":"a","content":[]}}"#;
    const B: &str = r#"{"role":"user","content":[{"toolUseId":"b","content":[],"type":"tool_result"}]}"#;
    const BOTH: &str = r#"{"role":"user","content":[{"type":"tool_result","toolUseId":"b","content":[]},{"type":"tool_result","toolUseId":"a","content":[]}]}"#;
    const MIXED: &str =
        r#"{"content":[{"type":"text","text":"x"},{"type":"tool_result","toolUseId":"a","content":[]}],"role":"user"}"#;
    let rows: &[Row<'_>] = &[
        (ALL, &sampling(&[]), &[]),
        (ALL, &sampling(&[TEXT, REPLY, TEXT]), &[]),
        (ALL, &sampling(&[TEXT, ASK, A]), &[]),
        (ALL, &sampling(&[TEXT, ASK_BOTH, BOTH, REPLY, TEXT, ASK, A]), &[]),
        // Before there were tools, these blocks are nobody's.
        (UNTIL_JUNE, &sampling(&[MIXED, ASK]), &[]),
        (SINCE_NOVEMBER, &sampling(&[TEXT, ASK, MIXED]), &["/messages/2/content"]),
        (SINCE_NOVEMBER, &sampling(&[TEXT, ASK]), &["/messages/1/content"]),
        (SINCE_NOVEMBER, &sampling(&[ASK, TEXT, A]), &["/messages/0/content"]),
        (SINCE_NOVEMBER, &sampling(&[ASK, REPLY]), &["/messages/0/content"]),
        (SINCE_NOVEMBER, &sampling(&[ASK_BOTH, A, REPLY]), &["/messages/0/content/2"]),
        (SINCE_NOVEMBER, &sampling(&[ASK_BOTH, A, B]), &["/messages/0/content/2"]),
        (SINCE_NOVEMBER, &sampling(&[ASK_BOTH]), &["/messages/0/content/1", "/messages/0/content/2"]),
        (SINCE_NOVEMBER, &sampling(&[A]), &["/messages/0/content"]),
        (SINCE_NOVEMBER, &sampling(&[ASK, BOTH]), &["/messages/1/content/0"]),
    ];
    check("sampling/createMessage", Part::Params, "client/sampling", rows);
}

/// spec: 2025-11-25 client/sampling, tools in sampling; server/tools, tool
#[test]
fn definitions_in_sampling() {
    let with = |tools: &str| format!(r#"{{"messages":[],"maxTokens":1,"tools":[{tools}]}}"#);
    let rows: &[Row<'_>] = &[
        (ALL, &with(&named("a")), &[]),
        (ALL, &with(&[named("a"), named("a")].join(",")), &[]),
        (SINCE_NOVEMBER, &with(&named("a b")), &["/tools/0/name"]),
        (SINCE_NOVEMBER, &with(r#"{"name":"a","inputSchema":{}}"#), &["/tools/0/inputSchema"]),
        (UNTIL_JUNE, &with(r#"{"name":"a b","inputSchema":{}}"#), &[]),
    ];
    check("sampling/createMessage", Part::Params, "server/tools", rows);
}

/// spec: 2025-11-25 and 2026-07-28 client/sampling, capabilities
#[test]
fn context_of_servers() {
    let with = |context: &str| format!(r#"{{"messages":[],"maxTokens":1,"includeContext":{context}}}"#);
    let rows: &[Row<'_>] = &[
        (ALL, &with(r#""none""#), &[]),
        (ALL, &with("null"), &[]),
        (UNTIL_JUNE, &with(r#""thisServer""#), &[]),
        (UNTIL_JUNE, &with(r#""allServers""#), &[]),
        (SINCE_NOVEMBER, &with(r#""thisServer""#), &["/includeContext"]),
        (SINCE_NOVEMBER, &with(r#""allServers""#), &["/includeContext"]),
    ];
    check("sampling/createMessage", Part::Params, "client/sampling", rows);
    let found = breaches(MODERN, "sampling/createMessage", Part::Params, &with(r#""allServers""#));
    assert_eq!(found[0].force, Force::Should);
}

/// spec: all revisions client/sampling, model hints
#[test]
fn hints_of_models() {
    let models = ["gpt-9-mini", "claude-3-haiku", "claude-3-5-sonnet-20241022", "Gemini-Pro"];
    let rows: &[(&[&str], Option<&str>)] = &[
        (&["claude-3-5-sonnet"], Some("claude-3-5-sonnet-20241022")),
        (&["sonnet", "claude"], Some("claude-3-5-sonnet-20241022")),
        (&["opus", "claude"], Some("claude-3-haiku")),
        (&["mini", "haiku"], Some("gpt-9-mini")),
        (&["gemini"], None),
        (&["claude-3-haiku-and-more"], None),
        (&["", "haiku"], Some("claude-3-haiku")),
        (&[""], None),
        (&[], None),
    ];
    for (hints, wanted) in rows {
        assert_eq!(best_model(hints.iter().copied(), &models), *wanted, "{hints:?}");
    }
    assert_eq!(best_model(["a"], &[] as &[String]), None);
}

/// spec: 2025-06-18 client/elicitation, request schema; 2025-11-25 and 2026-07-28, requested schema
#[test]
fn forms_are_flat() {
    let form = |schema: &str| format!(r#"{{"message":"m","requestedSchema":{{"type":"object",{schema}}}}}"#);
    let one = |property: &str| form(&format!(r#""properties":{{"p":{property}}}"#));
    const AT: &[&str] = &["/requestedSchema/properties/p"];
    const ONE_OF: &[&str] = &["/requestedSchema/properties/p/oneOf"];
    const ITEMS: &[&str] = &["/requestedSchema/properties/p/items"];
    let titled = one(r#"{"type":"string","oneOf":[{"const":"a","title":"A"}]}"#);
    let several = one(r#"{"type":"array","minItems":1,"items":{"type":"string","enum":["a"]},"default":["a"]}"#);
    let several_titled = one(r#"{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}"#);
    let rows: &[Row<'_>] = &[
        (SINCE_JUNE, &one(r#"{"type":"string","minLength":3,"format":"email","title":"t"}"#), &[]),
        (SINCE_JUNE, &one(r#"{"type":"number","minimum":0}"#), &[]),
        (SINCE_JUNE, &one(r#"{"type":"integer"}"#), &[]),
        (SINCE_JUNE, &one(r#"{"type":"boolean","default":false}"#), &[]),
        (SINCE_JUNE, &one(r#"{"type":"string","enum":["a"],"enumNames":["A"]}"#), &[]),
        (SINCE_JUNE, &form(r#""properties":{},"required":[],"additionalProperties":false"#), &[]),
        // A property may be called like a keyword.
        (SINCE_JUNE, &form(r#""properties":{"items":{"type":"string"},"a/b":{"type":"string"}}"#), &[]),
        (SINCE_JUNE, &one(r#"{"type":"object"}"#), AT),
        (SINCE_JUNE, &one(r#"{"type":"null"}"#), AT),
        (SINCE_JUNE, &one(r#"{"type":["string","null"]}"#), AT),
        (SINCE_JUNE, &one("{}"), AT),
        (SINCE_JUNE, &one("true"), AT),
        (SINCE_JUNE, &form(r#""properties":{"a/~b":{}}"#), &["/requestedSchema/properties/a~1~0b"]),
        (SINCE_JUNE, &one(r##"{"type":"string","$ref":"#"}"##), &["/requestedSchema/properties/p/$ref"]),
        (SINCE_JUNE, &one(r#"{"type":"number","oneOf":[]}"#), ONE_OF),
        (SINCE_JUNE, &one(r#"{"type":"string","properties":{}}"#), &["/requestedSchema/properties/p/properties"]),
        (SINCE_JUNE, &form(r#""properties":{},"allOf":[]"#), &["/requestedSchema/allOf"]),
        (SINCE_NOVEMBER, &titled, &[]),
        (&[JUNE], &titled, ONE_OF),
        (SINCE_JUNE, &one(r#"{"type":"string","oneOf":[{"const":"a"}]}"#), ONE_OF),
        (SINCE_JUNE, &one(r#"{"type":"string","oneOf":[{"type":"object"}]}"#), ONE_OF),
        (SINCE_NOVEMBER, &several, &[]),
        (SINCE_NOVEMBER, &several_titled, &[]),
        (&[JUNE], &several, AT),
        (&[JUNE], &several_titled, AT),
        (SINCE_NOVEMBER, &one(r#"{"type":"array"}"#), ITEMS),
        (SINCE_NOVEMBER, &one(r#"{"type":"array","items":{"type":"string"}}"#), ITEMS),
        (SINCE_NOVEMBER, &one(r#"{"type":"array","items":{"type":"object","enum":["a"]}}"#), ITEMS),
        (SINCE_NOVEMBER, &one(r#"{"type":"array","items":{"type":"string","enum":[1]}}"#), ITEMS),
        (SINCE_NOVEMBER, &one(r#"{"type":"array","items":{"anyOf":[{"type":"string"}]}}"#), ITEMS),
        (&[FIRST, MARCH], &one(r#"{"type":"object"}"#), &[]),
    ];
    check("elicitation/create", Part::Params, "client/elicitation", rows);
}

/// spec: 2025-11-25 and 2026-07-28 client/elicitation, URL mode
#[test]
fn elicitation_urls() {
    let with = |url: &str| format!(r#"{{"mode":"url","message":"m","elicitationId":"1","url":{url:?}}}"#);
    for good in [
        "https://mcp.example.com/ui/set_api_key",
        "http://localhost:3000/?a=b%20c#d",
        "HTTPS://[::1]:8080",
        "https://user@example.com",
        "myapp:open",
    ] {
        check("elicitation/create", Part::Params, "client/elicitation", &[(SINCE_JUNE, &with(good), &[])]);
    }
    for bad in [
        "",
        "/relative",
        "example.com/x",
        "https:",
        "https://",
        "https:///x",
        "https://a b",
        "https://a/%zz",
        "1a:b",
        "https://:80",
    ] {
        let text = with(bad);
        let rows: &[Row<'_>] = &[(SINCE_NOVEMBER, &text, &["/url"]), (&[JUNE], &text, &[])];
        check("elicitation/create", Part::Params, "client/elicitation", rows);
    }
}

/// spec: 2024-11-05 basic/utilities/progress; 2026-07-28 basic/patterns/progress
#[test]
fn progress_rises() {
    let rows: &[(&[f64], &[bool])] = &[
        (&[0.2, 0.6, 1.0], &[true, true, true]),
        (&[-1.0, 0.0, 50.0, 1e300], &[true, true, true, true]),
        (&[1.0, 1.0, 2.0], &[true, false, true]),
        (&[5.0, 3.0, 4.0, 6.0], &[true, false, false, true]),
        (&[f64::NAN, 1.0, f64::INFINITY, f64::NAN, 2.0], &[false, true, false, false, true]),
    ];
    for (values, wanted) in rows {
        let mut rising = Rising::new();
        let found: Vec<bool> = values.iter().map(|value| rising.step(*value).is_ok()).collect();
        assert_eq!(found, *wanted, "{values:?}");
    }
    // Beyond what a double can tell apart.
    let mut rising = Rising::new();
    assert!(rising.step(9_007_199_254_740_992_i64).is_ok());
    assert!(rising.step(9_007_199_254_740_993_i64).is_ok());
    let fault = rising.step(1).unwrap_err();
    assert_eq!(fault.to_string(), "progress has to rise, but 1 follows 9007199254740993");
    assert_eq!(rising.last().and_then(|last| last.as_i64()), Some(9_007_199_254_740_993));
}

fn meta(key: &str) -> String {
    format!(r#"{{"_meta":{{{key:?}:1}}}}"#)
}

/// spec: 2025-06-18, 2025-11-25 and 2026-07-28 basic/index, _meta, key name format
#[test]
fn keys_of_meta() {
    for good in
        ["", "a", "1", "progressToken", "a-b_c.d", "com.example/", "com.example/name", "a/b", "a-1.b2/x.y", "x--y/z"]
    {
        assert_eq!(meta_key(good), Ok(()), "{good}");
        check("ping", Part::Params, "basic/index", &[(&[FIRST, MARCH, JUNE, NOVEMBER], &meta(good), &[])]);
    }
    for (bad, pointer) in [
        ("-a", "/_meta/-a"),
        ("a-", "/_meta/a-"),
        ("_", "/_meta/_"),
        ("a b", "/_meta/a b"),
        ("ä", "/_meta/ä"),
        ("/a", "/_meta/~1a"),
        ("/", "/_meta/~1"),
        ("a/b/c", "/_meta/a~1b~1c"),
        ("1a/b", "/_meta/1a~1b"),
        ("a-/b", "/_meta/a-~1b"),
        ("a..b/c", "/_meta/a..b~1c"),
        (".a/c", "/_meta/.a~1c"),
        ("a_b/c", "/_meta/a_b~1c"),
        ("a/.", "/_meta/a~1."),
    ] {
        assert_eq!(meta_key(bad).unwrap_err().force, Force::Must);
        let text = meta(bad);
        let rows: &[Row<'_>] = &[(&[FIRST, MARCH], &text, &[]), (&[JUNE, NOVEMBER], &text, &[pointer])];
        check("ping", Part::Params, "basic/index", rows);
        check("tools/list", Part::Params, "basic/index", &[(&[MODERN], &text, &[pointer])]);
    }
}

/// spec: 2025-06-18, 2025-11-25 and 2026-07-28 basic/index, _meta, reserved prefixes and keys
#[test]
fn reserved_keys_of_meta() {
    // Whether it is reserved and undefined, in June, in November and in the modern revision.
    for (key, june, november, modern) in [
        ("a", false, false, false),
        ("com.example/a", false, false, false),
        ("mcp/a", false, false, false),
        ("modelcontextprotocol.io/a", true, false, false),
        ("mcp.dev/a", true, false, false),
        ("tools.mcp.com/a", true, true, true),
        ("api.modelcontextprotocol.org/a", true, true, true),
        ("dev.mcp/a", false, true, true),
        ("com.mcp.tools/a", true, true, true),
        ("com.example.mcp/a", false, false, false),
        ("io.modelcontextprotocol/a", false, true, false),
        ("io.modelcontextprotocol/related-task", false, false, false),
        ("io.modelcontextprotocol/model-immediate-response", false, false, false),
        ("io.modelcontextprotocol/protocolVersion", false, true, false),
        ("io.modelcontextprotocol.x/a", true, true, true),
        ("io.mcp_/a", false, false, false),
    ] {
        let found = [JUNE, NOVEMBER, MODERN].map(|version| reserved_meta_key(version, key));
        assert_eq!(found, [june, november, modern], "{key}");
        assert!(!reserved_meta_key(FIRST, key));
    }
    let text = meta("dev.mcp/a");
    let rows: &[Row<'_>] = &[(&[FIRST, MARCH, JUNE], &text, &[]), (SINCE_NOVEMBER, &text, &["/_meta/dev.mcp~1a"])];
    check("tools/list", Part::Params, "basic/index", rows);
    assert_eq!(breaches(NOVEMBER, "tools/list", Part::Params, &text)[0].force, Force::Should);
}

/// spec: 2025-06-18 and later basic/index, _meta: wherever the protocol has one, and nowhere else
#[test]
fn places_of_meta() {
    const BAD: &str = r#""_meta":{"-":1}"#;
    let with = |text: &str| text.replace('@', BAD);
    let call: &[Row<'_>] = &[
        (SINCE_JUNE, &with(r#"{"content":[],@}"#), &["/_meta/-"]),
        (SINCE_JUNE, &with(r#"{"content":[{"type":"text","text":"x",@}]}"#), &["/content/0/_meta/-"]),
        (
            SINCE_JUNE,
            &with(r#"{"content":[{"type":"resource","resource":{"uri":"a:b","text":"x",@}}]}"#),
            &["/content/0/resource/_meta/-"],
        ),
        (SINCE_JUNE, &with(r#"{"content":[],"structuredContent":{@,"content":[{@}]}}"#), &[]),
        (SINCE_JUNE, r#"{"content":[],"_meta":{"a":{"-":1,"_meta":{"-":1}}}}"#, &[]),
        (SINCE_JUNE, r#"{"content":[],"_meta":null}"#, &[]),
        (SINCE_JUNE, r#"{"content":[],"_meta":["-"]}"#, &[]),
        (&[FIRST, MARCH], &with(r#"{"content":[],@}"#), &[]),
    ];
    check("tools/call", Part::Result, "basic/index", call);
    check("tools/call", Part::Params, "basic/index", &[(ALL, &with(r#"{"name":"a","arguments":{@}}"#), &[])]);
    let sampling = with(r#"{"messages":[{"role":"user","content":{"type":"text","text":"x",@},@}],"maxTokens":1}"#);
    let wanted: &[&str] = &["/messages/0/content/_meta/-", "/messages/0/_meta/-"];
    check("sampling/createMessage", Part::Params, "basic/index", &[(SINCE_JUNE, &sampling, wanted)]);
    let answers = with(r#"{"name":"a","inputResponses":{"r/1":{"roots":[{"uri":"file:///a",@}]}}}"#);
    let wanted: &[&str] = &["/inputResponses/r~11/roots/0/_meta/-"];
    check("tools/call", Part::Params, "basic/index", &[(SINCE_JUNE, &answers, wanted)]);
}

/// spec: 2026-07-28 basic/index, OpenTelemetry trace context
#[test]
fn trace_contexts() {
    const AT: &[&str] = &["/_meta/traceparent"];
    let with = |value: &str| format!(r#"{{"_meta":{{"traceparent":{value}}}}}"#);
    for (value, fits) in [
        (r#""00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01""#, true),
        (r#""cc-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01-what-else""#, true),
        (r#""00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01-what-else""#, false),
        (r#""ff-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01""#, false),
        (r#""00-0AF7651916CD43DD8448EB211C80319C-00f067aa0ba902b7-01""#, false),
        (r#""00-00000000000000000000000000000000-00f067aa0ba902b7-01""#, false),
        (r#""00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01""#, false),
        (r#""00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7""#, false),
        (r#""""#, false),
        ("1", false),
        ("{}", false),
    ] {
        let text = with(value);
        let rows: &[Row<'_>] =
            &[(&[MODERN], &text, if fits { &[] } else { AT }), (&[FIRST, MARCH, JUNE, NOVEMBER], &text, &[])];
        check("tools/list", Part::Params, "basic/index", rows);
    }
}

/// spec: 2026-07-28 basic/versioning, extension negotiation
#[test]
fn names_of_extensions() {
    let client = |name: &str| {
        format!(r#"{{"_meta":{{"io.modelcontextprotocol/clientCapabilities":{{"extensions":{{{name:?}:{{}}}}}}}}}}"#)
    };
    let server = |name: &str| format!(r#"{{"capabilities":{{"extensions":{{{name:?}:{{}}}}}}}}"#);
    for (name, escaped, fits) in [
        ("io.modelcontextprotocol/ui", "io.modelcontextprotocol~1ui", true),
        ("com.example/x", "com.example~1x", true),
        ("x", "x", false),
        ("1.com/x", "1.com~1x", false),
        ("com.example/x/y", "com.example~1x~1y", false),
    ] {
        let at = format!("/_meta/io.modelcontextprotocol~1clientCapabilities/extensions/{escaped}");
        let wanted: &[&str] = if fits { &[] } else { &[&at] };
        check("tools/list", Part::Params, "basic/versioning", &[(&[MODERN], &client(name), wanted)]);
        let at = format!("/capabilities/extensions/{escaped}");
        let wanted: &[&str] = if fits { &[] } else { &[&at] };
        check("server/discover", Part::Result, "basic/versioning", &[(&[MODERN], &server(name), wanted)]);
    }
}

/// spec: 2026-07-28 basic/index, _meta; basic/patterns/subscriptions
#[test]
fn subscriptions() {
    const AT: &[&str] = &["/_meta/io.modelcontextprotocol~1subscriptionId"];
    let with = r#"{"uri":"a:b","notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}"#;
    let without = r#"{"uri":"a:b","notifications":{},"_meta":{}}"#;
    for method in [
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
        "notifications/subscriptions/acknowledged",
        "notifications/tools/list_changed",
    ] {
        let rows: &[Row<'_>] = &[
            (&[FIRST, MARCH, JUNE], with, &[]),
            (&[MODERN], with, &[]),
            (&[FIRST, MARCH, JUNE, NOVEMBER], without, &[]),
            (&[MODERN], without, AT),
            (&[MODERN], "{}", AT),
        ];
        check(method, Part::Notification, "basic/index", rows);
    }
    check("notifications/progress", Part::Notification, "", &[(ALL, r#"{"progressToken":1,"progress":1}"#, &[])]);
}

/// spec: all revisions client/roots, root
#[test]
fn uris_of_roots() {
    let with = |uri: &str| format!(r#"{{"roots":[{{"uri":"file:///a"}},{{"uri":{uri:?}}}]}}"#);
    for (uri, fits) in [
        ("file:///home/user/project", true),
        ("FILE://host/share%20x", true),
        ("https://example.com", false),
        ("file:/home", false),
        ("/home", false),
        ("file:///my docs", false),
        ("file:///C:\\x", false),
        ("", false),
    ] {
        let wanted: &[&str] = if fits { &[] } else { &["/roots/1/uri"] };
        check("roots/list", Part::Result, "client/roots", &[(ALL, &with(uri), wanted)]);
    }
    let answers = r#"{"name":"a","inputResponses":{"r":{"roots":[{"uri":"x:y"}]},"e":{"action":"accept","content":{"uri":"no uri","icons":["x"]}}}}"#;
    let wanted: &[&str] = &["/inputResponses/r/roots/0/uri"];
    check("tools/call", Part::Params, "client/roots", &[(&[MODERN], answers, wanted)]);
}

/// spec: 2025-06-18, 2025-11-25 and 2026-07-28 server/resources, custom URI schemes
#[test]
fn uris_of_resources() {
    let with = |uri: &str| format!(r#"{{"resources":[{{"name":"n","uri":{uri:?}}}]}}"#);
    for (uri, fits) in [
        ("file:///a", true),
        ("git+ssh://host/x?y#z", true),
        ("urn:isbn:0451450523", true),
        ("a", false),
        ("a b:c", false),
        ("a:b c", false),
        ("a:ü", false),
        ("a:%4", false),
        ("a:#b#c", false),
        (":a", false),
    ] {
        let text = with(uri);
        let wanted: &[&str] = if fits { &[] } else { &["/resources/0/uri"] };
        let rows: &[Row<'_>] = &[(SINCE_JUNE, &text, wanted), (&[FIRST, MARCH], &text, &[])];
        check("resources/list", Part::Result, "server/resources", rows);
    }
    let rows: &[Row<'_>] = &[
        (
            SINCE_JUNE,
            r#"{"content":[{"type":"resource_link","name":"n","uri":"x"},{"type":"resource","resource":{"uri":"y","text":""}}]}"#,
            &["/content/0/uri", "/content/1/resource/uri"],
        ),
        (SINCE_JUNE, r#"{"content":[{"type":"vendor","uri":"x"}]}"#, &[]),
    ];
    check("tools/call", Part::Result, "server/resources", rows);
    let text = r#"{"contents":[{"uri":"x","text":""}]}"#;
    check("resources/read", Part::Result, "server/resources", &[(SINCE_JUNE, text, &["/contents/0/uri"])]);
}

/// spec: 2025-11-25 and 2026-07-28 basic/index, icons
#[test]
fn sources_of_icons() {
    for (src, fits) in [
        ("https://example.com/i.png", true),
        ("http://localhost/i.png", true),
        ("data:image/png;base64,AA==", true),
        ("DATA:image/png,", true),
        ("javascript:alert(1)", false),
        ("file:///i.png", false),
        ("ws://example.com", false),
        ("i.png", false),
    ] {
        let icons = format!(r#""icons":[{{"src":{src:?}}}]"#);
        let prompts = format!(r#"{{"prompts":[{{"name":"n",{icons}}}]}}"#);
        let wanted: &[&str] = if fits { &[] } else { &["/prompts/0/icons/0/src"] };
        let rows: &[Row<'_>] = &[(SINCE_NOVEMBER, &prompts, wanted), (UNTIL_JUNE, &prompts, &[])];
        check("prompts/list", Part::Result, "basic/index", rows);
        let hello = format!(r#"{{"clientInfo":{{"name":"n",{icons}}},"capabilities":{{"icons":"x"}}}}"#);
        let wanted: &[&str] = if fits { &[] } else { &["/clientInfo/icons/0/src"] };
        check("initialize", Part::Params, "basic/index", &[(&[NOVEMBER], &hello, wanted)]);
        let served = format!(r#"{{"_meta":{{"io.modelcontextprotocol/serverInfo":{{{icons}}}}}}}"#);
        let wanted: &[&str] = if fits { &[] } else { &["/_meta/io.modelcontextprotocol~1serverInfo/icons/0/src"] };
        check("prompts/list", Part::Result, "basic/index", &[(&[MODERN], &served, wanted)]);
    }
}

/// spec: all revisions server/utilities/completion
#[test]
fn values_of_completions() {
    let with = |count: usize| format!(r#"{{"completion":{{"values":[{}]}}}}"#, vec![r#""x""#; count].join(","));
    let rows: &[Row<'_>] = &[
        (ALL, &with(0), &[]),
        (ALL, &with(100), &[]),
        (ALL, &with(101), &["/completion/values"]),
        (ALL, r#"{"completion":[]}"#, &[]),
    ];
    check("completion/complete", Part::Result, "server/utilities/completion", rows);
}

/// spec: 2026-07-28 basic/patterns/mrtr
#[test]
fn rounds() {
    let asks = r#"{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}"#;
    let waits = r#"{"resultType":"input_required","requestState":"s"}"#;
    let empty = r#"{"resultType":"input_required"}"#;
    for method in ["prompts/get", "resources/read", "tools/call"] {
        let rows: &[Row<'_>] =
            &[(ALL, asks, &[]), (ALL, waits, &[]), (&[MODERN], empty, &[""]), (&[NOVEMBER], empty, &[])];
        check(method, Part::Result, "basic/patterns/mrtr", rows);
    }
    for method in ["prompts/list", "completion/complete", "resources/templates/list"] {
        let rows: &[Row<'_>] = &[
            (&[MODERN], waits, &["/resultType"]),
            (&[MODERN], empty, &["/resultType", ""]),
            (&[FIRST, MARCH, JUNE, NOVEMBER], waits, &[]),
        ];
        check(method, Part::Result, "basic/patterns/mrtr", rows);
    }
    let inside = r#"{"resultType":"input_required","inputRequests":{"a/b":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"p":{"type":"object"}}}}},"c":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"x"}},"d":{"method":"tools/call","params":{}}}}"#;
    let wanted: &[&str] = &["/inputRequests/a~1b/params/requestedSchema/properties/p", "/inputRequests/c/params/url"];
    check("tools/call", Part::Result, "client/elicitation", &[(&[MODERN], inside, wanted), (&[NOVEMBER], inside, &[])]);
}

/// spec: 2025-11-25 basic/utilities/tasks
#[test]
fn tasks() {
    let with = |status: &str| format!(r#"{{"task":{{"taskId":"1","status":{status:?}}}}}"#);
    for method in ["tools/call", "elicitation/create", "sampling/createMessage"] {
        let rows: &[Row<'_>] = &[
            (&[NOVEMBER], &with("working"), &[]),
            (&[NOVEMBER], &with("completed"), &["/task/status"]),
            (&[NOVEMBER], r#"{"content":[],"action":"accept","task":{"status":"failed"}}"#, &[]),
            (&[FIRST, MARCH, JUNE, MODERN], &with("completed"), &[]),
        ];
        check(method, Part::Result, "basic/utilities/tasks", rows);
    }
    let rows: &[Row<'_>] = &[
        (&[NOVEMBER], r#"{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"1"}}}"#, &[]),
        (&[NOVEMBER], r#"{"content":[]}"#, &["/_meta/io.modelcontextprotocol~1related-task"]),
        (
            &[NOVEMBER],
            r#"{"_meta":{"io.modelcontextprotocol/related-task":{}}}"#,
            &["/_meta/io.modelcontextprotocol~1related-task"],
        ),
    ];
    check("tasks/result", Part::Result, "basic/utilities/tasks", rows);
}

/// spec: 2025-11-25 basic/utilities/cancellation; the schemas of the others require the id
#[test]
fn cancellations() {
    let rows: &[Row<'_>] = &[
        (ALL, r#"{"requestId":0}"#, &[]),
        (&[NOVEMBER], r#"{"requestId":"a","reason":"x"}"#, &[]),
        (&[NOVEMBER], r#"{"reason":"x"}"#, &["/requestId"]),
        (&[NOVEMBER], "{}", &["/requestId"]),
    ];
    check("notifications/cancelled", Part::Notification, "basic/utilities/cancellation", rows);
}

/// What nobody knows breaks no rule, and a message is judged by its own method and part only.
#[test]
fn unknown_methods() {
    let text = with_schema("null");
    for (method, part) in [("vendor/list", Part::Result), ("", Part::Result), ("tools/list", Part::Params)] {
        check(method, part, "", &[(ALL, &text, &[])]);
    }
    // The revision has no elicitation, so this is a method of somebody else's.
    check("elicitation/create", Part::Params, "", &[(&[FIRST, MARCH], &meta("-"), &[])]);
    check("roots/list", Part::Params, "", &[(SINCE_MARCH, r#"{"uri":"x"}"#, &[])]);
}

/// However much is wrong, and however deep, the answer is short and comes at once.
#[test]
fn hostile_texts() {
    let many = tools(&vec!["{}"; 10_000].join(","));
    assert_eq!(breaches(MODERN, "tools/list", Part::Result, &many).len(), MAX_BREACHES);
    let keys: Vec<String> = (0..10_000).map(|at| format!(r#""-{at}":0"#)).collect();
    let keys = format!(r#"{{"_meta":{{{}}}}}"#, keys.join(","));
    assert_eq!(breaches(MODERN, "tools/call", Part::Params, &keys).len(), MAX_BREACHES);
    for (open, close) in
        [(r#"{"content":"#, "}"), (r#"{"inputRequests":{"a":"#, "}}"), ("[", "]"), (r#"{"params":["#, "]}")]
    {
        for depth in [10, 63, 126, 127, 128, 100_000] {
            let deep = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let schema = with_schema(&deep);
            let form = format!(r#"{{"requestedSchema":{{"type":"object","properties":{{"p":{deep}}}}}}}"#);
            for version in ALL {
                breaches(*version, "tools/call", Part::Result, &deep);
                breaches(*version, "tools/list", Part::Result, &schema);
                breaches(*version, "elicitation/create", Part::Params, &form);
            }
        }
    }
    let uses: Vec<String> = (0..20_000)
        .map(|at| match at % 2 {
            0 => format!(r#"{{"role":"assistant","content":{{"type":"tool_use","id":"{at}"}}}}"#),
            _ => format!(r#"{{"role":"user","content":{{"type":"tool_result","toolUseId":"{}"}}}}"#, at - 1),
        })
        .collect();
    let long = format!(r#"{{"messages":[{}]}}"#, uses.join(","));
    assert_eq!(breaches(MODERN, "sampling/createMessage", Part::Params, &long), []);
}
