#ifndef CPROBE_LIMITS_H
#define CPROBE_LIMITS_H

// A program that links this target ends with code 70 and a reason where the address space, the data or the threads that it
// may have are too few: the first thread that can't be had would end it without a word, or hold it without end. Memory is
// checked before the libraries' constructors run, threads after them.

// The address space that is needed beside what is mapped at the start, in bytes.
unsigned long long cprobe_needed_address_space(void);

// The data that is needed beside what there is at the start, in bytes.
unsigned long long cprobe_needed_data(void);

// The number of threads that are needed at once.
unsigned long long cprobe_needed_threads(void);

#endif
