'use strict';

const { Failure } = require('./failure');

const CERTIFICATES = 100;
const CHAIN_BYTES = 512 * 1024;

/** The certificates of a Certificate message (RFC 5246 7.4.2, RFC 8446 4.4.2), up to where it breaks off. */
function certificates(body, isTLS13) {
  const chain = [];
  let total = 0;
  let position = isTLS13 ? 1 + body[0] : 0;
  position += 3; // The length of the list: it is all that is left.
  while (position + 3 <= body.length) {
    const end = position + 3 + body.readUIntBE(position, 3);
    if (end > body.length) break;
    chain.push(body.subarray(position + 3, end));
    total += end - position - 3;
    if (chain.length > CERTIFICATES || total > CHAIN_BYTES) {
      throw new Failure(
        'chain-too-long', `the peer sent more than ${CERTIFICATES} certificates or ${CHAIN_BYTES} bytes of them`);
    }
    position = end;
    if (!isTLS13) continue;
    if (position + 2 > body.length) break;
    position += 2 + body.readUInt16BE(position); // The certificate's extensions.
  }
  return chain;
}

module.exports = { certificates };
