#include "serve.h"

#include <gnu/libc-version.h>

int main(void) {
    static const char *const capabilities[] = {
        "raw-reply", "chosen-servers", "zoned-servers", "tcp-on-truncation", "edns-size", "without-edns", NULL,
    };
    static const struct backend backend = {
        .kind = "resolver",
        .name = "glibc",
        .library = "GNU C library",
        .version = gnu_get_libc_version,
        .capabilities = capabilities,
    };
    return serve(&backend);
}
