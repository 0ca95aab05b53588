#ifndef CPROBE_LDNS_SHIM_H
#define CPROBE_LDNS_SHIM_H

#include <ldns/ldns.h>

// Opens the library. NULL, or why it can't be used on this machine.
const char *cprobe_ldns_fault(void);

#endif
