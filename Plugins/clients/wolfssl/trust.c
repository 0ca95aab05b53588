#include "trust.h"

#include "errors.h"
#include "instant.h"
#include "replay.h"
#include "report.h"

#include <wolfssl/error-ssl.h>
#include <wolfssl/wolfcrypt/dh.h>
#include <wolfssl/wolfcrypt/error-crypt.h>

/// The problems reported to a verify callback.
enum { maximal_problems = 64 };
struct heard {
    struct {
        int error, depth;
    } problems[maximal_problems];
    size_t count;
};

static int go_on(int is_good, WOLFSSL_X509_STORE_CTX *store) {
    struct heard *heard = store->userCtx;
    int error = error_of_callback(store->error);
    if (is_good == 0 && error == 0) error = VERIFY_CERT_ERROR;
    if (error != 0 && heard->count < maximal_problems) {
        heard->problems[heard->count].error = error;
        heard->problems[heard->count].depth = store->error_depth;
        heard->count += 1;
    }
    return 1;
}

/// The side that judges, and its suite.
struct judge {
    bool is_server;
    int suite;
};

static WOLFSSL_CTX *context_for(const struct trust_question *question, struct judge judge) {
    WOLFSSL_CTX *context = wolfSSL_CTX_new(judge.is_server ? wolfTLSv1_2_server_method() : wolfTLSv1_2_client_method());
    if (context == NULL) return NULL;
    // This comes first: an object that does not verify does not look at the validity of the anchors that it loads either.
    wolfSSL_CTX_set_verify(context, WOLFSSL_VERIFY_PEER, NULL);
    for (size_t i = 0; i < question->anchors.count; i++) {
        const struct bytes *anchor = &question->anchors.items[i];
        // An anchor that the library does not load is none for it.
        (void)wolfSSL_CTX_load_verify_buffer(context, anchor->data, (long)anchor->size, WOLFSSL_FILETYPE_ASN1);
    }
    if (question->max_depth >= 0) wolfSSL_CTX_set_verify_depth(context, question->max_depth);
    if (judge.suite == ANY_USAGE_SUITE) wolfSSL_CTX_allow_anon_cipher(context);
    return context;
}

/// An anonymous server needs a group; that of RFC 7919 is known to be a good one.
static bool set_group(WOLFSSL *ssl) {
    const DhParams *group = wc_Dh_ffdhe2048_Get();
    wolfSSL_SetEnableDhKeyTest(ssl, 0);
    return wolfSSL_SetTmpDH(ssl, group->p, (int)group->p_len, group->g, (int)group->g_len) == WOLFSSL_SUCCESS;
}

static int set_name(WOLFSSL *ssl, const struct server_name *name) {
    switch (name->kind) {
    case DNS_NAME: return wolfSSL_check_domain_name(ssl, name->text);
    case IP_NAME: return wolfSSL_X509_VERIFY_PARAM_set1_ip_asc(wolfSSL_get0_param(ssl), name->text);
    case NO_NAME: break;
    }
    return WOLFSSL_SUCCESS;
}

/// Returns 0 where the library takes the chain, or its error. With `heard` it goes on after an error, and notes them all.
static int ask(const struct trust_question *question, struct judge judge, struct heard *heard) {
    WOLFSSL_CTX *context = context_for(question, judge);
    WOLFSSL *ssl = context == NULL ? NULL : wolfSSL_new(context);
    int error = MEMORY_ERROR;
    if (ssl != NULL && set_name(ssl, &question->name) == WOLFSSL_SUCCESS && (!judge.is_server || set_group(ssl))) {
        if (heard != NULL) wolfSSL_set_verify(ssl, WOLFSSL_VERIFY_PEER, go_on);
        wolfSSL_SetCertCbCtx(ssl, heard);
        error = present(ssl, &question->chain, judge.suite);
    }
    wolfSSL_free(ssl);
    wolfSSL_CTX_free(context);
    return error;
}

static void refuse(json_t *trust, int error, int depth) {
    trust_refuse(trust, error_cause(error), error_code(error), depth, error_words(error));
}

/// Decides as a program without a callback does, which ends at the first error. The other problems are those that the
/// library reports to a callback that goes on.
static json_t *decide(const struct trust_question *question, struct judge judge) {
    json_t *trust = trust_accepted();
    int error = ask(question, judge, NULL);
    if (error == 0) return trust;
    struct heard heard = {0};
    (void)ask(question, judge, &heard);
    bool is_of_chain = error == MAX_CHAIN_ERROR || error == HANDSHAKE_SIZE_ERROR || error == DECODE_E;
    int depth = is_of_chain ? -1 : 0;
    for (size_t i = heard.count; i-- > 0;) {
        if (heard.problems[i].error == error) depth = heard.problems[i].depth;
    }
    refuse(trust, error, depth);
    for (size_t i = 0; i < heard.count; i++) refuse(trust, heard.problems[i].error, heard.problems[i].depth);
    return trust;
}

static json_t *evaluate_with(const struct trust_question *question, int suite) {
    if (question->chain.count == 0) {
        json_t *trust = trust_accepted();
        trust_refuse(trust, "malformed", "NO_PEER_CERT", -1, "there is no certificate");
        return trust;
    }
    judge_at(question->instant);
    // A server needs a key for another suite than an anonymous one.
    const struct judge client = {false, suite}, server = {true, ANY_USAGE_SUITE};
    json_t *trust = decide(question, question->purpose == PURPOSE_CLIENT ? server : client);
    if (question->purpose != PURPOSE_ANY || trust_is_accepted(trust)) return trust;
    json_t *other = decide(question, server);
    if (!trust_is_accepted(other)) {
        json_decref(other);
        return trust;
    }
    json_decref(trust);
    return other;
}

json_t *evaluate_trust(const struct trust_question *question) {
    return evaluate_with(question, ANY_USAGE_SUITE);
}

json_t *evaluate_trust_in(const struct trust_question *question, int version) {
    return evaluate_with(question, version == TLS_1_3 ? ANY_USAGE_SUITE : SIGNING_SUITE);
}
