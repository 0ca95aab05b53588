#ifndef CPROBE_ALLOCATIONS_H
#define CPROBE_ALLOCATIONS_H

// A program that links this target counts its heap allocations: the functions that allocate are defined here, note the
// call and pass it on to whoever would have had it. What deallocates is left alone.

// How many allocations the calling thread has asked for since it began: every malloc, calloc, realloc, aligned_alloc,
// posix_memalign and memalign of the program and its libraries.
long cprobe_allocations(void);

// Whether they are counted at all. They are not where the C library is not glibc, and not under a sanitizer, which has
// allocating functions of its own.
int cprobe_counts_allocations(void);

#endif
