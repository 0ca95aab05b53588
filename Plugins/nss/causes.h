#pragma once

#include <prerror.h>

/// Returns our cause for an error of NSS.
const char *cause_of(PRErrorCode error);
