#include "engine.h"

#include <stdbool.h>

#if CPROBE_SHA256_X86

#include <cpuid.h>

// The compiler's own check covers what the operating system has to save; it has no name for the SHA extensions.
static bool has_sha_extensions(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 29) && __builtin_cpu_supports("sse4.1")
        && __builtin_cpu_supports("ssse3");
}

int cprobe_sha256_is_available(cprobe_sha256_variant variant) {
    switch (variant) {
    case CPROBE_SHA256_PORTABLE: return 1;
    case CPROBE_SHA256_SHA_EXTENSIONS: return has_sha_extensions();
    case CPROBE_SHA256_AVX2: return __builtin_cpu_supports("avx2") != 0;
    case CPROBE_SHA256_AVX512: return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    case CPROBE_SHA256_ARMV8:
    case CPROBE_SHA256_NEON: break;
    }
    return 0;
}

#elif CPROBE_SHA256_ARM

#if defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
static bool has_sha2(void) { return (getauxval(AT_HWCAP) & HWCAP_SHA2) != 0; }
#else
// Every 64-bit ARM processor that Apple made has them.
static bool has_sha2(void) {
#if defined(__APPLE__)
    return true;
#else
    return false;
#endif
}
#endif

int cprobe_sha256_is_available(cprobe_sha256_variant variant) {
    switch (variant) {
    case CPROBE_SHA256_PORTABLE:
    case CPROBE_SHA256_NEON: return 1;
    case CPROBE_SHA256_ARMV8: return has_sha2();
    case CPROBE_SHA256_SHA_EXTENSIONS:
    case CPROBE_SHA256_AVX2:
    case CPROBE_SHA256_AVX512: break;
    }
    return 0;
}

#else

int cprobe_sha256_is_available(cprobe_sha256_variant variant) { return variant == CPROBE_SHA256_PORTABLE; }

#endif
