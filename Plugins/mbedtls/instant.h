#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/// Sets the time at which validity is judged from now on. A process judges one question at a time.
void judge_at(int64_t instant);

/// True if the library does judge at that time.
bool clock_is_ours(void);
