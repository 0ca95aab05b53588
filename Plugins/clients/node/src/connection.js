'use strict';

const tls = require('node:tls');
const openssl = require('../build/openssl.node');
const { Failure } = require('./failure');
const offer = require('./offer');
const presented = require('./presented');

const VERSIONS = { '1.0': 'TLSv1', '1.1': 'TLSv1.1', '1.2': 'TLSv1.2', '1.3': 'TLSv1.3' };
// The names that getEphemeralKeyInfo has for groups, where they are not those of TLS.
const GROUPS = { X25519: 'x25519', X448: 'x448', prime256v1: 'secp256r1' };
const LONGEST_ALPN = 8192;
const FATAL = 2;
const CLOSE_NOTIFY = 0;

/** The options of `tls.connect` for a request; throws where node can't offer what is asked. */
function options(request, serverName) {
  const [oldest, newest] = request.versions;
  if (!VERSIONS[oldest] || !VERSIONS[newest]) throw new Failure('unsupported', `node has no TLS ${oldest} to ${newest}`);
  const protocols = request.alpn ?? [];
  const sizes = protocols.map((protocol) => Buffer.byteLength(protocol));
  if (sizes.some((size) => size < 1 || size > 255) || sizes.reduce((sum, size) => sum + size, 0) > LONGEST_ALPN) {
    throw new Failure('unsupported', `node offers protocols of 1 to 255 bytes, ${LONGEST_ALPN} together`);
  }
  if (serverName?.length > 255) throw new Failure('unsupported', 'node sends names of at most 255 bytes');
  return {
    secureContext: context(request),
    requestOCSP: true,
    // Trust is decided afterwards, at the instant of the request.
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
    ...(serverName ? { servername: serverName } : {}),
    ...(protocols.length > 0 ? { ALPNProtocols: protocols } : {}),
  };
}

function context(request) {
  const [oldest, newest] = request.versions;
  // Level 1 lets weak keys be seen, which the decision then refuses. What is older than TLS 1.2 needs SHA-1.
  const level = oldest < '1.2' ? 0 : 1;
  const lists = request.offer
    ? offer.options(request.offer)
    : { ciphers: `${tls.DEFAULT_CIPHERS}:@SECLEVEL=${level}` };
  try {
    return tls.createSecureContext({ minVersion: VERSIONS[oldest], maxVersion: VERSIONS[newest], ca: [], ...lists });
  } catch (error) {
    throw new Failure('unsupported', `node can't offer this: ${error.reason ?? error.message}`, error.code ?? null);
  }
}

/** A TLSSocket over a wire. Nothing is resumed: each has a context of its own. */
class Connection {
  #wire;
  #socket;
  #witness;
  #staple = null;
  #ended;

  constructor(wire, tlsOptions) {
    this.#wire = wire;
    this.#socket = tls.connect({ ...tlsOptions, socket: wire });
    this.#witness = openssl.watchNewest();
    this.#socket.on('OCSPResponse', (response) => { this.#staple = response; });
    this.#ended = new Promise((resolve) => {
      this.#socket.on('error', (error) => resolve(this.#failure(error)));
      this.#socket.on('end', () => resolve(this.#failure(null)));
      wire.on('error', () => {});
      wire.on('close', () => resolve(this.#failure(null)));
    });
  }

  /** Completes the handshake, or throws why it did not. */
  async shakeHands(deadline) {
    const complete = new Promise((resolve) => this.#socket.once('secureConnect', () => resolve(null)));
    const failure = await deadline.race(Promise.race([complete, this.#ended]), () =>
      new Failure('handshake-timeout', 'the peer did not complete the handshake before the deadline'));
    if (failure) throw failure;
    this.#wire.isShakingHands = false;
  }

  #failure(error) {
    const seen = this.#seen;
    const native = error?.code ?? null;
    const ofWire = this.#wire.failure;
    if (ofWire && ['not-tls', 'protocol-error'].includes(ofWire.report.code)) return ofWire;
    if (seen.alert === CLOSE_NOTIFY) {
      return new Failure('connection-closed', 'the peer closed the connection with close_notify', native);
    }
    // In TLS 1.3 an alert is fatal whatever its level says; before the ServerHello there is no version.
    const isTLS13 = seen.hasServerHello && this.#socket.getProtocol() === VERSIONS['1.3'];
    if (seen.alert >= 0 && (seen.alertLevel === FATAL || isTLS13) && native !== 'ERR_SSL_TOO_MANY_WARN_ALERTS') {
      return new Failure(
        'alert-received', `the peer refused with alert ${seen.alert} (${error?.reason ?? native})`, native, seen.alert);
    }
    if (native?.startsWith('ERR_')) {
      // Before a ServerHello it is not a chain that was too long.
      return native === 'ERR_SSL_EXCESSIVE_MESSAGE_SIZE' && seen.hasServerHello
        ? new Failure('chain-too-long', 'the peer sent a larger certificate message than node takes', native)
        : new Failure('protocol-error', error.reason ?? error.message, native);
    }
    return ofWire ?? new Failure('connection-closed', error?.message ?? 'the peer closed the connection', native);
  }

  get #seen() {
    return openssl.seen(this.#witness);
  }

  /** The certificates as they were presented. */
  get chain() {
    const { certificate, isTLS13 } = this.#seen;
    return certificate ? presented.certificates(certificate, isTLS13) : [];
  }

  /** Whether the server asked for a client certificate. */
  get isCertificateAsked() {
    return this.#seen.isCertificateAsked;
  }

  /** What the two agreed on. */
  get agreed() {
    const socket = this.#socket;
    const version = socket.getProtocol();
    const { type, name, size } = socket.getEphemeralKeyInfo() ?? {};
    const fieldGroup = type === 'DH' && version === VERSIONS['1.3'] ? `ffdhe${size}` : null;
    return {
      version: Object.keys(VERSIONS).find((number) => VERSIONS[number] === version),
      cipherSuite: socket.getCipher().standardName,
      group: type === 'ECDH' ? GROUPS[name] ?? name : fieldGroup,
      alpn: socket.alpnProtocol || null,
      ocspStaple: this.#staple?.toString('base64') ?? null,
    };
  }

  /**
   * Waits for the server's refusal of a client without a certificate, which in TLS 1.3 comes after the handshake; null
   * where something else comes first, or nothing.
   */
  async lateRefusal(deadline) {
    const other = new Promise((resolve) => {
      this.#socket.once('session', () => resolve(null)); // A ticket.
      this.#socket.once('data', () => resolve(null));
    });
    const refusal = await deadline.race(Promise.race([this.#ended, other]), () => null);
    if (refusal) refusal.report.afterHandshake = true;
    return refusal;
  }

  /** Says goodbye, where there is still somebody to hear it, and closes. */
  async close(deadline, isComplete) {
    const gone = new Promise((resolve) => {
      this.#wire.once('finish', resolve);
      this.#wire.once('close', resolve);
    });
    if (isComplete && !this.#socket.destroyed && !this.#wire.destroyed) {
      this.#socket.end();
      await deadline.race(gone, () => undefined);
    }
    this.#socket.destroy();
    this.#wire.destroy();
  }
}

module.exports = { Connection, options };
