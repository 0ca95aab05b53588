#include <crypt.h>
#include <stdlib.h>
#include <string.h>

/// Returns 1 if a phrase has a hash, whatever of it differs in the same time. crypt_r(3) needs 32 KB, which are wiped.
static inline int cprobe_crypt_matches(const char *phrase, const char *hash) {
    struct crypt_data *data = (struct crypt_data *)calloc(1, sizeof *data);
    if (data == NULL) return 0;
    const char *found = crypt_r(phrase, hash, data);
    size_t length = strlen(hash);
    unsigned char difference = found == NULL || found[0] == '*' || strlen(found) != length;
    if (!difference)
        for (size_t index = 0; index < length; index++) difference |= (unsigned char)(found[index] ^ hash[index]);
    explicit_bzero(data, sizeof *data);
    free(data);
    return difference == 0;
}
