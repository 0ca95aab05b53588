#include "shim.h"

#include "CProbeLibrary.h"

// The functions of the library that this package calls.
#define FUNCTIONS(F) \
    F(ldns_get_errorstr_by_id) F(ldns_pkt2wire) F(ldns_pkt_answer) F(ldns_pkt_edns_extended_rcode) F(ldns_pkt_free) \
    F(ldns_pkt_get_rcode) F(ldns_pkt_query_new) F(ldns_pkt_set_edns_do) F(ldns_pkt_set_edns_udp_size) \
    F(ldns_pkt_set_id) F(ldns_rdf_data) F(ldns_rdf_deep_free) F(ldns_rdf_new_frm_data) F(ldns_rdf_size) \
    F(ldns_rr_descript) F(ldns_rr_descriptor_maximum) F(ldns_rr_get_type) F(ldns_rr_list_rr) F(ldns_rr_list_rr_count) \
    F(ldns_rr_rd_count) F(ldns_rr_rdf) F(ldns_version) F(ldns_wire2pkt)

#define PROBE_OWNER ldns
PROBE_LIBRARY(ldns, "libldns.so.3", FUNCTIONS)

const char *cprobe_ldns_fault(void) { return probe_library_fault(&ldns); }
