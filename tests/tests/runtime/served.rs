//! Handlers written at one revision, served to clients of every revision over real pipes: each line that comes is
//! valid under the client's own schema.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use mcprism_tests::judge::Judge;
use mcprism_types::{Era, ProtocolVersion};
use serde_json::{Value, json};

/// A client that writes and reads lines, and speaks one revision.
struct Peer {
    version: ProtocolVersion,
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    judge: Judge,
    next: i64,
    /// The methods that the server has asked for.
    asked: Vec<String>,
}

impl Peer {
    fn start(version: ProtocolVersion, modern_handlers: bool) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_desk"));
        if modern_handlers {
            command.arg("--modern");
        }
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (input, output) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
        let mut peer = Self { version, server, input, output, judge: Judge::default(), next: 0, asked: Vec::new() };
        if version.era() == Era::Legacy {
            let client = json!({"name": "peer", "version": "0"});
            let params =
                json!({"protocolVersion": version.as_str(), "capabilities": peer.capabilities(), "clientInfo": client});
            let result = peer.request("initialize", params).unwrap();
            assert_eq!(result["protocolVersion"], version.as_str());
            peer.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        peer
    }

    /// What a client of the revision can declare.
    fn capabilities(&self) -> Value {
        let mut all = json!({"sampling": {}, "roots": {}});
        if self.version.method("elicitation/create").is_some() {
            all["elicitation"] = json!({});
        }
        all
    }

    fn send(&mut self, message: &Value) {
        let line = message.to_string();
        self.judge.sent(&line);
        writeln!(self.input, "{line}").unwrap();
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the server has ended");
        if let Err(why) = self.judge.written(&line) {
            panic!("{}: {why}", self.version);
        }
        serde_json::from_str(&line).unwrap()
    }

    /// Asks, answers what the server asks for meanwhile, and gives back the result or the code of the error.
    fn request(&mut self, method: &str, params: Value) -> Result<Value, i64> {
        let mut params = params;
        for _ in 0..8 {
            let id = self.next;
            self.next += 1;
            if self.version.era() == Era::Modern {
                params["_meta"] = json!({
                    "io.modelcontextprotocol/protocolVersion": self.version.as_str(),
                    "io.modelcontextprotocol/clientCapabilities": self.capabilities(),
                });
            }
            self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
            let answer = loop {
                let message = self.read();
                if message.get("method").is_none() {
                    break message;
                }
                if let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) {
                    let result = self.answer(method);
                    self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
                }
            };
            assert_eq!(answer["id"], id);
            if let Some(code) = answer["error"]["code"].as_i64() {
                return Err(code);
            }
            let result = answer["result"].clone();
            if result["resultType"] != "input_required" {
                return Ok(result);
            }
            let mut responses = json!({});
            for (key, request) in result["inputRequests"].as_object().unwrap() {
                responses[key] = self.answer(request["method"].as_str().unwrap());
            }
            params["inputResponses"] = responses;
            params["requestState"] = result["requestState"].clone();
        }
        panic!("the server asks for ever");
    }

    fn answer(&mut self, method: &str) -> Value {
        self.asked.push(method.to_owned());
        match method {
            "elicitation/create" => json!({"action": "accept", "content": {"name": "Ada"}}),
            "roots/list" => json!({"roots": [{"uri": "file:///a"}]}),
            "sampling/createMessage" => {
                json!({"role": "assistant", "model": "m-1", "content": {"type": "text", "text": "a line"}})
            }
            other => panic!("the server asks for {other}"),
        }
    }

    fn end(mut self) {
        drop(self.input);
        assert!(self.server.wait().unwrap().success());
    }
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"))
}

/// spec: each revision's server/tools, server/prompts, server/resources, client/*.
#[test]
fn handlers_at_2025_11_25_serve_every_revision() {
    for version in ProtocolVersion::ALL {
        let mut peer = Peer::start(*version, false);
        let asks = version.method("elicitation/create").is_some();
        if version.era() == Era::Modern {
            peer.request("server/discover", json!({})).unwrap();
        }
        let tools = peer.request("tools/list", json!({})).unwrap();
        assert!(tools["tools"].as_array().unwrap().len() > 10);
        let mut call =
            |name: &str, arguments: Value| peer.request("tools/call", json!({"name": name, "arguments": arguments}));
        assert_eq!(text(&call("add", json!({"a": 1, "b": 2.5})).unwrap()), r#"{"sum":3.5}"#);
        assert_eq!(text(&call("say", json!({"text": "hi"})).unwrap()), "hi");
        assert_eq!(text(&call("nap", json!({})).unwrap()), "awake");
        assert_eq!(call("fail", json!({})).unwrap()["isError"], true);
        assert_eq!(text(&call("look", json!({})).unwrap()), "file:///a");
        assert_eq!(text(&call("write", json!({})).unwrap()), "m-1");
        match asks {
            true => {
                assert_eq!(text(&call("greet", json!({})).unwrap()), "Hello, Ada");
                assert_eq!(text(&call("twice", json!({})).unwrap()), r#""accept", "accept""#);
            }
            // The revision has no way to ask a user: the model is told.
            false => assert_eq!(call("greet", json!({})).unwrap()["isError"], true),
        }
        assert_eq!(call("none", json!({})), Err(-32602));
        for method in ["roots/list", "sampling/createMessage"] {
            assert!(peer.asked.iter().any(|asked| asked == method), "{method} is not in {:?}", peer.asked);
        }
        let letter = peer.request("prompts/get", json!({"name": "letter", "arguments": {"to": "Ada"}})).unwrap();
        assert_eq!(letter["messages"][0]["content"]["text"], "Write to Ada, politely.");
        peer.request("prompts/list", json!({})).unwrap();
        peer.request("resources/list", json!({})).unwrap();
        let bell = peer.request("resources/read", json!({"uri": "desk://bell"})).unwrap();
        assert_eq!(bell["contents"][0]["text"], "ding");
        let missing = peer.request("resources/read", json!({"uri": "desk://none"}));
        assert_eq!(missing, Err(if version.era() == Era::Modern { -32602 } else { -32002 }));
        peer.end();
    }
}

/// The same from handlers that ask in person, as only the modern era has it.
#[test]
fn handlers_at_2026_07_28_serve_every_revision() {
    for version in ProtocolVersion::ALL {
        let mut peer = Peer::start(*version, true);
        let tools = peer.request("tools/list", json!({})).unwrap();
        assert_eq!(tools["tools"][0]["name"], "greet");
        let greeted = peer.request("tools/call", json!({"name": "greet", "arguments": {}}));
        match version.method("elicitation/create") {
            Some(_) => {
                let text = text(greeted.as_ref().unwrap()).to_owned();
                assert!(text.contains("Ada") && text.ends_with("with in person"), "{text}");
                assert_eq!(peer.asked, ["elicitation/create"]);
            }
            None => assert_eq!(greeted, Err(-32603)),
        }
        peer.end();
    }
}
