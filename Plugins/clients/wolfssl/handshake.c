#include "handshake.h"

#include "errors.h"
#include "instant.h"
#include "seen.h"
#include "serve.h"
#include "trust.h"

#include <wolfssl/error-ssl.h>
#include <string.h>

static int receive(WOLFSSL *ssl, char *buffer, int size, void *context) {
    (void)ssl;
    struct wire *wire = &((struct seen *)context)->wire;
    ssize_t count = wire_read(wire, buffer, (size_t)size);
    if (count > 0) return (int)count;
    return count == 0 ? WOLFSSL_CBIO_ERR_CONN_CLOSE : WOLFSSL_CBIO_ERR_GENERAL;
}

static int transmit(WOLFSSL *ssl, char *buffer, int size, void *context) {
    (void)ssl;
    ssize_t count = wire_write(&((struct seen *)context)->wire, buffer, (size_t)size);
    return count > 0 ? (int)count : WOLFSSL_CBIO_ERR_GENERAL;
}

/// The library takes protocols as one list, with commas between them; false for one that has a comma in it.
static bool set_alpn(WOLFSSL *ssl, const struct handshake_request *request) {
    char list[maximal_protocols * 256];
    size_t size = 0;
    for (size_t i = 0; i < request->alpn_count; i++) {
        size_t length = strlen(request->alpn[i]);
        if (strchr(request->alpn[i], ',') != NULL) return false;
        if (size > 0) list[size++] = ',';
        memcpy(list + size, request->alpn[i], length);
        size += length;
    }
    return size == 0 || wolfSSL_UseALPN(ssl, list, (unsigned)size, WOLFSSL_ALPN_CONTINUE_ON_MISMATCH) == WOLFSSL_SUCCESS;
}

static WOLFSSL_CTX *context_for(const struct handshake_request *request) {
    WOLFSSL_CTX *context = wolfSSL_CTX_new(wolfSSLv23_client_method());
    int lowest = request->lowest < TLS_1_1 ? TLS_1_1 : request->lowest;
    if (context == NULL || wolfSSL_CTX_set_min_proto_version(context, lowest) != WOLFSSL_SUCCESS
        || wolfSSL_CTX_set_max_proto_version(context, request->highest) != WOLFSSL_SUCCESS) {
        wolfSSL_CTX_free(context);
        return NULL;
    }
    return context;
}

static bool set_up(WOLFSSL *ssl, const struct handshake_request *request) {
    const struct server_name *name = &request->question.name;
    wolfSSL_SSLSetIORecv(ssl, receive);
    wolfSSL_SSLSetIOSend(ssl, transmit);
    return set_alpn(ssl, request)
        && (name->kind != DNS_NAME
            || wolfSSL_UseSNI(ssl, WOLFSSL_SNI_HOST_NAME, name->text, (unsigned short)strlen(name->text))
                == WOLFSSL_SUCCESS);
}

static void report_failure(json_t *report, WOLFSSL *ssl, const struct wire *wire, int error) {
    const char *code = error_code(error);
    WOLFSSL_ALERT_HISTORY alerts = {.last_rx = {.code = -1, .level = -1}};
    (void)wolfSSL_get_alert_history(ssl, &alerts);
    if (wire->tap.chain_too_long) {
        report_fail(report, "chain-too-long", code, -1, "the server's chain is longer than %d certificates or %d bytes",
            maximal_certificates, maximal_chain_bytes);
    } else if (error == FATAL_ERROR && alerts.last_rx.level == alert_fatal) {
        int alert = alerts.last_rx.code;
        report_fail(report, "alert-received", code, alert, "the server sent the alert %d", alert);
    } else if (error == WOLFSSL_ERROR_ZERO_RETURN || error == ZERO_RETURN) {
        report_fail(report, "connection-closed", code, -1, "the server closed the connection with a close_notify");
    } else if (!wire_report_end(wire, report, code)) {
        report_fail(report, "protocol-error", code, -1, "%s", error_words(error));
    }
}

/// The library refuses a long message at its beginning; a chain in the clear was presented all the same.
static void read_rest_of_chain(struct wire *wire) {
    uint8_t rest[4096];
    while (tap_is_in_chain(&wire->tap) && wire_read(wire, rest, sizeof rest) > 0) {}
}

static void shake_hands(json_t *report, WOLFSSL *ssl, struct wire *wire) {
    double start = clock_now();
    int result = wolfSSL_connect(ssl);
    int error = result == WOLFSSL_SUCCESS ? 0 : wolfSSL_get_error(ssl, result);
    if (error == 0 && wire->tap.chain_too_long) error = MAX_CHAIN_ERROR;
    if (error == 0) {
        report_duration(report, "handshake", clock_now() - start);
        (void)wolfSSL_shutdown(ssl);
    } else {
        if (error == HANDSHAKE_SIZE_ERROR) read_rest_of_chain(wire);
        report_failure(report, ssl, wire, error);
    }
}

static void decide(json_t *report, const struct handshake_request *request, const struct seen *seen) {
    if (seen->chain.count == 0) return;
    double start = clock_now();
    struct trust_question question = request->question;
    question.chain = seen->chain; // Borrowed.
    json_object_set_new(report, "trust", evaluate_trust_in(&question, seen->wire.tap.version));
    report_duration(report, "trust", clock_now() - start);
}

static void talk(
    json_t *report, const struct handshake_request *request, WOLFSSL_CTX *context, WOLFSSL *ssl, double deadline) {
    struct seen seen = {.wire = {.socket = -1}};
    if (wire_dial(&seen.wire, request->host, request->port, deadline, report)) {
        if (request->question.name.kind == DNS_NAME) report_text(report, "sni", request->question.name.text);
        seen_listen(&seen, context, ssl);
        shake_hands(report, ssl, &seen.wire);
        seen_report(&seen, ssl, request, report);
        decide(report, request, &seen);
    }
    seen_free(&seen);
}

json_t *handshake(const struct handshake_request *request, double deadline) {
    json_t *report = report_new();
    if (request->highest < TLS_1_1) {
        report_fail(report, "unsupported", NULL, -1, "this wolfSSL has no TLS 1.0");
        return report;
    }
    judge_at(request->question.instant);
    WOLFSSL_CTX *context = context_for(request);
    WOLFSSL *ssl = context == NULL ? NULL : wolfSSL_new(context);
    if (ssl == NULL) {
        report_fail(report, "backend-error", NULL, -1, "wolfSSL could not be set up");
    } else if (!set_up(ssl, request)) {
        report_fail(report, "unsupported", NULL, -1, "wolfSSL can't offer these names or protocols");
    } else {
        talk(report, request, context, ssl, deadline);
    }
    wolfSSL_free(ssl);
    wolfSSL_CTX_free(context);
    return report;
}
