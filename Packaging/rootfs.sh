#!/bin/sh
# rootfs.sh FOLDER: copies what the installed probe needs to run into FOLDER, the whole of a container's file system.
#
# Runs in a Debian that has the packages probekit and busybox-static: in a stage of the Containerfile, or in the root of image.sh.
set -eu
out=$1
mkdir -p "$out/etc/ssl/certs" "$out/var/lib/dpkg/status.d" "$out/usr/share/doc" "$out/home/probe" "$out/bin"
mkdir -p -m 1777 "$out/tmp"

# The loader and the libraries, as the loader itself finds them: those of the program, and those that it opens when all of its
# backends are asked. Libraries that are opened later by other names belong to none.
libraries=$({
    ldd /usr/bin/probe | sed -nE 's/.*(=> |^\s)(\/[^ ]+) .*/\2/p'
    LD_DEBUG=files probe backends 2>&1 >/dev/null | sed -n 's/.*calling init: //p'
} | sort -u)
if probe backends --format json | grep '"absence"' >&2; then echo "rootfs.sh: a backend has no library" >&2; exit 1; fi
for file in /usr/bin/probe $libraries /usr/lib/*/ossl-modules/legacy.so; do
    mkdir -p "$out$(dirname "$file")"
    cp -L "$file" "$out$file"
done
cp /usr/bin/busybox "$out/bin/busybox" 2>/dev/null || cp /bin/busybox "$out/bin/busybox"
for applet in sh wget cat ls mkdir rm cp mv sed grep env sleep; do ln -s busybox "$out/bin/$applet"; done

# Scanners and lawyers read what is in the image by its packages.
for file in /usr/bin/probe /bin/busybox $libraries; do
    dpkg -S "$file" 2>/dev/null || dpkg -S "$(readlink -f "$file")" || dpkg -S "/usr$file"
done | cut -d: -f1 | sort -u | while read -r package; do
    dpkg -s "$package" > "$out/var/lib/dpkg/status.d/$package"
    mkdir -p "$out/usr/share/doc/$package"
    cp -L "/usr/share/doc/$package/copyright" "$out/usr/share/doc/$package/"
done

cp -L /etc/ssl/certs/ca-certificates.crt "$out/etc/ssl/certs/"
cp /etc/os-release "$out/etc/os-release"
cp -r /etc/probe "$out/etc/probe"
echo 'hosts: files dns' > "$out/etc/nsswitch.conf"
printf 'root:x:0:0:root:/root:/bin/sh\nprobe:x:65532:65532:probe:/home/probe:/bin/sh\n' > "$out/etc/passwd"
printf 'root:x:0:\nprobe:x:65532:\n' > "$out/etc/group"
chown 65532:65532 "$out/home/probe"
