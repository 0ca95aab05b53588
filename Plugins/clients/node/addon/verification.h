#pragma once

#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { maximal_problems = 50 };

enum verification_purpose { PURPOSE_SERVER, PURPOSE_CLIENT, PURPOSE_ANY };

struct der {
    const unsigned char *data;
    size_t size;
};

struct der_list {
    struct der *items;
    size_t count;
};

struct verification_problem {
    int code, depth;
};

/// A question about a chain, and its answer.
struct verification {
    struct der_list chain, anchors; // Borrowed.
    int64_t instant;
    enum verification_purpose purpose;
    int maximal_depth; // -1 where there is none.

    int malformed; // The first certificate of the chain that can't be read, or -1.
    bool has_begun, is_accepted;
    struct verification_problem problems[maximal_problems];
    size_t problem_count;
    STACK_OF(X509) * path; // Owned; NULL where there is none.
};

/// Reads the security level that a connection of this OpenSSL has where nobody sets one.
void verification_prepare(void);

/// Answers the question. Any thread may call it.
void verification_run(struct verification *verification);

void verification_free(struct verification *verification);
