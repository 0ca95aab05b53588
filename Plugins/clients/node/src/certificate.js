'use strict';

const { X509Certificate } = require('node:crypto');

/**
 * Node's own reading of a certificate; throws where it can't read it.
 *
 * X509Certificate searches bytes for PEM before it takes them for DER, and would find one that a hostile certificate
 * has inside. A certificate of a connection is never read like that, so that what is given here is PEM already.
 */
function parse(der) {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return new X509Certificate(`-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`);
}

module.exports = { parse };
