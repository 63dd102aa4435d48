//! How often decoding and encoding allocate. The counts repeat exactly, so they are a test.

use allocation_counter::measure;
use mcprism::jsonrpc::{Message, Request};
use mcprism_types::v2025_11_25 as mcp;

/// A `tools/call` as hosts send it: 201 bytes.
const CALL: &str = r#"{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"name":"search_documents","arguments":{"query":"quarterly report","limit":10,"sort":"relevance","exact":false},"_meta":{"progressToken":"token-17"}}}"#;

#[test]
fn decoding_a_call_allocates_six_times_at_most() {
    let mut decoded = None;
    let counted = measure(|| {
        let Ok(Message::Request(request)) = Message::parse(CALL) else { panic!("a request") };
        decoded = Some(mcp::ClientRequest::decode(&request.method, request.params).expect("a right call"));
    });
    assert!(matches!(decoded, Some(mcp::ClientRequest::CallTool(call)) if call.params.name == "search_documents"));
    println!("{} allocations", counted.count_total);
    assert!(counted.count_total <= 6, "{} allocations", counted.count_total);
}

#[test]
fn the_envelope_alone_allocates_nothing() {
    let counted = measure(|| assert!(Message::parse(CALL).is_ok()));
    assert_eq!(counted.count_total, 0);
}

#[test]
fn encoding_into_a_buffer_allocates_nothing() {
    let request = Request::<mcp::CallToolRequest>::decode(CALL).expect("a right call");
    let mut buffer = Vec::with_capacity(1024);
    let counted = measure(|| request.encode_into(&mut buffer).expect("it can be written"));
    assert_eq!(String::from_utf8(buffer).unwrap().len(), CALL.len());
    assert_eq!(counted.count_total, 0);
}
