//! Reads instances as types of the crates beside it, and writes them again: a line in, a line out.

use std::io::{BufRead, Write};

use serde_json::{Value, json};

macro_rules! ask {
    ($draft:ident) => {
        |name: &str, instance: &Value| {
            use $draft::by_name::Form;
            let types = $draft::ProtocolVersion::ALL[0].types();
            let Some(ty) = types.iter().find(|ty| ty.name == name) else { return json!({"form": "None"}) };
            let mut body = instance.clone();
            match ty.form {
                Form::Plain => {}
                Form::Result => body = body["result"].take(),
                Form::Error => body = body["error"].take(),
                Form::Request | Form::Notification => {
                    if let Some(members) = body.as_object_mut() {
                        members.remove("jsonrpc");
                        members.remove("id");
                    }
                }
            }
            match (ty.recode)(&body.to_string()) {
                Ok(text) => json!({"form": format!("{:?}", ty.form), "json": text}),
                Err(error) => json!({"form": format!("{:?}", ty.form), "error": error.to_string()}),
            }
        }
    };
}

fn main() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let recode: fn(&str, &Value) -> Value = match question["draft"].as_u64().expect("a number") {
            /* arms */
            other => panic!("no draft {other}"),
        };
        let name = question["type"].as_str().expect("a name");
        writeln!(out, "{}", recode(name, &question["json"])).expect("stdout");
    }
}
