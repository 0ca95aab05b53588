#include "layer.h"

#include <arpa/inet.h>
#include <prerror.h>
#include <prnetdb.h>

static struct wire *wire_of(PRFileDesc *file) {
    return (struct wire *)file->secret;
}

static PRInt32 receive(PRFileDesc *file, void *buffer, PRInt32 size, PRIntn flags, PRIntervalTime timeout) {
    (void)flags, (void)timeout; // The wire has the deadline.
    ssize_t count = wire_read(wire_of(file), buffer, (size_t)size);
    if (count < 0) PR_SetError(wire_of(file)->end == WIRE_TIMED_OUT ? PR_IO_TIMEOUT_ERROR : PR_CONNECT_RESET_ERROR, 0);
    return (PRInt32)count;
}

static PRInt32 transmit(PRFileDesc *file, const void *buffer, PRInt32 size, PRIntn flags, PRIntervalTime timeout) {
    (void)flags, (void)timeout;
    ssize_t count = wire_write(wire_of(file), buffer, (size_t)size);
    if (count < 0) PR_SetError(wire_of(file)->end == WIRE_TIMED_OUT ? PR_IO_TIMEOUT_ERROR : PR_CONNECT_RESET_ERROR, 0);
    return (PRInt32)count;
}

static PRInt32 read_file(PRFileDesc *file, void *buffer, PRInt32 size) {
    return receive(file, buffer, size, 0, PR_INTERVAL_NO_TIMEOUT);
}

static PRInt32 write_file(PRFileDesc *file, const void *buffer, PRInt32 size) {
    return transmit(file, buffer, size, 0, PR_INTERVAL_NO_TIMEOUT);
}

/// NSS only wants to know that there is a peer: it names sessions by it, and none is kept.
static PRStatus peer_name(PRFileDesc *file, PRNetAddr *address) {
    (void)file;
    return PR_InitializeNetAddr(PR_IpAddrLoopback, 0, address);
}

static PRStatus get_option(PRFileDesc *file, PRSocketOptionData *option) {
    (void)file;
    if (option->option != PR_SockOpt_Nonblocking) return PR_FAILURE;
    option->value.non_blocking = PR_FALSE; // A read waits, at most until the deadline.
    return PR_SUCCESS;
}

/// The wire has set what it wants already.
static PRStatus set_option(PRFileDesc *file, const PRSocketOptionData *option) {
    (void)file, (void)option;
    return PR_SUCCESS;
}

/// The wire's owner shuts the connection down.
static PRStatus shut_down(PRFileDesc *file, PRIntn how) {
    (void)file, (void)how;
    return PR_SUCCESS;
}

/// A read or a write waits by itself.
static PRInt16 poll_file(PRFileDesc *file, PRInt16 in, PRInt16 *out) {
    (void)file;
    *out = in;
    return in;
}

static PRStatus close_file(PRFileDesc *file) {
    file->secret = NULL;
    file->dtor(file);
    return PR_SUCCESS;
}

PRFileDesc *layer_open(struct wire *wire) {
    static PRIOMethods methods;
    static PRDescIdentity identity = PR_INVALID_IO_LAYER;
    if (identity == PR_INVALID_IO_LAYER) {
        methods = *PR_GetDefaultIOMethods();
        methods.close = close_file;
        methods.read = read_file;
        methods.write = write_file;
        methods.recv = receive;
        methods.send = transmit;
        methods.getpeername = peer_name;
        methods.getsocketoption = get_option;
        methods.getsockname = peer_name;
        methods.setsocketoption = set_option;
        methods.shutdown = shut_down;
        methods.poll = poll_file;
        identity = PR_GetUniqueIdentity("wire");
    }
    PRFileDesc *file = PR_CreateIOLayerStub(identity, &methods);
    if (file != NULL) file->secret = (PRFilePrivate *)wire;
    return file;
}
