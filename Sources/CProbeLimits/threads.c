#ifdef __linux__

#include "CProbeLimits.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

// A limit from which on trying is not worth its time, the most threads that are tried, and how often: other processes of
// the same user may be starting too.
enum { ample = 4096, most = 512, tries = 20 };

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

// Stays until all that are tried are there.
static void *wait_at_gate(void *unused) {
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return unused;
}

// True if a file of a control group has a number that is near. It has "max" where the number is not limited.
static bool is_near(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    char text[32];
    ssize_t count = read(file, text, sizeof text);
    close(file);
    unsigned long number = 0;
    ssize_t i = 0;
    for (; i < count && text[i] >= '0' && text[i] <= '9' && number < ample; i++) {
        number = number * 10 + (unsigned long)(text[i] - '0');
    }
    return i > 0 && number < ample;
}

// True if the limit of the process's own control group of version 2 is near. A container sees its group as the root.
static bool is_own_group_near(void) {
    int file = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    char text[4096];
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return false;
    text[count] = 0;
    char *group = strstr(text, "0::");
    if (group == NULL) return false;
    group += 3;
    group[strcspn(group, "\n")] = 0;
    char path[4128] = "/sys/fs/cgroup";
    strcat(path, group);
    strcat(path, "/pids.max");
    return is_near(path);
}

static bool is_limit_near(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur < ample) return true;
    return is_own_group_near() || is_near("/sys/fs/cgroup/pids.max") || is_near("/sys/fs/cgroup/pids/pids.max");
}

// The number of threads, and two more.
static nlink_t task_links(void) {
    struct stat status;
    return stat("/proc/self/task", &status) == 0 ? status.st_nlink : 0;
}

// A thread that was joined counts for a moment longer, until the kernel has removed its folder.
static void wait_for_removal(nlink_t before) {
    for (int turn = 0; turn < 200 && task_links() > before; turn++) usleep(500);
}

// Starts threads that are there at once, and ends them.
static bool can_start(unsigned long long wanted) {
    const nlink_t before = task_links();
    pthread_t threads[most];
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setstacksize(&attributes, 1 << 20);
    unsigned long long count = 0;
    pthread_mutex_lock(&gate);
    while (count < wanted && count < most && pthread_create(&threads[count], &attributes, wait_at_gate, NULL) == 0) {
        count++;
    }
    pthread_mutex_unlock(&gate);
    for (unsigned long long i = 0; i < count; i++) pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
    wait_for_removal(before);
    return count == (wanted < most ? wanted : most);
}

// Processes that start at the same time don't try again at the same time.
static bool can_start_soon(unsigned long long wanted) {
    const useconds_t pause = 5000 + (useconds_t)getpid() * 7919 % 40000;
    for (int attempt = 0; attempt < tries; attempt++) {
        if (can_start(wanted)) return true;
        usleep(pause);
    }
    return false;
}

// Dispatch waits without end for a thread that can't be had, and other libraries end the process without a word. Whose
// other processes count is the kernel's to know, so it is tried out. A constructor, since it needs a library of threads that
// is set up; nothing of ours has begun by then.
__attribute__((constructor)) static void check_threads(void) {
    if (!is_limit_near() || can_start_soon(cprobe_needed_threads())) return;
    static const char message[] =
        "probe: the process can't start the threads that it needs\n"
        "  fix: raise the limit with ulimit -u, or the container's limit on processes (pids.max)\n";
    ssize_t written = write(STDERR_FILENO, message, strlen(message));
    (void)written;
    _exit(70);
}

#endif
