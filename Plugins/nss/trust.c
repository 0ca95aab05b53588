#include "trust.h"

#include "causes.h"
#include "library.h"
#include "report.h"

#include <certt.h>
#include <secerr.h>
#include <secport.h>
#include <stdlib.h>

/// The certificates of a question in NSS' memory. It has one owner: `evaluate_trust`.
struct material {
    /// Those of the chain in their order; NULL where NSS can't read one.
    CERTCertificate **chain;
    CERTCertList *anchors;
};

static int depth_of(const struct trust_question *question, const CERTCertificate *certificate) {
    struct bytes der = {certificate->derCert.data, certificate->derCert.len};
    for (size_t i = 0; i < question->chain.count; i++) {
        if (bytes_equal(der, question->chain.items[i])) return (int)i;
    }
    return -1;
}

static bool is_self_issued(const CERTCertificate *certificate) {
    return SECITEM_CompareItem(&certificate->derIssuer, &certificate->derSubject) == SECEqual;
}

/// The instant of a question in NSS' microseconds. Zero is the present to libpkix (certt.h, cert_pi_date), so that the
/// epoch is judged a microsecond later.
static PRTime time_of(const struct trust_question *question) {
    PRTime time = (PRTime)question->instant * PR_USEC_PER_SEC;
    return time == 0 ? 1 : time;
}

static void refuse(
    json_t *trust, const struct trust_question *question, const CERTCertificate *certificate, PRErrorCode error) {
    const char *cause = cause_of(error);
    int depth = certificate == NULL ? -1 : depth_of(question, certificate);
    // For a self-signed leaf NSS also reports that its issuer, which is the leaf, is not a CA.
    bool is_about_issuer = error == SEC_ERROR_UNKNOWN_ISSUER || error == SEC_ERROR_UNTRUSTED_ISSUER
                        || (error == SEC_ERROR_CA_CERT_INVALID && depth == 0);
    if (is_about_issuer && certificate != NULL && is_self_issued(certificate)) cause = "self-signed";
    if (error == SEC_ERROR_EXPIRED_CERTIFICATE && certificate != NULL) {
        // NSS has one error for both ends of the validity; its own decoded dates show which one it is.
        bool is_early = CERT_CheckCertValidTimes(certificate, time_of(question), PR_FALSE) == secCertTimeNotValidYet;
        if (is_early) cause = "not-yet-valid";
    }
    trust_refuse(trust, cause, error_name(error), depth, error_words(error));
}

/// Everything that the verification noted, or its last error where it noted nothing.
static void refuse_log(
    json_t *trust, const struct trust_question *question, const CERTCertificate *leaf, const CERTVerifyLog *log,
    PRErrorCode error) {
    for (const CERTVerifyLogNode *node = log->head; node != NULL; node = node->next) {
        refuse(trust, question, node->cert, (PRErrorCode)node->error);
    }
    if (trust_is_accepted(trust)) refuse(trust, question, leaf, error);
}

static void empty_log(CERTVerifyLog *log) {
    for (CERTVerifyLogNode *node = log->head; node != NULL; node = node->next) {
        if (node->cert != NULL) CERT_DestroyCertificate(node->cert);
    }
    PORT_FreeArena(log->arena, PR_FALSE);
}

/// Adds the validated path; the anchor is not in the list that NSS returns.
static void add_path(json_t *trust, const CERTCertList *list, const CERTCertificate *anchor) {
    const CERTCertificate *last = NULL;
    if (list != NULL) {
        for (CERTCertListNode *node = CERT_LIST_HEAD(list); !CERT_LIST_END(node, list); node = CERT_LIST_NEXT(node)) {
            last = node->cert;
            trust_path_add(trust, last->derCert.data, last->derCert.len);
        }
    }
    bool is_new = anchor != NULL
               && (last == NULL || SECITEM_CompareItem(&last->derCert, &anchor->derCert) != SECEqual);
    if (is_new) trust_path_add(trust, anchor->derCert.data, anchor->derCert.len);
}

