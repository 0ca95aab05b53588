/// The errors of wolfSSL, and their causes in the protocol.
#pragma once

/// The name of an error's constant, or its number.
const char *error_code(int error);

/// The library's own words.
const char *error_words(int error);

/// The cause of a refusal; `other` for an error that has none of its own.
const char *error_cause(int error);

/// The library's own error behind the one that a verify callback is given, which may be OpenSSL's.
int error_of_callback(int error);
