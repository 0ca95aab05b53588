#include "query.h"

#include "exchange.h"
#include "reply.h"
#include "serve.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

/// The longest wait for one try that is not the last one.
static const double patience = 5;

static const char *read_server(const json_t *value, struct server *server) {
    const char *host = json_string_value(json_object_get(value, "host"));
    json_int_t port = json_integer_value(json_object_get(value, "port"));
    if (host == NULL || port < 1 || port > 65535) return "a server has no host or no port";
    struct sockaddr_in *v4 = (struct sockaddr_in *)&server->address;
    if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons((uint16_t)port);
        snprintf(server->text, sizeof server->text, "%s:%d", host, (int)port);
    } else if (inet_pton(AF_INET6, host, &server->address.sin6_addr) == 1) {
        server->address.sin6_family = AF_INET6;
        server->address.sin6_port = htons((uint16_t)port);
        snprintf(server->text, sizeof server->text, "[%s]:%d", host, (int)port);
    } else {
        return "a server's host is no address";
    }
    return NULL;
}

const char *read_query(const json_t *message, struct query *query) {
    query->name = json_string_value(json_object_get(message, "name"));
    const json_t *servers = json_object_get(message, "servers");
    const json_t *size = json_object_get(message, "ednsSize");
    json_int_t tries = json_integer_value(json_object_get(message, "tries"));
    if (query->name == NULL) return "name is no text";
    if (json_array_size(servers) < 1 || json_array_size(servers) > maximal_servers) return "servers are none or too many";
    if (tries < 1 || tries > 100) return "tries is no number from 1 to 100";
    query->tries = (int)tries;
    query->edns_size = json_is_integer(size) ? (int)json_integer_value(size) : -1;
    if (query->edns_size > 65535) return "ednsSize is no UDP size";
    for (size_t i = 0; i < json_array_size(servers); i++) {
        const char *problem = read_server(json_array_get(servers, i), &query->servers[i]);
        if (problem != NULL) return problem;
        query->server_count += 1;
    }
    return NULL;
}

enum conclusion { SETTLED, UNDECIDED, HOPELESS };

/// Asks one server, again without EDNS where its reply demands it.
static enum conclusion ask(const struct query *query, const struct server *server, double deadline, json_t *attempts) {
    int size = query->edns_size;
    while (true) {
        struct exchange exchange = {.server = server, .edns_size = size};
        if (!exchange_prepare(&exchange, query->name)) {
            json_array_append_new(attempts, attempt_of(&exchange));
            return HOPELESS;
        }
        exchange_run(&exchange, deadline);
        json_array_append_new(attempts, attempt_of(&exchange));
        if (exchange.reply_size < 12) return UNDECIDED;
        int code = exchange.reply[3] & 15;
        if (size >= 0 && refuses_edns(exchange.reply, exchange.reply_size)) {
            size = -1;
            continue;
        }
        return code == 0 || code == 3 ? SETTLED : code == 2 ? UNDECIDED : HOPELESS;
    }
}

json_t *ask_servers(const struct query *query, double deadline) {
    json_t *attempts = json_array();
    bool hopeless[maximal_servers] = {false};
    int left = query->tries * query->server_count;
    for (int number = 0; left > 0 && number < query->tries * query->server_count; number++) {
        int index = number % query->server_count;
        double remaining = deadline - clock_now();
        if (hopeless[index]) continue;
        if (remaining <= 0 && json_array_size(attempts) > 0) break;
        double share = remaining / left;
        if (left > 1 && share > patience) share = patience;
        left -= 1;
        enum conclusion conclusion = ask(query, &query->servers[index], clock_now() + share, attempts);
        if (conclusion == SETTLED) break;
        if (conclusion == HOPELESS) {
            hopeless[index] = true;
            left = 0;
            for (int later = number + 1; later < query->tries * query->server_count; later++) {
                left += !hopeless[later % query->server_count];
            }
        }
    }
    return attempts;
}
