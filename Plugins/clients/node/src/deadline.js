'use strict';

const LONGEST_TIMER = 2 ** 31 - 1; // A longer one would go off at once.

/** When something has to be done, on a clock that only goes forward. */
class Deadline {
  #end;

  constructor(milliseconds) {
    this.#end = performance.now() + (Number.isFinite(milliseconds) ? milliseconds : 0);
  }

  /** How many milliseconds are left. */
  get left() {
    return Math.min(Math.max(this.#end - performance.now(), 0), LONGEST_TIMER);
  }

  /** This deadline, or that many milliseconds from now where they are fewer. */
  within(milliseconds) {
    return new Deadline(Math.min(this.left, milliseconds));
  }

  /** That many milliseconds after this deadline, or after now where it has passed. */
  withGrace(milliseconds) {
    return new Deadline(this.left + milliseconds);
  }

  /** The promise's outcome, or that of `late` where the deadline passes first. */
  async race(promise, late) {
    let timer;
    const passed = {};
    const alarm = new Promise((resolve) => {
      timer = setTimeout(resolve, this.left, passed);
    });
    try {
      const outcome = await Promise.race([promise, alarm]);
      return outcome === passed ? late() : outcome;
    } finally {
      clearTimeout(timer);
    }
  }
}

module.exports = { Deadline };
