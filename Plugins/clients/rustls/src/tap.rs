//! What the server sends in the clear and rustls keeps to itself: the group, and up to TLS 1.2 the chain before it is verified.

const CHANGE_CIPHER_SPEC: u8 = 20;
const HANDSHAKE: u8 = 22;
const APPLICATION_DATA: u8 = 23;
const SERVER_HELLO: u8 = 2;
const CERTIFICATE: u8 = 11;
const SERVER_KEY_EXCHANGE: u8 = 12;
const SUPPORTED_VERSIONS: u16 = 43;
const KEY_SHARE: u16 = 51;
/// The random of a ServerHello that is a HelloRetryRequest begins so (RFC 8446 section 4.1.3).
const RETRY: &[u8] = &[0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11];

#[derive(Default)]
pub struct Tap {
    records: Vec<u8>,
    messages: Vec<u8>,
    is_tls12: bool,
    is_done: bool,
    pub group: Option<u16>,
    pub chain: Vec<Vec<u8>>,
}

impl Tap {
    /// Takes the next bytes of the server; the caller bounds how many there are.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.is_done {
            return;
        }
        self.records.extend_from_slice(bytes);
        let mut records = std::mem::take(&mut self.records);
        let mut place = 0;
        while let Some((kind, body)) = next_record(&records[place..]) {
            place += 5 + body.len();
            match kind {
                HANDSHAKE => self.messages.extend_from_slice(body),
                CHANGE_CIPHER_SPEC if self.is_tls12 => self.is_done = true,
                APPLICATION_DATA => self.is_done = true,
                _ => {}
            }
        }
        records.drain(..place);
        self.records = records;
        self.read_messages();
    }

    fn read_messages(&mut self) {
        let messages = std::mem::take(&mut self.messages);
        let mut rest = Bytes(&messages);
        let mut left = rest.0;
        while let (Some(kind), Some(body)) = (rest.byte(), rest.block(3)) {
            match kind {
                SERVER_HELLO => {
                    self.read_server_hello(Bytes(body));
                }
                CERTIFICATE if self.is_tls12 && self.chain.is_empty() => self.read_chain(Bytes(body)),
                SERVER_KEY_EXCHANGE if body.len() > 2 && body[0] == 3 => self.group = Bytes(&body[1..]).u16(),
                _ => {}
            }
            left = rest.0;
        }
        self.messages = left.to_vec();
    }

    fn read_server_hello(&mut self, mut hello: Bytes) -> Option<()> {
        hello.take(2)?;
        let is_retry = hello.take(32)?.starts_with(RETRY);
        hello.block(1)?;
        hello.take(3)?;
        let mut extensions = Bytes(hello.block(2).unwrap_or_default());
        let mut is_tls13 = false;
        while let (Some(kind), Some(body)) = (extensions.u16(), extensions.block(2)) {
            match kind {
                SUPPORTED_VERSIONS => is_tls13 = body == [3, 4],
                KEY_SHARE => self.group = Bytes(body).u16(),
                _ => {}
            }
        }
        self.is_tls12 = !is_tls13;
        self.is_done = is_tls13 && !is_retry;
        Some(())
    }

    fn read_chain(&mut self, mut message: Bytes) {
        let mut list = Bytes(message.block(3).unwrap_or_default());
        while let Some(certificate) = list.block(3) {
            self.chain.push(certificate.to_vec());
        }
    }
}

fn next_record(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let mut rest = Bytes(bytes);
    let kind = rest.byte()?;
    rest.take(2)?;
    Some((kind, rest.block(2)?))
}

/// Bytes that are read from the front; what is not there reads as nothing, and leaves the rest as it is or shorter.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, tail) = if count <= self.0.len() { self.0.split_at(count) } else { return None };
        self.0 = tail;
        Some(head)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn u16(&mut self) -> Option<u16> {
        self.take(2).map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    /// A block whose length stands before it, in so many bytes.
    fn block(&mut self, width: usize) -> Option<&'a [u8]> {
        let length = self.take(width)?.iter().fold(0, |length, byte| length << 8 | usize::from(*byte));
        self.take(length)
    }
}

#[cfg(test)]
mod tests {
    use super::Tap;

    /// A ServerHello of TLS 1.3 with the share of a group, in one record.
    fn hello(group: u8) -> Vec<u8> {
        let extensions = [&[0, 43, 0, 2, 3, 4], &[0, 51, 0, 2, 0, group][..]].concat();
        let body = [&[3, 3][..], &[7; 32], &[0, 0x13, 1, 0, 0, extensions.len() as u8], &extensions].concat();
        let message = [&[2, 0, 0, body.len() as u8][..], &body].concat();
        [&[22, 3, 3, 0, message.len() as u8][..], &message].concat()
    }

    #[test]
    fn reads_the_group_however_it_is_cut() {
        for size in 1..20 {
            let mut tap = Tap::default();
            hello(29).chunks(size).for_each(|piece| tap.feed(piece));
            assert_eq!(tap.group, Some(29));
        }
    }

    #[test]
    fn survives_what_is_cut_or_changed() {
        let whole = hello(29);
        for place in 0..whole.len() {
            Tap::default().feed(&whole[..place]);
            for value in [0, 1, 0x7f, 0xff] {
                let mut changed = whole.clone();
                changed[place] = value;
                Tap::default().feed(&changed);
            }
        }
    }
}