/// Asks libpkix about one usage; nothing but the anchors is trusted, and nothing is fetched.
static json_t *verify(
    const struct trust_question *question, CERTCertificate *leaf, const CERTCertList *anchors,
    SECCertificateUsage usage) {
    json_t *trust = trust_accepted();
    PRUint64 no_tests[2] = {CERT_REV_M_DO_NOT_TEST_USING_THIS_METHOD, CERT_REV_M_DO_NOT_TEST_USING_THIS_METHOD};
    const CERTRevocationTests none = {.number_of_defined_methods = 2, .cert_rev_flags_per_method = no_tests};
    const CERTRevocationFlags no_revocation = {.leafTests = none, .chainTests = none};
    CERTValInParam in[] = {
        {.type = cert_pi_date, .value.scalar.time = time_of(question)},
        {.type = cert_pi_trustAnchors, .value.pointer.chain = anchors},
        {.type = cert_pi_useOnlyTrustAnchors, .value.scalar.b = PR_TRUE},
        {.type = cert_pi_useAIACertFetch, .value.scalar.b = PR_FALSE},
        {.type = cert_pi_revocationFlags, .value.pointer.revocation = &no_revocation},
        {.type = cert_pi_end},
    };
    CERTVerifyLog log = {.arena = PORT_NewArena(DER_DEFAULT_CHUNKSIZE)};
    CERTValOutParam out[] = {
        {.type = cert_po_trustAnchor}, {.type = cert_po_certList}, {.type = cert_po_errorLog}, {.type = cert_po_end}};
    out[2].value.pointer.log = &log;
    if (log.arena == NULL) {
        trust_refuse(trust, "other", NULL, -1, "NSS has no memory");
        return trust;
    }
    if (CERT_PKIXVerifyCert(leaf, usage, in, out, NULL) == SECSuccess) {
        add_path(trust, out[1].value.pointer.chain, out[0].value.pointer.cert);
    } else {
        refuse_log(trust, question, leaf, &log, PR_GetError());
    }
    if (out[0].value.pointer.cert != NULL) CERT_DestroyCertificate(out[0].value.pointer.cert);
    if (out[1].value.pointer.chain != NULL) CERT_DestroyCertList(out[1].value.pointer.chain);
    empty_log(&log);
    return trust;
}

/// Any purpose will do for `any`: NSS always asks about one, and refuses the chain where none of them is good.
static json_t *verify_for_purpose(
    const struct trust_question *question, CERTCertificate *leaf, const CERTCertList *anchors) {
    static const SECCertificateUsage usages[] = {certificateUsageSSLServer, certificateUsageSSLClient,
        certificateUsageEmailSigner, certificateUsageObjectSigner, certificateUsageStatusResponder};
    size_t first = question->purpose == PURPOSE_CLIENT ? 1 : 0;
    json_t *trust = verify(question, leaf, anchors, usages[first]);
    if (question->purpose != PURPOSE_ANY) return trust;
    for (size_t i = 1; i < sizeof usages / sizeof *usages && !trust_is_accepted(trust); i++) {
        json_t *other = verify(question, leaf, anchors, usages[i]);
        if (trust_is_accepted(other)) json_decref(trust), trust = other;
        else json_decref(other);
    }
    return trust;
}

static bool import(struct material *material, const struct trust_question *question, json_t *trust) {
    material->chain = must_allocate(question->chain.count * sizeof *material->chain);
    material->anchors = CERT_NewCertList();
    for (size_t i = 0; i < question->chain.count; i++) {
        material->chain[i] = certificate_import(question->chain.items[i]);
        if (material->chain[i] != NULL) continue;
        PRErrorCode error = PR_GetError();
        trust_refuse(trust, "malformed", error_name(error), (int)i, error_words(error));
    }
    for (size_t i = 0; i < question->anchors.count; i++) {
        CERTCertificate *anchor = certificate_import(question->anchors.items[i]);
        // An anchor that the library can't read is none for it. The list takes what it is given.
        if (anchor != NULL) CERT_AddCertToListTail(material->anchors, anchor);
    }
    return trust_is_accepted(trust);
}

static void material_free(struct material *material, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (material->chain[i] != NULL) CERT_DestroyCertificate(material->chain[i]);
    }
    free(material->chain);
    CERT_DestroyCertList(material->anchors);
}

json_t *evaluate_trust(const struct trust_question *question) {
    json_t *trust = trust_accepted();
    if (question->chain.count == 0) {
        trust_refuse(trust, "malformed", NULL, -1, "there is no certificate");
        return trust;
    }
    struct material material;
    if (import(&material, question, trust)) {
        CERTCertificate *leaf = material.chain[0];
        json_decref(trust);
        trust = verify_for_purpose(question, leaf, material.anchors);
        if (question->name.kind != NO_NAME && CERT_VerifyCertName(leaf, question->name.text) != SECSuccess) {
            refuse(trust, question, leaf, PR_GetError());
        }
        if (question->max_depth >= 0 && (int)trust_path_count(trust) - 2 > question->max_depth) {
            trust_refuse(trust, "constraint-violated", NULL, -1, "the path has more intermediates than are allowed");
        }
    }
    material_free(&material, question->chain.count);
    return trust;
}
