//! Lines in and lines out.

use std::io::{self, BufRead, Write};
use std::sync::Mutex;

/// The longest line that is read: a chain of the largest size in base64, and the system's anchors.
const LONGEST: usize = 16 << 20;

/// Returns the next line, or none at the end; a line that is too long is passed over.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let available = input.fill_buf()?;
        if available.is_empty() {
            return Ok(if line.is_empty() || is_too_long { None } else { Some(line) });
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let count = end.map_or(available.len(), |end| end + 1);
        is_too_long = is_too_long || line.len() + count > LONGEST;
        if is_too_long {
            line = Vec::new();
        } else {
            line.extend_from_slice(&available[..count]);
        }
        input.consume(count);
        if end.is_some() {
            if !is_too_long {
                return Ok(Some(line));
            }
            eprintln!("a line of more than {LONGEST} bytes is passed over");
            is_too_long = false;
        }
    }
}

static WRITING: Mutex<()> = Mutex::new(());

/// Writes one whole line, which ends with its line feed.
pub fn write_line(line: &[u8]) {
    let _writing = WRITING.lock();
    let mut output = io::stdout().lock();
    // Nobody is left to report to where the other end is gone.
    let _ = output.write_all(line).and_then(|()| output.flush());
}
