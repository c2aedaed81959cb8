# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# Sourced by ./demo, ./check and .ci/run: installs what the build needs and is missing, and sets up
# the build folder. Says what it will install before it does; does nothing where all is there.

# Requirements, as `test command | Debian package`: no other bar in a line. The test decides, so that
# a tool from elsewhere counts too. Expanded by the shell that runs the test.
# shellcheck disable=SC2016
needs_of_build='
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
'
needs_of_tests='
pkg-config --exists cmocka             | libcmocka-dev
python3 -c "import jsonschema"         | python3-jsonschema
'
# Without these, tests are skipped: screens, pages, pictures and formulas are looked at through them.
needs_of_all_tests='
command -v tmux                        | tmux
command -v chromium                    | chromium
command -v chromedriver                | chromium-driver
test -d /usr/share/fonts/truetype/dejavu | fonts-dejavu-core
command -v rsvg-convert                | librsvg2-bin
command -v tidy                        | tidy
command -v z3                          | z3
command -v cvc5                        | cvc5
command -v coqc                        | coq
test -e /usr/include/clang-c/Index.h -o -n "$(ls -d /usr/lib/llvm-*/include/clang-c 2>/dev/null)" | libclang-dev
command -v zsh                         | zsh
command -v fish                        | fish
'
say() {
    echo "reductio: $*"
}

# missing_packages [build] [tests] [all]
missing_packages() {
    needs=$needs_of_build
    for more; do
        case $more in
        tests) needs=$needs$needs_of_tests ;;
        all) needs=$needs$needs_of_all_tests ;;
        esac
    done
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
    say "installing with apt-get: $*"
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

# install_missing [build] [tests] [all]: what the build needs, with what the tests need, and what all of them need.
install_missing() {
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    # Word splitting is meant: one package a word.
    # shellcheck disable=SC2086
    install_packages $missing
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    missing=$(echo "$missing" | paste -sd' ' -)
    echo "reductio: what this system offers is too old or not enough: $missing" >&2
    case " $missing " in
    *" meson "*) echo "reductio: Meson must be 1.0 or later: python3 -m pip install meson" >&2 ;;
    esac
    exit 2
}

# Prints the options that a new build folder gets of itself: the kernels are compiled for the GPU that is there. With
# nvcc and no GPU, the CUDA device is left out, as it could not be used here and takes nvcc minutes.
# own_options FOLDER [MESON OPTION...]
own_options() {
    folder=$1
    shift
    [ ! -e "$folder/build.ninja" ] || return 0
    case " $* " in
    *" -Dcuda="* | *" -Dgpu_archs="*) return 0 ;;
    esac
    command -v nvcc >/dev/null || return 0
    capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sort -u | tr -d . | paste -sd, -) || true
    case $capability in
    *[0-9]*) echo "-Dgpu_archs=$capability" ;;
    *)
        say "nvcc is here and no GPU: the CUDA device is left out; -Dcuda=enabled builds it" >&2
        echo -Dcuda=disabled
        ;;
    esac
}

# configure FOLDER [MESON OPTION...]: sets the build folder up, or anew where it is.
configure() {
    folder=$1
    shift
    # Word splitting is meant: one option a word.
    # shellcheck disable=SC2046
    set -- $(own_options "$folder" "$@") "$@"
    say "configuring '$folder'${*:+: $*}"
    log=$(mktemp)
    if [ -e "$folder/build.ninja" ]; then
        meson configure "$folder" "$@" >"$log" 2>&1
    else
        meson setup "$folder" "$@" >"$log" 2>&1
    fi || {
        cat "$log" >&2
        rm -f "$log"
        say "meson could not set up '$folder'" >&2
        exit 2
    }
    rm -f "$log"
}

# build FOLDER [TARGET...]: shows how far it is, on a terminal as ninja does, else in tenths.
build() {
    log=$(mktemp)
    if [ -t 1 ]; then
        ninja -C "$@" || rm "$log"
    else
        { ninja -C "$@" 2>&1 || rm "$log"; } | tee "$log.out" | awk -v folder="$1" '
            match($0, /^\[[0-9]+\/[0-9]+\]/) {
                split(substr($0, 2, RLENGTH - 2), step, "/")
                tenth = int(10 * step[1] / step[2])
                if (step[2] >= 20 && tenth > told) {
                    told = tenth
                    printf "reductio: building in %s: %d of %d steps\n", folder, step[1], step[2]
                    fflush()
                }
            }'
    fi
    if [ ! -e "$log" ]; then
        [ ! -e "$log.out" ] || grep -v "^\[" "$log.out" >&2
        rm -f "$log.out"
        say "the build in '$1' failed" >&2
        exit 2
    fi
    rm -f "$log" "$log.out"
}
