/// Standard output, which the processes of all requests share.
#pragma once

#include <jansson.h>
#include <stdbool.h>

/// To be called once, before any process writes.
bool output_open(void);

/// Writes the reply as one whole line, and takes it; false where it could not be written.
bool output_reply(json_t *reply);
