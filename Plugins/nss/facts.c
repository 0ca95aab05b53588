#include "facts.h"

#include "library.h"

#include <ssl.h>

void seen_take_chain(struct seen *seen, PRFileDesc *ssl) {
    CERTCertList *list = SSL_PeerCertificateChain(ssl);
    if (list == NULL) return;
    byte_list_free(&seen->chain);
    size_t total = 0;
    for (CERTCertListNode *node = CERT_LIST_HEAD(list); !CERT_LIST_END(node, list); node = CERT_LIST_NEXT(node)) {
        total += node->cert->derCert.len;
        seen->chain_too_long = seen->chain.count == maximal_certificates || total > maximal_chain_bytes;
        if (seen->chain_too_long) break;
        byte_list_add(&seen->chain, node->cert->derCert.data, node->cert->derCert.len);
    }
    if (seen->chain_too_long) byte_list_free(&seen->chain);
    CERT_DestroyCertList(list);
}

/// NSS gives up at a certificate it can't read, and keeps none; up to TLS 1.2 they were read along in the clear.
static void take_unread_chain(struct seen *seen, const struct wire *wire) {
    if (seen->chain.count > 0 || seen->chain_too_long) return;
    for (size_t i = 0; i < wire->tap.chain.count; i++) {
        byte_list_add(&seen->chain, wire->tap.chain.items[i].data, wire->tap.chain.items[i].size);
    }
}

/// Reports the timestamps of the extension, which is a list of them (RFC 6962 section 3.3).
static void report_timestamps(PRFileDesc *ssl, json_t *report) {
    const SECItem *list = SSL_PeerSignedCertTimestamps(ssl);
    if (list == NULL || list->len < 2) return;
    for (size_t place = 2; place + 2 <= list->len;) {
        size_t length = (size_t)list->data[place] << 8 | list->data[place + 1];
        place += 2;
        if (length > list->len - place) return;
        json_array_append_new(json_object_get(report, "handshakeSCTs"), json_base64(list->data + place, length));
        place += length;
    }
}

static void report_parameters(PRFileDesc *ssl, json_t *report) {
    SSLPreliminaryChannelInfo early;
    if (SSL_GetPreliminaryChannelInfo(ssl, &early, sizeof early) == SECSuccess) {
        if (early.valuesSet & ssl_preinfo_version) report_text(report, "version", version_name(early.protocolVersion));
        SSLCipherSuiteInfo suite;
        if ((early.valuesSet & ssl_preinfo_cipher_suite)
            && SSL_GetCipherSuiteInfo(early.cipherSuite, &suite, sizeof suite) == SECSuccess) {
            report_text(report, "cipherSuite", suite.cipherSuiteName);
        }
    }
    SSLChannelInfo channel;
    if (SSL_GetChannelInfo(ssl, &channel, sizeof channel) == SECSuccess) {
        report_text(report, "group", group_name((int)channel.keaGroup));
    }
    SSLNextProtoState state;
    unsigned char protocol[256];
    unsigned length = 0;
    if (SSL_GetNextProto(ssl, &state, protocol, &length, sizeof protocol - 1) == SECSuccess
        && (state == SSL_NEXT_PROTO_NEGOTIATED || state == SSL_NEXT_PROTO_SELECTED)) {
        protocol[length] = '\0';
        report_text(report, "alpn", (const char *)protocol);
    }
}

void seen_report(struct seen *seen, PRFileDesc *ssl, const struct wire *wire, json_t *report) {
    report_parameters(ssl, report);
    const SECItemArray *staples = SSL_PeerStapledOCSPResponses(ssl);
    if (staples != NULL && staples->len > 0) {
        json_object_set_new(report, "ocspStaple", json_base64(staples->items[0].data, staples->items[0].len));
    }
    report_timestamps(ssl, report);
    take_unread_chain(seen, wire);
    for (size_t i = 0; i < seen->chain.count; i++) {
        struct bytes certificate = seen->chain.items[i];
        json_array_append_new(json_object_get(report, "chain"), json_base64(certificate.data, certificate.size));
        json_array_append_new(json_object_get(report, "keys"), read_key(certificate));
    }
    // Before the handshake is complete a request may still come.
    if (seen->certificate_requested || !report_has_failed(report)) {
        json_object_set_new(report, "clientCertificateRequested", json_boolean(seen->certificate_requested));
    }
}
