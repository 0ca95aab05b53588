#ifndef CPROBE_FLOOR_H
#define CPROBE_FLOOR_H

#include <stdint.h>

// The connection of the bare clients in C that the transports' handshakes are measured against: one for all stacks, so that
// the measurements differ in nothing but the TLS.

// Connects to a port on loopback; -1 when it can't. Reading and writing are bounded, so that a measurement ends.
int cprobe_floor_connect(uint16_t port);

#endif
