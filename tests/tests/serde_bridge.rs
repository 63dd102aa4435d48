//! The types are good serde citizens: from text, from readers, from values, and inside of what serde's
//! derive makes around them.

use std::fmt::Debug;

use mcprism_types::{
    Decode, Json, JsonObject, Map, Number, decode, v2024_11_05 as first, v2025_03_26 as second, v2025_06_18 as third,
    v2025_11_25 as mcp, v2026_07_28 as modern,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What every type can do.
trait Wire: Decode + Serialize + DeserializeOwned + PartialEq + Debug {}

impl<T: Decode + Serialize + DeserializeOwned + PartialEq + Debug> Wire for T {}

/// A type beside members of the user's own.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flattened<T> {
    own_before: u8,
    #[serde(flatten)]
    inner: T,
    own_after: String,
}

/// A type as a member, required, optional and in a list.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Member<T> {
    one: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    maybe: Option<T>,
    many: Vec<T>,
}

/// A type as one of several that are tried in turn.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged<T> {
    Never { no_such_member_anywhere: u8 },
    Wire(T),
}

/// A type as one of several, with the tag among its members.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "own tag")]
enum Tagged<T> {
    Other,
    Wire(T),
}

/// A type as one of several, with the tag beside it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "tag", content = "content")]
enum Adjacent<T> {
    Wire(T),
}

