/// NSS itself: its life in a process, its errors, its certificates.
#pragma once

#include "bytes.h"

#include <cert.h>
#include <prerror.h>

/// Starts NSS without a database; false where it can't. A process starts it once, for its one request.
bool library_start(void);

/// Ends NSS; objects still held by then are a fault of this program, which is reported on standard error.
void library_end(void);

/// The last error's own words, and its name in NSS' headers.
const char *error_words(PRErrorCode error);
const char *error_name(PRErrorCode error);

/// Reads a certificate into NSS' memory; NULL where it can't. The caller destroys it.
CERTCertificate *certificate_import(struct bytes der);

/// The key of a certificate, as NSS writes it.
json_t *read_key(struct bytes certificate);
