//! Whatever comes, the answer is a value or an error, never a panic, and nothing takes forever.

use std::time::{Duration, Instant};

use mcprism::jsonrpc::{Incoming, Message, Request, Response, code};
use mcprism_tests::roundtrip::answer;
use mcprism_types::by_name::RecodeMessage;
use mcprism_types::{
    Decode, ErrorKind, Json, JsonObject, Map, Number, ProtocolVersion, Reader, decode, v2025_11_25 as mcp,
    v2026_07_28 as modern,
};
use serde::Serialize;
use serde_json::{Value, json};

/// Messages with a bit of everything: escapes, pairs of surrogates, numbers of all kinds, nesting.
const MESSAGES: &[&str] = &[
    r#"{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"_meta":{"progressToken":-7},"name":"a\"\\\u00e9","arguments":{"x":[1.5e-3,true,null,{"\ud83d\ude00":"ü😀"}]},"later":0}}"#,
    r#"{"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"text","text":"t"},{"text":"u","type":"text"},{"type":"video","x":[]},{"type":"resource","resource":{"uri":"a:b","blob":""}}],"isError":false}}"#,
    r#"{"jsonrpc":"2.0","error":{"code":-32602,"message":"no","data":{"a":[{}]}}}"#,
    "{ \"jsonrpc\" : \"2.0\" ,\r\n\t\"method\" : \"notifications/progress\" , \"params\" : { \"progressToken\" : 1.0 , \"progress\" : 0.25 } }",
];

/// Every decoder of every revision, and the envelope, get a text to chew on.
fn chew(text: &str) {
    for version in ProtocolVersion::ALL {
        for ty in version.types() {
            if let Ok(again) = (ty.recode)(text) {
                let parsed: Result<Value, _> = serde_json::from_str(&again);
                assert!(parsed.is_ok(), "{version} {} wrote {again}", ty.name);
                assert!(!again.contains(['\n', '\r']), "{version} {} wrote a line break: {again}", ty.name);
            }
        }
        let keyed = version.keyed().unwrap();
        let decoders: [Option<RecodeMessage>; 5] = [
            keyed.client_request,
            keyed.server_request,
            keyed.input_request,
            keyed.client_notification,
            keyed.server_notification,
        ];
        for method in version.methods().iter().map(|method| method.name).chain([text]) {
            for decoder in decoders.iter().flatten() {
                let _ = decoder(method, Some(text));
            }
            let _ = (keyed.result)(method, text);
        }
        let _ = Incoming::parse(text, version.batches());
    }
    let _ = text.parse::<ProtocolVersion>();
    let _ = answer(text.as_bytes());
}

