//! Clients, with servers that are made up.

mod cases;
mod conversations;
mod negotiation;
mod pressure;

use std::future::Future;

use mcprism::Client;
use mcprism::types::{ProtocolVersion, Request, v2025_11_25 as mcp};
use mcprism_tests::client_conversation::welcome;
use mcprism_tests::client_judge::ClientJudge;
use mcprism_tests::conversation::Lines;
use mcprism_tests::visitor::{Diary, Setup, visitor};
use serde_json::Value;

/// A clock that moves as soon as everybody waits.
fn paused<T>(what: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap().block_on(what)
}

/// A client that is connected to a server of one revision, which is the test itself.
struct Stage {
    lines: Lines<ClientJudge>,
    client: Client,
    diary: Diary,
    /// The id of the next request.
    next: i64,
}

impl Stage {
    async fn at(version: ProtocolVersion, handles: &[&str]) -> Self {
        let handles = handles.iter().map(|name| (*name).to_owned()).collect();
        let revisions = Some(vec![version.to_string()]);
        let setup = Setup { revisions, handles, approve: Some(true), ..Setup::default() };
        let diary = Diary::default();
        let (ours, theirs) = mcprism::transport::memory();
        let connecting = tokio::spawn(visitor(&setup, &diary).connect(theirs));
        let mut lines = Lines::of_server(ours);
        welcome(&mut lines, version, None).await;
        let client = connecting.await.unwrap().unwrap();
        Self { lines, client, diary, next: 1 }
    }

    /// Starts a call, and takes the line that it writes.
    async fn call<R>(&mut self, request: R) -> tokio::task::JoinHandle<mcprism::Result<R::Result>>
    where
        R: Request + Send + Sync + 'static,
        R::Result: Send + 'static,
    {
        let client = self.client.clone();
        let call = tokio::spawn(async move { client.call(request).await });
        let line: Value = serde_json::from_str(&self.lines.next().await.expect("the call goes out")).unwrap();
        assert_eq!((&line["id"], &line["method"]), (&self.next.into(), &R::METHOD.into()));
        self.next += 1;
        call
    }

    /// Makes calls until the next one has this id.
    async fn burn(&mut self, id: i64) {
        while self.next < id {
            let answer = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, self.next);
            let call = self.call(mcp::PingRequest::default()).await;
            self.lines.send(&answer).await;
            call.await.unwrap().unwrap();
        }
    }

    /// Nothing is written, the connection lives, and ends when it is closed.
    async fn ends_well(mut self) {
        assert_eq!(self.lines.within(std::time::Duration::from_secs(1)).await, None);
        let client = self.client.clone();
        let call = tokio::spawn(async move { client.call_raw("vendor/well", None).await });
        assert!(self.lines.next().await.is_some());
        let result = r#"{"resultType":"complete"}"#;
        self.lines.send(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, self.next)).await;
        call.await.unwrap().unwrap();
        let closing = tokio::spawn(self.client.close());
        assert!(self.lines.ended().await);
        closing.await.unwrap().unwrap();
    }
}

/// A call of a tool.
fn tool() -> mcp::CallToolRequest {
    mcp::CallToolRequest::from_params(Some(r#"{"name":"add"}"#)).unwrap()
}

/// Whether a call waits, still, once everybody has done what there was to do.
async fn waits<T>(call: &tokio::task::JoinHandle<T>) -> bool {
    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    !call.is_finished()
}
