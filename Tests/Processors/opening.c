// Calls each function of libopened.so twice: the first call opens the library, the second finds it open.
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "CProbeLibrary.h"
#include "opened.h"

#define FUNCTIONS(F) F(total) F(weighted) F(large)
#define PROBE_OWNER opened
PROBE_LIBRARY(opened, "libopened.so", FUNCTIONS)
#undef PROBE_OWNER

#define LACKING(F) F(nowhere)
#define PROBE_OWNER lacking
PROBE_LIBRARY(lacking, "libopened.so", LACKING)
#undef PROBE_OWNER

#define ABSENT(F) F(elsewhere)
#define PROBE_OWNER absent
PROBE_LIBRARY(absent, "libabsent.so", ABSENT)

int main(void) {
    for (int round = 0; round < 2; round++) {
        if (fabs(total(10, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5) - 60) > 1e-9) return puts("total"), 1;
        if (weighted(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) != 385) return puts("weighted"), 1;
        struct large got = large(40, 0.25);
        for (int index = 0; index < 4; index++) {
            if (got.numbers[index] != 40 + index || got.fractions[index] != 0.25 + index) return puts("large"), 1;
        }
    }
    if (probe_library_fault(&opened) != NULL) return puts("opened"), 1;
    const char *fault = probe_library_fault(&lacking);
    if (fault == NULL || strcmp(fault, "libopened.so lacks nowhere") != 0) return puts("lacking"), 1;
    fault = probe_library_fault(&absent);
    if (fault == NULL || strstr(fault, "libabsent.so") == NULL) return puts("absent"), 1;
    // A program that runs for long asks again and again for what is not there.
    size_t before = mallinfo2().uordblks;
    for (int round = 0; round < 10000; round++) probe_library_fault(&absent);
    if (mallinfo2().uordblks > before + 4096) return puts("memory"), 1;
    puts("opened");
    return 0;
}
