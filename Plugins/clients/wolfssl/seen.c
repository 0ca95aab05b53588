#include "seen.h"

#include "keys.h"
#include "report.h"

#include <ctype.h>
#include <string.h>

/// The library takes up to nine certificates of a chain. It keeps those that are shorter than 2048 bytes.
enum { most_taken = 9, kept_below = 2048 };

static int take_chain(int is_good, WOLFSSL_X509_STORE_CTX *store) {
    (void)is_good;
    struct seen *seen = store->userCtx;
    for (int i = 0; seen->chain.count < (size_t)store->totalCerts; i++) {
        byte_list_add(&seen->chain, store->certs[i].buffer, store->certs[i].length);
    }
    return 1;
}

/// The library asks here for a certificate to send, up to TLS 1.3; it has none.
static int note_request(WOLFSSL *ssl, WOLFSSL_X509 **certificate, WOLFSSL_EVP_PKEY **key) {
    (void)certificate, (void)key;
    struct seen *seen = wolfSSL_GetIOReadCtx(ssl);
    seen->certificate_requested = true;
    return 0;
}

void seen_listen(struct seen *seen, WOLFSSL_CTX *context, WOLFSSL *ssl) {
    wolfSSL_CTX_set_client_cert_cb(context, note_request);
    wolfSSL_set_verify(ssl, WOLFSSL_VERIFY_PEER, take_chain);
    wolfSSL_SetCertCbCtx(ssl, seen);
    wolfSSL_SetIOReadCtx(ssl, seen);
    wolfSSL_SetIOWriteCtx(ssl, seen);
}

/// Up to TLS 1.2 the chain came in the clear. In TLS 1.3 the library hands it over with a leaf that it can read; where the
/// handshake failed, it may be the beginning of a longer one. For other leaves there is what the library keeps, which
/// counts only where what came has no room for a certificate that it did not keep.
static void complete_chain(struct seen *seen, WOLFSSL *ssl, bool has_failed) {
    struct tap *tap = &seen->wire.tap;
    if (tap->has_chain) {
        byte_list_free(&seen->chain);
        for (size_t i = 0; i < tap->chain.count; i++) {
            byte_list_add(&seen->chain, tap->chain.items[i].data, tap->chain.items[i].size);
        }
    }
    if (!tap->has_chain && has_failed && seen->chain.count >= most_taken) byte_list_free(&seen->chain);
    WOLFSSL_X509_CHAIN *kept = wolfSSL_get_peer_chain(ssl);
    if (seen->chain.count > 0 || tap->has_chain || kept == NULL) return;
    int count = wolfSSL_get_chain_count(kept);
    size_t total = 0;
    for (int i = 0; i < count; i++) total += (size_t)wolfSSL_get_chain_length(kept, i);
    if (count >= most_taken || seen->wire.received >= total + kept_below) return;
    for (int i = 0; i < count; i++) {
        byte_list_add(&seen->chain, wolfSSL_get_chain_cert(kept, i), (size_t)wolfSSL_get_chain_length(kept, i));
    }
}

/// The group of TLS 1.3, from the library's name for it, like `SECP256R1` or `FFDHE_2048`.
static void report_group(WOLFSSL *ssl, json_t *report) {
    const char *name = wolfSSL_get_curve_name(ssl);
    char text[32];
    size_t size = 0;
    for (; name != NULL && *name != '\0' && size + 1 < sizeof text; name++) {
        if (*name != '_') text[size++] = (char)tolower((unsigned char)*name);
    }
    text[size] = '\0';
    if (size > 0) report_text(report, "group", text);
}

static void report_parameters(const struct seen *seen, WOLFSSL *ssl, json_t *report) {
    const struct tap *tap = &seen->wire.tap;
    const char *suite =
        wolfSSL_get_cipher_name_iana_from_suite((unsigned char)(tap->suite >> 8), (unsigned char)tap->suite);
    bool is_known = suite != NULL && strcmp(suite, "NONE") != 0;
    report_text(report, "version", version_name(tap->version));
    report_text(report, "cipherSuite", is_known ? suite : NULL);
    if (tap->version == TLS_1_3 && !report_has_failed(report)) report_group(ssl, report);
    if (is_known && strstr(suite, "_ECDHE_") != NULL) report_text(report, "group", group_name(tap->curve));
    char *protocol = NULL;
    unsigned short size = 0;
    if (wolfSSL_ALPN_GetProtocol(ssl, &protocol, &size) == WOLFSSL_SUCCESS && protocol != NULL) {
        json_object_set_new(report, "alpn", json_stringn(protocol, size));
    }
}

void seen_report(struct seen *seen, WOLFSSL *ssl, const struct handshake_request *request, json_t *report) {
    const struct tap *tap = &seen->wire.tap;
    if (tap->version < (int)request->lowest || tap->version > (int)request->highest) return;
    report_parameters(seen, ssl, report);
    if (!tap->chain_too_long) complete_chain(seen, ssl, report_has_failed(report));
    for (size_t i = 0; i < seen->chain.count; i++) {
        struct bytes certificate = seen->chain.items[i];
        json_array_append_new(json_object_get(report, "chain"), json_base64(certificate.data, certificate.size));
        json_array_append_new(json_object_get(report, "keys"), read_key(certificate));
    }
    // Before the handshake is complete a request may still come.
    bool is_requested = seen->certificate_requested || tap->certificate_requested;
    if (is_requested || !report_has_failed(report)) {
        json_object_set_new(report, "clientCertificateRequested", json_boolean(is_requested));
    }
}

void seen_free(struct seen *seen) {
    byte_list_free(&seen->chain);
    wire_close(&seen->wire);
}
