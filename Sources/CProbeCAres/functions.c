#include "shim.h"

#include "CProbeLibrary.h"

// The functions of the library that this package calls.
#define FUNCTIONS(F) \
    F(ares_create_query) F(ares_destroy) F(ares_free_data) F(ares_free_string) F(ares_init_options) \
    F(ares_library_init) F(ares_parse_txt_reply_ext) F(ares_process_fd) F(ares_send) F(ares_set_servers_ports_csv) \
    F(ares_set_socket_functions) F(ares_strerror) F(ares_timeout) F(ares_version)

#define PROBE_OWNER cares
PROBE_LIBRARY(cares, "libcares.so.2", FUNCTIONS)

const char *cprobe_cares_fault(void) { return probe_library_fault(&cares); }
