#ifndef CPROBE_CURL_SHIM_H
#define CPROBE_CURL_SHIM_H

// libcurl's own check of variadic arguments; the functions below do the same with types.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <errno.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Variadic functions, which Swift can't call: one typed function for each kind of argument.

static inline CURLcode cprobe_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl copies the string.
static inline CURLcode cprobe_easy_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

// The caller owns the pointee, which has to outlive the handle.
static inline CURLcode cprobe_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

// The list stays the caller's, and has to outlive the transfer.
static inline CURLcode cprobe_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(easy, option, list);
}

static inline CURLcode cprobe_easy_set_context_function(
    CURL *easy, CURLcode (*function)(CURL *easy, void *context, void *data)
) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, function);
}

// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode cprobe_easy_set_piece_function(
    CURL *easy, CURLoption option, size_t (*function)(char *bytes, size_t size, size_t count, void *data)
) {
    return curl_easy_setopt(easy, option, function);
}

// The sockets that were opened last, each with its inode: the number of one that libcurl closed may be another socket's by now.
struct cprobe_opened_sockets {
    curl_socket_t sockets[16];
    ino_t inodes[16];
    unsigned count;
    // The system's error if the last one could not be opened, else 0.
    int error;
};

static inline void cprobe_keep_socket(struct cprobe_opened_sockets *opened, curl_socket_t socket) {
    struct stat status;
    if (fstat(socket, &status) != 0) return;
    unsigned place = opened->count++ % 16;
    opened->sockets[place] = socket;
    opened->inodes[place] = status.st_ino;
}

// The one that is connected, else one that is at least open, since a connection that was reset has no peer any more;
// CURL_SOCKET_BAD if all were closed. Those that lost are closed before TLS begins (libcurl 7.88, lib/connect.c).
static inline curl_socket_t cprobe_connected_socket(const struct cprobe_opened_sockets *opened) {
    curl_socket_t open = CURL_SOCKET_BAD;
    for (unsigned place = 0; place < opened->count && place < 16; place++) {
        struct stat status;
        curl_socket_t socket = opened->sockets[place];
        if (fstat(socket, &status) != 0 || status.st_ino != opened->inodes[place]) continue;
        open = socket;
        struct sockaddr_storage peer;
        socklen_t size = sizeof peer;
        if (getpeername(socket, (struct sockaddr *)&peer, &size) == 0) break;
    }
    return open;
}

static inline curl_socket_t cprobe_open_socket(void *data, curlsocktype purpose, struct curl_sockaddr *address) {
    struct cprobe_opened_sockets *opened = data;
    curl_socket_t next = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    opened->error = next == CURL_SOCKET_BAD ? errno : 0;
    if (next != CURL_SOCKET_BAD) cprobe_keep_socket(opened, next);
    return next;
}

// Has libcurl's sockets opened as it opens them itself, closed on exec besides, and kept in `opened`: CURLINFO_OS_ERRNO is that
// of connect() alone (libcurl 7.88, lib/connect.c), and CURLINFO_ACTIVESOCKET has no socket before the transfer is over.
static inline CURLcode cprobe_easy_keep_sockets(CURL *easy, struct cprobe_opened_sockets *opened) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, opened);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, cprobe_open_socket) : code;
}

