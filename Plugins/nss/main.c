#include "handshake.h"
#include "library.h"
#include "report.h"
#include "serve.h"
#include "trust.h"

#include <nss.h>

static json_t *evaluate_alone(const struct trust_question *question) {
    if (!library_start()) {
        json_t *trust = trust_accepted();
        trust_refuse(trust, "other", NULL, -1, "NSS could not be started");
        return trust;
    }
    json_t *trust = evaluate_trust(question);
    library_end();
    return trust;
}

static json_t *read_key_alone(struct bytes certificate) {
    if (!library_start()) return key_unreadable("NSS could not be started");
    json_t *key = read_key(certificate);
    library_end();
    return key;
}

int main(void) {
    static const char *const capabilities[] = {
        "presented-chain", "version-range", "key-reading", "trust-evaluation", "verified-path", "sni", "alpn", "group",
        "ocsp-staple", "handshake-scts", "client-certificate-request", NULL,
    };
    static const struct backend backend = {
        .kind = "transport",
        .name = "nss",
        .library = "NSS",
        .version = NSS_GetVersion,
        .capabilities = capabilities,
        .handshake = handshake,
        .evaluate_trust = evaluate_alone,
        .read_key = read_key_alone,
    };
    return serve(&backend);
}
