/// The public keys of certificates, as wolfSSL reads and writes them.
#pragma once

#include "bytes.h"

json_t *read_key(struct bytes certificate);
