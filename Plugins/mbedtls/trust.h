/// Mbed TLS' decisions on certificates.
#pragma once

#include "request.h"

#include <mbedtls/x509.h>


json_t *evaluate_trust(const struct trust_question *question);

/// The same with the key usages that the handshake's cipher suite needs.
json_t *evaluate_trust_for(const struct trust_question *question, unsigned key_usages);

/// The key of a certificate, as Mbed TLS writes it.
json_t *read_key(struct bytes certificate);

/// The library's own words for an error, and its code as it prints it.
const char *error_words(int error);
const char *error_code(int error);
