#include "serve.h"

#include "answer.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { maximal_line = 16 * 1024 * 1024, maximal_processes = 64 };

/// The time that a request's process may live beyond its deadline, and that of those that are left beyond the input.
static const double grace = 0.3, farewell = 1.5;

/// The serving process' state. It has no thread.
static struct {
    const struct backend *backend;
    struct {
        pid_t process;
        json_int_t id;
        bool is_handshake;
    } running[maximal_processes];
    int running_count;
    /// The bytes of a line that is not complete yet.
    char *input;
    size_t size, capacity;
    /// The time at which the last of it was read: a line may wait for a process, its deadline does not.
    double arrival;
    /// True while a line that is too long is being passed over.
    bool skipping;
} server;

double clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

json_t *error_reply(json_int_t id, const char *message) {
    return json_pack("{s:I, s:s, s:s}", "id", id, "type", "error", "message", message);
}

/// The reply for a process that its timer ended. Of a handshake that says nothing about the peer: a busy machine is as
/// likely a reason as a hostile one.
static json_t *late_reply(json_int_t id, bool is_handshake) {
    const char *message = "the library did not come to an end within the deadline";
    if (!is_handshake) return error_reply(id, message);
    return json_pack("{s:I, s:s, s:{s:{s:s, s:s}}}", "id", id, "type", "handshake", "report", "failure", "code",
        "local-overload", "message", message);
}

static json_t *hello(json_int_t id) {
    const struct backend *backend = server.backend;
    json_t *capabilities = json_array();
    for (size_t i = 0; backend->capabilities[i] != NULL; i++) {
        json_array_append_new(capabilities, json_string(backend->capabilities[i]));
    }
    return json_pack("{s:I, s:s, s:i, s:s, s:s, s:s, s:s, s:o}", "id", id, "type", "hello", "protocol", 1, "kind",
        backend->kind, "name", backend->name, "library", backend->library, "version", backend->version(),
        "capabilities", capabilities);
}

static json_t *reply_to(const json_t *message) {
    json_int_t id = json_integer_value(json_object_get(message, "id"));
    const char *type = json_string_value(json_object_get(message, "type"));
    if (type == NULL) return error_reply(id, "type is not a text");
    if (strcmp(type, "hello") == 0) return hello(id);
    return answer(server.backend, type, message, server.arrival);
}

static void note_child(int signal) {
    (void)signal; // It only has to interrupt the wait.
}

/// The life of a request's process; it never returns.
static _Noreturn void answer_here(json_t *message) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGCHLD, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    close(STDIN_FILENO);
    open("/dev/null", O_RDONLY | O_CLOEXEC);
    free(server.input);
    double seconds = 0;
    if (read_deadline(message, &seconds) == NULL) {
        double limit = server.arrival + seconds + grace - clock_now();
        if (limit < 0.01) limit = 0.01;
        struct itimerval timer = {.it_value = {(time_t)limit, (suseconds_t)((limit - (double)(time_t)limit) * 1e6)}};
        setitimer(ITIMER_REAL, &timer, NULL);
    }
    json_t *reply = reply_to(message);
    json_decref(message);
    signal(SIGALRM, SIG_IGN); // A line that was begun is written to its end.
    _exit(output_reply(reply) ? EXIT_SUCCESS : EXIT_FAILURE); // Nothing after the reply can be taken for another end.
}

static void begin(const char *line, size_t length) {
    json_error_t error;
    json_t *message = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(message) || !json_is_integer(json_object_get(message, "id"))) {
        fputs("a line that is not a JSON object with an id was passed over\n", stderr);
        json_decref(message);
        return;
    }
    json_int_t id = json_integer_value(json_object_get(message, "id"));
    const char *type = json_string_value(json_object_get(message, "type"));
    bool is_handshake = type != NULL && strcmp(type, "handshake") == 0;
    pid_t process = fork();
    if (process == 0) answer_here(message);
    json_decref(message);
    if (process < 0) {
        output_reply(error_reply(id, "no process could be started for this request"));
        return;
    }
    server.running[server.running_count].process = process;
    server.running[server.running_count].id = id;
    server.running[server.running_count].is_handshake = is_handshake;
    server.running_count += 1;
}

/// Answers for the processes that ended without having answered.
static void reap(void) {
    for (int i = server.running_count - 1; i >= 0; i--) {
        int status = 0;
        if (waitpid(server.running[i].process, &status, WNOHANG) <= 0) continue;
        json_int_t id = server.running[i].id;
        bool is_handshake = server.running[i].is_handshake;
        server.running_count -= 1;
        server.running[i] = server.running[server.running_count];
        if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS) continue;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
            output_reply(late_reply(id, is_handshake));
            continue;
        }
        char message[100];
        snprintf(message, sizeof message, "the process of this request ended with the wait status %d", status);
        output_reply(error_reply(id, message));
    }
}

/// Begins what is in the lines that are whole, as long as there is room for more processes.
static void take_lines(void) {
    if (server.size == 0) return;
    size_t taken = 0;
    char *end;
    while (server.running_count < maximal_processes
           && (end = memchr(server.input + taken, '\n', server.size - taken)) != NULL) {
        size_t length = (size_t)(end - server.input) - taken;
        if (!server.skipping) begin(server.input + taken, length);
        server.skipping = false;
        taken += length + 1;
    }
    if (taken > 0) memmove(server.input, server.input + taken, server.size - taken);
    server.size -= taken;
}

/// Reads what there is; false at the end of the input.
static bool read_input(void) {
    if (server.size == server.capacity && server.capacity == maximal_line) {
        fputs("a line that is too long was passed over\n", stderr);
        server.skipping = true;
        server.size = 0;
    }
    if (server.size == server.capacity) {
        size_t capacity = server.capacity == 0 ? 65536 : server.capacity * 2;
        char *input = realloc(server.input, capacity);
        if (input == NULL) return false;
        server.input = input;
        server.capacity = capacity;
    }
    ssize_t count = read(STDIN_FILENO, server.input + server.size, server.capacity - server.size);
    if (count < 0) return errno == EINTR;
    server.size += (size_t)count;
    server.arrival = clock_now();
    return count > 0;
}

/// Waits for input, where it is wanted, or for the end of a process.
static bool wait_for(bool input, double seconds) {
    struct pollfd poll = {.fd = input ? STDIN_FILENO : -1, .events = POLLIN};
    struct timespec limit = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    sigset_t none;
    sigemptyset(&none);
    return ppoll(&poll, 1, &limit, &none) > 0;
}

/// Lets the processes that are left end, and ends those that don't.
static void say_farewell(void) {
    double end = clock_now() + farewell;
    for (reap(); server.running_count > 0 && clock_now() < end; reap()) wait_for(false, 0.1);
    for (int i = 0; i < server.running_count; i++) {
        kill(server.running[i].process, SIGKILL);
        waitpid(server.running[i].process, NULL, 0);
    }
}

int serve(const struct backend *backend) {
    server.backend = backend;
    if (!output_open()) return EXIT_FAILURE;
    signal(SIGPIPE, SIG_IGN);
    struct sigaction action = {.sa_handler = note_child};
    sigaction(SIGCHLD, &action, NULL);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    bool open = true;
    while (open) {
        if (wait_for(server.running_count < maximal_processes, 60)) open = read_input();
        reap();
        take_lines();
    }
    say_farewell();
    free(server.input);
    return EXIT_SUCCESS;
}
