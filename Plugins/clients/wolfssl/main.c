#include "handshake.h"
#include "instant.h"
#include "keys.h"
#include "serve.h"
#include "trust.h"

#include <wolfssl/options.h>
#include <wolfssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    static const char *const capabilities[] = {
        "presented-chain", "version-range", "key-reading", "trust-evaluation", "sni", "alpn", "group",
        "client-certificate-request", NULL,
    };
    static const struct backend backend = {
        .kind = "transport",
        .name = "wolfssl",
        .library = "wolfSSL",
        .version = wolfSSL_lib_version,
        .capabilities = capabilities,
        .handshake = handshake,
        .evaluate_trust = evaluate_trust,
        .read_key = read_key,
    };
    if (!clock_is_ours()) {
        fputs("this build of wolfSSL takes its time from where it can't be given\n", stderr);
        return EXIT_FAILURE;
    }
    return serve(&backend);
}
