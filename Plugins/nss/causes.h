#pragma once

#include <prerror.h>

/// Which of our causes an error of NSS is.
const char *cause_of(PRErrorCode error);
