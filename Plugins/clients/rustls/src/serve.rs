//! The life of the program: requests come in a line each, and a process of its own answers each of them. A crash, or a
//! search for a path that does not end, costs one request.

use crate::deadline::Deadline;
use crate::failure::Failure;
use crate::lines::{next_line, write_line};
use serde_json::{json, Value};
use std::io::{self, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

/// The longest reply, as the protocol has it.
const LONGEST_REPLY: u64 = 8 << 20;
const PROCESSES: usize = 256;
/// The time for replies that are under way when the input ends.
const FAREWELL: Duration = Duration::from_millis(1500);
const VERSION: &str =
    concat!(env!("VERSION_OF_RUSTLS"), " (webpki ", env!("VERSION_OF_WEBPKI"), ", ring ", env!("VERSION_OF_RING"), ")");
const CAPABILITIES: &[&str] = &[
    "presented-chain",
    "version-range",
    "key-reading",
    "trust-evaluation",
    "sni",
    "alpn",
    "offer",
    "group",
    "ocsp-staple",
    "handshake-scts",
    "client-certificate-request",
    "late-refusal",
];

pub fn serve() {
    let mut input = BufReader::with_capacity(1 << 16, io::stdin());
    let under_way = Arc::new(UnderWay::default());
    while let Ok(Some(line)) = next_line(&mut input) {
        let request: Value = match serde_json::from_slice(&line) {
            Ok(request) => request,
            Err(error) => {
                eprintln!("a line that is not a request is passed over: {error}");
                continue;
            }
        };
        let id = match request["id"].as_i64() {
            Some(id) => id,
            None => {
                eprintln!("a request without an id is passed over");
                continue;
            }
        };
        let kind = request["type"].as_str().unwrap_or_default();
        match kind {
            "hello" => say(hello(id)),
            "handshake" | "evaluate-trust" | "read-key" => {
                let deadline = Deadline::after(request["deadline"].as_f64().unwrap_or(0.0));
                under_way.start(id, kind.to_string(), line, deadline);
            }
            other => refuse(id, &format!("there is no request '{:.100}' here", other)),
        }
    }
    under_way.wait_for_all(FAREWELL);
}

fn hello(id: i64) -> Value {
    json!({
        "id": id, "type": "hello", "protocol": 1, "kind": "transport", "name": "rustls", "library": "rustls",
        "version": VERSION,
        "capabilities": CAPABILITIES,
    })
}

fn say(message: Value) {
    write_line(format!("{message}\n").as_bytes());
}

fn refuse(id: i64, message: &str) {
    say(json!({"id": id, "type": "error", "message": message}));
}

/// The reply to a request that no process was free for.
fn overload(id: i64, kind: &str) -> Value {
    let message = "the program had too much to do before the deadline";
    match kind {
        "handshake" => {
            let failure = Failure::new("local-overload", message).to_json();
            json!({"id": id, "type": kind, "report": {"timings": {}, "failure": failure}})
        }
        _ => json!({"id": id, "type": "error", "message": message}),
    }
}

/// The requests that are not answered yet, and those that have a process.
#[derive(Default)]
struct UnderWay {
    counts: Mutex<Counts>,
    changed: Condvar,
}

#[derive(Default)]
struct Counts {
    requests: usize,
    processes: usize,
}

impl UnderWay {
    fn start(self: &Arc<Self>, id: i64, kind: String, line: Vec<u8>, deadline: Deadline) {
        self.change(|counts| counts.requests += 1);
        let this = Arc::clone(self);
        let worker = thread::Builder::new().spawn(move || {
            if this.takes_turn(deadline) {
                match reply(&line, deadline) {
                    Ok(reply) => write_line(&reply),
                    Err(error) => refuse(id, &error),
                }
                this.change(|counts| counts.processes -= 1);
            } else {
                say(overload(id, &kind));
            }
            this.change(|counts| counts.requests -= 1);
        });
        if let Err(error) = worker {
            self.change(|counts| counts.requests -= 1);
            refuse(id, &format!("no thread could be started: {error}"));
        }
    }

    fn change(&self, what: impl FnOnce(&mut Counts)) {
        what(&mut self.counts.lock().expect("nobody fails with the lock"));
        self.changed.notify_all();
    }

    /// Waits until one of the processes is free.
    fn takes_turn(&self, deadline: Deadline) -> bool {
        let mut counts = self.counts.lock().expect("nobody fails with the lock");
        while counts.processes >= PROCESSES {
            match deadline.left() {
                Some(left) => counts = self.changed.wait_timeout(counts, left).expect("nobody fails with the lock").0,
                None => return false,
            }
        }
        counts.processes += 1;
        true
    }

    fn wait_for_all(&self, limit: Duration) {
        let counts = self.counts.lock().expect("nobody fails with the lock");
        let _ = self.changed.wait_timeout_while(counts, limit, |counts| counts.requests > 0);
    }
}

/// Has a process answer one request. It ends by itself soon after the deadline.
fn reply(line: &[u8], deadline: Deadline) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| format!("no process could answer: {error}");
    let mut process = Command::new("/proc/self/exe")
        .arg(deadline.seconds_left().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let (input, output) = (process.stdin.take(), process.stdout.take());
    // A process that ended before it read is seen by its reply, which is missing.
    let _ = input.map(|mut input| input.write_all(line));
    let mut reply = Vec::new();
    let read = output.map_or(Ok(0), |output| output.take(LONGEST_REPLY).read_to_end(&mut reply));
    let status = process.wait().map_err(failed)?;
    read.map_err(failed)?;
    if reply.last() == Some(&b'\n') {
        return Ok(reply);
    }
    Err(format!("the process of this request ended without a reply: {status}"))
}
