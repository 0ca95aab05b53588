'use strict';

// TLS_EMPTY_RENEGOTIATION_INFO_SCSV and TLS_FALLBACK_SCSV, which are no suites.
const SIGNALS = [0x00ff, 0x5600];
const GROUPS = 10;
const SIGNATURES = 13;
const VERSIONS = 43;

/** The lists of a ClientHello of node's own (RFC 8446 4.1.2), which comes in one record. */
function read(record) {
  let position = 5 + 4 + 2 + 32; // The headers of the record and the message, the version, the random.
  const block = (lengthSize) => {
    const begin = position + lengthSize;
    position = begin + record.readUIntBE(position, lengthSize);
    return record.subarray(begin, position);
  };
  block(1); // The session's identifier.
  const hello = { suites: numbers(block(2)).filter((number) => !SIGNALS.includes(number)), groups: [], signatures: [] };
  block(1); // Compression.
  position += 2;
  while (position + 4 <= record.length) {
    const type = record.readUInt16BE(position);
    position += 2;
    const content = block(2);
    if (type === GROUPS) hello.groups = numbers(content.subarray(2));
    if (type === SIGNATURES) hello.signatures = numbers(content.subarray(2));
    if (type === VERSIONS) hello.versions = numbers(content.subarray(1));
  }
  // Without the extension the message names only the newest.
  hello.versions ??= [record.readUInt16BE(5 + 4)];
  return hello;
}

function numbers(bytes) {
  return Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readUInt16BE(index * 2));
}

module.exports = { read };
