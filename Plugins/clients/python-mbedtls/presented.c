/// The chain that a server presented, as c-support's tap read it from the records, for Python. The process of a request has one
/// connection, so that there is one tap, which lives as long as the process.
#include "tap.h"

static struct tap tap;

/// The fields of `Presented` in presented.py, in the same order.
struct presented {
    int version, suite, curve, alert, chain_too_long, chain_is_under_way, certificate_requested;
    int certificate_count;
};

void presented_feed(const uint8_t *data, size_t size) {
    tap_feed(&tap, data, size);
}

void presented_facts(struct presented *facts) {
    *facts = (struct presented){
        .version = tap.version,
        .suite = tap.suite,
        .curve = tap.curve,
        .alert = tap.has_alert ? tap.alert : -1,
        .chain_too_long = tap.chain_too_long,
        .chain_is_under_way = tap_is_in_chain(&tap),
        .certificate_requested = tap.certificate_requested,
        .certificate_count = (int)tap.chain.count,
    };
}

/// The bytes of a certificate; `index` is below `certificate_count`.
const uint8_t *presented_certificate(int index, size_t *size) {
    *size = tap.chain.items[index].size;
    return tap.chain.items[index].data;
}
