#include "shim.h"

#include "CProbeLibrary.h"

// The functions of the library that this package calls.
#define FUNCTIONS(F) \
    F(ub_cancel) F(ub_ctx_add_ta) F(ub_ctx_async) F(ub_ctx_create) F(ub_ctx_debugout) F(ub_ctx_delete) \
    F(ub_ctx_set_fwd) F(ub_ctx_set_option) F(ub_ctx_zone_add) F(ub_fd) F(ub_process) F(ub_resolve_async) \
    F(ub_resolve_free) F(ub_strerror) F(ub_version)

#define PROBE_OWNER unbound
PROBE_LIBRARY(unbound, "libunbound.so.8", FUNCTIONS)

const char *cprobe_unbound_fault(void) { return probe_library_fault(&unbound); }
