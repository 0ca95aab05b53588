'use strict';
// Node.js as a TLS backend of probe: its own `tls` makes the handshakes, its OpenSSL and its own check of names decide.

const program = require('./program');
const handshake = require('./handshake');
const trust = require('./trust');
const keys = require('./keys');

program.serve(
  {
    kind: 'transport', name: 'node', library: 'Node.js',
    version: `${process.versions.node} (OpenSSL ${process.versions.openssl})`,
    capabilities: handshake.CAPABILITIES,
  },
  {
    handshake: handshake.answer,
    'evaluate-trust': trust.answer,
    'read-key': keys.answer,
  });
