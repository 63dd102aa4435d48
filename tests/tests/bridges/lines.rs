//! The bin `translate` answers line by line, whatever the lines are.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

#[test]
fn each_line_is_answered_before_the_next_is_read() {
    let mut bin = Command::new(env!("CARGO_BIN_EXE_translate"));
    let mut child = bin.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it was built");
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |line: &[u8]| -> Value {
        input.write_all(line).unwrap();
        input.flush().unwrap();
        serde_json::from_str(&output.next().unwrap().unwrap()).unwrap()
    };
    let question = |json: &str| {
        let question =
            json!({"from": "2024-11-05", "to": "2025-11-25", "method": "tools/call", "part": "params", "json": json});
        format!("{question}\n").into_bytes()
    };
    let deep = "[".repeat(300_000);
    for bad in ["no question", "{}", "[1", deep.as_str(), "\u{0}"] {
        assert!(ask(format!("{bad}\n").as_bytes())["refused"].is_string(), "{bad:.20}");
    }
    assert!(ask(b"\xff\xfe\n")["refused"].is_string());
    // Blank lines have no answer.
    assert_eq!(ask(&[b"\n  \r\n\t\n".to_vec(), question(r#"{"name":"n"}"#)].concat())["json"], r#"{"name":"n"}"#);
    let long = format!(r#"{{"name":"{}"}}"#, "n".repeat(1 << 20));
    assert_eq!(ask(&question(&long))["json"], long);
    // The last line may lack its end.
    input.write_all(question(r#"{"name":"last"}"#).trim_ascii_end()).unwrap();
    drop(input);
    assert!(output.next().unwrap().unwrap().contains("last"));
    assert!(output.next().is_none());
    assert!(child.wait().unwrap().success());
}

#[test]
fn help_says_what_a_line_is() {
    let run = |argument: &str| Command::new(env!("CARGO_BIN_EXE_translate")).arg(argument).output().unwrap();
    let help = run("--help");
    assert!(help.status.success() && String::from_utf8(help.stdout).unwrap().contains(r#"{"from":"#));
    let wrong = run("--nope");
    assert!(!wrong.status.success() && wrong.stdout.is_empty());
    assert!(String::from_utf8(wrong.stderr).unwrap().contains("--nope"));
}