/// Texts that have broken readers of JSON before.
fn nasty() -> Vec<String> {
    let fixed = [
        "",
        " ",
        "\n",
        "\t\r\n ",
        "\u{feff}",
        "\u{feff}{}",
        "\0",
        "{}\0",
        "{",
        "}",
        "[",
        "]",
        "{]",
        "[}",
        "\"",
        "\\",
        "\"\\",
        "\"\\u",
        "\"\\u12",
        "\"\\ud83d",
        "\"\\ud83d\\",
        "\"\\ud83d\\u",
        "\"\\ud83d\\ude0",
        r#""\ud83d""#,
        r#""\ude00""#,
        r#""\ude00\ud83d""#,
        r#""\ud83d\ud83d""#,
        r#""\ud83dx""#,
        r#""\uD83D\u0041""#,
        r#""\x41""#,
        r#""\u00g0""#,
        "\"\u{1}\"",
        "\"\n\"",
        "'a'",
        "tru",
        "truex",
        "True",
        "nulll",
        "nul",
        "undefined",
        "1e999",
        "-1e999",
        "01",
        "-01",
        "00",
        "1.",
        ".5",
        "+1",
        "-",
        "--1",
        "1e",
        "1e+",
        "NaN",
        "Infinity",
        "-Infinity",
        "0x10",
        "1_000",
        "1,",
        "1 2",
        "{}{}",
        "{} x",
        "[] []",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{,}",
        r#"{"a"}"#,
        r#"{"a":}"#,
        r#"{"a":1,}"#,
        r#"{"a" 1}"#,
        r#"{a:1}"#,
        r#"{"a":1 "b":2}"#,
        r#"{1:2}"#,
        r#"{null:1}"#,
        "// x\n{}",
        "{/**/}",
        r#"{"type":"text""#,
        r#"{"type":"text","type":"text","text":"a"}"#,
        r#"{"\ud83d":1}"#,
        r#"{"method":"\ude00"}"#,
        r#"{"":""}"#,
        r#"{"__proto__":{"a":1},"constructor":null}"#,
        r#"{"type":null}"#,
        r#"{"type":[]}"#,
        r#"{"type":{"type":"text"}}"#,
        r#"{"resultType":1e999}"#,
        r#"{"mode":"\ud83d"}"#,
        "123456789012345678901234567890",
        "-9223372036854775809",
        "1e-999",
        "0e0",
        "-0",
        "-0.0e-0",
        "[[[[[[[[]]]]]]]]",
        "null",
        "true",
        "0",
        "1.0",
        "\"a\"",
        "[]",
        "{}",
        "😀",
        "\u{2028}",
        "\u{a0}{}",
        "é",
        "{\"a\":\"\u{7f}\"}",
        r#"[{"type":"text"},{"type":"text","text":1}]"#,
    ];
    let mut texts: Vec<String> = fixed.map(str::to_owned).to_vec();
    texts.push("9".repeat(5000));
    texts.push(format!("0.{}1", "0".repeat(5000)));
    texts.push(format!("1e{}", "9".repeat(100)));
    texts.push(format!("-{}e-{}", "9".repeat(100), "9".repeat(30)));
    texts.push(format!("{}.0", "9".repeat(39)));
    texts.push(format!("1{}e-400", "0".repeat(290)));
    texts
}

#[test]
fn nasty_texts_panic_nowhere() {
    for text in nasty() {
        chew(&text);
    }
}

