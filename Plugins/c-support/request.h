/// The requests of the program protocol (Plugins/PROTOCOL.md), read strictly.
#pragma once

#include "bytes.h"

enum { maximal_protocols = 64 };

/// The TLS registry's numbers; comparable.
enum tls_version { TLS_1_0 = 0x0301, TLS_1_1 = 0x0302, TLS_1_2 = 0x0303, TLS_1_3 = 0x0304 };

/// The name that a certificate has to prove.
struct server_name {
    enum { NO_NAME, DNS_NAME, IP_NAME } kind;
    /// The DNS name in lower case, or the address in text.
    char text[256];
};

enum purpose { PURPOSE_SERVER, PURPOSE_CLIENT, PURPOSE_ANY };

struct trust_question {
    struct byte_list chain;
    struct byte_list anchors;
    struct server_name name;
    /// Seconds since 1970.
    int64_t instant;
    enum purpose purpose;
    /// Empty where there is none.
    struct bytes staple;
    /// The most intermediates; -1 for no limit.
    int max_depth;
};

struct handshake_request {
    /// Borrowed from the request's JSON, like `alpn`.
    const char *host;
    int port;
    enum tls_version lowest, highest;
    /// Ends with NULL.
    const char *alpn[maximal_protocols + 1];
    size_t alpn_count;
    /// The question about the chain, which is empty until the server presented it.
    struct trust_question question;
};

/// Each reader returns NULL, or an error message. The struct that it filled has to be freed in both cases.
const char *read_handshake(const json_t *message, struct handshake_request *request);
const char *read_trust_question(const json_t *message, struct trust_question *question);
const char *read_certificate(const json_t *message, struct bytes *certificate);
const char *read_deadline(const json_t *message, double *seconds);

void trust_question_free(struct trust_question *question);

/// The registry's name of a version, like `1.2`; NULL for others.
const char *version_name(int version);
