/// The time at which wolfSSL judges: it asks a callback for it, of which there is one a process.
#include "instant.h"

#include <wolfssl/options.h>
#include <wolfssl/wolfcrypt/asn.h>

static int64_t judged_at;

static time_t current_time(time_t *time) {
    time_t instant = (time_t)judged_at;
    if (time != NULL) *time = instant;
    return instant;
}

void judge_at(int64_t instant) {
    judged_at = instant;
    (void)wc_SetTimeCb(current_time);
}

bool clock_is_ours(void) {
    judge_at(86400);
    return wc_Time(NULL) == 86400;
}
