#include "CProbeBoringSSL.h"

#include <CNIOBoringSSL.h>

void cprobe_boringssl_sha256_blocks(
    const uint8_t *blocks, size_t count, const uint8_t *end, size_t end_count, uint64_t words[4]) {
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_TransformBlocks(context.h, blocks, count / SHA256_CBLOCK);
    SHA256_TransformBlocks(context.h, end, end_count / SHA256_CBLOCK);
    for (int i = 0; i < 4; i++) words[i] = (uint64_t)context.h[2 * i] << 32 | context.h[2 * i + 1];
}
