"""The libcurl of the wheel and the BoringSSL inside it: their functions with their types.

Most are hidden in the extension; the symbol table says where they are. Python's lock is free while one runs.
"""

import ctypes

from shipped_openssl import symbols

POINTER, INT, LONG, TEXT, SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_char_p, ctypes.c_size_t
_OUT, _BYTES = ctypes.POINTER(POINTER), ctypes.POINTER(TEXT)

OPEN_CALLBACK = ctypes.CFUNCTYPE(INT, POINTER, INT, POINTER)
OPENED_CALLBACK = ctypes.CFUNCTYPE(INT, POINTER, INT, INT)
CLOSE_CALLBACK = ctypes.CFUNCTYPE(INT, POINTER, INT)
CONTEXT_CALLBACK = ctypes.CFUNCTYPE(INT, POINTER, POINTER, POINTER)
INFO_CALLBACK = ctypes.CFUNCTYPE(None, POINTER, INT, INT)
CERTIFICATE_CALLBACK = ctypes.CFUNCTYPE(INT, POINTER, POINTER)
VERIFY_CALLBACK = ctypes.CFUNCTYPE(INT, INT, POINTER)

# A function: its result and its arguments.
_FUNCTIONS = {
    "curl_global_init": (INT, LONG),
    "curl_version": (TEXT,),
    "curl_easy_init": (POINTER,),
    "curl_easy_impersonate": (INT, POINTER, TEXT, INT),
    "curl_easy_cleanup": (None, POINTER),
    "curl_multi_init": (POINTER,),
    "curl_multi_add_handle": (INT, POINTER, POINTER),
    "curl_multi_perform": (INT, POINTER, ctypes.POINTER(INT)),
    "curl_multi_info_read": (POINTER, POINTER, ctypes.POINTER(INT)),
    "curl_multi_remove_handle": (INT, POINTER, POINTER),
    "curl_multi_cleanup": (INT, POINTER),
    "curl_slist_append": (POINTER, POINTER, TEXT),
    "curl_slist_free_all": (None, POINTER),
    "Curl_cert_hostcheck": (ctypes.c_bool, TEXT, SIZE, TEXT, SIZE),
    "SSL_CTX_set_info_callback": (None, POINTER, INFO_CALLBACK),
    "SSL_CTX_set_cert_cb": (None, POINTER, CERTIFICATE_CALLBACK, POINTER),
    "SSL_set_alpn_protos": (INT, POINTER, TEXT, SIZE),
    "SSL_get0_peer_certificates": (POINTER, POINTER),
    "SSL_get0_server_requested_CAs": (POINTER, POINTER),
    "SSL_get_servername": (TEXT, POINTER, INT),
    "SSL_version": (INT, POINTER),
    "SSL_get_current_cipher": (POINTER, POINTER),
    "SSL_CIPHER_standard_name": (TEXT, POINTER),
    "SSL_get_group_id": (ctypes.c_uint16, POINTER),
    "SSL_get0_alpn_selected": (None, POINTER, _OUT, ctypes.POINTER(ctypes.c_uint)),
    "SSL_get0_ocsp_response": (None, POINTER, _OUT, ctypes.POINTER(SIZE)),
    "SSL_get0_signed_cert_timestamp_list": (None, POINTER, _OUT, ctypes.POINTER(SIZE)),
    "SSL_alert_desc_string_long": (TEXT, INT),
    "SSL_set_bio": (None, POINTER, POINTER, POINTER),
    "SSL_shutdown": (INT, POINTER),
    "SSL_read": (INT, POINTER, POINTER, INT),
    "BIO_new": (POINTER, POINTER),
    "BIO_s_mem": (POINTER,),
    "BIO_read": (INT, POINTER, POINTER, INT),
    "BIO_write": (INT, POINTER, TEXT, INT),
    "ERR_clear_error": (None,),
    "ERR_peek_error": (ctypes.c_uint32,),
    "ERR_reason_error_string": (TEXT, ctypes.c_uint32),
    "CRYPTO_BUFFER_data": (POINTER, POINTER),
    "CRYPTO_BUFFER_len": (SIZE, POINTER),
    "OPENSSL_free": (None, POINTER),
    "OPENSSL_sk_new_null": (POINTER,),
    "OPENSSL_sk_push": (SIZE, POINTER, POINTER),
    "OPENSSL_sk_num": (SIZE, POINTER),
    "OPENSSL_sk_value": (POINTER, POINTER, SIZE),
    "OPENSSL_sk_free": (None, POINTER),
    "d2i_X509": (POINTER, POINTER, _BYTES, LONG),
    "i2d_X509": (INT, POINTER, _OUT),
    "i2d_PUBKEY": (INT, POINTER, _OUT),
    "X509_free": (None, POINTER),
    "X509_get_pubkey": (POINTER, POINTER),
    "EVP_PKEY_free": (None, POINTER),
    "X509_get_ext_d2i": (POINTER, POINTER, INT, POINTER, POINTER),
    "GENERAL_NAME_get0_value": (POINTER, POINTER, ctypes.POINTER(INT)),
    "GENERAL_NAMES_free": (None, POINTER),
    "X509_get_subject_name": (POINTER, POINTER),
    "X509_NAME_get_index_by_NID": (INT, POINTER, INT, INT),
    "X509_NAME_get_entry": (POINTER, POINTER, INT),
    "X509_NAME_ENTRY_get_data": (POINTER, POINTER),
    "ASN1_STRING_get0_data": (POINTER, POINTER),
    "ASN1_STRING_length": (INT, POINTER),
    "ASN1_STRING_to_UTF8": (INT, _OUT, POINTER),
    "X509_STORE_new": (POINTER,),
    "X509_STORE_free": (None, POINTER),
    "X509_STORE_add_cert": (INT, POINTER, POINTER),
    "X509_STORE_set_flags": (INT, POINTER, ctypes.c_ulong),
    "X509_STORE_CTX_new": (POINTER,),
    "X509_STORE_CTX_free": (None, POINTER),
    "X509_STORE_CTX_init": (INT, POINTER, POINTER, POINTER, POINTER),
    "X509_STORE_CTX_set_default": (INT, POINTER, TEXT),
    "X509_STORE_CTX_get0_param": (POINTER, POINTER),
    "X509_STORE_CTX_get0_chain": (POINTER, POINTER),
    "X509_STORE_CTX_get_error": (INT, POINTER),
    "X509_STORE_CTX_get_error_depth": (INT, POINTER),
    "X509_STORE_CTX_set_verify_cb": (None, POINTER, VERIFY_CALLBACK),
    "X509_VERIFY_PARAM_set_time_posix": (None, POINTER, ctypes.c_int64),
    "X509_VERIFY_PARAM_set_depth": (None, POINTER, INT),
    "X509_verify_cert": (INT, POINTER),
    "X509_verify_cert_error_string": (TEXT, LONG),
}
_ALL_FEATURES = 3


