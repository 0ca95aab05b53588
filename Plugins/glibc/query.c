#include "query.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// An interface's number; 0 where this machine does not have it.
static uint32_t scope_of(const char *zone) {
    char *end;
    unsigned long number = strtoul(zone, &end, 10);
    return *zone != '\0' && *end == '\0' ? (uint32_t)number : if_nametoindex(zone);
}

static const char *read_server(const json_t *value, struct server *server) {
    const char *host = json_string_value(json_object_get(value, "host"));
    const char *zone = json_string_value(json_object_get(value, "zone"));
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
        if (zone != NULL) server->address.sin6_scope_id = scope_of(zone);
        server->lacks_interface = zone != NULL && server->address.sin6_scope_id == 0;
        snprintf(server->text, sizeof server->text, "[%s%s%.16s]:%d", host, zone == NULL ? "" : "%",
            zone == NULL ? "" : zone, (int)port);
    } else {
        return "a server's host is not an address";
    }
    return NULL;
}

const char *read_query(const json_t *message, struct query *query) {
    query->name = json_string_value(json_object_get(message, "name"));
    const json_t *servers = json_object_get(message, "servers");
    const json_t *size = json_object_get(message, "ednsSize");
    json_int_t tries = json_integer_value(json_object_get(message, "tries"));
    if (query->name == NULL) return "name is not a text";
    if (json_array_size(servers) < 1 || json_array_size(servers) > maximal_servers) return "servers are missing or too many";
    if (tries < 1 || tries > 100) return "tries is not a number from 1 to 100";
    query->tries = (int)tries;
    query->edns_size = json_is_integer(size) ? (int)json_integer_value(size) : -1;
    if (query->edns_size > 65535) return "ednsSize is not a UDP size";
    for (size_t i = 0; i < json_array_size(servers); i++) {
        const char *problem = read_server(json_array_get(servers, i), &query->servers[i]);
        if (problem != NULL) return problem;
        query->server_count += 1;
    }
    return NULL;
}
