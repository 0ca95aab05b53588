#include "walk.h"

#include "bytes.h"
#include "exchange.h"
#include "reply.h"
#include "serve.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

/// The longest wait before the next try begins.
static const double patience = 5;

enum conclusion { UNDER_WAY, SETTLED, UNDECIDED, HOPELESS };

struct walk;

/// One try at one server, on a thread of its own: its answer may be late, and counts until the deadline.
struct attempt_at {
    struct walk *walk;
    int server;
    double start;
    /// The thread's own until there is a conclusion.
    json_t *attempts;
    enum conclusion conclusion;
};

/// Never freed: a try may outlive the answer, and the process ends with its request.
struct walk {
    const struct query *query;
    double deadline;
    pthread_mutex_t lock;
    pthread_cond_t change;
    struct attempt_at *tries;
    int begun;
};

/// Asks one server, again without EDNS where its reply demands it.
static enum conclusion ask(const struct query *query, const struct server *server, double deadline, json_t *attempts) {
    int size = query->edns_size;
    while (true) {
        struct exchange exchange = {.server = server, .edns_size = size};
        if (server->lacks_interface) {
            exchange.failure = "bad-query";
            exchange.message = "the server is on an interface that this machine does not have";
        } else if (exchange_prepare(&exchange, query->name)) {
            exchange_run(&exchange, deadline);
        }
        json_array_append_new(attempts, attempt_of(&exchange));
        if (exchange.reply_size < 12) {
            return exchange.failure != NULL && strcmp(exchange.failure, "bad-query") == 0 ? HOPELESS : UNDECIDED;
        }
        int code = exchange.reply[3] & 15;
        if (size >= 0 && refuses_edns(exchange.reply, exchange.reply_size)) {
            size = -1;
            continue;
        }
        return code == 0 || code == 3 ? SETTLED : code == 2 ? UNDECIDED : HOPELESS;
    }
}

static void *run(void *argument) {
    struct attempt_at *one = argument;
    const struct query *query = one->walk->query;
    json_t *attempts = json_array();
    enum conclusion conclusion = ask(query, &query->servers[one->server], one->walk->deadline, attempts);
    pthread_mutex_lock(&one->walk->lock);
    one->attempts = attempts;
    one->conclusion = conclusion;
    pthread_cond_signal(&one->walk->change);
    pthread_mutex_unlock(&one->walk->lock);
    return NULL;
}

static void begin(struct walk *walk, int server) {
    struct attempt_at *one = &walk->tries[walk->begun++];
    *one = (struct attempt_at){.walk = walk, .server = server, .start = clock_now()};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, one) == 0) {
        pthread_detach(thread);
        return;
    }
    struct exchange exchange = {.server = &walk->query->servers[server], .edns_size = walk->query->edns_size,
        .failure = "backend-error", .message = "no thread could be started"};
    one->attempts = json_pack("[o]", attempt_of(&exchange));
    one->conclusion = UNDECIDED;
}

/// A try that another has overtaken; its thread goes on in vain.
static json_t *overtaken(const struct walk *walk, const struct attempt_at *one) {
    struct exchange exchange = {.server = &walk->query->servers[one->server], .edns_size = walk->query->edns_size,
        .failure = "timeout", .message = "a reply to another attempt came first", .duration = clock_now() - one->start};
    return json_pack("[o]", attempt_of(&exchange));
}

static json_t *collect(struct walk *walk, const struct attempt_at *answered) {
    json_t *attempts = json_array();
    for (int i = 0; i < walk->begun; i++) {
        struct attempt_at *one = &walk->tries[i];
        if (one != answered) {
            json_array_extend(attempts, one->conclusion == UNDER_WAY ? overtaken(walk, one) : one->attempts);
        }
    }
    if (answered != NULL) json_array_extend(attempts, answered->attempts);
    return attempts;
}

static void prepare(struct walk *walk, int count) {
    walk->tries = must_allocate((size_t)count * sizeof *walk->tries);
    pthread_mutex_init(&walk->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&walk->change, &attributes);
}

/// Returns a try of the server, or of any for -1, that came to the conclusion; NULL if none did.
static struct attempt_at *concluded(struct walk *walk, int server, enum conclusion conclusion) {
    for (int i = 0; i < walk->begun; i++) {
        struct attempt_at *one = &walk->tries[i];
        if (one->conclusion == conclusion && (server < 0 || one->server == server)) return one;
    }
    return NULL;
}

json_t *ask_servers(const struct query *query, double deadline) {
    int count = query->tries * query->server_count;
    struct walk *walk = must_allocate(sizeof *walk);
    *walk = (struct walk){.query = query, .deadline = deadline};
    prepare(walk, count);
    pthread_mutex_lock(&walk->lock);
    int next = 0;
    double due = clock_now();
    struct attempt_at *answered = NULL;
    while (answered == NULL) {
        while (next < count && concluded(walk, next % query->server_count, HOPELESS) != NULL) next++;
        double now = clock_now();
        bool is_over = walk->begun > 0 && walk->tries[walk->begun - 1].conclusion != UNDER_WAY;
        if (next < count && (is_over || now >= due) && (walk->begun == 0 || now < deadline)) {
            double share = (deadline - now) / (count - next);
            due = now + (share < patience ? share : patience);
            begin(walk, next++ % query->server_count);
            continue;
        }
        if (concluded(walk, -1, UNDER_WAY) == NULL) break;
        double wake = next < count && now < deadline ? due : deadline + patience;
        struct timespec limit = {(time_t)wake, (long)((wake - (double)(time_t)wake) * 1e9)};
        if (pthread_cond_timedwait(&walk->change, &walk->lock, &limit) == ETIMEDOUT && wake > deadline) break;
        answered = concluded(walk, -1, SETTLED);
    }
    json_t *attempts = collect(walk, answered);
    pthread_mutex_unlock(&walk->lock);
    return attempts;
}
