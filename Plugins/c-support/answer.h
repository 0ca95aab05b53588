/// The answer to one request.
#pragma once

#include "serve.h"

/// The whole reply to a message that has an id and was read at `arrival`, from which its deadline counts; never NULL.
json_t *answer(const struct backend *backend, const json_t *message, double arrival);

/// An error reply, which costs the request and not the program.
json_t *error_reply(json_int_t id, const char *message);
