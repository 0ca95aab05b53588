#ifndef CPROBE_GNUTLS_HANDSHAKE_FLOOR_H
#define CPROBE_GNUTLS_HANDSHAKE_FLOOR_H

// A bare client of GnuTLS: what the transport's handshake is measured against.

#include <gnutls/gnutls.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "CProbeFloor.h"

// Credentials that trust one authority, to be freed with gnutls_certificate_free_credentials; NULL when they can't be made.
static inline gnutls_certificate_credentials_t cprobe_gnutls_floor_credentials(const void *anchor, unsigned count) {
    const gnutls_datum_t authority = {(unsigned char *)anchor, count};
    gnutls_certificate_credentials_t credentials = NULL;
    if (gnutls_certificate_allocate_credentials(&credentials) < 0) return NULL;
    if (gnutls_certificate_set_x509_trust_mem(credentials, &authority, GNUTLS_X509_FMT_DER) == 1) return credentials;
    gnutls_certificate_free_credentials(credentials);
    return NULL;
}

// One connection from beginning to end; 1 when the chain was accepted.
static inline int cprobe_gnutls_floor_handshake(
    gnutls_certificate_credentials_t credentials, uint16_t port, const char *name
) {
    int descriptor = cprobe_floor_connect(port);
    if (descriptor < 0) return 0;
    gnutls_session_t session = NULL;
    int done = gnutls_init(&session, GNUTLS_CLIENT | GNUTLS_NO_TICKETS) == 0
        && gnutls_set_default_priority(session) == 0
        && gnutls_server_name_set(session, GNUTLS_NAME_DNS, name, strlen(name)) == 0
        && gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials) == 0;
    if (done) {
        gnutls_session_set_verify_cert(session, name, 0);
        gnutls_transport_set_int(session, descriptor);
        int result;
        // A read that ended without bytes is not fatal.
        const time_t end = time(NULL) + 10;
        do result = gnutls_handshake(session);
        while (result < 0 && !gnutls_error_is_fatal(result) && time(NULL) < end);
        done = result == 0;
        if (done) gnutls_bye(session, GNUTLS_SHUT_WR);
    }
    if (session != NULL) gnutls_deinit(session);
    close(descriptor);
    return done;
}

#endif
