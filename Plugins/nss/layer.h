/// A connection as the lowest layer of an NSPR file, which NSS puts its own on.
#pragma once

#include "wire.h"

#include <prio.h>

/// Borrows the wire; NULL where NSPR has no room. Closing the file leaves the wire open.
PRFileDesc *layer_open(struct wire *wire);
