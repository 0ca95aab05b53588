#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// Lets one process write at a time; a process that ends lets go of it.
static int lock = -1;

bool output_open(void) {
    lock = memfd_create("output-lock", MFD_CLOEXEC);
    return lock >= 0;
}

bool output_reply(json_t *reply) {
    char *text = json_dumps(reply, JSON_COMPACT);
    json_decref(reply);
    if (text == NULL) return false;
    size_t length = strlen(text), written = 0;
    text[length] = '\n'; // Where the text's end was: the length is kept beside it.
    while (lockf(lock, F_LOCK, 0) != 0 && errno == EINTR) {}
    while (written < length + 1) {
        ssize_t count = write(STDOUT_FILENO, text + written, length + 1 - written);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) break;
        written += (size_t)count;
    }
    (void)!lockf(lock, F_ULOCK, 0);
    free(text);
    return written == length + 1;
}
