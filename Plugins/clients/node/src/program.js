'use strict';
// The program protocol: requests come in a line each, and are answered as they end.

const { Deadline } = require('./deadline');

// The longest line that is read, in bytes: a hostile chain of the largest size in base64, and the system's anchors.
const LONGEST_LINE = 16 << 20;

function send(message) {
  process.stdout.write(JSON.stringify(message) + '\n');
}

/** Answers requests until the input ends. */
function serve(identity, handlers) {
  splitLines(process.stdin, (line) => take(line, identity, handlers));
  // Nobody waits any more for what is still under way.
  process.stdin.on('end', () => process.exit(0));
  process.stdin.on('error', () => process.exit(0));
  process.stdout.on('error', () => process.exit(0));
}

function take(line, identity, handlers) {
  let request;
  try {
    request = JSON.parse(line);
    if (!Number.isInteger(request.id) || typeof request.type !== 'string') throw new TypeError('no id or type');
  } catch {
    process.stderr.write('a request that can\'t be read\n');
    return;
  }
  const { id, type } = request;
  if (type === 'hello') {
    send({ id, type, protocol: 1, ...identity });
  } else if (Object.hasOwn(handlers, type)) {
    answer(handlers[type], request);
  } else {
    send({ id, type: 'error', message: `there is no request '${type}' here` });
  }
}

async function answer(handler, request) {
  const { id, type } = request;
  try {
    send({ id, type, ...await handler(request, new Deadline(request.deadline * 1000)) });
  } catch (error) { // What goes wrong with one request costs that request alone.
    send({ id, type: 'error', message: `${error?.name}: ${error?.message}` });
  }
}

/** Calls back with each line, and passes over one that is too long. */
function splitLines(input, take) {
  let pieces = [];
  let size = 0;
  const add = (piece) => {
    size += piece.length;
    if (size <= LONGEST_LINE) pieces.push(piece);
    else pieces = [];
  };
  input.on('data', (chunk) => {
    let begin = 0;
    for (let end; (end = chunk.indexOf(10, begin)) >= 0; begin = end + 1) {
      add(chunk.subarray(begin, end));
      take(Buffer.concat(pieces).toString());
      pieces = [];
      size = 0;
    }
    add(chunk.subarray(begin));
  });
}

module.exports = { serve };
