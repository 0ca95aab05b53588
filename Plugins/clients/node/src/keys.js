'use strict';
// Node's own reading of a certificate's key: parsed by its X509Certificate, and written again by its KeyObject.

const certificate = require('./certificate');

/** A read-key request. */
function answer(request) {
  return { key: read(Buffer.from(request.certificate, 'base64')) };
}

function read(der) {
  try {
    const key = certificate.parse(der).publicKey;
    return { spki: key.export({ type: 'spki', format: 'der' }).toString('base64') };
  } catch (error) {
    return { unreadable: error.message };
  }
}

module.exports = { answer, read };
