#!/usr/bin/env bash
# reproducible.sh PROGRAM [OTHER]: compares PROGRAM, which `make release` built here, with OTHER, a build of the same commit elsewhere;
# without OTHER it makes one, in a clone at another path. Then it makes the packages of this commit twice from PROGRAM, in clones at
# two paths, at two times, in two time zones, languages and umasks, with nothing remembered from one to the other. Ends with 0 if
# they are equal, byte for byte; else it lists what differs, and ends with 1.
set -euo pipefail
program=$(readlink -f "$1")
second=${2:+$(readlink -f "$2")}
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

# Lists the files of two unpacked packages that differ, then how.
list() { # ONE OTHER
    diff --brief --recursive --no-dereference "$1" "$2" | sed "s|$work/||g" || true
    while read -r file; do
        if grep -qI . "$1/$file"; then
            diff "$1/$file" "$2/$file" | head -20 || true
        else
            diff <(strings -n 8 "$1/$file") <(strings -n 8 "$2/$file") | head -20 || true
            echo "$({ cmp -l "$1/$file" "$2/$file" 2>/dev/null || true; } | wc -l) bytes of $file differ"
        fi
    done < <(cd "$1" && find . -type f ! -exec cmp -s {} "$2/{}" \; -print)
}

differing=0

# A path of the build folder would make the program another one in each folder.
paths=$(strings -n 6 "$program" | grep -F "$source/" | sort | uniq -c | sort -rn || true)
if [ -n "$paths" ]; then
    differing=1
    echo "the program has paths of $source:"
    head -20 <<< "$paths"
fi
if [ -z "$second" ]; then
    git clone -q "$source" "$work/elsewhere/further/down"
    make -s -C "$work/elsewhere/further/down" release >&2
    second=$work/elsewhere/further/down/.build-release/release/probe
fi
mkdir "$work/here" "$work/there"
cp "$program" "$work/here/probe"
cp "$second" "$work/there/probe"
if cmp -s "$program" "$second"; then
    echo "equal: the program, sha256 $(sha256sum "$program" | cut -c 1-64)"
else
    differing=1
    echo "differs: the program"
    list "$work/here" "$work/there"
fi

make_packages() { # FOLDER UMASK
    git clone -q "$source" "$work/$1"
    (umask "$2" && mkdir "$work/$1.out" && cd "$work/$1" && GOCACHE="$work/$1.go" Packaging/deb.sh "$program" "$work/$1.out")
}
TZ=UTC LC_ALL=C make_packages one 022
TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 make_packages another/folder/further/down 027

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
