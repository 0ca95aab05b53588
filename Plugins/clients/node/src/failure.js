'use strict';

/** Why a handshake did not complete. */
class Failure extends Error {
  constructor(code, message, nativeCode = null, alert = null) {
    super(message);
    this.report = { code, message, nativeCode, alert };
  }
}

module.exports = { Failure };
