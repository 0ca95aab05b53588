// A library whose functions take arguments in every kind of register and on the stack, and return a large value.
#include <stdarg.h>

#include "opened.h"

double total(int count, ...) {
    va_list arguments;
    va_start(arguments, count);
    double sum = 0;
    for (int index = 0; index < count; index++) sum += va_arg(arguments, double);
    va_end(arguments);
    return sum;
}

long weighted(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

struct large large(long first, double second) {
    struct large large = {{first, first + 1, first + 2, first + 3}, {second, second + 1, second + 2, second + 3}};
    return large;
}
