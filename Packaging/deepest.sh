# Sourced by the scripts that keep a program in a root or container of its own in the background: there `$!` is the shell, chroot
# or unshare around it, which a signal would end without the program.

# deepest PID: prints the last of a process' children's children, which is the program itself; without any, PID.
deepest() {
    local children child
    children=$(cat "/proc/$1/task/$1/children" 2> /dev/null) || true
    child=${children% }
    child=${child##* }
    if [ -n "$child" ]; then deepest "$child"; else echo "$1"; fi
}
