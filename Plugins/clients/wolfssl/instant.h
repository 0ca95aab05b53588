#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Sets the time at which wolfSSL judges from now on. A process judges one question at a time.
void judge_at(int64_t instant);

/// Returns whether the library judges at that time.
bool clock_is_ours(void);
