//! rustls as a TLS backend of probe: a program that hands each request to a process of its own.

mod answer;
mod deadline;
mod failure;
mod handshake;
mod instant;
mod keys;
mod lines;
mod offer;
mod request;
mod serve;
mod settings;
mod tap;
mod trust;
mod wire;
mod witness;

fn main() {
    match std::env::args().nth(1) {
        None => serve::serve(),
        Some(seconds) => answer::answer_one(seconds.parse().unwrap_or(0.0)),
    }
}
