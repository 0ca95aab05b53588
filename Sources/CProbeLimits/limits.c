#include "CProbeLimits.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const unsigned long long mebibyte = 1ULL << 20;

static unsigned long long processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (unsigned long long)count;
}

// Of many processors few have work at once.
static unsigned long long busy_processors(void) { return processors() < 8 ? processors() : 8; }

// Some are libcurl's and of lookups, and each processor has one of the event loops' and one of Swift's.
unsigned long long cprobe_needed_threads(void) { return 8 + 2 * processors(); }

// Each thread takes a stack of 8 MiB and reserves 64 MiB of addresses for its heap, aligned to as much.
unsigned long long cprobe_needed_address_space(void) { return (384 + 144 * busy_processors()) * mebibyte; }

// Only the stacks and what is used of the heaps counts, since the rest of those can't be written to (getrlimit(2)).
unsigned long long cprobe_needed_data(void) { return (32 + 8 * (8 + 2 * busy_processors())) * mebibyte; }

// The fields of /proc/self/statm that count what a limit counts (proc_pid_statm(5)).
enum { mapped_pages = 0, data_pages = 5 };

// The memory that is mapped now, by a field; 0 where that can't be read.
static unsigned long long mapped(int field) {
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[128];
    ssize_t count = read(file, text, sizeof text);
    close(file);
    unsigned long long pages = 0;
    for (ssize_t i = 0; i < count && field >= 0; i++) {
        if (text[i] < '0' || text[i] > '9') {
            field--;
        } else if (field == 0) {
            pages = pages * 10 + (unsigned long long)(text[i] - '0');
        }
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

// Raises a limit as far as permitted, and ends the process where it still is too low.
static void require(int resource, int field, unsigned long long more, const char *needs, const char *fix) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    unsigned long long needed = mapped(field) + more;
    if (limit.rlim_cur < needed && limit.rlim_max > limit.rlim_cur) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(resource, &limit);
    }
    if (limit.rlim_cur >= needed) return;
    char message[256];
    char *end = put(message, "probe: the process may have ", limit.rlim_cur / 1024);
    end = put(end, needs, needed / 1024);
    end = put(end, fix, needed / 1024);
    *end++ = '\n';
    ssize_t written = write(STDERR_FILENO, message, (size_t)(end - message));
    (void)written;
    _exit(70);
}

static void check(int count, char **arguments, char **environment) {
    (void)count, (void)arguments, (void)environment;
    require(
        RLIMIT_AS, mapped_pages, cprobe_needed_address_space(), " KiB of address space, and needs ",
        "\n  fix: raise the limit with ulimit -v ");
    require(
        RLIMIT_DATA, data_pages, cprobe_needed_data(), " KiB of data, and needs ",
        "\n  fix: raise the limit with ulimit -d ");
}
#ifdef __linux__
// Runs before the constructors of every library.
__attribute__((section(".preinit_array"), used)) static void (*const checking)(int, char **, char **) = check;
#endif
