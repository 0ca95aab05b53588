#include "handshake.h"

#include "report.h"
#include "serve.h"
#include "suites.h"
#include "trust.h"
#include "wire.h"

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/ssl.h>
#include <stdlib.h>

/// One client and all it needs. It has one owner: `handshake`.
struct client {
    mbedtls_entropy_context entropy;
    mbedtls_ctr_drbg_context random;
    mbedtls_ssl_config config;
    mbedtls_ssl_context ssl;
};

static int receive(void *context, unsigned char *buffer, size_t size) {
    struct wire *wire = context;
    ssize_t count = wire_read(wire, buffer, size);
    if (count >= 0) return (int)count;
    return wire->end == WIRE_TIMED_OUT ? MBEDTLS_ERR_SSL_TIMEOUT : MBEDTLS_ERR_SSL_CONN_EOF;
}

static int transmit(void *context, const unsigned char *buffer, size_t size) {
    ssize_t count = wire_write(context, buffer, size);
    return count > 0 ? (int)count : MBEDTLS_ERR_SSL_CONN_EOF;
}

static void client_init(struct client *client) {
    mbedtls_entropy_init(&client->entropy);
    mbedtls_ctr_drbg_init(&client->random);
    mbedtls_ssl_config_init(&client->config);
    mbedtls_ssl_init(&client->ssl);
}

static void client_free(struct client *client) {
    mbedtls_ssl_free(&client->ssl);
    mbedtls_ssl_config_free(&client->config);
    mbedtls_ctr_drbg_free(&client->random);
    mbedtls_entropy_free(&client->entropy);
}

/// Sets the library's own defaults, and what the request wants; 0 or the library's error.
static int client_set_up(struct client *client, const struct handshake_request *request, const char **alpn) {
    mbedtls_ssl_config *config = &client->config;
    int error = mbedtls_ctr_drbg_seed(&client->random, mbedtls_entropy_func, &client->entropy, NULL, 0);
    if (error != 0) return error;
    error = mbedtls_ssl_config_defaults(
        config, MBEDTLS_SSL_IS_CLIENT, MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT);
    if (error != 0) return error;
    int highest = request->highest < TLS_1_2 ? request->highest : TLS_1_2;
    mbedtls_ssl_conf_rng(config, mbedtls_ctr_drbg_random, &client->random);
    mbedtls_ssl_conf_min_version(config, MBEDTLS_SSL_MAJOR_VERSION_3, request->lowest & 0xFF);
    mbedtls_ssl_conf_max_version(config, MBEDTLS_SSL_MAJOR_VERSION_3, highest & 0xFF);
    // The handshake goes to its end whatever the certificates are; trust is decided on after it.
    mbedtls_ssl_conf_authmode(config, MBEDTLS_SSL_VERIFY_NONE);
    mbedtls_ssl_conf_session_tickets(config, MBEDTLS_SSL_SESSION_TICKETS_DISABLED);
    if (request->alpn_count > 0) error = mbedtls_ssl_conf_alpn_protocols(config, alpn);
    if (error == 0) error = mbedtls_ssl_setup(&client->ssl, config);
    if (error != 0 || request->question.name.kind != DNS_NAME) return error;
    return mbedtls_ssl_set_hostname(&client->ssl, request->question.name.text);
}

/// Mbed TLS takes no message that is spread over records; a chain that is was presented all the same.
static void read_rest_of_chain(struct wire *wire) {
    uint8_t rest[4096];
    while (tap_is_in_chain(&wire->tap) && wire_read(wire, rest, sizeof rest) > 0) {}
}

/// True if the library goes on with the version that the server chose.
static bool is_offered(int version, const struct handshake_request *request) {
    return version >= (int)request->lowest && version <= (int)request->highest;
}

static void report_failure(json_t *report, const struct client *client, const struct wire *wire, int error) {
    const char *code = error_code(error);
    if (wire->tap.chain_too_long) {
        report_fail(report, "chain-too-long", code, -1, "the server's chain is longer than %d certificates or %d bytes",
            maximal_certificates, maximal_chain_bytes);
    } else if (error == MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE) {
        int alert = client->ssl.in_msg[1];
        report_fail(report, "alert-received", code, alert, "the server sent the alert %d", alert);
    } else if (error == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY) {
        report_fail(report, "connection-closed", code, -1, "the server closed the connection with a close_notify");
    } else if (!wire_report_end(wire, report, code)) {
        report_fail(report, "protocol-error", code, -1, "%s", error_words(error));
    }
}

