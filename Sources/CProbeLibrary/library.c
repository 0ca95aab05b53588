#define _GNU_SOURCE
#include "CProbeLibrary.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// The library whose constructors this thread runs.
static _Thread_local const char *opening;

// GnuTLS ends the program, without a word, at settings that it can't read and that ask for this.
static void explain(void) {
    if (opening == NULL) return;
    static const char fix[] =
        "a library may do so at settings that it can't read\n"
        "  fix: correct what OPENSSL_CONF, GNUTLS_SYSTEM_PRIORITY_FILE and their like name, /etc/gnutls/config where they "
        "name nothing\n";
    dprintf(STDERR_FILENO, "probe: opening %s ended the program: %s", opening, fix);
    _exit(70);
}

// Keeps a reason for as long as the program runs, since callers do; the same one is kept once.
static void refuse(struct probe_library *library, const char *reason) {
    if (library->fault != NULL && strcmp(library->fault, reason) == 0) return;
    char *kept = strdup(reason);
    library->fault = kept != NULL ? kept : "there is too little memory to open it";
}

static void open_library(struct probe_library *library) {
    // Once for each library: the last one registered runs first, before an open library ends what is under way.
    if (!library->is_explained) library->is_explained = atexit(explain) == 0;
    opening = library->file;
    // Local: a library's own calls of its functions never reach this program's functions of the same names.
    void *handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
    opening = NULL;
    if (handle == NULL) {
        const char *reason = dlerror();
        refuse(library, reason != NULL ? reason : "it can't be opened");
        return;
    }
    for (size_t index = 0; index < library->count; index++) {
        if (dlsym(handle, library->functions[index]->name) != NULL) continue;
        char reason[256];
        snprintf(reason, sizeof reason, "%s lacks %s", library->file, library->functions[index]->name);
        refuse(library, reason);
        return;
    }
    // Never closed: the libraries keep threads and handlers of their own.
    for (size_t index = 0; index < library->count; index++) {
        struct probe_function *function = library->functions[index];
        __atomic_store_n(&function->address, dlsym(handle, function->name), __ATOMIC_RELEASE);
    }
    __atomic_store_n(&library->handle, handle, __ATOMIC_RELEASE);
}

const char *probe_library_fault(struct probe_library *library) {
    if (library->file == NULL || __atomic_load_n(&library->handle, __ATOMIC_ACQUIRE) != NULL) return NULL;
    pthread_mutex_lock(&lock);
    // Tried again after a failure: this process may have had no descriptor left, or somebody has installed it since.
    if (library->handle == NULL) open_library(library);
    const char *fault = library->handle == NULL ? library->fault : NULL;
    pthread_mutex_unlock(&lock);
    return fault;
}

void *probe_library_variable(struct probe_library *library, const char *name) {
    if (probe_library_fault(library) != NULL) return NULL;
    return dlsym(library->file == NULL ? RTLD_DEFAULT : library->handle, name);
}

// Called by `probe_library_first_call`, which jumps to what is returned.
void *probe_library_address(struct probe_function *function) {
    const char *fault = probe_library_fault(function->library);
    if (fault == NULL) return __atomic_load_n(&function->address, __ATOMIC_ACQUIRE);
    // A caller that did not ask for the fault has no way to go on.
    fprintf(stderr, "probe: %s was called, but %s\n", function->name, fault);
    abort();
}
