#include "trust.h"

#include "instant.h"
#include "report.h"

#include <mbedtls/error.h>
#include <mbedtls/oid.h>
#include <mbedtls/x509_crt.h>
#include <stdio.h>
#include <string.h>

/// The name of each flag of a verification, and our cause for it.
static const struct {
    uint32_t flag;
    const char *name, *cause;
} meanings[] = {
    {MBEDTLS_X509_BADCERT_EXPIRED, "MBEDTLS_X509_BADCERT_EXPIRED", "expired"},
    {MBEDTLS_X509_BADCERT_REVOKED, "MBEDTLS_X509_BADCERT_REVOKED", "revoked"},
    {MBEDTLS_X509_BADCERT_CN_MISMATCH, "MBEDTLS_X509_BADCERT_CN_MISMATCH", "hostname-mismatch"},
    {MBEDTLS_X509_BADCERT_NOT_TRUSTED, "MBEDTLS_X509_BADCERT_NOT_TRUSTED", "unknown-issuer"},
    {MBEDTLS_X509_BADCERT_MISSING, "MBEDTLS_X509_BADCERT_MISSING", "malformed"},
    {MBEDTLS_X509_BADCERT_FUTURE, "MBEDTLS_X509_BADCERT_FUTURE", "not-yet-valid"},
    {MBEDTLS_X509_BADCERT_KEY_USAGE, "MBEDTLS_X509_BADCERT_KEY_USAGE", "wrong-purpose"},
    {MBEDTLS_X509_BADCERT_EXT_KEY_USAGE, "MBEDTLS_X509_BADCERT_EXT_KEY_USAGE", "wrong-purpose"},
    {MBEDTLS_X509_BADCERT_NS_CERT_TYPE, "MBEDTLS_X509_BADCERT_NS_CERT_TYPE", "wrong-purpose"},
    {MBEDTLS_X509_BADCERT_BAD_MD, "MBEDTLS_X509_BADCERT_BAD_MD", "weak-signature"},
    {MBEDTLS_X509_BADCERT_BAD_PK, "MBEDTLS_X509_BADCERT_BAD_PK", "weak-key"},
    {MBEDTLS_X509_BADCERT_BAD_KEY, "MBEDTLS_X509_BADCERT_BAD_KEY", "weak-key"},
};

/// The findings of the verification at each depth: the leaf is 0, the last one of a path the anchor.
enum { maximal_path = MBEDTLS_X509_MAX_VERIFY_CHAIN_SIZE };
struct path {
    const mbedtls_x509_crt *certificates[maximal_path];
    uint32_t flags[maximal_path];
    size_t count;
};

const char *error_words(int error) {
    static char words[160];
    mbedtls_strerror(error, words, sizeof words);
    return words;
}

const char *error_code(int error) {
    static char code[16];
    snprintf(code, sizeof code, "-0x%04X", (unsigned)-error);
    return code;
}

json_t *read_key(struct bytes certificate) {
    mbedtls_x509_crt parsed;
    mbedtls_x509_crt_init(&parsed);
    uint8_t spki[4096];
    int result = mbedtls_x509_crt_parse_der(&parsed, certificate.data, certificate.size);
    if (result == 0) result = mbedtls_pk_write_pubkey_der(&parsed.pk, spki, sizeof spki);
    mbedtls_x509_crt_free(&parsed);
    if (result < 0) return key_unreadable(error_words(result));
    // It is written to the end of the buffer.
    return key_readable(spki + sizeof spki - (size_t)result, (size_t)result);
}

static int note_step(void *context, mbedtls_x509_crt *certificate, int depth, uint32_t *flags) {
    struct path *path = context;
    if (depth < 0 || depth >= maximal_path) return 0;
    path->certificates[depth] = certificate;
    path->flags[depth] = *flags;
    if ((size_t)depth >= path->count) path->count = (size_t)depth + 1;
    return 0;
}

/// Reads the chain like the library does in a handshake: a certificate whose signature algorithm it does not know is
/// left out, any other one that it can't read ends it. False where the reading ended, with the problem in `trust`.
static bool read_chain(const struct byte_list *chain, mbedtls_x509_crt *parsed, json_t *trust) {
    for (size_t i = 0; i < chain->count; i++) {
        int error = mbedtls_x509_crt_parse_der(parsed, chain->items[i].data, chain->items[i].size);
        bool is_passed_over = error == MBEDTLS_ERR_X509_UNKNOWN_SIG_ALG + MBEDTLS_ERR_OID_NOT_FOUND && i > 0;
        if (error == 0 || is_passed_over) continue;
        trust_refuse(trust, "malformed", error_code(error), (int)i, error_words(error));
        return false;
    }
    return true;
}

