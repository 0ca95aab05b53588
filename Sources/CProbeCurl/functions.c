#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <string.h>

#include "CProbeLibrary.h"

// The functions of the library that this package calls.
#define FUNCTIONS(F) \
    F(curl_easy_cleanup) F(curl_easy_getinfo) F(curl_easy_header) F(curl_easy_init) F(curl_easy_recv) \
    F(curl_easy_setopt) F(curl_easy_strerror) F(curl_free) F(curl_global_init) F(curl_multi_add_handle) \
    F(curl_multi_cleanup) F(curl_multi_info_read) F(curl_multi_init) F(curl_multi_perform) F(curl_multi_poll) \
    F(curl_multi_remove_handle) F(curl_multi_strerror) F(curl_multi_wakeup) F(curl_slist_append) \
    F(curl_slist_free_all) F(curl_url) F(curl_url_cleanup) F(curl_url_get) F(curl_url_set) F(curl_version_info)

#define PROBE_OWNER curl
PROBE_LIBRARY(curl, "libcurl.so.4", FUNCTIONS)

const char *cprobe_curl_fault(void) { return probe_library_fault(&curl); }

int cprobe_curl_is_over(const char *file) {
    // Found as libcurl finds it: in the libraries that it is linked against.
    void *function = probe_library_variable(&curl, "SSL_CTX_new");
    Dl_info info;
    if (function == NULL || dladdr(function, &info) == 0 || info.dli_fname == NULL) return 0;
    const char *slash = strrchr(info.dli_fname, '/');
    return strcmp(slash != NULL ? slash + 1 : info.dli_fname, file) == 0;
}
