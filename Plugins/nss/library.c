#include "library.h"

#include "report.h"

#include <keyhi.h>
#include <nss.h>
#include <pk11pub.h>
#include <prerror.h>
#include <secerr.h>
#include <ssl.h>
#include <stdio.h>

bool library_start(void) {
    // NSS lets certificates begin a day early, for clocks that are wrong. The instant of a request is not such a clock.
    return NSS_NoDB_Init(NULL) == SECSuccess && NSS_SetDomesticPolicy() == SECSuccess
        && CERT_SetSlopTime(0) == SECSuccess;
}

void library_end(void) {
    SSL_ClearSessionCache();
    if (NSS_Shutdown() != SECSuccess) fprintf(stderr, "NSS did not end: %s\n", error_name(PR_GetError()));
}

const char *error_words(PRErrorCode error) {
    const char *words = PR_ErrorToString(error, PR_LANGUAGE_I_DEFAULT);
    return words == NULL || words[0] == '\0' ? "an unknown error of NSS" : words;
}

const char *error_name(PRErrorCode error) {
    const char *name = PR_ErrorToName(error);
    return name == NULL ? "unknown" : name;
}

CERTCertificate *certificate_import(struct bytes der) {
    SECItem item = {siBuffer, der.data, (unsigned)der.size};
    return CERT_NewTempCertificate(CERT_GetDefaultCertDB(), &item, NULL, PR_FALSE, PR_TRUE);
}

json_t *read_key(struct bytes certificate) {
    CERTCertificate *decoded = certificate_import(certificate);
    SECKEYPublicKey *key = decoded == NULL ? NULL : CERT_ExtractPublicKey(decoded);
    SECItem *spki = key == NULL ? NULL : SECKEY_EncodeDERSubjectPublicKeyInfo(key);
    json_t *reading =
        spki == NULL ? key_unreadable(error_name(PR_GetError())) : key_readable(spki->data, spki->len);
    if (spki != NULL) SECITEM_FreeItem(spki, PR_TRUE);
    if (key != NULL) SECKEY_DestroyPublicKey(key);
    if (decoded != NULL) CERT_DestroyCertificate(decoded);
    return reading;
}
