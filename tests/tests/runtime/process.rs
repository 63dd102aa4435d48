//! Servers as child processes: over real pipes, and ended with their connection.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcprism::transport::Process;
use mcprism::types::{JsonObject, ProtocolVersion, v2025_11_25 as mcp};
use mcprism::{Client, Error};

fn desk() -> Process {
    Process::new(env!("CARGO_BIN_EXE_desk"))
}

fn call(name: &str, arguments: &str) -> mcp::CallToolRequest {
    let arguments = JsonObject::parse(arguments).unwrap();
    mcp::CallToolRequest::new(mcp::CallToolRequestParams::new(name).with_arguments(arguments))
}

/// spec: 2025-11-25 basic/transports, stdio.
#[tokio::test]
async fn a_server_of_each_revision_is_started_called_and_ended() {
    for version in ProtocolVersion::ALL {
        let errors = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&errors);
        let process = desk().on_errors(move |line| seen.lock().unwrap().push(line.to_owned()));
        let client = Client::builder("probe", "1.0").revisions([*version]).spawn(process).await.unwrap();
        assert_eq!(client.version(), *version);
        let result = client.call(call("say", r#"{"text":"hello"}"#)).await.unwrap();
        let [mcp::ContentBlock::Text(block)] = &result.content[..] else { panic!("{result:?}") };
        assert_eq!(block.text, "hello");
        client.close().await.unwrap();
        assert_eq!(*errors.lock().unwrap(), ["the desk is open"]);
    }
}

#[tokio::test]
async fn what_is_no_server_is_an_error_with_its_name() {
    let error = Client::builder("probe", "1.0").spawn(Process::new("/no/such/server")).await.unwrap_err();
    assert!(error.to_string().contains("the server `/no/such/server` can't be started"), "{error}");
    // One that ends at once has closed the connection.
    let error = Client::builder("probe", "1.0").spawn(Process::new(env!("CARGO_BIN_EXE_desk")).arg("--help"));
    // It takes no such argument, and serves all the same.
    error.await.unwrap().close().await.unwrap();
    #[cfg(unix)]
    {
        let error = Client::builder("probe", "1.0").spawn(Process::new("true")).await.unwrap_err();
        assert!(matches!(error, Error::Closed), "{error}");
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use super::{Client, Duration, Process};

    fn runs(id: &str) -> bool {
        // A process that has ended and isn't waited for yet is in the state Z.
        std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
    }

    /// Waits until none of these processes runs.
    async fn end(ids: &[String]) {
        while ids.iter().any(|id| runs(id)) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// A server that answers once, takes no notice of being asked to end, and has a child of its own.
    fn stubborn(notes: &std::path::Path) -> Process {
        let answer = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#;
        let script = format!(
            "trap '' TERM; sleep 1000 & echo $$ $! > {}; read line; echo '{answer}'; while :; do sleep 0.1; done",
            notes.display()
        );
        Process::new("sh").arg("-c").arg(script).patience(Duration::from_millis(50))
    }

    fn noted(notes: &std::path::Path) -> Vec<String> {
        let text = std::fs::read_to_string(notes).unwrap();
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// spec: 2025-11-25 basic/lifecycle, Shutdown.
    #[tokio::test]
    async fn a_server_that_does_not_end_is_killed_with_what_it_has_started() {
        let notes = std::env::temp_dir().join(format!("mcprism-stubborn-{}", std::process::id()));
        let client = Client::builder("probe", "1.0")
            .revisions([mcprism::types::ProtocolVersion::V2025_11_25])
            .spawn(stubborn(&notes))
            .await
            .unwrap();
        let ids = noted(&notes);
        assert!(ids.len() == 2 && ids.iter().all(|id| runs(id)), "{ids:?}");
        client.close().await.unwrap();
        end(&ids).await;
        std::fs::remove_file(&notes).unwrap();
    }

    #[tokio::test]
    async fn a_client_that_is_dropped_leaves_no_orphan() {
        let notes = std::env::temp_dir().join(format!("mcprism-dropped-{}", std::process::id()));
        let client = Client::builder("probe", "1.0")
            .revisions([mcprism::types::ProtocolVersion::V2025_11_25])
            .spawn(stubborn(&notes))
            .await
            .unwrap();
        let ids = noted(&notes);
        drop(client);
        end(&ids).await;
        std::fs::remove_file(&notes).unwrap();
    }
}
