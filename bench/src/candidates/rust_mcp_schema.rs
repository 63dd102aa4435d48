//! rust-mcp-schema 2.0, by the message types that its examples read.

use ::rust_mcp_schema::schema_utils::{
    ClientJsonrpcRequest, ClientMessage, ResultFromServer, ServerJsonrpcNotification, ServerMessage,
};

use super::{Candidate, Failure, checked};
use crate::messages::{Kind, Message};

pub fn candidate(message: &Message) -> Result<Candidate, Failure> {
    match message.kind {
        Kind::Request => checked(
            message,
            |text| Ok(serde_json::from_str::<ClientMessage>(text)?),
            from_client,
            |message, out| serde_json::to_writer(out, message),
        ),
        Kind::Notification | Kind::Result(_) => checked(
            message,
            |text| Ok(serde_json::from_str::<ServerMessage>(text)?),
            from_server,
            |message, out| serde_json::to_writer(out, message),
        ),
    }
}

fn from_client(message: &ClientMessage) -> &'static str {
    match message {
        ClientMessage::Request(ClientJsonrpcRequest::CallToolRequest(_)) => "CallToolRequest",
        ClientMessage::Request(ClientJsonrpcRequest::InitializeRequest(_)) => "InitializeRequest",
        ClientMessage::Request(_) => "another request",
        _ => "a message of another kind",
    }
}

fn from_server(message: &ServerMessage) -> &'static str {
    match message {
        ServerMessage::Notification(ServerJsonrpcNotification::ProgressNotification(_)) => "ProgressNotification",
        ServerMessage::Notification(_) => "another notification",
        ServerMessage::Response(response) => match &response.result {
            ResultFromServer::ListToolsResult(_) => "ListToolsResult",
            ResultFromServer::ReadResourceResult(_) => "ReadResourceResult",
            ResultFromServer::CallToolResult(_) => "CallToolResult",
            _ => "another result",
        },
        _ => "a message of another kind",
    }
}
