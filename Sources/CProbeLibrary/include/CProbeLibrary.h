#ifndef CPROBE_LIBRARY_H
#define CPROBE_LIBRARY_H

// A shared library that is opened when one of its functions is first called, in place of the loader's opening it before the
// program begins: a program has many backends, and one run asks few. On a machine without the library the others work.
//
// A target lists the functions that it calls, and links against the list instead of the library:
//
//     #define FUNCTIONS(F) F(ares_init_options) F(ares_destroy)
//     #define PROBE_OWNER cares
//     PROBE_LIBRARY(cares, "libcares.so.2", FUNCTIONS)
//
// Each becomes a function of the same name, hidden from other libraries, that jumps to the library's own with all arguments
// as they are, variadic ones included. A call costs a comparison more than one through the loader's table. A program that has
// the library in itself keeps that one: the functions are weak.

#include <stdbool.h>
#include <stddef.h>

struct probe_function {
    // The library's function; NULL before the first call.
    void *address;
    const char *name;
    struct probe_library *library;
};

struct probe_library {
    // The name by which the loader finds it, with its version; NULL if the program is linked against it.
    const char *file;
    struct probe_function *const *functions;
    size_t count;
    void *handle;
    const char *fault;
    bool is_explained;
};

// Opens the library if it is not open. Returns NULL, or the reason why it can't be used here: it is not there, something that
// it needs is not, or it lacks a function. Reasons last for as long as the program. Any thread may ask, at any time.
const char *probe_library_fault(struct probe_library *library);

// An exported variable of a library that has no fault; NULL if none has this name.
void *probe_library_variable(struct probe_library *library, const char *name);

#if defined(__linux__)

#if defined(__x86_64__)
// r11 is the register that a call may change and no argument is passed in (System V ABI, AMD64, 3.2.1).
#define PROBE_JUMP(function)                                       \
    "movq probe_entry_" #function "(%rip), %r11\n"                 \
    "testq %r11, %r11\n"                                           \
    "je 1f\n"                                                      \
    "jmp *%r11\n"                                                  \
    "1: leaq probe_entry_" #function "(%rip), %r11\n"              \
    "jmp probe_library_first_call\n"
#elif defined(__aarch64__)
// x16 and x17 are for such code (AAPCS64, 6.1.1).
#define PROBE_JUMP(function)                                       \
    "adrp x17, probe_entry_" #function "\n"                        \
    "add x17, x17, :lo12:probe_entry_" #function "\n"              \
    "ldar x16, [x17]\n"                                            \
    "cbz x16, 1f\n"                                                \
    "br x16\n"                                                     \
    "1: b probe_library_first_call\n"
#else
#error "the jump to a library's function has to be written for this processor"
#endif

#define PROBE_FUNCTION(function)                                                                             \
    static struct probe_function probe_entry_##function __attribute__((used)) = {NULL, #function, &PROBE_OWNER}; \
    __asm__(".text\n"                                                                                        \
            ".weak " #function "\n"                                                                          \
            ".hidden " #function "\n"                                                                        \
            ".type " #function ", %function\n"                                                               \
            #function ":\n" PROBE_JUMP(function)                                                             \
            ".size " #function ", . - " #function "\n");

#define PROBE_ENTRY(function) &probe_entry_##function,

// The program's own note of a library that it opens, for packagers and other readers of ELF files (the UAPI Group's
// ELF dlopen metadata): `readelf --notes` shows it.
#define PROBE_NOTE(soname)                                                               \
    __asm__(".pushsection .note.dlopen, \"aR\", %note\n"                                 \
            ".balign 4\n"                                                                \
            ".long 2f - 1f, 4f - 3f, 0x407c0c0a\n"                                       \
            "1: .asciz \"FDO\"\n"                                                        \
            "2: .balign 4\n"                                                             \
            "3: .asciz \"[{\\\"soname\\\":[\\\"" soname "\\\"],\\\"priority\\\":\\\"recommended\\\"}]\"\n" \
            "4: .balign 4\n"                                                             \
            ".popsection\n");

// Defines `library`, static; PROBE_OWNER has to be the same name.
#define PROBE_LIBRARY(library, soname, FUNCTIONS)                                                \
    static struct probe_library library;                                                         \
    FUNCTIONS(PROBE_FUNCTION)                                                                    \
    PROBE_NOTE(soname)                                                                           \
    static struct probe_function *const library##_functions[] = {FUNCTIONS(PROBE_ENTRY)};        \
    static struct probe_library library = {                                                      \
        .file = soname, .functions = library##_functions,                                        \
        .count = sizeof library##_functions / sizeof library##_functions[0]};

#else

// Elsewhere the target links the library, and the loader opens it.
#define PROBE_LIBRARY(library, soname, FUNCTIONS) static struct probe_library library = {.file = NULL};

#endif

#endif
