#include "shim.h"

#include <stdlib.h>

#include "CProbeLibrary.h"

// The functions of the library that this package calls.
#define FUNCTIONS(F) \
    F(gnutls_alert_get) F(gnutls_alert_get_name) F(gnutls_alert_send) F(gnutls_alert_send_appropriate) \
    F(gnutls_alpn_get_selected_protocol) F(gnutls_alpn_set_protocols) F(gnutls_bye) \
    F(gnutls_certificate_allocate_credentials) \
    F(gnutls_certificate_client_get_request_status) F(gnutls_certificate_free_credentials) \
    F(gnutls_certificate_get_peers) F(gnutls_certificate_set_retrieve_function) \
    F(gnutls_certificate_set_x509_trust_mem) F(gnutls_certificate_verification_status_print) F(gnutls_check_version) \
    F(gnutls_ciphersuite_get) F(gnutls_credentials_set) F(gnutls_deinit) F(gnutls_error_is_fatal) \
    F(gnutls_global_init) F(gnutls_global_set_time_function) F(gnutls_group_get) F(gnutls_group_get_name) \
    F(gnutls_handshake) F(gnutls_handshake_get_last_in) F(gnutls_handshake_set_hook_function) \
    F(gnutls_handshake_set_max_packet_length) F(gnutls_hash_fast) F(gnutls_init) F(gnutls_kx_get) \
    F(gnutls_ocsp_resp_check_crt) F(gnutls_ocsp_resp_deinit) F(gnutls_ocsp_resp_get_single) \
    F(gnutls_ocsp_resp_import) F(gnutls_ocsp_resp_init) \
    F(gnutls_ocsp_resp_verify) F(gnutls_ocsp_resp_verify_direct) F(gnutls_ocsp_status_request_enable_client) \
    F(gnutls_ocsp_status_request_get) F(gnutls_pk_bits_to_sec_param) F(gnutls_pk_to_sign) \
    F(gnutls_pkcs11_add_provider) F(gnutls_pkcs11_get_raw_issuer) F(gnutls_pkcs11_init) \
    F(gnutls_pkcs11_privkey_deinit) F(gnutls_pkcs11_privkey_import_url) F(gnutls_pkcs11_privkey_init) \
    F(gnutls_pkcs11_privkey_set_pin_function) F(gnutls_pkcs11_token_get_flags) F(gnutls_pkcs11_token_get_info) \
    F(gnutls_pkcs11_token_get_url) F(gnutls_pkcs7_deinit) F(gnutls_pkcs7_get_crt_count) F(gnutls_pkcs7_get_crt_raw2) \
    F(gnutls_pkcs7_get_signature_count) F(gnutls_pkcs7_get_signature_info) F(gnutls_pkcs7_import) F(gnutls_pkcs7_init) \
    F(gnutls_pkcs7_signature_info_deinit) F(gnutls_pkcs7_verify_direct) F(gnutls_priority_deinit) \
    F(gnutls_priority_init) F(gnutls_priority_set) F(gnutls_privkey_deinit) F(gnutls_privkey_get_pk_algorithm) \
    F(gnutls_privkey_import_pkcs11) F(gnutls_privkey_init) F(gnutls_privkey_sign_data) F(gnutls_protocol_get_version) \
    F(gnutls_pubkey_deinit) F(gnutls_pubkey_export2) F(gnutls_pubkey_get_pk_algorithm) \
    F(gnutls_pubkey_get_preferred_hash_algorithm) F(gnutls_pubkey_import_x509) F(gnutls_pubkey_init) \
    F(gnutls_pubkey_verify_data2) F(gnutls_reauth) F(gnutls_record_recv) F(gnutls_record_send) \
    F(gnutls_server_name_set) F(gnutls_session_get_flags) F(gnutls_session_set_verify_cert) \
    F(gnutls_set_default_priority) F(gnutls_sign_algorithm_get) F(gnutls_sign_get_name) F(gnutls_sign_is_secure2) \
    F(gnutls_strerror) F(gnutls_strerror_name) F(gnutls_transport_get_ptr) F(gnutls_transport_set_errno) \
    F(gnutls_transport_set_int2) F(gnutls_transport_set_ptr) F(gnutls_transport_set_pull_function) \
    F(gnutls_transport_set_pull_timeout_function) F(gnutls_transport_set_push_function) F(gnutls_x509_crl_deinit) \
    F(gnutls_x509_crl_import) F(gnutls_x509_crl_init) F(gnutls_x509_crt_check_issuer) \
    F(gnutls_x509_crt_check_key_purpose) F(gnutls_x509_crt_deinit) F(gnutls_x509_crt_export2) \
    F(gnutls_x509_crt_get_key_id) F(gnutls_x509_crt_get_pk_algorithm) F(gnutls_x509_crt_get_pk_dsa_raw) \
    F(gnutls_x509_crt_get_pk_rsa_raw) F(gnutls_x509_crt_get_raw_issuer_dn) F(gnutls_x509_crt_get_serial) \
    F(gnutls_x509_crt_get_signature_algorithm) F(gnutls_x509_crt_get_subject_key_id) \
    F(gnutls_x509_crt_get_tlsfeatures) F(gnutls_x509_crt_import) F(gnutls_x509_crt_import_url) F(gnutls_x509_crt_init) \
    F(gnutls_x509_crt_list_import2) F(gnutls_x509_crt_verify) F(gnutls_x509_privkey_deinit) \
    F(gnutls_x509_privkey_import_pkcs8) F(gnutls_x509_privkey_init) F(gnutls_x509_tlsfeatures_deinit) \
    F(gnutls_x509_tlsfeatures_get) F(gnutls_x509_tlsfeatures_init) F(gnutls_x509_trust_list_add_crls) \
    F(gnutls_x509_trust_list_add_trust_mem) F(gnutls_x509_trust_list_deinit) F(gnutls_x509_trust_list_get_issuer) \
    F(gnutls_x509_trust_list_init) F(gnutls_x509_trust_list_verify_crt2)

#define PROBE_OWNER gnutls
PROBE_LIBRARY(gnutls, "libgnutls.so.30", FUNCTIONS)

const char *cprobe_gnutls_fault(void) { return probe_library_fault(&gnutls); }

void cprobe_gnutls_free(void *memory) {
    static gnutls_free_function *known;
    gnutls_free_function *function = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
    if (function == NULL) {
        // Exported as a variable.
        function = probe_library_variable(&gnutls, "gnutls_free");
        if (function == NULL) abort();
        __atomic_store_n(&known, function, __ATOMIC_RELEASE);
    }
    (*function)(memory);
}
