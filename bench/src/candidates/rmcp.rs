//! rmcp 3.11, by the message types that its transports read.

use ::rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ServerJsonRpcMessage, ServerNotification, ServerResult,
};

use super::{Candidate, Failure, checked};
use crate::messages::{Kind, Message};

pub fn candidate(message: &Message) -> Result<Candidate, Failure> {
    match message.kind {
        Kind::Request => checked(
            message,
            |text| Ok(serde_json::from_str::<ClientJsonRpcMessage>(text)?),
            from_client,
            |message, out| serde_json::to_writer(out, message),
        ),
        Kind::Notification | Kind::Result(_) => checked(
            message,
            |text| Ok(serde_json::from_str::<ServerJsonRpcMessage>(text)?),
            from_server,
            |message, out| serde_json::to_writer(out, message),
        ),
    }
}

fn from_client(message: &ClientJsonRpcMessage) -> &'static str {
    match message {
        JsonRpcMessage::Request(request) => match &request.request {
            ClientRequest::CallToolRequest(_) => "CallToolRequest",
            ClientRequest::InitializeRequest(_) => "InitializeRequest",
            _ => "another request",
        },
        _ => "a message of another kind",
    }
}

fn from_server(message: &ServerJsonRpcMessage) -> &'static str {
    match message {
        JsonRpcMessage::Notification(notification) => match &notification.notification {
            ServerNotification::ProgressNotification(_) => "ProgressNotification",
            _ => "another notification",
        },
        JsonRpcMessage::Response(response) => match &response.result {
            ServerResult::ListToolsResult(_) => "ListToolsResult",
            ServerResult::ReadResourceResult(_) => "ReadResourceResult",
            ServerResult::CallToolResult(_) => "CallToolResult",
            _ => "another result",
        },
        _ => "a message of another kind",
    }
}
