// Finds the library's function at its first call, and jumps to it with the caller's arguments and return address. The
// entry of the function is in a register that takes no argument: r11, or x17.

#if defined(__linux__) && defined(__x86_64__)

    .text
    .globl probe_library_first_call
    .hidden probe_library_first_call
    .type probe_library_first_call, @function
probe_library_first_call:
    .cfi_startproc
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    // The number of vector registers that a variadic call uses.
    push %rax
    sub $128, %rsp
    .cfi_adjust_cfa_offset 184
    movups %xmm0, 0(%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    mov %r11, %rdi
    call probe_library_address
    mov %rax, %r11
    movups 0(%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    add $128, %rsp
    pop %rax
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    .cfi_adjust_cfa_offset -184
    jmp *%r11
    .cfi_endproc
    .size probe_library_first_call, . - probe_library_first_call

#elif defined(__linux__) && defined(__aarch64__)

    .text
    .globl probe_library_first_call
    .hidden probe_library_first_call
    .type probe_library_first_call, %function
probe_library_first_call:
    .cfi_startproc
    stp x29, x30, [sp, #-224]!
    .cfi_def_cfa_offset 224
    .cfi_offset x29, -224
    .cfi_offset x30, -216
    mov x29, sp
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    // Where a large result goes.
    str x8, [sp, #80]
    stp q0, q1, [sp, #96]
    stp q2, q3, [sp, #128]
    stp q4, q5, [sp, #160]
    stp q6, q7, [sp, #192]
    mov x0, x17
    bl probe_library_address
    mov x16, x0
    ldp q0, q1, [sp, #96]
    ldp q2, q3, [sp, #128]
    ldp q4, q5, [sp, #160]
    ldp q6, q7, [sp, #192]
    ldp x0, x1, [sp, #16]
    ldp x2, x3, [sp, #32]
    ldp x4, x5, [sp, #48]
    ldp x6, x7, [sp, #64]
    ldr x8, [sp, #80]
    ldp x29, x30, [sp], #224
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    br x16
    .cfi_endproc
    .size probe_library_first_call, . - probe_library_first_call

#endif

#if defined(__linux__)
    .section .note.GNU-stack, "", %progbits
#endif
