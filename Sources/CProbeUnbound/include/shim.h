#ifndef CPROBE_UNBOUND_SHIM_H
#define CPROBE_UNBOUND_SHIM_H

#include <unbound.h>

// Opens the library. NULL, or why it can't be used on this machine.
const char *cprobe_unbound_fault(void);

#endif