/// The same inside of members that every type has or may have.
#[test]
fn nasty_texts_inside_of_members_panic_nowhere() {
    for text in nasty() {
        chew(&format!(r#"{{"type":{text},"method":{text},"mode":{text},"resultType":{text}}}"#));
        chew(&format!(
            r#"{{"type":"text","text":{text},"params":{text},"content":[{text}],"_meta":{text},"x":{text}}}"#
        ));
    }
}

/// What serde_json doesn't take, no type takes; what it takes, raw JSON takes.
#[test]
fn the_same_texts_are_json_as_for_serde_json() {
    for text in nasty() {
        let judge = serde_json::from_str::<Value>(&text);
        let ours = decode::<Json>(&text);
        assert_eq!(judge.is_ok(), ours.is_ok(), "{text:?}: {judge:?}, {ours:?}");
        if let (Ok(judge), Ok(ours)) = (judge, ours) {
            assert_eq!(judge, ours.to_value(), "{text:?}");
        }
    }
}

/// Reads every beginning of a text that ends within it.
fn each_beginning(text: &str, read: impl Fn(&str) -> Option<ErrorKind>) {
    assert_eq!(read(text), None, "{text}");
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        assert_eq!(read(&text[..end]), Some(ErrorKind::Syntax), "{:?}", &text[..end]);
    }
}

fn kind<T>(read: mcprism_types::Decoded<T>) -> Option<ErrorKind> {
    read.err().map(|error| error.kind())
}

#[test]
fn truncated_messages_are_errors() {
    for text in MESSAGES {
        each_beginning(text, |text| kind(Json::parse(text)));
        each_beginning(text, |text| match Message::parse(text) {
            Ok(_) => None,
            Err(fault) => {
                assert_eq!(fault.code, code::PARSE_ERROR);
                Some(fault.error.kind())
            }
        });
        for end in 0..text.len() {
            let _ = answer(&text.as_bytes()[..end]);
        }
    }
}

#[test]
fn truncated_types_are_errors() {
    each_beginning(
        r#"{"_meta":{"progressToken":1},"arguments":{"a":[1,{}]},"name":"\ud83d\ude00","later":[null]}"#,
        |text| kind(decode::<mcp::CallToolRequestParams>(text)),
    );
    each_beginning(
        r#"{"content":[{"type":"text","text":"t"},{"text":"u","type":"text"},{"type":"video","x":[]}],"isError":false}"#,
        |text| kind(decode::<mcp::CallToolResult>(text)),
    );
    each_beginning(
        r#"{"inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"s":{"type":"string","enum":["a"]}}}}}},"resultType":"input_required"}"#,
        |text| kind(decode::<modern::CallToolOutcome>(text)),
    );
    each_beginning(
        r#"{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":""}],"toolUseId":"a"}]}"#,
        |text| kind(decode::<mcp::SamplingMessage>(text)),
    );
    each_beginning(r#"{"a":-1.5e3 }"#, |text| kind(decode::<Map<Number>>(text)));
}

#[test]
fn every_cut_inside_of_a_character_is_no_text() {
    let bytes = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"é€😀\"}".as_bytes();
    for end in 0..bytes.len() {
        match std::str::from_utf8(&bytes[..end]) {
            Ok(text) => assert!(Message::parse(text).is_err()),
            Err(error) => assert!(error.error_len().is_none()),
        }
    }
}

/// Brackets around brackets, or members of members.
fn nested(depth: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

/// Texts with this one at the places where types look into it, or keep it.
fn around(shape: &str) -> Vec<String> {
    vec![
        shape.to_owned(),
        format!(r#"{{"name":"a","arguments":{{"a":{shape}}}}}"#),
        format!(r#"{{"name":"a","unknown":{shape}}}"#),
        format!(r#"{{"content":[{{"type":"text","text":"a","x":{shape}}}]}}"#),
        format!(r#"{{"content":[{{"x":{shape},"type":"text","text":"a"}}]}}"#),
        format!(r#"{{"content":[{{"type":"video","x":{shape}}}]}}"#),
        format!(r#"{{"content":{shape}}}"#),
        format!(r#"{{"tools":[{{"inputSchema":{{"a":{shape}}},"name":"a"}}]}}"#),
    ]
}

#[test]
fn deep_nesting_is_refused_without_a_stack_overflow() {
    for depth in [128, 10_000, 1_000_000] {
        let shapes = [
            nested(depth, "[", "", "]"),
            nested(depth, r#"{"a":"#, "1", "}"),
            nested(depth, r#"[{"a":"#, "1", "}]"),
            nested(depth, r#"{"content":["#, "1", "]}"),
            nested(depth, r#"{"type":"tool_result","toolUseId":"a","content":["#, "", "]}"),
            nested(depth, r#"{"content":["#, "", r#"],"type":"tool_result"}"#),
            nested(depth, r#"{"params":"#, "{}", "}"),
            nested(depth, r#"{"_meta":"#, "{}", "}"),
            "[".repeat(depth),
            r#"{"a":"#.repeat(depth),
        ];
        for shape in shapes {
            let around = match depth {
                1_000_000 => vec![format!(r#"{{"name":"a","content":[{shape}],"arguments":{{"a":{shape}}}}}"#)],
                _ => around(&shape),
            };
            for text in around {
                let refused = |kind: Option<ErrorKind>| assert!(kind.is_some(), "{depth}: {}", &text[..60]);
                assert_eq!(kind(decode::<Json>(&text)), Some(ErrorKind::Syntax), "{depth}: {}", &text[..60]);
                refused(kind(decode::<JsonObject>(&text)));
                refused(kind(decode::<Map>(&text)));
                refused(kind(decode::<mcp::CallToolRequestParams>(&text)));
                refused(kind(decode::<mcp::CallToolResult>(&text)));
                refused(kind(decode::<mcp::CallToolOutcome>(&text)));
                refused(kind(decode::<modern::CallToolOutcome>(&text)));
                refused(kind(decode::<mcp::ContentBlock>(&text)));
                refused(kind(decode::<mcp::SamplingMessageContent>(&text)));
                refused(kind(decode::<mcp::ListToolsResult>(&text)));
                if depth < 1_000_000 {
                    assert!(serde_json::from_str::<Json>(&text).is_err());
                    assert!(serde_json::from_str::<mcp::CallToolResult>(&text).is_err());
                }
                assert_eq!(Incoming::parse(&text, true).unwrap_err().code, code::PARSE_ERROR);
                assert_eq!(Message::parse(&text).map(drop).unwrap_err().id, None);
            }
        }
    }
}

/// The deepest text that is read comes back, and may be read as a `Value`.
#[test]
fn nesting_up_to_the_limit_is_kept() {
    let limit = mcprism_types::MAX_DEPTH as usize;
    let text = format!(r#"{{"arguments":{{"a":{}}},"name":"a"}}"#, nested(limit - 2, "[", "", "]"));
    let params: mcp::CallToolRequestParams = decode(&text).unwrap();
    assert_eq!(serde_json::to_string(&params).unwrap(), text);
    let arguments = params.arguments.unwrap();
    assert!(!arguments.to_value().is_null());
    let value: Value = serde_json::from_str(&text).unwrap();
    assert!(serde_json::from_value::<mcp::CallToolRequestParams>(value).is_ok());
    let deeper = format!(r#"{{"arguments":{{"a":{}}},"name":"a"}}"#, nested(limit - 1, "[", "", "]"));
    let error = decode::<mcp::CallToolRequestParams>(&deeper).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
}

const MEBIBYTE: usize = 1 << 20;

#[test]
fn a_string_of_64_mebibytes_is_read() {
    let blob = "A".repeat(64 * MEBIBYTE);
    let text = format!(r#"{{"blob":"{blob}","uri":"a:b"}}"#);
    let contents: mcp::BlobResourceContents = decode(&text).unwrap();
    assert_eq!(contents.blob.len(), blob.len());
    assert_eq!(serde_json::to_string(&contents).unwrap(), text);
    drop(contents);
    let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":"{blob}"#);
    let fault = Message::parse(&text).unwrap_err();
    assert_eq!((fault.code, fault.id), (code::PARSE_ERROR, Some(1.into())));
    let text = format!(r#"{{"type":"{blob}"}}"#);
    assert!(matches!(decode(&text), Ok(mcp::ContentBlock::Unknown(_))));
}

/// An object of small members, about this long.
fn small_members(bytes: usize) -> String {
    members(bytes, "1234")
}

/// An object of members with this value, about this long.
fn members(bytes: usize, value: &str) -> String {
    let mut text = String::with_capacity(bytes + 32);
    text.push('{');
    for n in 0..bytes / (12 + value.len()) {
        text.push_str(&format!("\"m{n:07}\":{value},"));
    }
    text.push_str("\"last\":0}");
    text
}

#[test]
fn lazy_json_of_64_mebibytes_is_read() {
    let arguments = members(64 * MEBIBYTE, &format!("\"{}\"", "a".repeat(100)));
    let text =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"a","arguments":{arguments}}}}}"#);
    let Ok(Message::Request(request)) = Message::parse(&text) else { panic!() };
    let params: mcp::CallToolRequestParams = decode(request.params.unwrap()).unwrap();
    assert_eq!(params.arguments.unwrap().get("last").unwrap().as_str(), "0");
}

#[test]
fn a_list_of_64_mebibytes_is_read() {
    let block = r#"{"type":"text","text":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}"#;
    let count = 64 * MEBIBYTE / (block.len() + 1);
    let mut text = String::with_capacity(65 * MEBIBYTE);
    text.push_str(r#"{"content":["#);
    for _ in 0..count {
        text.push_str(block);
        text.push(',');
    }
    text.pop();
    text.push_str("]}");
    let result: mcp::CallToolResult = decode(&text).unwrap();
    assert_eq!(result.content.len(), count);
}

#[test]
fn unknown_members_of_64_mebibytes_are_read() {
    let text = small_members(64 * MEBIBYTE);
    let capabilities: mcp::ClientCapabilities = decode(&text).unwrap();
    assert_eq!(capabilities.extra.len(), 64 * MEBIBYTE / 16 + 1);
    assert_eq!(capabilities.extra.get("last").unwrap().as_str(), "0");
}

/// How long a reading takes at best.
fn time(read: impl Fn()) -> Duration {
    let once = || {
        let start = Instant::now();
        read();
        start.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}

/// What would be quadratic takes 64 times as long for an eightfold text, or more.
#[test]
fn time_does_not_explode_with_the_number_of_members() {
    let texts = [small_members(MEBIBYTE / 4), small_members(2 * MEBIBYTE)];
    let messages = texts
        .clone()
        .map(|text| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"_meta":{text}}},{}"#, &text[1..]));
    let times = |read: fn(&str), texts: &[String; 2]| [0, 1].map(|at| time(|| read(&texts[at])));
    let rows: [(&str, [Duration; 2]); 4] = [
        ("unknown members", times(|text| drop(decode::<mcp::ClientCapabilities>(text).unwrap()), &texts)),
        ("a map", times(|text| drop(decode::<Map<i64>>(text).unwrap()), &texts)),
        ("an envelope", times(|text| drop(Message::parse(text).unwrap()), &messages)),
        ("a request", times(|text| drop(Request::<mcp::PingRequest>::decode(text).unwrap()), &messages)),
    ];
    for (what, [short, long]) in rows {
        let ratio = long.as_secs_f64() / short.as_secs_f64().max(1e-3);
        assert!(ratio < 40.0, "{what}: {short:?} and {long:?} for eight times as much");
    }
}

/// A tag that stands last is looked for once for each union, not once for each member.
#[test]
fn a_late_tag_costs_no_more_than_another_reading() {
    let text = |bytes: usize| {
        let members = small_members(bytes);
        let block = format!(r#"{{"text":"a","x":{members},"type":"text"}}"#);
        format!(r#"{{"role":"user","content":[{{"content":[{block}],"toolUseId":"a","type":"tool_result"}}]}}"#)
    };
    let texts = [text(MEBIBYTE / 4), text(2 * MEBIBYTE)];
    let [short, long] = [0, 1].map(|at| time(|| drop(decode::<mcp::SamplingMessage>(&texts[at]).unwrap())));
    let ratio = long.as_secs_f64() / short.as_secs_f64().max(1e-3);
    assert!(ratio < 40.0, "{short:?} and {long:?} for eight times as much");
}

#[track_caller]
fn twice<T: Decode>(text: &str, pointer: &str) {
    match decode::<T>(text) {
        Err(error) => {
            assert_eq!((error.kind(), error.pointer().as_str()), (ErrorKind::Shape, pointer), "{text}: {error}");
        }
        Ok(_) => panic!("{text} was read"),
    }
}

#[test]
fn names_that_stand_twice_are_refused() {
    twice::<mcp::CallToolRequestParams>(r#"{"name":"a","name":"b"}"#, "/name");
    twice::<mcp::CallToolRequestParams>(r#"{"name":"a","name":"a"}"#, "/name");
    twice::<mcp::CallToolRequestParams>(r#"{"name":"a","n\u0061me":"a"}"#, "/name");
    twice::<mcp::CallToolRequestParams>(r#"{"name":"a","arguments":{},"arguments":{}}"#, "/arguments");
    // Null reads as absent, and is there all the same.
    twice::<mcp::CallToolRequestParams>(r#"{"name":"a","arguments":null,"arguments":{}}"#, "/arguments");
    twice::<mcp::CallToolRequestParams>(r#"{"name":"a","arguments":{},"arguments":null}"#, "/arguments");
    twice::<mcp::CallToolRequestParams>(r#"{"name":"a","arguments":null,"arguments":null}"#, "/arguments");
    twice::<mcp::CallToolRequestParams>(r#"{"name":"a","x":1,"x":1}"#, "/x");
    twice::<mcp::CallToolRequestParams>(r#"{"x":1,"name":"a","\u0078":2}"#, "/x");
    twice::<mcp::CallToolRequestParams>(r#"{"name":"a","_meta":{"a":1,"a":1}}"#, "/_meta/a");
    twice::<mcp::CallToolRequest>(r#"{"method":"tools/call","method":"tools/call","params":{"name":"a"}}"#, "/method");
    twice::<mcp::PingRequest>(r#"{"method":"ping","params":null,"params":{}}"#, "/params");
    twice::<mcp::TextContent>(r#"{"type":"text","text":"a","type":"text"}"#, "/type");
    twice::<mcp::Task>(
        r#"{"createdAt":"a","lastUpdatedAt":"b","status":"working","taskId":"t","ttl":null,"ttl":1}"#,
        "/ttl",
    );
    twice::<mcp::ElicitResult>(r#"{"action":"accept","content":{"a":1,"a":2}}"#, "/content/a");
    twice::<mcp::GetPromptRequestParams>(r#"{"name":"a","arguments":{"b":"","b":""}}"#, "/arguments/b");
    twice::<mcp::ClientCapabilities>(r#"{"experimental":{"a":{},"a":{}}}"#, "/experimental/a");
    twice::<mcp::CallToolResult>(r#"{"content":[{"type":"text","text":"a","text":"b"}]}"#, "/content/0/text");
    twice::<modern::CallToolOutcome>(
        r#"{"resultType":"complete","content":[],"resultType":"input_required"}"#,
        "/resultType",
    );
    // Case counts, so these are two names.
    assert!(decode::<mcp::CallToolRequestParams>(r#"{"name":"a","Name":"b","NAME":1}"#).is_ok());
}

/// Another reader may go by the second tag, where this one goes by the first.
#[test]
fn a_tag_that_stands_twice_is_refused_whatever_it_says() {
    twice::<mcp::ContentBlock>(r#"{"type":"text","text":"a","type":"video"}"#, "/type");
    twice::<mcp::ContentBlock>(r#"{"type":"video","text":"a","type":"text"}"#, "/type");
    twice::<mcp::ClientRequest>(r#"{"method":"x","params":{"name":"a"},"method":"tools/call"}"#, "/method");
    twice::<modern::CallToolOutcome>(r#"{"resultType":"later","content":[],"resultType":"complete"}"#, "/resultType");
    twice::<mcp::ElicitRequestParams>(r#"{"mode":"voice","message":"a","mode":"url"}"#, "/mode");
}

#[test]
fn lazy_json_may_hold_a_name_twice() {
    let text = r#"{"arguments":{"a":1,"a":2},"name":"a","x":{"b":1,"b":2}}"#;
    let params: mcp::CallToolRequestParams = decode(text).unwrap();
    assert_eq!(serde_json::to_string(&params).unwrap(), text);
}

#[test]
fn control_characters_and_escapes() {
    for code in 0..0x20u8 {
        let raw = char::from(code);
        for text in [format!("\"a{raw}b\""), format!("{{\"{raw}\":1}}"), format!("[\"0123456789{raw}\"]")] {
            assert_eq!(kind(decode::<Json>(&text)), Some(ErrorKind::Syntax), "{text:?}");
        }
        if !matches!(raw, '\t' | '\n' | '\r') {
            assert_eq!(kind(decode::<Json>(&format!("[{raw}]"))), Some(ErrorKind::Syntax), "{code}");
        }
        assert_eq!(decode::<String>(&format!("\"a\\u{code:04x}b\"")).unwrap(), format!("a{raw}b"));
    }
    assert_eq!(decode::<String>("\"\u{7f}\u{85}\u{2028}\"").unwrap(), "\u{7f}\u{85}\u{2028}");
    assert_eq!(decode::<String>(r#""\"\\\/\b\f\n\r\t\u00E9""#).unwrap(), "\"\\/\u{8}\u{c}\n\r\té");
    for bad in
        [r#""\a""#, r#""\'""#, r#""\0""#, r#""\U0041""#, r#""\u004""#, r#""\u{41}""#, "\"\\\u{e9}\"", r#""\u+041""#]
    {
        assert_eq!(kind(decode::<String>(bad)), Some(ErrorKind::Syntax), "{bad}");
    }
    // White space of other kinds is none.
    for space in ["\u{a0}", "\u{2003}", "\u{feff}", "\u{b}", "\u{c}", "\u{85}", "\u{2028}"] {
        assert_eq!(kind(decode::<Json>(&format!("{space}1"))), Some(ErrorKind::Syntax), "{space:?}");
        assert_eq!(kind(decode::<Json>(&format!("1{space}"))), Some(ErrorKind::Syntax), "{space:?}");
    }
}

#[test]
fn unpaired_surrogates_are_refused_everywhere() {
    let bad = [
        r"\ud83d",
        r"\ude00",
        r"\ude00\ud83d",
        r"\ud83d\ud83d\ude00",
        r"\ud83d\u0041",
        r"\ud83d\n",
        r"\ud83d ",
        r"\uDBFF",
        r"\udfff\udfff",
        r"a\ud800",
    ];
    for bad in bad {
        let texts = [
            format!(r#"{{"name":"{bad}"}}"#),
            format!(r#"{{"name":"a","{bad}":1}}"#),
            format!(r#"{{"name":"a","x":"{bad}"}}"#),
            format!(r#"{{"name":"a","arguments":{{"a":["{bad}"]}}}}"#),
            format!(r#"{{"name":"a","arguments":{{"{bad}":1}}}}"#),
            format!(r#"{{"name":"a","_meta":{{"a":{{"{bad}":[]}}}}}}"#),
        ];
        for text in texts {
            let error = decode::<mcp::CallToolRequestParams>(&text).expect_err(&text);
            assert_eq!(error.kind(), ErrorKind::Syntax, "{text}: {error}");
        }
    }
    let good = r#"{"arguments":{"\ud83d\ude00":"\uD83D\uDE00\ufffd\u0000"},"name":"😀"}"#;
    let params: mcp::CallToolRequestParams = decode(good).unwrap();
    assert_eq!(serde_json::to_string(&params).unwrap(), good);
    assert_eq!(params.arguments.unwrap().to_value(), json!({ "😀": "😀\u{fffd}\0" }));
}

#[test]
fn malformed_numbers_are_refused_everywhere() {
    let bad = ["1e999", "-1e999", "01", "-01", "1.", ".5", "+1", "NaN", "-", "1e", "1.e1", "0x1", "1e5.5", "Infinity"];
    for bad in bad {
        for text in [
            format!(r#"{{"progress":{bad},"progressToken":1}}"#),
            format!(r#"{{"progress":1,"progressToken":{bad}}}"#),
            format!(r#"{{"progress":1,"progressToken":1,"x":[{bad}]}}"#),
        ] {
            let error = decode::<mcp::ProgressNotificationParams>(&text).expect_err(&text);
            assert_eq!(error.kind(), ErrorKind::Syntax, "{text}: {error}");
        }
        // Where no number may stand at all, that may be said first.
        let text = format!(r#"{{"progress":1,"progressToken":1,"message":{bad}}}"#);
        assert!(decode::<mcp::ProgressNotificationParams>(&text).is_err(), "{text}");
    }
    let huge = format!("{}.0", "9".repeat(400));
    assert_eq!(kind(decode::<Json>(&huge)), Some(ErrorKind::Syntax));
    assert_eq!(kind(decode::<Json>(&"9".repeat(308))), None);
    assert_eq!(kind(decode::<Json>(&"9".repeat(310))), Some(ErrorKind::Syntax));
    assert_eq!(kind(decode::<i64>(&"9".repeat(30))), Some(ErrorKind::Shape));
}

/// A whole number is one however many zeros it is written with.
#[test]
fn integers_of_many_digits() {
    for zeros in [0, 10, 38, 40, 290] {
        let zeros_text = "0".repeat(zeros);
        for text in
            [format!("7{zeros_text}e-{zeros}"), format!("7.{zeros_text}0"), format!("0.{zeros_text}7e{}", zeros + 1)]
        {
            assert_eq!(decode::<i64>(&text).ok(), Some(7), "{text}");
        }
    }
}

#[test]
fn what_is_not_utf_8_is_no_question_and_no_text() {
    let invalid: [&[u8]; 7] =
        [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\xf4\x90\x80\x80", b"\x80", b"\xe2\x28\xa1"];
    for bytes in invalid {
        assert!(std::str::from_utf8(bytes).is_err());
        let place = |before: &[u8], after: &[u8]| [before, bytes, after].concat();
        for line in [
            bytes.to_vec(),
            place(br#"{"revision":"2025-11-25","type":"Role","json":"\""#, br#"\""}"#),
            place(br#"{""#, br#"":1}"#),
            place(br#"{"revision":"2025-11-25","type":"Role","json":"\"user\""}"#, b""),
        ] {
            let answer: Value = serde_json::from_str(&answer(&line)).unwrap();
            assert!(answer["error"].as_str().unwrap().starts_with("not a question"), "{answer}");
            assert_eq!(answer["pointer"], "");
        }
    }
}

#[test]
fn questions_are_answered_whatever_they_are() {
    let error = |line: &str| -> String {
        let answer: Value = serde_json::from_str(&answer(line.as_bytes())).unwrap();
        answer["error"].as_str().unwrap_or_else(|| panic!("{line}: {answer}")).to_owned()
    };
    for line in ["", " ", "{}", "[]", "null", "\u{feff}{}", r#"{"revision":"2025-11-25","json":"{}"}"#] {
        assert!(!error(line).is_empty());
    }
    assert!(error(r#"{"revision":"1.0","type":"Role","json":"1"}"#).contains("2025-11-25"));
    assert!(error(r#"{"revision":"2025-11-25","type":"NoSuch","json":"1"}"#).contains("NoSuch"));
    let read = answer(br#"{"revision":"2025-11-25","type":"Role","json":"\"user\""}"#);
    assert_eq!(read, r#"{"json":"\"user\""}"#);
}

#[test]
fn nothing_but_one_value_is_a_text() {
    for text in ["", " ", "\n\t\r ", "\u{feff}", "\u{feff}{\"method\":\"ping\"}"] {
        let error = decode::<mcp::PingRequest>(text).unwrap_err();
        assert_eq!((error.kind(), error.pointer().as_str()), (ErrorKind::Syntax, ""), "{text:?}");
    }
    let ping = r#"{"method":"ping"}"#;
    for after in ["x", "}", "{}", ",", "\0", "\u{feff}", " 1", "\nnull", "//"] {
        let error = decode::<mcp::PingRequest>(&format!("{ping}{after}")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Syntax, "{after:?}");
    }
    for around in [" ", "\n", "\r\n\t "] {
        assert!(decode::<mcp::PingRequest>(&format!("{around}{ping}{around}")).is_ok());
    }
}

#[test]
fn line_breaks_are_not_written() {
    fn flat<T: Decode + Serialize>(text: &str, written: &str) {
        let value: T = decode(text).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), written);
    }
    flat::<Json>("\n[1,\n\r\n 2,\t{\"a\"\n:\n\"b\\n\"}\n]\r", "[1, 2,\t{\"a\":\"b\\n\"}]");
    flat::<mcp::CallToolRequestParams>(
        "{\n  \"name\": \"a\",\n  \"arguments\": {\n    \"b\": [\n      1\r\n    ]\n  },\n  \"x\": {\n  }\n}",
        r#"{"arguments":{    "b": [      1    ]  },"name":"a","x":{  }}"#,
    );
    flat::<mcp::ContentBlock>("{\n\"type\":\"video\"\n}", r#"{"type":"video"}"#);
    let text = "{\"jsonrpc\":\"2.0\",\"id\":1,\n\"result\":{\"a\":[\n]},\n\"x\":{\n}}";
    let response = Response::<Json>::decode(text).unwrap();
    assert_eq!(response.encode().unwrap(), r#"{"jsonrpc":"2.0","id":1,"result":{"a":[]},"x":{}}"#);
    let mut reader = Reader::new("{\"a\":\n[\n]\n}");
    assert_eq!(reader.raw().unwrap(), r#"{"a":[]}"#);
}
