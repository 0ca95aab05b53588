/// The functions that answer the requests of a backend: TLS stacks have theirs in common.
#pragma once

#include "serve.h"

/// The whole reply to a message other than `hello` that was read at `arrival`, from which its deadline counts; never NULL.
json_t *answer(const struct backend *backend, const char *type, const json_t *message, double arrival);
