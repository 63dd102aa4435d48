//! The messages that are measured, and what is asked of ours for each: DESIGN.md, section 7.

use std::fmt::Write;

/// One message, with the limits that ours has to keep.
pub struct Message {
    /// What the tables call it.
    pub name: &'static str,
    /// The whole text, as it would come on one line.
    pub text: &'static str,
    /// What it is, and with that who sends it.
    pub kind: Kind,
    /// The specification's name for what it has to be decoded to.
    pub type_name: &'static str,
    /// Most time for decoding, as a share of a `Value`'s.
    pub decode_limit: f64,
    /// Most time for encoding, as a share of a `Value`'s.
    pub encode_limit: f64,
    /// Most allocations for decoding, where a number is set.
    pub allocation_limit: Option<u64>,
}

/// What a message is.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A request of the client's.
    Request,
    /// A notification of the server's.
    Notification,
    /// The server's answer to the request with this method, which the receiver knows to be pending.
    Result(&'static str),
}

/// All messages, in the order of the tables.
pub fn all() -> Vec<Message> {
    let message = |name, text: String, kind, type_name, decode_limit| Message {
        name,
        text: text.leak(),
        kind,
        type_name,
        decode_limit,
        encode_limit: 1.0,
        allocation_limit: None,
    };
    vec![
        Message {
            allocation_limit: Some(6),
            ..message("`tools/call`, 201 B", CALL.to_owned(), Kind::Request, "CallToolRequest", 0.60)
        },
        message("`tools/call`, 8 kB of arguments", large_call(), Kind::Request, "CallToolRequest", 0.35),
        Message {
            encode_limit: 0.5,
            ..message("`tools/list` result, 100 tools", tools(), Kind::Result("tools/list"), "ListToolsResult", 0.40)
        },
        message("progress", PROGRESS.to_owned(), Kind::Notification, "ProgressNotification", 0.60),
        message("1 MB blob", blob(), Kind::Result("resources/read"), "ReadResourceResult", 1.0),
        message("`initialize`", INITIALIZE.to_owned(), Kind::Request, "InitializeRequest", 0.60),
        message("`tools/call` result", RESULT.to_owned(), Kind::Result("tools/call"), "CallToolResult", 0.65),
    ]
}

const CALL: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1042,"method":"tools/call","params":{"name":"tide_tables","arguments":"#,
    r#"{"station":"Saint-Malo","from":"2026-03-01","days":14,"datum":"chart datum"},"_meta":{"progressToken":1042}}}"#
);

const PROGRESS: &str = concat!(
    r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1042,"progress":42,"#,
    r#""total":100,"message":"Reading the gauges"}}"#
);

const INITIALIZE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":"#,
    r#"{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}}},"clientInfo":"#,
    r#"{"name":"harbour-desk","title":"Harbour desk","version":"2.4.1"}}}"#
);

const RESULT: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1042,"result":{"content":[{"type":"text","text":"High water at Saint-Malo "#,
    r#"at 06:12 (11.9 m) and 18:34 (12.1 m)."}],"structuredContent":{"station":"Saint-Malo","high":"#,
    r#"[{"time":"06:12","metres":11.9},{"time":"18:34","metres":12.1}]},"isError":false}}"#
);

/// A call whose arguments are a table of orders: nested, of every kind, with a few escapes.
fn large_call() -> String {
    let mut text =
        r#"{"jsonrpc":"2.0","id":1043,"method":"tools/call","params":{"name":"import_orders","arguments":{"rows":["#
            .to_owned();
    let arguments = text.len();
    for row in 0.. {
        let part = format!(
            r#"{{"id":{},"customer":"Customer no. {row}","note":"Leave it \"by the door\",\nthen ring.","paid":{},"total":{}.25,"tags":["boat","spring"],"ship":{{"city":"Brest","zip":null}}}}"#,
            70_000 + row,
            row % 3 != 0,
            17 * row + 3,
        );
        if text.len() - arguments + part.len() > 8_000 {
            break;
        }
        text.push_str(&part);
        text.push(',');
    }
    text.pop();
    text.push_str("]}}}");
    text
}

/// A list of a hundred tools, each with three properties and its hints.
fn tools() -> String {
    let mut text = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":["#.to_owned();
    for tool in 0..100 {
        let comma = if tool == 0 { "" } else { "," };
        write!(
            text,
            r#"{comma}{{"name":"list_orders_{tool}","title":"List orders ({tool})","description":"Lists the orders of one customer, newest first, at most a page at a time.","inputSchema":{{"type":"object","properties":{{"customer":{{"type":"string","description":"The customer's number","minLength":1}},"since":{{"type":"string","format":"date","description":"Only orders from this day on"}},"limit":{{"type":"integer","minimum":1,"maximum":{},"default":20}}}},"required":["customer"]}},"annotations":{{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}}}}"#,
            100 + tool,
        )
        .expect("writing to a string never fails");
    }
    text.push_str("]}}");
    text
}

/// A resource of a million characters of base64.
fn blob() -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text =
        r#"{"jsonrpc":"2.0","id":3,"result":{"contents":[{"uri":"file:///chart.png","mimeType":"image/png","blob":""#
            .to_owned();
    // A linear congruential generator: the same bytes on every machine.
    let mut state = 1u32;
    for _ in 0..1_000_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push(char::from(DIGITS[(state >> 26) as usize]));
    }
    text.push_str(r#""}]}}"#);
    text
}

#[cfg(test)]
mod tests {
    /// The lengths are in the names, and each text is JSON on one line.
    #[test]
    fn messages_are_what_their_names_say() {
        let messages = super::all();
        for message in &messages {
            assert!(serde_json::from_str::<serde_json::Value>(message.text).is_ok(), "{}", message.name);
            assert!(!message.text.contains('\n'), "{}", message.name);
        }
        assert_eq!(messages[0].text.len(), 201);
        assert!((8_000..8_192).contains(&messages[1].text.len()));
    }
}
