#include "CProbeClients.h"

// In the program itself: a file beside it would be lost where only the program is installed.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const unsigned char android[] = {
#embed "../../Clients/android.yaml"
};
static const unsigned char ios[] = {
#embed "../../Clients/ios.yaml"
};
static const unsigned char macos[] = {
#embed "../../Clients/macos.yaml"
};
static const unsigned char windows[] = {
#embed "../../Clients/windows.yaml"
};
static const unsigned char java[] = {
#embed "../../Clients/java.yaml"
};
static const unsigned char openssl[] = {
#embed "../../Clients/openssl.yaml"
};
static const unsigned char gnutls[] = {
#embed "../../Clients/gnutls.yaml"
};
static const unsigned char firefox[] = {
#embed "../../Clients/firefox.yaml"
};
static const unsigned char chrome[] = {
#embed "../../Clients/chrome.yaml"
};
static const unsigned char go[] = {
#embed "../../Clients/go.yaml"
};
static const unsigned char python[] = {
#embed "../../Clients/python.yaml"
};
static const unsigned char curl[] = {
#embed "../../Clients/curl.yaml"
};
static const unsigned char mbedtls[] = {
#embed "../../Clients/mbedtls.yaml"
};
static const unsigned char wolfssl[] = {
#embed "../../Clients/wolfssl.yaml"
};
static const unsigned char flutter[] = {
#embed "../../Clients/flutter.yaml"
};
static const unsigned char dotnet[] = {
#embed "../../Clients/dotnet.yaml"
};
static const unsigned char okhttp[] = {
#embed "../../Clients/okhttp.yaml"
};

#define FILE(family) {#family, family, sizeof family}

// A family extends clients of those before it.
static const cprobe_client_file files[] = {
    FILE(android),
    FILE(ios),
    FILE(macos),
    FILE(windows),
    FILE(java),
    FILE(openssl),
    FILE(gnutls),
    FILE(firefox),
    FILE(chrome),
    FILE(go),
    FILE(python),
    FILE(curl),
    FILE(mbedtls),
    FILE(wolfssl),
    FILE(flutter),
    FILE(dotnet),
    FILE(okhttp),
};

const cprobe_client_file *cprobe_client_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
