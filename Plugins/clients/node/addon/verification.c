/// The decision of node's TLSWrap on a chain: X509_verify_cert with what OpenSSL sets for a connection of a client, and
/// with a callback that goes on after each error, as node's own does.
#include "verification.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

static int security_level;

void verification_prepare(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    security_level = context == NULL ? 1 : SSL_CTX_get_security_level(context);
    SSL_CTX_free(context);
    ERR_clear_error();
}

/// NULL where OpenSSL can't read it, or where something comes after it, as in a Certificate message.
static X509 *read_certificate(const struct der *der) {
    const unsigned char *position = der->data;
    X509 *certificate = d2i_X509(NULL, &position, (long)der->size);
    if (certificate != NULL && position == der->data + der->size) return certificate;
    X509_free(certificate);
    return NULL;
}

static STACK_OF(X509) * read_chain(struct verification *verification) {
    STACK_OF(X509) *chain = sk_X509_new_null();
    for (size_t i = 0; i < verification->chain.count && chain != NULL; i++) {
        X509 *certificate = read_certificate(&verification->chain.items[i]);
        if (certificate == NULL) {
            verification->malformed = (int)i;
            return chain;
        }
        if (sk_X509_push(chain, certificate) == 0) X509_free(certificate);
    }
    return chain;
}

static X509_STORE *read_anchors(const struct verification *verification) {
    X509_STORE *store = X509_STORE_new();
    for (size_t i = 0; i < verification->anchors.count && store != NULL; i++) {
        // A certificate that can't be read is left out of the anchors, as in node's `ca`.
        X509 *anchor = read_certificate(&verification->anchors.items[i]);
        if (anchor != NULL) X509_STORE_add_cert(store, anchor);
        X509_free(anchor);
    }
    return store;
}

static int note_problem(int is_good, X509_STORE_CTX *context) {
    struct verification *verification = X509_STORE_CTX_get_app_data(context);
    if (!is_good && verification->problem_count < maximal_problems) {
        verification->problems[verification->problem_count++] = (struct verification_problem){
            .code = X509_STORE_CTX_get_error(context), .depth = X509_STORE_CTX_get_error_depth(context)};
    }
    return 1;
}

/// As ssl_verify_cert_chain of OpenSSL sets it up; node sets nothing beside it.
static void set_up(X509_STORE_CTX *context, struct verification *verification) {
    X509_VERIFY_PARAM *rules = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_auth_level(rules, security_level);
    if (verification->purpose != PURPOSE_ANY) {
        X509_STORE_CTX_set_default(context, verification->purpose == PURPOSE_SERVER ? "ssl_server" : "ssl_client");
    }
    X509_VERIFY_PARAM_set_time(rules, (time_t)verification->instant);
    if (verification->maximal_depth >= 0) X509_VERIFY_PARAM_set_depth(rules, verification->maximal_depth);
    X509_STORE_CTX_set_app_data(context, verification);
    X509_STORE_CTX_set_verify_cb(context, note_problem);
}

void verification_run(struct verification *verification) {
    verification->malformed = -1;
    STACK_OF(X509) *chain = read_chain(verification);
    X509_STORE *store = read_anchors(verification);
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    if (verification->malformed < 0 && sk_X509_num(chain) > 0 && store != NULL && context != NULL
        && X509_STORE_CTX_init(context, store, sk_X509_value(chain, 0), chain) == 1) {
        verification->has_begun = true;
        set_up(context, verification);
        int result = X509_verify_cert(context);
        // Node asks SSL_get_verify_result, which is the last error, and not what X509_verify_cert returned.
        int error = X509_STORE_CTX_get_error(context);
        verification->is_accepted = result == 1 && error == X509_V_OK;
        if (verification->is_accepted) {
            verification->path = X509_STORE_CTX_get1_chain(context);
        } else if (verification->problem_count == 0) {
            verification->problems[verification->problem_count++] = (struct verification_problem){error, -1};
        }
    }
    X509_STORE_CTX_free(context);
    X509_STORE_free(store);
    sk_X509_pop_free(chain, X509_free);
    ERR_clear_error();
}

void verification_free(struct verification *verification) {
    sk_X509_pop_free(verification->path, X509_free);
}
