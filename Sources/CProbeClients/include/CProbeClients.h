#ifndef CPROBE_CLIENTS_H
#define CPROBE_CLIENTS_H

#include <stddef.h>

// A file of Clients: the clients of one family as YAML, not ended by a zero.
typedef struct {
    const char *family;
    const unsigned char *text;
    size_t count;
} cprobe_client_file;

// The files that are shipped with the program.
const cprobe_client_file *cprobe_client_files(size_t *count);

#endif
