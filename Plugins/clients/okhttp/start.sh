#!/bin/sh
# Runs a class with OkHttp: start.sh CLASS [OPTION OF JAVA…]
folder=$(dirname "$(readlink -f "$0")")
class=$1
shift
java=java
[ -n "$JAVA_HOME" ] && [ -x "$JAVA_HOME/bin/java" ] && java=$JAVA_HOME/bin/java
if [ ! -f "$folder/classes/.built" ]; then
    echo "$class is not built: run 'make -C $folder'" >&2
    exit 1
fi
# A quick start in little memory.
exec "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -Xmx512m -Xss512k -XX:+ExitOnOutOfMemoryError \
    -Djava.net.preferIPv6Addresses=system -Dfile.encoding=UTF-8 "$@" \
    -cp "$folder/classes:/usr/share/java/okhttp.jar:/usr/share/java/okio.jar" "$class"
