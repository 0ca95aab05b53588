#include "CProbeLimits.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const unsigned long long mebibyte = 1ULL << 20;

// Each thread takes a stack of 8 MiB and reserves 64 MiB of addresses for its heap, aligned to as much. There are some of
// libcurl's and of lookups, and for each processor one of the event loops' and one of Swift's.
unsigned long long cprobe_needed_address_space(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1) processors = 1;
    if (processors > 8) processors = 8;
    return (384 + 144 * (unsigned long long)processors) * mebibyte;
}

// What is mapped now; 0 where that can't be read.
static unsigned long long mapped(void) {
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[64];
    ssize_t count = read(file, text, sizeof text);
    close(file);
    unsigned long long pages = 0;
    for (ssize_t i = 0; i < count && text[i] >= '0' && text[i] <= '9'; i++) {
        pages = pages * 10 + (unsigned long long)(text[i] - '0');
    }
    return pages * (unsigned long long)sysconf(_SC_PAGESIZE);
}

// Writes a number with what stands before it; without the heap, and so without printf.
static char *put(char *out, const char *text, unsigned long long number) {
    size_t length = strlen(text);
    memcpy(out, text, length);
    out += length;
    char digits[24];
    int count = 0;
    do digits[count++] = (char)('0' + number % 10); while ((number /= 10) != 0);
    while (count > 0) *out++ = digits[--count];
    return out;
}

static void check(int count, char **arguments, char **environment) {
    (void)count, (void)arguments, (void)environment;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    unsigned long long needed = mapped() + cprobe_needed_address_space();
    if (limit.rlim_cur < needed && limit.rlim_max > limit.rlim_cur) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_AS, &limit);
    }
    if (limit.rlim_cur >= needed) return;
    char message[256];
    char *end = put(message, "probe: the process may have ", limit.rlim_cur / 1024);
    end = put(end, " KiB of address space, and needs ", needed / 1024);
    end = put(end, "\n  fix: raise the limit with ulimit -v ", needed / 1024);
    *end++ = '\n';
    ssize_t written = write(STDERR_FILENO, message, (size_t)(end - message));
    (void)written;
    _exit(70);
}
#ifdef __linux__
// Runs before the constructors of every library.
__attribute__((section(".preinit_array"), used)) static void (*const checking)(int, char **, char **) = check;
#endif
