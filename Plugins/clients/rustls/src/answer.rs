//! The process of one request: reads it, answers it, and ends, in any case soon after the deadline.

use crate::deadline::Deadline;
use crate::request::{bytes, TrustQuestion};
use crate::{handshake, keys, lines, trust};
use serde_json::{json, Value};
use std::io::{self, Read};
use std::time::Duration;
use std::{process, thread};

/// After the deadline, and before `probe` gives the whole program up.
const GRACE: Duration = Duration::from_millis(400);

pub fn answer_one(seconds: f64) {
    end_with_the_program();
    let deadline = Deadline::after(seconds);
    end_after(deadline.left().unwrap_or(Duration::ZERO) + GRACE);
    let mut line = Vec::new();
    if io::stdin().read_to_end(&mut line).is_err() {
        return;
    }
    let request: Value = serde_json::from_slice(&line).unwrap_or_default();
    let mut reply = match answer(&request, deadline) {
        Ok(reply) => reply,
        Err(message) => json!({"type": "error", "message": message}),
    };
    reply["id"] = request["id"].clone();
    lines::write_line(format!("{reply}\n").as_bytes());
}

fn answer(request: &Value, deadline: Deadline) -> Result<Value, String> {
    let kind = request["type"].as_str().unwrap_or_default();
    let (name, answer) = match kind {
        "handshake" => ("report", handshake::handshake(request, deadline)?),
        "evaluate-trust" => ("trust", trust::evaluate(TrustQuestion::read(request)?, deadline)),
        "read-key" => ("key", keys::read_as_json(&bytes(&request["certificate"])?)),
        _ => return Err("this request is not for a process".into()),
    };
    Ok(json!({"type": kind, name: answer}))
}

/// Asks the system to end this process when the thread that waits for it ends.
fn end_with_the_program() {
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) }; // A plain system call, without memory of ours.
}

/// Ends this process after so long, whatever its other threads are doing then.
fn end_after(limit: Duration) {
    thread::spawn(move || {
        thread::sleep(limit);
        process::exit(1);
    });
}
