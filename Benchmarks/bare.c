// So many handshakes of a bare client in flight with a server that never answers: prints the bytes each of them takes.
//
//   bare openssl|gnutls|nio PORT COUNT
//
// With BORINGSSL it is built against BoringSSL, which has OpenSSL's API, and supports only nio.

#include <arpa/inet.h>
#include <fcntl.h>
#ifdef BORINGSSL
#include <CNIOBoringSSL.h>
#else
#include <gnutls/gnutls.h>
#include <openssl/ssl.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char *const name = "good.test";
// The library's one-time setup is not a handshake's.
enum { warming = 20 };

static int connected(unsigned short port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("connect");
        exit(1);
    }
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    return descriptor;
}

static int handshake_of_openssl(unsigned short port) {
    static SSL_CTX *context;
    if (context == NULL) context = SSL_CTX_new(TLS_client_method());
    SSL *ssl = SSL_new(context);
    return ssl != NULL && SSL_set_fd(ssl, connected(port)) && SSL_set_tlsext_host_name(ssl, name)
        && SSL_get_error(ssl, SSL_connect(ssl)) == SSL_ERROR_WANT_READ;
}

#ifndef BORINGSSL
static int handshake_of_gnutls(unsigned short port) {
    static gnutls_certificate_credentials_t credentials;
    if (credentials == NULL) gnutls_certificate_allocate_credentials(&credentials);
    static gnutls_priority_t priority;
    if (priority == NULL) gnutls_priority_init(&priority, "NORMAL", NULL);
    gnutls_session_t session;
    if (gnutls_init(&session, GNUTLS_CLIENT | GNUTLS_NONBLOCK) < 0) return 0;
    gnutls_priority_set(session, priority);
    gnutls_server_name_set(session, GNUTLS_NAME_DNS, name, strlen(name));
    gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials);
    gnutls_transport_set_int(session, connected(port));
    return gnutls_handshake(session) == GNUTLS_E_AGAIN;
}
#endif

// Returns the memory of the process, in bytes. The most that getrusage(2) reports would be that of its parent process.
static long resident(void) {
    long pages = 0;
    FILE *counts = fopen("/proc/self/statm", "r");
    if (counts == NULL || fscanf(counts, "%*d %ld", &pages) != 1) exit(1);
    fclose(counts);
    return pages * sysconf(_SC_PAGESIZE);
}

int main(int argc, char **argv) {
    if (argc != 4) return 64;
#ifdef BORINGSSL
    int (*handshake)(unsigned short) = strcmp(argv[1], "nio") == 0 ? handshake_of_openssl : NULL;
#else
    int (*handshake)(unsigned short) = strcmp(argv[1], "openssl") == 0 ? handshake_of_openssl
        : strcmp(argv[1], "gnutls") == 0                               ? handshake_of_gnutls
                                                                       : NULL;
#endif
    if (handshake == NULL) return 64;
    long count = atol(argv[3]), before = 0;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    for (long number = 0; number < count + warming; number++) {
        if (number == warming) before = resident();
        if (!handshake((unsigned short)atoi(argv[2]))) return 1;
    }
    printf("%ld\n", (resident() - before) / count);
    return 0;
}