// 1 if there is something to read from a socket within this time, the end of its connection included; 0 if not; -1 if nothing
// can ever come, because the socket is closed or has no connection.
static inline int cprobe_socket_has_input(curl_socket_t socket, int milliseconds) {
    struct pollfd polled = {.fd = socket, .events = POLLIN};
    int count = poll(&polled, 1, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    if (count == 0) return 0;
    return (polled.revents & POLLIN) != 0 ? 1 : -1;
}

// glibc declares it with _GNU_SOURCE only. Other systems have no event for an end behind bytes that were not read: there it is never
// seen, and the time passes.
#ifndef POLLRDHUP
#ifdef __linux__
#define POLLRDHUP 0x2000
#else
#define POLLRDHUP 0
#endif
#endif

// 1 if the peer has ended the connection, whatever it sent before; 0 if not within the time.
static inline int cprobe_socket_has_ended(curl_socket_t socket, int milliseconds) {
    struct pollfd polled = {.fd = socket, .events = POLLRDHUP};
    return poll(&polled, 1, milliseconds) > 0;
}

// The bytes that came over a socket and were not read yet.
static inline int cprobe_socket_unread(curl_socket_t socket) {
    int count = 0;
    return ioctl(socket, FIONREAD, &count) == 0 ? count : 0;
}

static inline int cprobe_socket_is_connected(void *data, curl_socket_t socket, curlsocktype purpose) {
    return CURL_SOCKOPT_ALREADY_CONNECTED;
}

// `function` is called with CURLOPT_OPENSOCKETDATA and returns a connected socket, or CURL_SOCKET_BAD; libcurl closes it.
static inline CURLcode cprobe_easy_set_connected_socket_function(
    CURL *easy, curl_socket_t (*function)(void *data, curlsocktype purpose, struct curl_sockaddr *address)
) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, cprobe_socket_is_connected);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function) : code;
}

// Called with `data` when the connection is there and before anything is sent over it.
static inline CURLcode cprobe_easy_set_request_function(
    CURL *easy, int (*function)(void *data, char *peer, char *own, int peer_port, int own_port)
) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

// libcurl copies CURLOPT_POSTFIELDSIZE bytes; set that first.
static inline CURLcode cprobe_easy_set_copied_body(CURL *easy, const void *bytes) {
    return curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode cprobe_easy_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

// The socket of a connection that was left open, or CURL_SOCKET_BAD.
static inline curl_socket_t cprobe_easy_socket(CURL *easy) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : CURL_SOCKET_BAD;
}

// The string stays libcurl's.
static inline CURLcode cprobe_easy_get_string(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline const struct curl_certinfo *cprobe_easy_certinfo(CURL *easy) {
    struct curl_certinfo *info = NULL;
    return curl_easy_getinfo(easy, CURLINFO_CERTINFO, &info) == CURLE_OK ? info : NULL;
}

// Meaningful where `msg` is CURLMSG_DONE, the only kind there is.
static inline CURLcode cprobe_message_result(const CURLMsg *message) { return message->data.result; }

// CURL_SSLVERSION_* and CURL_SSLVERSION_MAX_* of the wire values 0x0301 to 0x0304.
static inline long cprobe_ssl_version(int oldest, int newest) {
    return (CURL_SSLVERSION_TLSv1_0 + (oldest - 0x0301)) | ((long)(CURL_SSLVERSION_TLSv1_0 + (newest - 0x0301)) << 16);
}

// CURL_HTTP_VERSION_2TLS is an enumerator of an anonymous enum: HTTP/2 where ALPN agrees on it, else HTTP/1.1.
static inline long cprobe_http2_over_tls(void) { return CURL_HTTP_VERSION_2TLS; }
static inline long cprobe_http11(void) { return CURL_HTTP_VERSION_1_1; }
static inline int cprobe_has_http2(void) {
    return (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2) != 0;
}

// The value of a field of the last response, no interim one, which stays libcurl's; NULL beyond the last.
static inline const char *cprobe_easy_field(CURL *easy, const char *name, size_t index) {
    struct curl_header *field = NULL;
    return curl_easy_header(easy, name, index, CURLH_HEADER, -1, &field) == CURLHE_OK ? field->value : NULL;
}

// The loaded library's version, and that of the TLS library it was built with.
static inline const char *cprobe_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version; }
static inline const char *cprobe_curl_tls_version(void) { return curl_version_info(CURLVERSION_NOW)->ssl_version; }

// The calling thread's name, 15 characters at most; variadic too.
static inline void cprobe_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

// The calling thread's number in /proc/self/task.
static inline long cprobe_thread_number(void) { return syscall(SYS_gettid); }

static inline CURLcode cprobe_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// True if the TLS library below libcurl is this file: its objects are handed to functions of ours.
int cprobe_curl_is_over(const char *file);

// Opens the library. NULL, or why it can't be used on this machine.
const char *cprobe_curl_fault(void);

#endif
