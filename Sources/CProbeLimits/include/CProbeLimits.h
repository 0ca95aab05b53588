#ifndef CPROBE_LIMITS_H
#define CPROBE_LIMITS_H

// A program that links this target ends with code 70 and a reason where the address space it may have is too small for
// its threads: the first one that can't be had would end it without a word. It is checked before the libraries'
// constructors run.

// The address space that is needed beside what is mapped at the start, in bytes.
unsigned long long cprobe_needed_address_space(void);

#endif
