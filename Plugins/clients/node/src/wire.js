'use strict';

const dns = require('node:dns/promises');
const net = require('node:net');
const { Duplex } = require('node:stream');
const { Failure } = require('./failure');

// Far more than any handshake that ends needs.
const MAXIMAL_HANDSHAKE = 1024 * 1024;

/**
 * A TCP connection as `tls` gets it, so that its bytes are counted and its end is known.
 *
 * Its failure is that of the connection, or null as long as there is none.
 */
class Wire extends Duplex {
  #socket;
  #begun = Buffer.alloc(0);
  #total = 0;

  /** Dials, and returns the connection. */
  static async dial(host, port, deadline) {
    const address = net.isIP(host) ? host : await lookUp(host, deadline);
    const socket = net.connect({ host: address, port, noDelay: true });
    const connected = new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', (error) => reject(dialFailure(error)));
    });
    try {
      await deadline.race(connected, () => {
        throw new Failure('connect-timeout', 'the deadline passed before there was a connection');
      });
    } catch (error) {
      socket.on('error', () => {}).destroy();
      throw error;
    }
    return new Wire(socket, net.isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`);
  }

  constructor(socket, address) {
    super({ allowHalfOpen: true });
    this.failure = null;
    this.#socket = socket;
    /** The peer that was reached. */
    this.address = address;
    /** Whether bytes are still counted. */
    this.isShakingHands = true;
    socket.on('data', (piece) => this.#take(piece));
    socket.on('end', () => {
      this.failure ??= new Failure('connection-closed', 'the peer closed the connection during the handshake');
      this.push(null);
    });
    socket.on('error', (error) => this.#end(error.code === 'ECONNRESET' || error.code === 'EPIPE'
      ? new Failure('connection-reset', 'the peer reset the connection', error.code)
      : new Failure('connection-closed', `the connection broke: ${error.message}`, error.code ?? null)));
  }

  #take(piece) {
    if (this.destroyed) return;
    if (this.isShakingHands) {
      if (this.#begun.length < 2) {
        this.#begun = Buffer.concat([this.#begun, piece.subarray(0, 40)]);
        const [type, version] = this.#begun;
        if (type < 20 || type > 24 || (version !== undefined && version !== 3)) {
          const words = JSON.stringify(this.#begun.toString('latin1'));
          this.#end(new Failure('not-tls', `the peer does not speak TLS: it sent ${words}`));
          return;
        }
      }
      // OpenSSL skips HelloRequests, for one, for as long as they come.
      this.#total += piece.length;
      if (this.#total > MAXIMAL_HANDSHAKE) {
        this.#end(new Failure(
          'protocol-error', `the peer sent more than ${MAXIMAL_HANDSHAKE} bytes and did not complete the handshake`));
        return;
      }
    }
    if (!this.push(piece)) this.#socket.pause();
  }

  #end(failure) {
    this.failure ??= failure;
    this.destroy();
  }

  _read() {
    this.#socket.resume();
  }

  _write(piece, encoding, done) {
    // Reading reports a peer that is gone.
    if (this.#socket.writable) this.#socket.write(piece, () => done());
    else done();
  }

  _final(done) {
    if (this.#socket.writable) this.#socket.end(() => done());
    else done();
  }

  _destroy(error, done) {
    this.#socket.destroy();
    done(error);
  }
}

async function lookUp(host, deadline) {
  const found = dns.lookup(host).catch((error) => {
    const code = error.code === 'ENOTFOUND' || error.code === 'ENODATA' ? 'name-not-found' : 'name-lookup-failed';
    throw new Failure(code, `'${host}' can't be looked up: ${error.message}`, error.code ?? null);
  });
  const { address } = await deadline.race(found, () => {
    throw new Failure('name-lookup-failed', `the deadline passed before '${host}' was looked up`);
  });
  return address;
}

function dialFailure(error) {
  switch (error.code) {
    case 'ECONNREFUSED': return new Failure('connection-refused', 'nothing listens on the port', error.code);
    case 'ETIMEDOUT': return new Failure('connect-timeout', 'the peer did not answer', error.code);
    default:
      return new Failure('network-unreachable', `there is no way to the address: ${error.message}`, error.code ?? null);
  }
}

module.exports = { Wire };
