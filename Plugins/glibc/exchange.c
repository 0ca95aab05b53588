#include "exchange.h"

#include "bytes.h"
#include "serve.h"

#include <arpa/nameser.h>
#include <errno.h>
#include <pthread.h>
#include <resolv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

bool exchange_prepare(struct exchange *exchange, const char *name) {
    int room = (int)sizeof exchange->query - 11;
    int count = res_mkquery(ns_o_query, name, ns_c_in, ns_t_txt, NULL, 0, NULL, exchange->query, room);
    uint16_t id = 0;
    if (count < 0 || getrandom(&id, sizeof id, 0) != sizeof id) {
        exchange->failure = "bad-query";
        exchange->message = "the C library does not write a query for this name";
        return false;
    }
    exchange->query[0] = (uint8_t)(id >> 8);
    exchange->query[1] = (uint8_t)id;
    exchange->query[2] = 1; // Recursion desired, and nothing that resolv.conf may add.
    exchange->query[3] = 0;
    if (exchange->edns_size >= 0) {
        // The library knows one size alone, so that the OPT record (RFC 6891 section 6.1.2) is written here.
        uint8_t size[2] = {(uint8_t)(exchange->edns_size >> 8), (uint8_t)exchange->edns_size};
        uint8_t opt[11] = {0, 0, ns_t_opt, size[0], size[1], 0, 0, 0, 0, 0, 0};
        exchange->query[11] = 1;
        memcpy(exchange->query + count, opt, sizeof opt);
        count += (int)sizeof opt;
    }
    exchange->query_size = count;
    return true;
}

/// The state that the waiting thread and the asking one share. It is never freed: the asking one may outlive the wait, and the
/// process ends with its request.
struct call {
    struct exchange exchange;
    double seconds;
    int result, error;
    bool done;
    pthread_mutex_t lock;
    pthread_cond_t end;
};

/// Makes the state know one server alone.
static void choose(res_state state, const struct server *server, double seconds) {
    state->nscount = 1;
    state->retry = 1;
    state->retrans = seconds < 1 ? 1 : (int)(seconds + 0.999);
    state->options &= ~(unsigned long)(RES_USE_EDNS0 | RES_ROTATE | RES_USEVC | RES_IGNTC);
    if (server->address.sin6_family == AF_INET) {
        memcpy(&state->nsaddr_list[0], &server->address, sizeof state->nsaddr_list[0]);
    } else {
        struct sockaddr_in6 *address = must_allocate(sizeof *address);
        *address = server->address;
        memset(&state->nsaddr_list[0], 0, sizeof state->nsaddr_list[0]);
        free(state->_u._ext.nsaddrs[0]);
        state->_u._ext.nsaddrs[0] = address;
        state->_u._ext.nscount = 1;
    }
}

static void *call_library(void *argument) {
    struct call *call = argument;
    struct __res_state *state = must_allocate(sizeof *state);
    memset(state, 0, sizeof *state);
    int result = -1, error = 0;
    if (res_ninit(state) == 0) {
        choose(state, call->exchange.server, call->seconds);
        errno = 0;
        result = res_nsend(state, call->exchange.query, call->exchange.query_size, call->exchange.reply,
            (int)sizeof call->exchange.reply);
        error = errno;
    }
    pthread_mutex_lock(&call->lock);
    call->result = result;
    call->error = error;
    call->done = true;
    pthread_cond_signal(&call->end);
    pthread_mutex_unlock(&call->lock);
    return NULL;
}

static void report(struct exchange *exchange, const struct call *call) {
    if (call->done && call->result > 0) {
        exchange->reply_size = call->result;
        memcpy(exchange->reply, call->exchange.reply, (size_t)call->result);
    } else if (call->done && call->error == ECONNREFUSED) {
        exchange->failure = "connection-refused";
        exchange->message = "the C library found nobody, or nobody who would answer";
    } else if (!call->done || call->error == ETIMEDOUT) {
        exchange->failure = "timeout";
        exchange->message = "the C library had no answer in time";
    } else {
        exchange->failure = "gave-up";
        exchange->message = "the C library gave up, and does not say why";
    }
}

void exchange_run(struct exchange *exchange, double deadline) {
    double start = clock_now();
    struct call *call = must_allocate(sizeof *call);
    memset(call, 0, sizeof *call);
    call->exchange = *exchange;
    call->seconds = deadline - start;
    pthread_mutex_init(&call->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&call->end, &attributes);
    pthread_t thread;
    if (pthread_create(&thread, NULL, call_library, call) != 0) {
        exchange->failure = "backend-error";
        exchange->message = "no thread could be started";
        return;
    }
    pthread_detach(thread);
    struct timespec limit = {(time_t)deadline, (long)((deadline - (double)(time_t)deadline) * 1e9)};
    pthread_mutex_lock(&call->lock);
    while (!call->done && pthread_cond_timedwait(&call->end, &call->lock, &limit) == 0) continue;
    report(exchange, call);
    pthread_mutex_unlock(&call->lock);
    exchange->duration = clock_now() - start;
}