static bool agrees_on_curve(const mbedtls_ssl_ciphersuite_t *suite) {
    return suite != NULL
        && (suite->key_exchange == MBEDTLS_KEY_EXCHANGE_ECDHE_RSA
            || suite->key_exchange == MBEDTLS_KEY_EXCHANGE_ECDHE_ECDSA);
}

/// The key usage that a suite needs, as the library's TLS layer has it.
static unsigned usage_of(const mbedtls_ssl_ciphersuite_t *suite) {
    switch (suite->key_exchange) {
    case MBEDTLS_KEY_EXCHANGE_RSA: return MBEDTLS_X509_KU_KEY_ENCIPHERMENT;
    case MBEDTLS_KEY_EXCHANGE_ECDH_RSA:
    case MBEDTLS_KEY_EXCHANGE_ECDH_ECDSA: return MBEDTLS_X509_KU_KEY_AGREEMENT;
    default: return MBEDTLS_X509_KU_DIGITAL_SIGNATURE;
    }
}

/// Reports the facts about the server, whether or not the handshake completed.
static void report_facts(
    json_t *report, const struct handshake_request *request, const struct client *client, const struct wire *wire) {
    const struct tap *tap = &wire->tap;
    if (!is_offered(tap->version, request)) return;
    const mbedtls_ssl_ciphersuite_t *suite = mbedtls_ssl_ciphersuite_from_id(tap->suite);
    report_text(report, "version", version_name(tap->version));
    report_text(report, "cipherSuite", suite_name(tap->suite));
    report_text(report, "alpn", mbedtls_ssl_get_alpn_protocol(&client->ssl));
    if (agrees_on_curve(suite)) report_text(report, "group", group_name(tap->curve));
    for (size_t i = 0; i < tap->chain.count; i++) {
        struct bytes certificate = tap->chain.items[i];
        json_array_append_new(json_object_get(report, "chain"), json_base64(certificate.data, certificate.size));
        json_array_append_new(json_object_get(report, "keys"), read_key(certificate));
    }
    // Before the handshake is complete a request may still come.
    if (tap->certificate_requested || !report_has_failed(report)) {
        json_object_set_new(report, "clientCertificateRequested", json_boolean(tap->certificate_requested));
    }
}

static void decide(json_t *report, const struct handshake_request *request, struct wire *wire) {
    if (wire->tap.chain.count == 0) return;
    double start = clock_now();
    const mbedtls_ssl_ciphersuite_t *suite = mbedtls_ssl_ciphersuite_from_id(wire->tap.suite);
    struct trust_question question = request->question;
    question.chain = wire->tap.chain; // Borrowed.
    json_t *trust = suite == NULL ? evaluate_trust(&question) : evaluate_trust_for(&question, usage_of(suite));
    json_object_set_new(report, "trust", trust);
    report_duration(report, "trust", clock_now() - start);
}

static void shake_hands(json_t *report, struct client *client, struct wire *wire) {
    double start = clock_now();
    mbedtls_ssl_set_bio(&client->ssl, wire, transmit, receive, NULL);
    int error;
    do error = mbedtls_ssl_handshake(&client->ssl);
    while (error == MBEDTLS_ERR_SSL_WANT_READ || error == MBEDTLS_ERR_SSL_WANT_WRITE);
    if (error == 0 && wire->tap.chain_too_long) error = MBEDTLS_ERR_SSL_BAD_HS_CERTIFICATE;
    if (error == 0) {
        report_duration(report, "handshake", clock_now() - start);
        (void)mbedtls_ssl_close_notify(&client->ssl);
    } else {
        if (error == MBEDTLS_ERR_SSL_FEATURE_UNAVAILABLE) read_rest_of_chain(wire);
        report_failure(report, client, wire, error);
    }
}

json_t *handshake(const struct handshake_request *request, double deadline) {
    json_t *report = report_new();
    if (request->lowest > TLS_1_2) {
        report_fail(report, "unsupported", NULL, -1, "this Mbed TLS has no TLS 1.3");
        return report;
    }
    struct client client;
    struct wire wire = {.socket = -1};
    const char *alpn[maximal_protocols + 1];
    for (size_t i = 0; i <= request->alpn_count; i++) alpn[i] = request->alpn[i];
    client_init(&client);
    int error = client_set_up(&client, request, alpn);
    if (error != 0) {
        report_fail(
            report, "backend-error", error_code(error), -1, "Mbed TLS could not be set up: %s", error_words(error));
    } else if (wire_dial(&wire, request->host, request->port, deadline, report)) {
        if (request->question.name.kind == DNS_NAME) report_text(report, "sni", request->question.name.text);
        shake_hands(report, &client, &wire);
        report_facts(report, request, &client, &wire);
        decide(report, request, &wire);
    }
    client_free(&client);
    wire_close(&wire);
    return report;
}
