/// The time at which Mbed TLS judges. The library turns the machine's time into a date in one function, which it
/// documents as one that a platform may replace; this definition takes the place of the library's for the whole
/// program, so that the library's own comparison, and its choice between issuers, happen at the question's instant.
#include "instant.h"

#include <mbedtls/x509.h>
#include <stddef.h>

static int64_t judged_at;

void judge_at(int64_t instant) {
    judged_at = instant;
}

struct tm *mbedtls_platform_gmtime_r(const time_t *now, struct tm *date);

struct tm *mbedtls_platform_gmtime_r(const time_t *now, struct tm *date) {
    (void)now;
    time_t instant = (time_t)judged_at;
    return gmtime_r(&instant, date);
}

bool clock_is_ours(void) {
    const mbedtls_x509_time first = {.year = 2000, .mon = 1, .day = 1}, second = {.year = 2100, .mon = 1, .day = 1};
    judge_at(0);
    bool before = mbedtls_x509_time_is_future(&first) && !mbedtls_x509_time_is_past(&second);
    judge_at(INT64_C(4133980800)); // The first of January, 2101.
    bool after = mbedtls_x509_time_is_past(&second) && !mbedtls_x509_time_is_future(&first);
    return before && after;
}
