/// The answers of the program protocol, as JSON. Whoever makes one owns it; adding a value to it gives the value away.
#pragma once

#include "bytes.h"

enum { maximal_certificates = 100, maximal_chain_bytes = 512 * 1024 };

/// A trust reading with no problem yet: it is an acceptance.
json_t *trust_accepted(void);

/// Adds a problem: the reading is a refusal from here on. `native` may be NULL, a `depth` below 0 is none.
void trust_refuse(json_t *trust, const char *cause, const char *native, int depth, const char *message);
bool trust_is_accepted(const json_t *trust);

/// Adds the next certificate of the validated path; it counts only while the reading is an acceptance.
void trust_path_add(json_t *trust, const uint8_t *data, size_t size);
size_t trust_path_count(const json_t *trust);

/// A readable key, or why it is none.
json_t *key_readable(const uint8_t *spki, size_t size);
json_t *key_unreadable(const char *reason);

/// A handshake's report of nothing yet.
json_t *report_new(void);

/// Sets a failure; the first one stays. `native` may be NULL, an `alert` below 0 is none.
void report_fail(json_t *report, const char *code, const char *native, int alert, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
bool report_has_failed(const json_t *report);

/// Sets a text; NULL is null.
void report_text(json_t *report, const char *key, const char *text);

/// Sets how long a part took, in seconds.
void report_duration(json_t *report, const char *part, double seconds);

/// The IANA name of a TLS group; NULL for a number that is not registered.
const char *group_name(int group);
