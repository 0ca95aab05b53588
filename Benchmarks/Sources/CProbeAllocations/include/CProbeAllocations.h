#ifndef CPROBE_ALLOCATIONS_H
#define CPROBE_ALLOCATIONS_H

// A program that links this target counts its heap allocations: the functions that allocate are defined here, count the
// call and pass it on to the next definition. The functions that deallocate are left alone.

// The number of allocations of the calling thread since it began: every malloc, calloc, realloc, aligned_alloc,
// posix_memalign and memalign of the program and its libraries.
long cprobe_allocations(void);

// Nonzero if they are counted at all: not if the C library is not glibc, and not under a sanitizer, which has allocating
// functions of its own.
int cprobe_counts_allocations(void);

#endif
