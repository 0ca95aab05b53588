'use strict';
// One handshake of node's tls, over a wire that is ours: the deadline and the first look at the bytes are there.

const { Connection, options } = require('./connection');
const { Failure } = require('./failure');
const keys = require('./keys');
const offer = require('./offer');
const trust = require('./trust');
const { Wire } = require('./wire');

const CAPABILITIES = [
  'presented-chain', 'key-reading', 'version-range', 'trust-evaluation', 'verified-path', 'sni', 'alpn', 'group', 'offer',
  'ocsp-staple', 'client-certificate-request', 'late-refusal',
];

// How long a refusal after the handshake, and the way of a goodbye, are waited for, in milliseconds.
const REFUSAL = 1000;
const GOODBYE = 200;

/** A handshake request. */
async function answer(request, deadline) {
  const report = { timings: {} };
  let chain = [];
  try {
    chain = await converse(request, deadline, report);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    report.failure ??= error.report;
  }
  report.chain = chain.map((der) => der.toString('base64'));
  report.keys = chain.map(keys.read);
  if (chain.length > 0) {
    await timed(report, 'trust', async () => {
      report.trust = await trust.evaluate(chain, { ...request, purpose: 'server', maxDepth: null }, deadline);
    });
  }
  return { report };
}

/** Dials, shakes hands and closes; what was seen goes into the report, and the presented chain is returned. */
async function converse(request, deadline, report) {
  const { name } = request;
  const serverName = name?.startsWith('dns:') ? name.slice('dns:'.length).toLowerCase() : null;
  const tlsOptions = options(request, serverName);
  if (request.offer) await offer.check(request, tlsOptions, deadline);
  const wire = await timed(report, 'connect', () => Wire.dial(request.host, request.port, deadline));
  report.address = wire.address;
  report.sni = serverName;
  let connection;
  let isComplete = false;
  try {
    connection = new Connection(wire, tlsOptions);
    await timed(report, 'handshake', () => connection.shakeHands(deadline));
    isComplete = true;
    Object.assign(report, connection.agreed);
    if (report.version === '1.3' && connection.isCertificateAsked) {
      report.failure = (await connection.lateRefusal(deadline.within(REFUSAL)))?.report ?? null;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    report.failure = error.report;
  } finally {
    if (connection) {
      report.clientCertificateRequested = connection.isCertificateAsked;
      await connection.close(deadline.within(GOODBYE), isComplete);
    }
    wire.destroy();
  }
  return connection.chain;
}

async function timed(report, name, work) {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    report.timings[name] = (performance.now() - begun) / 1000;
  }
}

module.exports = { CAPABILITIES, answer };
