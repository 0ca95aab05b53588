'use strict';
// What a client of node decides on a chain, at any instant and without a connection: OpenSSL's verification as node's
// TLSWrap sets it up, and then tls.checkServerIdentity, which is node's own.

const tls = require('node:tls');
const openssl = require('../build/openssl.node');
const codes = require('../build/verify_codes.json');
const certificate = require('./certificate');

// A reply has half a second after its deadline, and a handshake may have used up all the time before.
const GRACE = 250;
const PURPOSES = { server: 0, client: 1, any: 2 };

/** An evaluate-trust request. */
async function answer(request, deadline) {
  return { trust: await evaluate(request.chain.map((text) => Buffer.from(text, 'base64')), request, deadline) };
}

/** The decision on a chain of DER certificates. */
async function evaluate(chain, question, deadline) {
  if (chain.length === 0) return refusal([problem('malformed', 'there is no certificate')]);
  const purpose = question.purpose ?? 'server';
  if (!Object.hasOwn(PURPOSES, purpose)) throw new TypeError(`there is no purpose '${purpose}'`);
  const work = openssl.verify({
    chain,
    anchors: question.anchors.certificates.map((text) => Buffer.from(text, 'base64')),
    instant: instant(question.instant),
    purpose: PURPOSES[purpose],
    maxDepth: question.maxDepth ?? -1,
  });
  const result = await deadline.withGrace(GRACE).race(work, () => null);
  if (result === null) {
    return refusal([problem('too-complex', 'the deadline passed before OpenSSL had decided')]);
  }
  if (result.malformed >= 0) {
    return refusal([problem('malformed', 'OpenSSL can\'t read a certificate', null, result.malformed)]);
  }
  if (!result.hasBegun) return refusal([problem('other', 'OpenSSL can\'t begin to verify')]);
  // Node asks for the name only where the chain is good; here both are reported.
  const problems = result.isAccepted ? [] : result.problems.map(named);
  problems.push(...nameProblems(chain[0], question.name));
  if (problems.length > 0) return refusal(problems);
  return { accepted: true, problems: [], path: result.path.map((der) => der.toString('base64')) };
}

function instant(text) {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) throw new TypeError(`'${text}' is not an instant`);
  return Math.floor(milliseconds / 1000);
}

/** What tls.checkServerIdentity has against the leaf. */
function nameProblems(leaf, name) {
  if (name === null || name === undefined) return [];
  const text = name.slice(name.indexOf(':') + 1);
  let error;
  try {
    error = tls.checkServerIdentity(text, certificate.parse(leaf).toLegacyObject());
  } catch (thrown) { // In a client it ends the connection.
    error = thrown;
  }
  return error ? [problem('hostname-mismatch', error.message, error.code ?? null, 0)] : [];
}

function named({ code, depth, message }) {
  const [name, cause] = codes[code] ?? [String(code), 'other'];
  return problem(cause, message, name, depth < 0 ? null : depth);
}

function problem(cause, message, nativeCode = null, depth = null) {
  return { cause, message, nativeCode, depth };
}

function refusal(problems) {
  return { accepted: false, problems, path: null };
}

module.exports = { answer, evaluate };
