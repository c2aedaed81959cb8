# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# Sourced by ./demo, ./check and .ci/run: installs what the build needs and is missing, and sets up
# the build folder. Says what it will install before it does; does nothing where all is there.

# What is needed, as `test command | Debian package`: no other bar in a line. The test decides, so that
# a tool from elsewhere counts too. Expanded by the shell that runs the test.
# shellcheck disable=SC2016
needs='
command -v cc                          | gcc
command -v ninja                       | ninja-build
expr "$(meson --version)" : "[1-9]"     | meson
command -v pkg-config                  | pkg-config
command -v python3                     | python3
command -v g++                         | g++
command -v scdoc                       | scdoc
test -e /usr/include/stdio.h           | libc6-dev
pkg-config --exists jansson            | libjansson-dev
pkg-config --exists libdw              | libdw-dev
pkg-config --exists ncursesw           | libncurses-dev
pkg-config --exists cmocka             | libcmocka-dev
python3 -c "import jsonschema"         | python3-jsonschema
'

missing_packages() {
    echo "$needs" | while IFS='|' read -r check package; do
        [ -n "$package" ] || continue
        sh -c "$check" >/dev/null 2>&1 || echo "${package# }"
    done
}

# Installs the packages named, or says that it can't and exits 2.
install_packages() {
    if ! command -v apt-get >/dev/null; then
        echo "reductio: this system has no apt-get: install these, or what they are called here: $*" >&2
        exit 2
    fi
    as_root=
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "reductio: not root and no sudo: as root, run: apt-get install $*" >&2
            exit 2
        fi
        as_root=sudo
    fi
    echo "reductio: installing with apt-get: $*"
    log=$(mktemp)
    if ! { $as_root apt-get update &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } \
        >"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        echo "reductio: apt-get could not install: $*" >&2
        exit 2
    fi
    rm -f "$log"
}

install_missing() {
    # Word splitting is meant: one package a word.
    # shellcheck disable=SC2046
    set -- $(missing_packages)
    [ $# = 0 ] && return
    install_packages "$@"
    # shellcheck disable=SC2046
    set -- $(missing_packages)
    [ $# = 0 ] && return
    echo "reductio: what this system offers is too old or not enough: $*" >&2
    case " $* " in
    *" meson "*) echo "reductio: Meson must be 1.0 or later: python3 -m pip install meson" >&2 ;;
    esac
    exit 2
}

# configure FOLDER [MESON OPTION...]: sets the build folder up, or anew where it is.
configure() {
    folder=$1
    shift
    log=$(mktemp)
    if [ -e "$folder/build.ninja" ]; then
        meson configure "$folder" "$@" >"$log" 2>&1
    else
        meson setup "$folder" "$@" >"$log" 2>&1
    fi || {
        cat "$log" >&2
        rm -f "$log"
        echo "reductio: meson could not set up '$folder'" >&2
        exit 2
    }
    rm -f "$log"
}

build() {
    log=$(mktemp)
    if ! ninja -C "$1" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        echo "reductio: the build in '$1' failed" >&2
        exit 2
    fi
    rm -f "$log"
}
