//! Hands the versions of the libraries to the program: they are in Cargo.lock, and the libraries don't know them.

use std::{env, fs, path::Path};

fn main() {
    let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder");
    let lock = fs::read_to_string(Path::new(&folder).join("Cargo.lock")).expect("cargo wrote Cargo.lock");
    for library in ["rustls", "webpki", "ring"] {
        let entry = format!("name = \"{library}\"\nversion = \"");
        let version = lock.split(&entry).nth(1).and_then(|rest| rest.split('"').next()).expect("it is locked");
        println!("cargo:rustc-env=VERSION_OF_{}={version}", library.to_uppercase());
    }
    println!("cargo:rerun-if-changed=Cargo.lock");
}
