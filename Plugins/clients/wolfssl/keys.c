#include "keys.h"

#include "errors.h"
#include "report.h"

#include <wolfssl/options.h>
#include <wolfssl/wolfcrypt/asn.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/ed25519.h>
#include <wolfssl/wolfcrypt/ed448.h>
#include <wolfssl/wolfcrypt/error-crypt.h>
#include <wolfssl/wolfcrypt/rsa.h>

/// Each writes the SubjectPublicKeyInfo of the key that it decoded; the size, or the library's error.
static int write_rsa(const DecodedCert *certificate, uint8_t *spki, word32 size) {
    RsaKey key;
    word32 place = 0;
    int result = wc_InitRsaKey(&key, NULL);
    if (result != 0) return result;
    result = wc_RsaPublicKeyDecode(certificate->publicKey, &place, &key, certificate->pubKeySize);
    if (result == 0) result = wc_RsaKeyToPublicDer(&key, spki, size);
    wc_FreeRsaKey(&key);
    return result;
}

static int write_ecc(const DecodedCert *certificate, uint8_t *spki, word32 size) {
    ecc_key key;
    word32 place = 0;
    int result = wc_ecc_init(&key);
    if (result != 0) return result;
    result = wc_EccPublicKeyDecode(certificate->publicKey, &place, &key, certificate->pubKeySize);
    if (result == 0) result = wc_EccPublicKeyToDer(&key, spki, size, 1);
    wc_ecc_free(&key);
    return result;
}

static int write_ed25519(const DecodedCert *certificate, uint8_t *spki, word32 size) {
    ed25519_key key;
    int result = wc_ed25519_init(&key);
    if (result != 0) return result;
    result = wc_ed25519_import_public(certificate->publicKey, certificate->pubKeySize, &key);
    if (result == 0) result = wc_Ed25519PublicKeyToDer(&key, spki, size, 1);
    wc_ed25519_free(&key);
    return result;
}

static int write_ed448(const DecodedCert *certificate, uint8_t *spki, word32 size) {
    ed448_key key;
    int result = wc_ed448_init(&key);
    if (result != 0) return result;
    result = wc_ed448_import_public(certificate->publicKey, certificate->pubKeySize, &key);
    if (result == 0) result = wc_Ed448PublicKeyToDer(&key, spki, size, 1);
    wc_ed448_free(&key);
    return result;
}

static int write_key(const DecodedCert *certificate, uint8_t *spki, word32 size) {
    switch (certificate->keyOID) {
    case RSAk: return write_rsa(certificate, spki, size);
    case ECDSAk: return write_ecc(certificate, spki, size);
    case ED25519k: return write_ed25519(certificate, spki, size);
    case ED448k: return write_ed448(certificate, spki, size);
    default: return ALGO_ID_E;
    }
}

json_t *read_key(struct bytes certificate) {
    DecodedCert decoded;
    uint8_t spki[4096];
    wc_InitDecodedCert(&decoded, certificate.data, (word32)certificate.size, NULL);
    int result = wc_ParseCert(&decoded, CERT_TYPE, NO_VERIFY, NULL);
    // The extensions come after the key, which is read by then.
    if (result == 0 || result == ASN_CRIT_EXT_E) result = write_key(&decoded, spki, sizeof spki);
    wc_FreeDecodedCert(&decoded);
    return result > 0 ? key_readable(spki, (size_t)result) : key_unreadable(error_words(result));
}
