#define _GNU_SOURCE
#include "CProbeAllocations.h"

#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stddef.h>

// In the program's own thread-local block, which exists before the thread runs: reading it allocates nothing.
static _Thread_local long count __attribute__((tls_model("initial-exec")));
// True while this thread is looking for the next definition, which may allocate itself.
static _Thread_local int is_looking __attribute__((tls_model("initial-exec")));

// The C library's own names, for what is asked while the next definition is being looked for.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// The next definition of a function in the loader's order: another counter's that was preloaded, or the C library's. Two
// threads may find it at once, and find the same.
static void *next(void **found, const char *name, void *fallback) {
    void *function = __atomic_load_n(found, __ATOMIC_ACQUIRE);
    if (function != NULL) return function;
    if (is_looking) return fallback;
    is_looking = 1;
    function = dlsym(RTLD_NEXT, name);
    is_looking = 0;
    if (function == NULL) function = fallback;
    __atomic_store_n(found, function, __ATOMIC_RELEASE);
    return function;
}

void *malloc(size_t size) {
    static void *found;
    count++;
    return ((void *(*)(size_t))next(&found, "malloc", (void *)__libc_malloc))(size);
}

void *calloc(size_t members, size_t size) {
    static void *found;
    count++;
    return ((void *(*)(size_t, size_t))next(&found, "calloc", (void *)__libc_calloc))(members, size);
}

void *realloc(void *memory, size_t size) {
    static void *found;
    count++;
    return ((void *(*)(void *, size_t))next(&found, "realloc", (void *)__libc_realloc))(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    static void *found;
    count++;
    return ((void *(*)(size_t, size_t))next(&found, "memalign", (void *)__libc_memalign))(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    static void *found;
    count++;
    return ((void *(*)(size_t, size_t))next(&found, "aligned_alloc", (void *)__libc_memalign))(alignment, size);
}

static int posix_memalign_without_loader(void **memory, size_t alignment, size_t size) {
    void *block = __libc_memalign(alignment, size);
    if (block == NULL) return ENOMEM;
    *memory = block;
    return 0;
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    static void *found;
    count++;
    void *function = next(&found, "posix_memalign", (void *)posix_memalign_without_loader);
    return ((int (*)(void **, size_t, size_t))function)(memory, alignment, size);
}

long cprobe_allocations(void) { return count; }
int cprobe_counts_allocations(void) { return 1; }

#else

long cprobe_allocations(void) { return 0; }
int cprobe_counts_allocations(void) { return 0; }

#endif
