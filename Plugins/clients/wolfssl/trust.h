/// wolfSSL's decisions on chains.
#pragma once

#include "request.h"

json_t *evaluate_trust(const struct trust_question *question);

/// The same for a handshake: up to TLS 1.2 the leaf has to be for signing, in TLS 1.3 its key usage is not looked at.
json_t *evaluate_trust_in(const struct trust_question *question, int version);
