#ifndef CPROBE_CARES_SHIM_H
#define CPROBE_CARES_SHIM_H

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <ares.h>
#include <ares_dns.h>

/* The response code, by c-ares' own reading of the header. */
static inline unsigned short cprobe_ares_rcode(const unsigned char *message) {
    return DNS_HEADER_RCODE(message);
}

// Opens the library. NULL, or why it can't be used on this machine.
const char *cprobe_cares_fault(void);

#endif
