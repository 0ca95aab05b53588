#include "CProbeSettings.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { maximum_settings = 256 };
static char *aside[maximum_settings];
static int aside_count;
static bool are_asked;

// Whole families: a library's next version may have another of them.
static const char *const prefixes[] = {
    "OPENSSL_",  // openssl-env(7): configuration, engines, modules, processor features; BoringSSL reads one of them, too
    "OSSL_", "SSL_CERT_", "GNUTLS_", "P11_KIT_",
    "CURL_",   // libcurl-env(3), curl(1)
    "CARES_",  // ares_init_options(3)
    "EVENT_",  // libevent, below libunbound
    "RESOLV_", // host.conf(5)
};
static const char *const names[] = {
    "OPENSSL",       "SSLKEYLOGFILE", "CTLOG_FILE",   "RANDFILE",    "EGDSOCKET", "QLOGDIR", "SSL_DIR",
    "RES_OPTIONS",   "LOCALDOMAIN",   "HOSTALIASES",  // resolver(3)
    "NETRC",         "NTLMUSER",
};

static size_t length_of_name(const char *entry) { return strcspn(entry, "="); }

static bool is_equal(const char *entry, size_t length, const char *name) {
    return strlen(name) == length && memcmp(entry, name, length) == 0;
}

int cprobe_is_setting(const char *entry) {
    size_t length = length_of_name(entry);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(entry, prefixes[i], strlen(prefixes[i])) == 0) return 1;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (is_equal(entry, length, names[i])) return 1;
    }
    // http_proxy, ALL_PROXY and what else there is of them.
    if (length <= 6) return 0;
    const char *end = entry + length - 6;
    return memcmp(end, "_proxy", 6) == 0 || memcmp(end, "_PROXY", 6) == 0;
}

int cprobe_settings_are_asked(void) { return are_asked; }
int cprobe_settings_count(void) { return aside_count; }
const char *cprobe_setting_at(int index) { return aside[index]; }

// Takes the settings out of an environment, in place: nothing can be allocated yet.
static void set_aside(char **environment) {
    for (char **entry = environment; *entry != NULL; entry++) {
        size_t length = length_of_name(*entry);
        if (is_equal(*entry, length, CPROBE_SETTINGS_VARIABLE)) are_asked = strcmp(*entry + length, "=1") == 0;
    }
    if (are_asked) return;
    char **kept = environment;
    for (char **entry = environment; *entry != NULL; entry++) {
        if (!cprobe_is_setting(*entry)) {
            *kept++ = *entry;
        } else if (aside_count < maximum_settings) {
            aside[aside_count++] = *entry;
        }
    }
    *kept = NULL;
}

static int argument_count;
static char **arguments_of_main;

static void prepare(int count, char **arguments, char **environment) {
    argument_count = count;
    arguments_of_main = arguments;
    set_aside(environment);
}
#ifdef __linux__
// Runs before the constructors of every library.
__attribute__((section(".preinit_array"), used)) static void (*const preparation)(int, char **, char **) = prepare;
#endif

// Files that are read where no variable names another one.
static const char *const overrides[] = {"OPENSSL_CONF", "GNUTLS_SYSTEM_PRIORITY_FILE"};

int cprobe_overrides_count(void) { return are_asked ? 0 : (int)(sizeof overrides / sizeof *overrides); }
const char *cprobe_override_at(int index) { return overrides[index]; }

// Swift's runtime looks for the arguments below the environment, where they are no longer once setenv has moved it. The
// runtime has a function for arguments from elsewhere.
void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count) __attribute__((weak));

// Runs before the libraries of the backends are opened, and after those that the program is linked against.
__attribute__((constructor)) static void finish(void) {
    if (_swift_stdlib_overrideUnsafeArgvArgc != NULL && arguments_of_main != NULL) {
        _swift_stdlib_overrideUnsafeArgvArgc(arguments_of_main, argument_count);
    }
    for (int i = 0; i < cprobe_overrides_count(); i++) setenv(overrides[i], "/dev/null", 1);
}

void cprobe_settings_restart(char *const *arguments) {
    size_t count = 0;
    while (environ[count] != NULL) count++;
    char **environment = calloc(count + (size_t)aside_count + 2, sizeof *environment);
    if (environment == NULL) return;
    size_t filled = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_ours = cprobe_is_setting(environ[i]);
        if (!is_ours) environment[filled++] = environ[i];
    }
    for (int i = 0; i < aside_count; i++) environment[filled++] = aside[i];
    environment[filled] = CPROBE_SETTINGS_VARIABLE "=1";
    execve("/proc/self/exe", arguments, environment);
    free(environment);
}
