#include "handshake.h"
#include "instant.h"
#include "serve.h"
#include "trust.h"

#include <mbedtls/version.h>
#include <stdio.h>
#include <stdlib.h>

static const char *version(void) {
    static char text[18];
    mbedtls_version_get_string(text);
    return text;
}

int main(void) {
    static const char *const capabilities[] = {
        "presented-chain", "version-range", "key-reading", "trust-evaluation", "verified-path", "sni", "alpn", "group",
        "client-certificate-request", NULL,
    };
    static const struct backend backend = {
        .kind = "transport",
        .name = "mbedtls",
        .library = "Mbed TLS",
        .version = version,
        .capabilities = capabilities,
        .handshake = handshake,
        .evaluate_trust = evaluate_trust,
        .read_key = read_key,
    };
    if (!clock_is_ours()) {
        fputs("this build of Mbed TLS takes its time from where it can't be given\n", stderr);
        return EXIT_FAILURE;
    }
    return serve(&backend);
}