/// Every way to the value leads to the same one.
#[track_caller]
fn alike<T: Wire>(text: &str) {
    let direct: T = decode(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::from_str::<T>(text).unwrap(), direct);
    assert_eq!(serde_json::from_slice::<T>(text.as_bytes()).unwrap(), direct);
    assert_eq!(serde_json::from_reader::<_, T>(text.as_bytes()).unwrap(), direct);
    assert_eq!(serde_json::from_value::<T>(value.clone()).unwrap(), direct);
    assert_eq!(T::deserialize(&value).unwrap(), direct, "from a borrowed value");

    let written = serde_json::to_string(&direct).unwrap();
    let to_value = serde_json::to_value(&direct).unwrap();
    assert_eq!(to_value, serde_json::from_str::<Value>(&written).unwrap());
    assert_eq!(serde_json::to_vec(&direct).unwrap(), written.as_bytes());
    let pretty = serde_json::to_string_pretty(&direct).unwrap();
    assert_eq!(decode::<T>(&pretty).unwrap(), direct);
    assert_eq!(decode::<T>(&written).unwrap(), direct);

    let member = Member { one: decode::<T>(text).unwrap(), maybe: Some(decode(text).unwrap()), many: vec![direct] };
    same(&member, &format!(r#"{{"one":{written},"maybe":{written},"many":[{written}]}}"#));
    same(&Untagged::Wire(decode::<T>(text).unwrap()), &written);
    same(&Adjacent::Wire(decode::<T>(text).unwrap()), &format!(r#"{{"tag":"Wire","content":{written}}}"#));
    same(&vec![Some(decode::<T>(text).unwrap())], &format!("[{written}]"));
}

/// As `alike`, for objects, whose members may be mixed with others.
#[track_caller]
fn alike_object<T: Wire>(text: &str) {
    alike::<T>(text);
    let inner = || decode::<T>(text).unwrap();
    let written = serde_json::to_string(&inner()).unwrap();
    let members = &written[1..written.len() - 1];
    let comma = if members.is_empty() { "" } else { "," };
    let flattened = Flattened { own_before: 1, inner: inner(), own_after: "a".into() };
    same(&flattened, &format!(r#"{{"own_before":1{comma}{members},"own_after":"a"}}"#));
    same(&Tagged::Wire(inner()), &format!(r#"{{"own tag":"Wire"{comma}{members}}}"#));
}

/// The text reads as the value by all of serde_json's ways, and the value is written as the text.
#[track_caller]
fn same<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str) {
    let parsed: Value = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::from_str::<T>(text).unwrap_or_else(|error| panic!("{text}: {error}")), *value);
    assert_eq!(serde_json::from_reader::<_, T>(text.as_bytes()).unwrap(), *value);
    assert_eq!(serde_json::from_value::<T>(parsed.clone()).unwrap(), *value);
    // Inside serde's own buffers the members of raw JSON come in another order; no name stands twice.
    let written = serde_json::to_string(value).unwrap();
    assert_eq!(written.len(), text.len(), "{written}, {text}");
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), parsed);
    assert_eq!(serde_json::to_value(value).unwrap(), parsed);
}

const CALL: &str = r#"{"method":"tools/call","params":{"_meta":{"progressToken":9007199254740993,"a":[1.5]},"arguments":{"x":[1,2.5,null,"é\n"]},"name":"a"},"vendor":{"y":{}}}"#;
const RESULT: &str = r#"{"content":[{"type":"text","text":"a"},{"text":"b","type":"text"},{"type":"video","x":[{}]},{"type":"resource","resource":{"uri":"a:b","blob":""}}],"isError":false,"vendor":null}"#;

#[test]
fn the_first_revision() {
    alike_object::<first::CallToolRequest>(CALL);
    alike_object::<first::ClientRequest>(CALL);
    alike_object::<first::CallToolResult>(RESULT);
    alike_object::<first::CallToolResult>("{}");
    alike_object::<first::ContentBlock>(r#"{"text":"a","type":"text"}"#);
    alike_object::<first::SamplingMessage>(r#"{"role":"later","content":{"data":"","mimeType":"","type":"image"}}"#);
    alike_object::<first::ResourceContentsBody>(r#"{"uri":"a:b","text":"","mimeType":null}"#);
    alike_object::<first::ServerCapabilities>(r#"{"logging":{},"experimental":{"a":{"b":1}},"later":[]}"#);
    alike_object::<first::PingRequest>(r#"{"method":"ping"}"#);
    alike::<first::ProgressToken>("\"a\"");
    alike::<first::Role>("\"later\"");
}

#[test]
fn the_second_revision() {
    alike_object::<second::CallToolRequest>(CALL);
    alike_object::<second::ContentBlock>(r#"{"data":"","mimeType":"audio/ogg","type":"audio"}"#);
    alike_object::<second::Tool>(r#"{"inputSchema":{"type":"object"},"name":"a","annotations":{"readOnlyHint":true}}"#);
    alike_object::<second::ServerNotification>(
        r#"{"method":"notifications/progress","params":{"progress":0.5,"progressToken":1}}"#,
    );
    alike::<second::RequestId>("9007199254740993");
    alike::<second::LoggingLevel>("\"debug\"");
}

#[test]
fn the_third_revision() {
    alike_object::<third::CallToolResult>(r#"{"structuredContent":{"a":[1.0,{}]}}"#);
    alike_object::<third::PrimitiveSchemaDefinition>(r#"{"type":"string","enum":["a"],"enumNames":["A"]}"#);
    alike_object::<third::PrimitiveSchemaDefinition>(r#"{"type":"integer","minimum":0.5}"#);
    alike_object::<third::ElicitRequest>(
        r#"{"method":"elicitation/create","params":{"message":"a","requestedSchema":{"type":"object","properties":{"b":{"type":"boolean"}}}}}"#,
    );
    alike_object::<third::ElicitResult>(r#"{"action":"accept","content":{"a":1.5,"b":true,"c":"","d":7}}"#);
    alike::<third::ElicitResultContent>("1.5");
    alike::<third::ElicitResultContent>("true");
}

#[test]
fn the_fourth_revision() {
    alike_object::<mcp::CallToolRequest>(CALL);
    alike_object::<mcp::ClientRequest>(CALL);
    alike_object::<mcp::CallToolRequestParams>(r#"{"arguments":{"a":1},"name":"a","task":{"ttl":1.0}}"#);
    alike_object::<mcp::CallToolResult>(RESULT);
    alike_object::<mcp::CallToolOutcome>(RESULT);
    alike_object::<mcp::CallToolOutcome>(
        r#"{"task":{"createdAt":"a","lastUpdatedAt":"b","status":"later","taskId":"t","ttl":null}}"#,
    );
    alike_object::<mcp::SamplingMessage>(
        r#"{"content":[{"type":"tool_result","content":[],"toolUseId":"a"},{"type":"tool_use","id":"b","input":{"a":[]},"name":"c"}],"role":"user"}"#,
    );
    alike::<mcp::SamplingMessageContent>(r#"[{"type":"text","text":"a"}]"#);
    alike_object::<mcp::SamplingMessageContent>(r#"{"type":"text","text":"a"}"#);
    alike_object::<mcp::ElicitRequestParams>(
        r#"{"message":"a","requestedSchema":{"properties":{"a":{"type":"array","items":{"enum":["b"],"type":"string"}}},"type":"object"}}"#,
    );
    alike_object::<mcp::ElicitRequestParams>(r#"{"mode":"url","elicitationId":"a","message":"b","url":"c"}"#);
    alike_object::<mcp::EnumSchema>(r#"{"type":"string","oneOf":[{"const":"a","title":"b"}]}"#);
    alike_object::<mcp::Task>(r#"{"createdAt":"a","lastUpdatedAt":"b","status":"working","taskId":"t","ttl":null}"#);
    alike_object::<mcp::Error>(r#"{"code":-32603,"data":null,"message":"a"}"#);
    alike_object::<mcp::EmptyResult>("{}");
    alike_object::<mcp::Result>(r#"{"a":[1.0,{"b":null}]}"#);
    alike::<mcp::ElicitResultContent>(r#"["a","b"]"#);
}

#[test]
fn the_fifth_revision() {
    alike_object::<modern::CallToolRequest>(
        r#"{"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{"sampling":{}},"io.modelcontextprotocol/protocolVersion":"2026-07-28","x/y":[1]},"arguments":{},"name":"a","inputResponses":{"k":{"action":"accept","content":{"a":0.5}}}}}"#,
    );
    alike_object::<modern::CallToolOutcome>(r#"{"content":[],"resultType":"complete","structuredContent":[1,null]}"#);
    alike_object::<modern::CallToolOutcome>(
        r#"{"inputRequests":{"k":{"method":"roots/list"},"l":{"method":"x/later"}},"resultType":"input_required"}"#,
    );
    alike_object::<modern::InputRequest>(
        r#"{"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[]}}"#,
    );
    alike_object::<modern::ListToolsResult>(r#"{"cacheScope":"public","resultType":"complete","tools":[],"ttlMs":0}"#);
    alike_object::<modern::ClientNotification>(r#"{"method":"notifications/cancelled","params":{"requestId":1}}"#);
    alike_object::<modern::UnsupportedProtocolVersionError>(
        r#"{"code":-32022,"data":{"requested":"a","supported":[]},"message":"b"}"#,
    );
    alike::<modern::JSONValue>("[null,0.5,{}]");
}

#[test]
fn the_shared_types() {
    alike_object::<Map>(r#"{"b":[1.0],"a":null}"#);
    alike_object::<Map<Number>>(r#"{"b":1,"a":1.5}"#);
    alike_object::<Map<Map<String>>>(r#"{"b":{"c":"d"},"a":{}}"#);
    for number in ["1", "1.5", "-7", "18446744073709551615", "-9223372036854775808"] {
        alike::<Number>(number);
    }
    for text in ["true", "1.0", "\"é\\u0000\"", "[]", "[1,[2,{}]]", r#"{"a":{"b":[]}}"#] {
        alike::<Json>(text);
    }
    alike::<JsonObject>(r#"{"a":{"b":[1.5]}}"#);
}

/// What keeps its text whole has to open it for serde's `flatten`.
#[test]
fn raw_objects_can_be_flattened() {
    alike_object::<JsonObject>(r#"{"a":{"b":[1.5]},"c":null}"#);
    alike_object::<JsonObject>("{}");
}

#[test]
fn raw_json_that_is_an_object_can_be_flattened() {
    alike_object::<Json>(r#"{"a":{"b":[1.5]},"c":null}"#);
}

#[test]
fn unknown_arms_can_be_flattened() {
    alike_object::<mcp::ContentBlock>(r#"{"type":"video","uri":"a:b"}"#);
    alike_object::<mcp::ClientRequest>(r#"{"method":"x/later","params":[1]}"#);
    alike_object::<modern::CallToolOutcome>(r#"{"resultType":"later","a":1}"#);
    alike_object::<mcp::ElicitRequestParams>(r#"{"mode":"voice"}"#);
}

#[test]
fn unknown_arms_by_themselves() {
    alike::<mcp::ContentBlock>(r#"{"type":"video","uri":"a:b"}"#);
    alike::<mcp::ClientRequest>(r#"{"method":"x/later","params":[1]}"#);
    alike::<modern::CallToolOutcome>(r#"{"resultType":"later","a":1}"#);
}

#[test]
fn null_becomes_none_for_the_user() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Mine {
        block: Option<mcp::ContentBlock>,
        number: Option<Number>,
        json: Json,
    }
    for mine in [
        serde_json::from_str::<Mine>(r#"{"block":null,"number":null,"json":null}"#).unwrap(),
        serde_json::from_value::<Mine>(json!({ "block": null, "json": null })).unwrap(),
    ] {
        assert_eq!(mine, Mine { block: None, number: None, json: Json::null() });
    }
}

/// In a stream of values, each is read and no more.
#[test]
fn values_in_a_stream() {
    let text = r#"{"type":"text","text":"a"} {"text":"b","type":"text"}
        {"type":"video"}"#;
    let blocks: Result<Vec<mcp::ContentBlock>, _> = serde_json::Deserializer::from_str(text).into_iter().collect();
    assert_eq!(blocks.unwrap().len(), 3);
    let blocks: Result<Vec<mcp::ContentBlock>, _> =
        serde_json::Deserializer::from_reader(text.as_bytes()).into_iter().collect();
    assert_eq!(blocks.unwrap().len(), 3);
}

/// The same error by every way, with its place, and with serde_json's own place behind it.
#[test]
fn errors_carry_the_pointer() {
    fn check<T: Wire>(text: &str, wanted: &str) {
        assert_eq!(decode::<T>(text).unwrap_err().to_string(), wanted);
        let value: Value = serde_json::from_str(text).unwrap();
        let errors = [
            serde_json::from_str::<T>(text).unwrap_err(),
            serde_json::from_slice::<T>(text.as_bytes()).unwrap_err(),
            serde_json::from_reader::<_, T>(text.as_bytes()).unwrap_err(),
            serde_json::from_value::<T>(value).unwrap_err(),
            serde_json::from_str::<Vec<T>>(&format!("[{text}]")).unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().starts_with(wanted), "{error}, not {wanted}");
            assert!(error.is_data());
        }
    }
    check::<mcp::CallToolResult>(
        r#"{"content":[{"type":"text","text":"a"},{"type":"text","text":5}]}"#,
        "/content/1/text: expected a string, found a number",
    );
    check::<mcp::CallToolRequestParams>(
        r#"{"name":"add","arguments":[]}"#,
        "/arguments: expected an object, found an array",
    );
    check::<mcp::TextContent>(r#"{"type":"text"}"#, "missing member `text`");
    check::<mcp::ElicitRequestFormParamsRequestedSchema>(
        r#"{"type":"object","properties":{"a/b":{"type":"string","minLength":1.5}}}"#,
        "/properties/a~1b/minLength: expected an integer, found 1.5",
    );
    check::<Map<Number>>(r#"{"a":"b"}"#, "/a: expected a number, found a string");
    check::<JsonObject>("[]", "expected an object, found an array");
}

#[test]
fn errors_inside_of_flattened_and_tagged_types_carry_the_pointer() {
    let bad = r#"{"own_before":1,"own_after":"a","content":[{"type":"text"}]}"#;
    let error = serde_json::from_str::<Flattened<mcp::CallToolResult>>(bad).unwrap_err();
    assert!(error.to_string().starts_with("/content/0: missing member `text`"), "{error}");
    let bad = r#"{"own tag":"Wire","content":{}}"#;
    let error = serde_json::from_str::<Tagged<mcp::CallToolResult>>(bad).unwrap_err();
    assert!(error.to_string().starts_with("/content: expected an array, found an object"), "{error}");
}

/// Types of the specification nest in types of the user, and those in lazy JSON.
#[test]
fn lazy_json_reads_into_the_types_of_a_user() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Arguments {
        block: mcp::ContentBlock,
        rest: Json,
    }
    let params: mcp::CallToolRequestParams =
        decode(r#"{"name":"a","arguments":{"block":{"type":"text","text":"b"},"rest":[1.0]}}"#).unwrap();
    let arguments: Arguments = params.arguments.unwrap().read().unwrap();
    assert_eq!(arguments.rest.as_str(), "[1.0]");
    let again = JsonObject::from_serialize(&arguments).unwrap();
    assert_eq!(again.as_str(), r#"{"block":{"type":"text","text":"b"},"rest":[1.0]}"#);
}
