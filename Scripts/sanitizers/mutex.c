// Tells ThreadSanitizer of the locks that it can't see: the part of Swift's `Mutex` that waits is in a library of the
// toolchain, which is not instrumented. All else of `Mutex` is compiled into its users, where its atomic operations are seen.
//
// Loaded before the program by sanitize.sh. Each function calls Swift's of the same name, and says what the kernel's futex
// makes true: whoever holds the lock now sees what was done before it was released.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Absent in programs that the tests start, which are not instrumented.
extern __attribute__((weak)) void __tsan_acquire(void *);
extern __attribute__((weak)) void __tsan_release(void *);

static void acquired(void *handle) {
    if (__tsan_acquire) __tsan_acquire(handle);
}

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK_SLOW);
SWIFT void lock_slow(uint32_t thread, SELF void *handle) {
    SWIFT void (*swift)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK_SLOW);
    swift(thread, handle);
    acquired(handle);
}

SWIFT bool try_lock_slow(SELF void *handle) __asm__(TRY_LOCK_SLOW);
SWIFT bool try_lock_slow(SELF void *handle) {
    SWIFT bool (*swift)(SELF void *) = dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
    bool locked = swift(handle);
    if (locked) acquired(handle);
    return locked;
}

SWIFT void unlock_slow(SELF void *handle) __asm__(UNLOCK_SLOW);
SWIFT void unlock_slow(SELF void *handle) {
    SWIFT void (*swift)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK_SLOW);
    if (__tsan_release) __tsan_release(handle);
    swift(handle);
}
