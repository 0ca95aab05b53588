# Sourced by deb.sh: the version and the maintainer of the packages.

# has_order TAG: fails where a shallow clone does not know what came before HEAD, so that its packages have no order; HEAD needs
# none if a tag of this pattern is on it.
has_order() {
    [ "$(git rev-parse --is-shallow-repository)" = true ] && [ -z "$(git tag --points-at HEAD --list "$1")" ] || return 0
    echo "deb.sh: this clone is shallow, so the order of its packages is not known; run git fetch --unshallow --tags" >&2
    return 1
}

# deb_version VERSION: prints the packages' version for the commit of HEAD, whose program is VERSION.
#
# The tag's own commit has VERSION. Others add their time, SOURCE_DATE_EPOCH: after `~`, which dpkg sorts before VERSION itself
# (deb-version(7)), until the tag is an ancestor, and after `+` from then on. So apt-get takes each for an upgrade of those before it.
deb_version() {
    local release sign
    has_order "v$1" || return 1
    if ! release=$(git rev-parse --verify --quiet "refs/tags/v$1^{commit}") || ! git merge-base --is-ancestor "$release" HEAD; then
        sign='~'
    elif [ "$release" != "$(git rev-parse HEAD)" ]; then
        sign=+
    else
        echo "$1"
        return
    fi
    echo "$1${sign}git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S)"
}

# with_maintainer NAME: copies a control file, with NAME as its maintainer. A name may have any character; only the environment
# hands it to awk as it is.
with_maintainer() {
    MAINTAINER=$1 awk '/^Maintainer: / { $0 = "Maintainer: " ENVIRON["MAINTAINER"] } { print }'
}