static void refuse_flags(json_t *trust, uint32_t flags, int depth, bool is_self_signed) {
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        if ((flags & meanings[i].flag) == 0) continue;
        char words[256];
        int length = mbedtls_x509_crt_verify_info(words, sizeof words, "", meanings[i].flag);
        words[length > 0 ? strcspn(words, "\n") : 0] = '\0';
        bool is_root = meanings[i].flag == MBEDTLS_X509_BADCERT_NOT_TRUSTED && is_self_signed;
        trust_refuse(trust, is_root ? "self-signed" : meanings[i].cause, meanings[i].name, depth, words);
        flags &= ~meanings[i].flag;
    }
    if (flags != 0) trust_refuse(trust, "other", NULL, depth, "the certificate was refused for an unknown reason");
}

static bool is_self_issued(const mbedtls_x509_crt *certificate) {
    return certificate->issuer_raw.len == certificate->subject_raw.len
        && memcmp(certificate->issuer_raw.p, certificate->subject_raw.p, certificate->issuer_raw.len) == 0;
}

/// Returns the flags that Mbed TLS' TLS layer adds for a leaf: mbedtls_ssl_check_cert_usage needs a connection.
static uint32_t leaf_flags(const mbedtls_x509_crt *leaf, enum purpose purpose, unsigned usages) {
    if (purpose == PURPOSE_ANY) return 0;
    bool is_server = purpose == PURPOSE_SERVER;
    const char *oid = is_server ? MBEDTLS_OID_SERVER_AUTH : MBEDTLS_OID_CLIENT_AUTH;
    size_t size = is_server ? MBEDTLS_OID_SIZE(MBEDTLS_OID_SERVER_AUTH) : MBEDTLS_OID_SIZE(MBEDTLS_OID_CLIENT_AUTH);
    uint32_t flags = 0;
    if (mbedtls_x509_crt_check_extended_key_usage(leaf, oid, size) != 0) flags |= MBEDTLS_X509_BADCERT_EXT_KEY_USAGE;
    bool is_usable = false;
    for (unsigned usage = 1; usage <= 0x8000 && !is_usable; usage <<= 1) {
        is_usable = (usages & usage) != 0 && mbedtls_x509_crt_check_key_usage(leaf, usage) == 0;
    }
    return is_usable ? flags : flags | MBEDTLS_X509_BADCERT_KEY_USAGE;
}

static void verify(
    const struct trust_question *question, unsigned usages, mbedtls_x509_crt *chain, mbedtls_x509_crt *anchors,
    json_t *trust) {
    struct path path = {0};
    uint32_t flags = 0;
    const char *name = question->name.kind == NO_NAME ? NULL : question->name.text;
    judge_at(question->instant);
    int error = mbedtls_x509_crt_verify(chain, anchors, NULL, name, &flags, note_step, &path);
    if (error != 0 && error != MBEDTLS_ERR_X509_CERT_VERIFY_FAILED) {
        bool is_long = error == MBEDTLS_ERR_X509_FATAL_ERROR;
        trust_refuse(trust, is_long ? "too-complex" : "other", error_code(error), -1, error_words(error));
        return;
    }
    if (path.count > 0) path.flags[0] |= leaf_flags(chain, question->purpose, usages);
    for (size_t i = 0; i < path.count; i++) {
        refuse_flags(trust, path.flags[i], (int)i, is_self_issued(path.certificates[i]));
    }
    if (error != 0 && trust_is_accepted(trust)) refuse_flags(trust, flags, -1, false);
    if (question->max_depth >= 0 && (int)path.count - 2 > question->max_depth) {
        trust_refuse(trust, "constraint-violated", NULL, -1, "the path has more intermediates than are allowed");
    }
    for (size_t i = 0; i < path.count; i++) {
        trust_path_add(trust, path.certificates[i]->raw.p, path.certificates[i]->raw.len);
    }
}

json_t *evaluate_trust(const struct trust_question *question) {
    // Without a handshake: what the suites with forward secrecy need, which come first.
    return evaluate_trust_for(question, MBEDTLS_X509_KU_DIGITAL_SIGNATURE);
}

json_t *evaluate_trust_for(const struct trust_question *question, unsigned usages) {
    json_t *trust = trust_accepted();
    if (question->chain.count == 0) {
        trust_refuse(trust, "malformed", "MBEDTLS_X509_BADCERT_MISSING", -1, "there is no certificate");
        return trust;
    }
    mbedtls_x509_crt chain, anchors;
    mbedtls_x509_crt_init(&chain);
    mbedtls_x509_crt_init(&anchors);
    for (size_t i = 0; i < question->anchors.count; i++) {
        const struct bytes *anchor = &question->anchors.items[i];
        // An anchor that the library can't read is none for it.
        (void)mbedtls_x509_crt_parse_der(&anchors, anchor->data, anchor->size);
    }
    if (read_chain(&question->chain, &chain, trust)) verify(question, usages, &chain, &anchors, trust);
    mbedtls_x509_crt_free(&chain);
    mbedtls_x509_crt_free(&anchors);
    return trust;
}
