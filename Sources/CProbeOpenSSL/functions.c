#include "shim.h"

#include "CProbeLibrary.h"

// The functions of the two libraries that this package calls.
#define CRYPTO(F) \
    F(ASN1_STRING_get0_data) F(ASN1_STRING_length) F(ASN1_STRING_to_UTF8) F(BIO_clear_flags) F(BIO_ctrl_pending) \
    F(BIO_free) F(BIO_new) F(BIO_new_mem_buf) F(BIO_read) F(BIO_s_mem) F(BIO_set_callback_ex) F(BIO_write) \
    F(BN_bn2bin) F(BN_free) F(BN_num_bits) F(CMS_ContentInfo_free) F(CMS_get0_signers) F(CMS_verify) F(CRYPTO_free) \
    F(CRYPTO_get_ex_new_index) F(ERR_clear_error) F(ERR_get_error) F(ERR_new) F(ERR_peek_error) \
    F(ERR_reason_error_string) F(ERR_set_debug) F(ERR_set_error) F(EVP_PKEY2PKCS8) F(EVP_PKEY_free) \
    F(EVP_PKEY_get_base_id) F(EVP_PKEY_get_bits) F(EVP_PKEY_get_bn_param) F(EVP_PKEY_get_group_name) \
    F(EVP_PKEY_get_octet_string_param) F(EVP_PKEY_get_raw_public_key) F(EVP_PKEY_is_a) F(GENERAL_NAMES_free) \
    F(OBJ_nid2sn) F(OPENSSL_sk_free) F(OPENSSL_sk_new_null) F(OPENSSL_sk_num) F(OPENSSL_sk_push) F(OPENSSL_sk_value) \
    F(OpenSSL_version) F(PEM_read_bio_PrivateKey) F(PEM_read_bio_X509) F(PKCS12_free) F(PKCS12_parse) \
    F(PKCS12_verify_mac) F(PKCS8_PRIV_KEY_INFO_free) F(SCT_get_source) F(SHA256_Final) F(SHA256_Init) F(SHA256_Update) \
    F(X509_CRL_free) F(X509_NAME_ENTRY_get_data) F(X509_NAME_entry_count) F(X509_NAME_get_entry) \
    F(X509_NAME_get_index_by_NID) F(X509_STORE_CTX_free) F(X509_STORE_CTX_get0_chain) F(X509_STORE_CTX_get0_param) \
    F(X509_STORE_CTX_get0_untrusted) F(X509_STORE_CTX_get_error) F(X509_STORE_CTX_get_error_depth) \
    F(X509_STORE_CTX_get_ex_data) F(X509_STORE_CTX_init) F(X509_STORE_CTX_new) F(X509_STORE_CTX_set_error) \
    F(X509_STORE_CTX_set_ex_data) F(X509_STORE_CTX_set_verify_cb) F(X509_STORE_add_cert) F(X509_STORE_add_crl) \
    F(X509_STORE_free) F(X509_STORE_new) F(X509_STORE_set_flags) F(X509_VERIFY_PARAM_add0_policy) \
    F(X509_VERIFY_PARAM_set1_host) F(X509_VERIFY_PARAM_set1_ip) F(X509_VERIFY_PARAM_set_auth_level) \
    F(X509_VERIFY_PARAM_set_depth) F(X509_VERIFY_PARAM_set_flags) F(X509_VERIFY_PARAM_set_hostflags) \
    F(X509_VERIFY_PARAM_set_purpose) F(X509_VERIFY_PARAM_set_time) F(X509_check_private_key) F(X509_free) \
    F(X509_get0_pubkey) F(X509_get_X509_PUBKEY) F(X509_get_ext_d2i) F(X509_get_issuer_name) F(X509_get_subject_name) \
    F(X509_up_ref) F(X509_verify_cert) F(X509_verify_cert_error_string) F(d2i_ASN1_OBJECT) F(d2i_AutoPrivateKey) \
    F(d2i_CMS_ContentInfo) F(d2i_PKCS12_bio) F(d2i_PrivateKey_bio) F(d2i_X509) F(d2i_X509_CRL) \
    F(i2d_PKCS8_PRIV_KEY_INFO) F(i2d_PUBKEY) F(i2d_X509) F(i2d_X509_NAME) F(i2d_X509_PUBKEY) F(i2o_SCT)

#define PROBE_OWNER crypto
PROBE_LIBRARY(crypto, "libcrypto.so.3", CRYPTO)
#undef PROBE_OWNER

#define SSL(F) \
    F(OPENSSL_init_ssl) F(SSL_CIPHER_find) F(SSL_CIPHER_get_name) F(SSL_CIPHER_standard_name) F(SSL_CTX_ctrl) \
    F(SSL_CTX_free) F(SSL_CTX_get0_param) F(SSL_CTX_get_cert_store) F(SSL_CTX_get_ex_data) \
    F(SSL_CTX_get_security_callback) F(SSL_CTX_get_security_level) F(SSL_CTX_new) F(SSL_CTX_set0_security_ex_data) \
    F(SSL_CTX_set1_cert_store) F(SSL_CTX_set_alpn_protos) \
    F(SSL_CTX_set_cert_verify_callback) F(SSL_CTX_set_cipher_list) F(SSL_CTX_set_ciphersuites) \
    F(SSL_CTX_set_ct_validation_callback) F(SSL_CTX_set_ex_data) F(SSL_CTX_set_info_callback) \
    F(SSL_CTX_set_msg_callback) F(SSL_CTX_set_options) F(SSL_CTX_set_security_callback) \
    F(SSL_CTX_set_security_level) F(SSL_CTX_set_verify) \
    F(SSL_CTX_use_PrivateKey) F(SSL_CTX_use_certificate) F(SSL_SESSION_get_protocol_version) F(SSL_SESSION_has_ticket) F(SSL_alert_desc_string_long) \
    F(SSL_clear_options) F(SSL_connect) F(SSL_ctrl) F(SSL_do_handshake) F(SSL_free) F(SSL_get0_alpn_selected) \
    F(SSL_get0_peer_CA_list) F(SSL_get0_peer_certificate) F(SSL_get0_peer_scts) F(SSL_get_SSL_CTX) \
    F(SSL_get_current_cipher) F(SSL_get_error) F(SSL_get_peer_cert_chain) F(SSL_get_peer_signature_type_nid) \
    F(SSL_get_pending_cipher) F(SSL_get_rbio) F(SSL_get_session) F(SSL_get_state) F(SSL_get_verify_result) \
    F(SSL_is_init_finished) F(SSL_new) F(SSL_read) F(SSL_set1_host) F(SSL_set_alpn_protos) F(SSL_set_bio) \
    F(SSL_set_cipher_list) F(SSL_set_ciphersuites) F(SSL_set_connect_state) F(SSL_set_ct_validation_callback) \
    F(SSL_set_fd) F(SSL_set_msg_callback) F(SSL_set_post_handshake_auth) F(SSL_set_security_level) F(SSL_set_shutdown) \
    F(SSL_shutdown) F(SSL_use_PrivateKey) F(SSL_use_certificate) F(SSL_version) F(SSL_write) F(TLS_client_method)

#define PROBE_OWNER ssl
PROBE_LIBRARY(ssl, "libssl.so.3", SSL)

const char *cprobe_openssl_fault(void) {
    const char *fault = probe_library_fault(&crypto);
    return fault != NULL ? fault : probe_library_fault(&ssl);
}
