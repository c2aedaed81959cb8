# SPDX-License-Identifier: MIT
# bash completion for reductio(1)

# Readline splits words at ':', which stands in the names of faults and in random:SEED.
_reductio_reply() {
    local word=$1
    shift
    mapfile -t COMPREPLY < <(compgen "$@" -- "$word")
    if [[ $word == *:* && $COMP_WORDBREAKS == *:* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${word%:*}:"}")
    fi
}

# The words before the cursor, put together again where readline split them at ':' or '='.
_reductio_words() {
    local line=${COMP_LINE:0:COMP_POINT}
    read -ra words <<<"$line"
    [[ -z $line || $line == *[[:space:]] ]] && words+=("")
}

# Puts the subcommand into $command, the number of words behind it that are no options into $n_plain, and
# the first of them into $first.
_reductio_scan() {
    local k
    command=""
    n_plain=0
    first=""
    for ((k = 1; k < ${#words[@]} - 1; k++)); do
        if [[ -z $command ]]; then
            [[ ${words[k]} == -* ]] || command=${words[k]}
            continue
        fi
        case ${words[k]} in
        --script | -n | -t | --type | --op | --values | --block | --blocks | -d | --device | --to | --trace | --trace-cells | --law | --sizes | --frame | --hazards | --color | -r | --repeats | \
            --kernel | --grid | --shared | --heap | --arg | --set | --schedule | --seed | --jobs | --steps | --timeout | --fmad | --private | --print | \
            --schedules | --expect | --sarif | --format | -o | --output | --compare | --svg | --png | \
            --max-errors | -D | -I | --std)
            ((k++))
            ;;
        -?*) ;;
        *) ((n_plain++)) || first=${words[k]} ;;
        esac
    done
}

_reductio_programs() {
    "${words[0]}" list 2>/dev/null | awk '{print $1}'
}

# Completes the value of an option; fails where the option has none that can be told.
_reductio_value() {
    local option=$1 word=$2
    case $option in
    --op) _reductio_reply "$word" -W 'sum product min max and or xor argmin argmax' ;;
    -t | --type) _reductio_reply "$word" -W 'i32 u32 i64 u64 f32 f64 f16 bf16' ;;
    --values)
        _reductio_reply "$word" -f -W 'iota ones powers random random: edges edges: marked: list: witness'
        compopt -o filenames -o nospace 2>/dev/null
        ;;
    -d | --device) _reductio_reply "$word" -W 'auto sim cuda' ;;
    --frame | --fmad | --private) _reductio_reply "$word" -W 'on off' ;;
    --hazards) _reductio_reply "$word" -W 'sim off sanitizer' ;;
    --schedule) _reductio_reply "$word" -W 'ascending descending warp random interleave all' ;;
    --print) _reductio_reply "$word" -W 'all' ;;
    --png) _reductio_reply "$word" -W 'violation all' ;;
    --sarif | --svg)
        # Of a report, a round; else a file.
        if [[ $command == report ]]; then
            _reductio_reply "$word" -W 'violation all'
            return
        fi
        _reductio_reply "$word" -f
        compopt -o filenames 2>/dev/null
        ;;
    --format) _reductio_reply "$word" -W 'text json tap junit sarif' ;;
    --color) _reductio_reply "$word" -W 'auto always never' ;;
    --trace-cells) _reductio_reply "$word" -W 'all' ;;
    --law | --trace | --script | -o | --output | --compare)
        _reductio_reply "$word" -f
        compopt -o filenames 2>/dev/null
        ;;
    -n | --block | -r | --repeats | --to | --sizes) COMPREPLY=() ;;
    *) return 1 ;;
    esac
    return 0
}

_reductio_option() {
    local common='--help --usage --version'
    case $command in
    "") _reductio_reply "$1" -W "$common" ;;
    list) _reductio_reply "$1" -W "--json $common" ;;
    judge) _reductio_reply "$1" -W "--json --markdown $common" ;;
    run) _reductio_reply "$1" -W "-n --type --op --values --block --grid --blocks --device --frame --hazards --trace
        --trace-cells --law --sizes --schedules --expect-nondeterminism --no-last --quiet --json --format --color $common" ;;
    step) _reductio_reply "$1" -W "-n --type --op --values --block --grid --blocks --device --frame --hazards --schedules
        --expect-nondeterminism --trace --last --law --script $common" ;;
    report) _reductio_reply "$1" -W "--output --last --compare --times --svg --png -n --type --op --values --block --grid --blocks
        --device --frame --hazards --schedules --expect-nondeterminism $common" ;;
    verify) _reductio_reply "$1" -W "--last --quiet --json --format $common" ;;
    diff) _reductio_reply "$1" -W "--quiet --json $common" ;;
    check) _reductio_reply "$1" -W "--kernel --grid --block --shared --heap --arg --set --schedule --seed --jobs --steps
        --fmad --private --schedules --expect-nondeterminism --timeout --print --expect --max-errors --one-line --quiet --json
        --format --sarif -D -I --std $common" ;;
    bench)
        if [[ $first == sim ]]; then
            _reductio_reply "$1" -W "--to --repeats --json --svg $common"
        elif [[ $first == seeds ]]; then
            _reductio_reply "$1" -W "--device --repeats --svg $common"
        elif [[ $first == rounds ]]; then
            _reductio_reply "$1" -W "-n --type --device --repeats --json --svg $common"
        else
            _reductio_reply "$1" -W "-n --type --device --repeats --svg $common"
        fi
        ;;
    *) _reductio_reply "$1" -W "$common" ;;
    esac
}

_reductio() {
    local words command n_plain first word previous
    COMPREPLY=()
    _reductio_words
    word=${words[-1]}
    previous=${words[-2]}
    _reductio_scan

    if [[ $word == --*=* ]]; then
        _reductio_value "${word%%=*}" "${word#*=}"
        return
    fi
    if [[ $command == run || $command == step || $command == check || $command == verify || $command == report || $command == bench ]] && _reductio_value "$previous" "$word"; then
        return
    fi
    if [[ $word == -* ]]; then
        _reductio_option "$word"
        return
    fi
    case $command in
    "") _reductio_reply "$word" -W 'list explain run step judge verify diff report check bench' ;;
    run | explain | step) ((n_plain > 0)) || _reductio_reply "$word" -W "$(_reductio_programs)" ;;
    bench)
        if [[ $first == sim ]]; then
            ((n_plain > 1)) || _reductio_reply "$word" -W 'block-sum fold-round'
        elif [[ $first == seeds ]]; then
            :
        else
            _reductio_reply "$word" -W "$(_reductio_programs)$([[ $n_plain -gt 0 ]] || echo ' verified rounds sim seeds')"
        fi
        ;;
    report)
        _reductio_reply "$word" -f -W "$( ((n_plain > 0)) || _reductio_programs)"
        compopt -o filenames 2>/dev/null
        ;;
    verify | diff | check | judge)
        _reductio_reply "$word" -f
        compopt -o filenames 2>/dev/null
        ;;
    esac
}

complete -F _reductio reductio
