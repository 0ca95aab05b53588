#pragma once

/// The IANA name of a cipher suite; NULL for one that Mbed TLS does not have.
const char *suite_name(int suite);
