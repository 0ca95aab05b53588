'use strict';
// A ClientHello with the lists of another client. Whether node sends just these is seen in one that goes nowhere.

const { Duplex } = require('node:stream');
const tls = require('node:tls');
const { Failure } = require('./failure');
const hello = require('./hello');
const registry = require('./registry');

const LISTS = [
  { member: 'cipherSuites', words: 'cipher suites', entries: registry.suites, sent: 'suites', option: 'ciphers' },
  { member: 'groups', words: 'groups', entries: registry.groups, sent: 'groups', option: 'ecdhCurve' },
  {
    member: 'signatureAlgorithms', words: 'signature algorithms', entries: registry.signatures, sent: 'signatures',
    option: 'sigalgs',
  },
];
const VERSIONS = { '1.0': 0x301, '1.1': 0x302, '1.2': 0x303, '1.3': 0x304 };
// What is offered is the client's affair; keys and signatures are judged by the decision on trust.
const LEVEL = '@SECLEVEL=0';

/** The options of `tls.connect` for an offer, beside those of the request; throws where node lacks what it names. */
function options(offer) {
  const result = { ciphers: `${tls.DEFAULT_CIPHERS}:${LEVEL}` };
  for (const list of LISTS) {
    const names = offer[list.member];
    if (!names) continue;
    const isKnown = (name) => {
      const entry = list.entries.find(name);
      return entry && isTaken({ [list.option]: entry.native });
    };
    const unknown = names.filter((name) => !isKnown(name));
    if (unknown.length > 0) throw new Failure('unsupported', `node can't offer the ${list.words} ${unknown.join(', ')}`);
    const natives = names.map((name) => list.entries.find(name).native);
    if (list.option === 'ciphers') natives.push(LEVEL);
    if (natives.length > 0) result[list.option] = natives.join(':');
  }
  return result;
}

function isTaken(tlsOptions) {
  try {
    tls.createSecureContext({ ca: [], ...tlsOptions });
    return true;
  } catch {
    return false;
  }
}

/** Throws where node would not send the offer as it is; nothing is sent to the peer. */
async function check(request, tlsOptions, deadline) {
  const sent = hello.read(await firstRecord(tlsOptions, deadline));
  const [oldest, newest] = request.versions.map((version) => VERSIONS[version]);
  const wanted = Object.values(VERSIONS).filter((version) => version >= oldest && version <= newest);
  // Before TLS 1.3 the message names the newest version alone.
  const versions = newest === VERSIONS['1.3'] ? wanted : [newest];
  if (!isSame([...sent.versions].sort((one, other) => one - other), versions)) {
    throw new Failure('unsupported', `node can't offer TLS ${request.versions.join(' to ')} with these cipher suites`);
  }
  for (const list of LISTS) {
    const asked = request.offer[list.member];
    if (!asked || isSame(sent[list.sent], asked.map((name) => list.entries.find(name).number))) continue;
    const names = sent[list.sent].map((number) => list.entries.name(number));
    throw new Failure(
      'unsupported', `node would offer the ${list.words} ${names.join(', ')} instead of ${asked.join(', ')}`);
  }
}

function isSame(one, other) {
  return one.length === other.length && one.every((number, index) => number === other[index]);
}

/** The ClientHello of these options. */
async function firstRecord(tlsOptions, deadline) {
  let socket;
  const sent = new Promise((resolve, reject) => {
    const nowhere = new Duplex({ read() {}, write: (piece, encoding, done) => { resolve(piece); done(); } });
    try {
      socket = tls.connect({ ...tlsOptions, socket: nowhere });
    } catch (error) {
      reject(new Failure('unsupported', `node can't send the offer: ${error.message}`, error.code ?? null));
      return;
    }
    socket.on('error', (error) => reject(
      new Failure('unsupported', `node can't send the offer: ${error.reason ?? error.message}`, error.code ?? null)));
  });
  try {
    return await deadline.race(sent, () => {
      throw new Failure('local-overload', 'the deadline passed before the offer was made');
    });
  } finally {
    socket?.destroy();
  }
}

module.exports = { options, check };
