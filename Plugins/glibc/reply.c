#include "reply.h"

#include "bytes.h"

#include <arpa/nameser.h>
#include <resolv.h>

/// The response code with the OPT record's part, and whether there is such a record; -1 if unknown.
static int response_code(ns_msg *message, bool *has_edns) {
    int code = ns_msg_getflag(*message, ns_f_rcode);
    *has_edns = false;
    ns_rr record;
    for (int i = 0; i < ns_msg_count(*message, ns_s_ar); i++) {
        if (ns_parserr(message, ns_s_ar, i, &record) != 0) return -1;
        if (ns_rr_type(record) != ns_t_opt) continue;
        *has_edns = true;
        code |= (int)(ns_rr_ttl(record) >> 24) << 4;
    }
    return code;
}

/// A TXT record's strings; NULL where a length goes beyond the data.
static json_t *strings_of(const uint8_t *data, int size) {
    json_t *strings = json_array();
    for (int offset = 0; offset < size; offset += 1 + data[offset]) {
        if (offset + 1 + data[offset] > size) {
            json_decref(strings);
            return NULL;
        }
        json_array_append_new(strings, json_base64(data + offset + 1, data[offset]));
    }
    return strings;
}

static json_t *native_reading(const uint8_t *reply, int size) {
    ns_msg message;
    bool has_edns = false;
    if (ns_initparse(reply, size, &message) != 0) {
        return json_pack("{s:s}", "unreadable", "ns_initparse does not take it");
    }
    int code = response_code(&message, &has_edns);
    json_t *records = json_array();
    for (int i = 0; code >= 0 && i < ns_msg_count(message, ns_s_an); i++) {
        ns_rr record;
        json_t *strings = NULL;
        if (ns_parserr(&message, ns_s_an, i, &record) != 0) {
            code = -1;
        } else if (ns_rr_type(record) == ns_t_txt && ns_rr_class(record) == ns_c_in) {
            strings = strings_of(ns_rr_rdata(record), ns_rr_rdlen(record));
            if (strings == NULL) code = -1;
        }
        if (strings != NULL) json_array_append_new(records, strings);
    }
    if (code < 0) {
        json_decref(records);
        return json_pack("{s:s}", "unreadable", "ns_parserr does not take a record");
    }
    return json_pack("{s:i, s:o}", "rcode", code, "records", records);
}

json_t *attempt_of(const struct exchange *exchange) {
    const struct exchange *e = exchange;
    json_t *reply = e->reply_size > 0 ? json_base64(e->reply, (size_t)e->reply_size) : json_null();
    json_t *native = e->reply_size > 0 ? native_reading(e->reply, e->reply_size) : json_null();
    json_t *failure =
        e->reply_size > 0 ? json_null() : json_pack("{s:s, s:s}", "code", e->failure, "message", e->message);
    json_t *size = e->edns_size < 0 ? json_null() : json_integer(e->edns_size);
    // The library reports neither whether it went over to TCP, nor what it dropped.
    return json_pack("{s:s, s:s, s:o, s:i, s:o, s:[], s:o, s:n, s:o, s:f}", "server", e->server->text, "channel",
        "unknown", "ednsSize", size, "queryID", e->query[0] << 8 | e->query[1], "reply", reply, "dropped", "native",
        native, "dnssec", "failure", failure, "duration", e->duration);
}

bool refuses_edns(const uint8_t *reply, int size) {
    int code = reply[3] & 15;
    if (code != ns_r_formerr && code != ns_r_notimpl) return false;
    if (size == NS_HFIXEDSZ) return true;
    ns_msg message;
    bool has_edns = false;
    if (ns_initparse(reply, size, &message) != 0) return false;
    return response_code(&message, &has_edns) >= 0 && !has_edns;
}
