#!/usr/bin/env bash
# reproducible.sh PROGRAM: makes the packages of this commit twice from PROGRAM, in clones at two paths, at two times, in two time
# zones, languages and umasks, with nothing remembered from one to the other. Ends with 0 if they are equal, byte for byte;
# else it lists what differs, and ends with 1.
set -euo pipefail
program=$(readlink -f "$1")
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

make_packages() { # FOLDER UMASK
    git clone -q "$source" "$work/$1"
    (umask "$2" && mkdir "$work/$1.out" && cd "$work/$1" && GOCACHE="$work/$1.go" Packaging/deb.sh "$program" "$work/$1.out")
}
TZ=UTC LC_ALL=C make_packages one 022
TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 make_packages another/folder/further/down 027

# Lists the files of two unpacked packages that differ, then how.
list() { # ONE OTHER
    diff --brief --recursive --no-dereference "$1" "$2" | sed "s|$work/||g" || true
    while read -r file; do
        if grep -qI . "$1/$file"; then
            diff "$1/$file" "$2/$file" | head -20
        else
            diff <(strings -n 8 "$1/$file") <(strings -n 8 "$2/$file") | head -20
            echo "$(cmp -l "$1/$file" "$2/$file" 2>/dev/null | wc -l) bytes of $file differ"
        fi
    done < <(cd "$1" && find . -type f ! -exec cmp -s {} "$2/{}" \; -print)
}

differing=0
one=$work/one.out other=$work/another/folder/further/down.out
for package in "$one"/*.deb; do
    name=$(basename "$package")
    if cmp -s "$package" "$other/$name"; then
        echo "equal: $name, sha256 $(sha256sum "$package" | cut -c 1-64)"
        continue
    fi
    differing=1
    echo "differs: $name"
    [ -e "$other/$name" ] || { echo "it was made once only"; continue; }
    diff <(dpkg-deb --fsys-tarfile "$package" | tar -tv) <(dpkg-deb --fsys-tarfile "$other/$name" | tar -tv) | head -20 || true
    dpkg-deb --raw-extract "$package" "$work/a.$name"
    dpkg-deb --raw-extract "$other/$name" "$work/b.$name"
    list "$work/a.$name" "$work/b.$name"
done
exit "$differing"
