#ifndef CPROBE_ROOTS_H
#define CPROBE_ROOTS_H

#include <stddef.h>

// The root stores that are shipped with the program, as Scripts/roots wrote them: text, not ended by a zero.
const unsigned char *cprobe_roots(size_t *count);

#endif