class Library:
    """The functions as attributes, by their names."""

    title = "BoringSSL"
    # Its handshake refuses what is behind a certificate.
    refuses_rest = True

    def __init__(self, path):
        places = symbols.functions(path)
        # Kept, so that it stays loaded.
        self._handle = ctypes.CDLL(str(path))
        base = ctypes.cast(self._handle.curl_easy_init, POINTER).value - places["curl_easy_init"]
        for name, (result, *arguments) in _FUNCTIONS.items():
            if name not in places:
                raise ValueError(f"{path} has no {name}")
            setattr(self, name, ctypes.CFUNCTYPE(result, *arguments)(base + places[name]))
        self._set_option = {
            kind: ctypes.CFUNCTYPE(INT, POINTER, INT, kind)(base + places["curl_easy_setopt"])
            for kind in (LONG, TEXT, POINTER)
        }
        self.curl_global_init(_ALL_FEATURES)
        self.version = self.curl_version().decode().split()[0].removeprefix("libcurl/")

    def set_option(self, easy, option, value):
        """Sets an option of libcurl to a number, a text, or anything else as a pointer; whether it takes it."""
        kind = LONG if isinstance(value, int) else TEXT if isinstance(value, bytes) else POINTER
        value = value if kind is not POINTER else ctypes.cast(value, POINTER)
        return self._set_option[kind](easy, option, value) == 0

    def elements(self, stack):
        """The elements of a stack, which belong to somebody else."""
        return [self.OPENSSL_sk_value(stack, index) for index in range(self.OPENSSL_sk_num(stack))] if stack else []

    def buffer(self, buffer):
        """The bytes of a CRYPTO_BUFFER."""
        return ctypes.string_at(self.CRYPTO_BUFFER_data(buffer), self.CRYPTO_BUFFER_len(buffer))

    def string(self, string):
        """The bytes of an ASN1_STRING."""
        return ctypes.string_at(self.ASN1_STRING_get0_data(string), self.ASN1_STRING_length(string))

    def encoded(self, encode, thing):
        """The library's DER of a thing; None where it can't write it."""
        memory = POINTER()
        count = encode(thing, ctypes.byref(memory))
        self.ERR_clear_error()
        if count <= 0:
            return None
        try:
            return ctypes.string_at(memory, count)
        finally:
            self.OPENSSL_free(memory)
