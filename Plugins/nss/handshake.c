#include "handshake.h"

#include "facts.h"
#include "layer.h"
#include "library.h"
#include "report.h"
#include "serve.h"
#include "trust.h"

#include <secerr.h>
#include <ssl.h>
#include <sslproto.h>
#include <string.h>

/// NSS asks here whether to go on. It does whatever the certificates are, as long as there are not too many.
static SECStatus take_chain(void *context, PRFileDesc *ssl, PRBool check_signature, PRBool is_server) {
    (void)check_signature, (void)is_server;
    struct seen *seen = context;
    seen_take_chain(seen, ssl);
    if (!seen->chain_too_long) return SECSuccess;
    PR_SetError(SEC_ERROR_INVALID_ARGS, 0);
    return SECFailure;
}

static SECStatus refuse_client_certificate(
    void *context, PRFileDesc *ssl, CERTDistNames *names, CERTCertificate **certificate, SECKEYPrivateKey **key) {
    (void)ssl, (void)names, (void)certificate, (void)key;
    ((struct seen *)context)->certificate_requested = true;
    return SECFailure; // NSS then sends an empty certificate message.
}

static void take_alert(const PRFileDesc *ssl, void *context, const SSLAlert *alert) {
    (void)ssl;
    struct seen *seen = context;
    seen->has_close = seen->has_close || alert->description == 0;
    if (alert->level != 2 || seen->has_alert) return;
    seen->has_alert = true;
    seen->alert = alert->description;
}

/// NSS sends the first protocol last, because the one before ALPN took the first one as its fallback.
static SECStatus set_alpn(PRFileDesc *ssl, const struct handshake_request *request) {
    unsigned char list[maximal_protocols * 256];
    unsigned size = 0;
    for (size_t i = 0; i < request->alpn_count; i++) {
        const char *protocol = request->alpn[i == 0 ? request->alpn_count - 1 : i - 1];
        size_t length = strlen(protocol);
        list[size++] = (unsigned char)length;
        memcpy(list + size, protocol, length);
        size += (unsigned)length;
    }
    return size == 0 ? SECSuccess : SSL_SetNextProtoNego(ssl, list, size);
}

static SECStatus set_up(
    PRFileDesc *ssl, const struct handshake_request *request, SSLVersionRange range, struct seen *seen) {
    static const struct {
        PRInt32 option;
        PRIntn value;
    } options[] = {
        {SSL_SECURITY, PR_TRUE}, {SSL_HANDSHAKE_AS_CLIENT, PR_TRUE}, {SSL_NO_CACHE, PR_TRUE},
        {SSL_ENABLE_SESSION_TICKETS, PR_FALSE}, {SSL_ENABLE_OCSP_STAPLING, PR_TRUE},
        {SSL_ENABLE_SIGNED_CERT_TIMESTAMPS, PR_TRUE}, {SSL_ENABLE_RENEGOTIATION, SSL_RENEGOTIATE_NEVER},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (SSL_OptionSet(ssl, options[i].option, options[i].value) != SECSuccess) return SECFailure;
    }
    const struct server_name *name = &request->question.name;
    if (SSL_VersionRangeSet(ssl, &range) != SECSuccess || set_alpn(ssl, request) != SECSuccess
        || SSL_AuthCertificateHook(ssl, take_chain, seen) != SECSuccess
        || SSL_GetClientAuthDataHook(ssl, refuse_client_certificate, seen) != SECSuccess
        || SSL_AlertReceivedCallback(ssl, take_alert, seen) != SECSuccess
        || (name->kind == DNS_NAME && SSL_SetURL(ssl, name->text) != SECSuccess)) {
        return SECFailure;
    }
    return SSL_ResetHandshake(ssl, PR_FALSE);
}

static void report_failure(json_t *report, const struct seen *seen, const struct wire *wire, PRErrorCode error) {
    const char *name = error_name(error);
    if (seen->chain_too_long || wire->tap.chain_too_long) {
        report_fail(report, "chain-too-long", name, -1, "the server's chain is longer than %d certificates or %d bytes",
            maximal_certificates, maximal_chain_bytes);
    } else if (seen->has_alert) {
        report_fail(report, "alert-received", name, seen->alert, "the server sent the alert %d", seen->alert);
    } else if (seen->has_close) {
        report_fail(report, "connection-closed", name, -1, "the server closed the connection with a close_notify");
    } else if (!wire_report_end(wire, report, name)) {
        report_fail(report, "protocol-error", name, -1, "%s", error_words(error));
    }
}

static void decide(json_t *report, const struct handshake_request *request, const struct seen *seen) {
    if (seen->chain.count == 0) return;
    double start = clock_now();
    struct trust_question question = request->question;
    question.chain = seen->chain; // Borrowed.
    json_object_set_new(report, "trust", evaluate_trust(&question));
    report_duration(report, "trust", clock_now() - start);
}

/// Shakes hands over a wire that is connected, and reports all but trust.
static void shake_hands(
    json_t *report, const struct handshake_request *request, SSLVersionRange range, struct wire *wire,
    struct seen *seen) {
    PRFileDesc *layer = layer_open(wire);
    PRFileDesc *ssl = layer == NULL ? NULL : SSL_ImportFD(NULL, layer);
    if (ssl == NULL || set_up(ssl, request, range, seen) != SECSuccess) {
        PRErrorCode error = PR_GetError();
        report_fail(report, "backend-error", error_name(error), -1, "NSS could not be set up: %s", error_words(error));
        if (layer != NULL) PR_Close(ssl == NULL ? layer : ssl);
        return;
    }
    if (request->question.name.kind == DNS_NAME) report_text(report, "sni", request->question.name.text);
    double start = clock_now();
    if (SSL_ForceHandshake(ssl) == SECSuccess) {
        report_duration(report, "handshake", clock_now() - start);
    } else {
        report_failure(report, seen, wire, PR_GetError());
    }
    seen_report(seen, ssl, wire, report);
    PR_Close(ssl); // Sends the close_notify.
}

json_t *handshake(const struct handshake_request *request, double deadline) {
    json_t *report = report_new();
    SSLVersionRange range, asked = {(PRUint16)request->lowest, (PRUint16)request->highest};
    if (!library_start() || SSL_VersionRangeGetSupported(ssl_variant_stream, &range) != SECSuccess) {
        PRErrorCode error = PR_GetError();
        report_fail(report, "backend-error", error_name(error), -1, "NSS could not be started: %s", error_words(error));
        return report;
    }
    if (asked.min > range.min) range.min = asked.min;
    if (asked.max < range.max) range.max = asked.max;
    struct wire wire = {.socket = -1};
    struct seen seen = {0};
    if (range.min > range.max) {
        report_fail(report, "unsupported", NULL, -1, "this NSS has none of the TLS versions that are asked for");
    } else if (wire_dial(&wire, request->host, request->port, deadline, report)) {
        shake_hands(report, request, range, &wire, &seen);
        wire_close(&wire);
        decide(report, request, &seen);
    }
    byte_list_free(&seen.chain);
    library_end();
    return report;
}
