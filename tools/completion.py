#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the completion of a shell from what the program says of itself by --help.

completion.py SHELL OUTPUT REDUCTIO     SHELL: bash, zsh or fish

Commands, options and their texts are those of --help. Which words a value may be is said by its name there, as in
--frame=on|off, or by the table below.
"""
import re
import subprocess
import sys

import lists

# Values by option. PROGRAM and FILE are looked up when they are completed.
ORDERS = "ascending descending warp random interleave all"
VALUES = {
    "--color": "auto always never",
    "--hazards": "sim off sanitizer",
    "--op": " ".join(lists.OPERATIONS),
    "--print": "all",
    "--schedule": ORDERS,
    "--trace-cells": "all",
    "--values": "iota ones powers random random: edges edges: marked: list: witness FILE",
}
# By the name of the value, where the option is not above.
KINDS = {"FORMAT": "text c latex mathml smtlib", "FILE": "FILE", "LAW|@FILE": "FILE", "DIRECTORY": "FILE", "TRACE|PROGRAM": "PROGRAM FILE",
         "ROUND|violation|all": "violation all"}
# The arguments of a command, as its usage names them.
OPERANDS = {"PROGRAM": "PROGRAM", "TRACE": "FILE", "LAWS": "FILE", "FILE.cu": "FILE"}


def printed(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


class Option:
    def __init__(self, short, long, value, text):
        self.short, self.long, self.value, self.text = short, long, value, text
        self.names = [name for name in (short, long) if name]

    def words(self):
        """Returns the words of its value; '' if any value will do, None if it takes none."""
        if self.value is None:
            return None
        if re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", self.value):
            return self.value.replace("|", " ")
        return VALUES.get(self.long) or KINDS.get(self.value, "")


def options_of(text):
    """The options of a --help, each with its text put together again."""
    row = re.compile(r"^ {1,6}(?:(-.)(?: ([A-Z]\S*))?(?:, )?)? *(?:(--[a-z-]+)(?:=(\S+))?)?(?:\s+(.*))?$")
    found, last = [], None
    for line in text.split("\n"):
        if re.match(r"^ {1,6}-", line):
            short, alone, long, value, told = row.match(line).groups()
            last = Option(short, long, value or alone, told or "")
            found.append(last)
        elif last and re.match(r"^ {20,}\S", line):
            last.text += " " + line.strip()
        else:
            last = None
    return found


class Command:
    def __init__(self, reductio, name, about):
        self.name, self.about = name, about
        text = printed(reductio, *name.split(), "--help")
        self.options = options_of(text)
        usage = re.search(r"^Usage: (.*)", text, re.M)[1]
        found = {OPERANDS[word] for word in re.findall(r"TRACE|PROGRAM|LAWS|FILE\.cu", re.sub(r"--\S+", "", usage))}
        self.operands = "PROGRAM FILE" if len(found) > 1 else "".join(found)
        self.values = {name: option.words() for option in self.options for name in option.names
                       if option.value is not None}


def commands_of(reductio):
    text = printed(reductio, "--help")
    about = {}
    for name, what in re.findall(r"^  ([a-z]+(?: [a-z]+)?)(?: \S+)*?  +(.*)$", text, re.M):
        about.setdefault(name, what)
    return [Command(reductio, name, what) for name, what in about.items()]


# ---- bash ----

BASH = '''# SPDX-License-Identifier: MIT
# bash completion for reductio(1). Made by tools/completion.py.

# Readline splits words at ':', which stands in the names of faults and in random:SEED.
_reductio_reply() {
    local word=$1
    shift
    mapfile -t COMPREPLY < <(compgen "$@" -- "$word")
    if [[ $word == *:* && $COMP_WORDBREAKS == *:* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${word%:*}:"}")
    fi
}

# Completes words of which PROGRAM stands for the programs, and FILE for files.
_reductio_words_of() {
    local word=$1 words=" $2 " files=()
    if [[ $words == *" PROGRAM "* ]]; then
        words=${words/ PROGRAM / $("${line_words[0]}" list 2>/dev/null | awk '{print $1}') }
    fi
    if [[ $words == *" FILE "* ]]; then
        words=${words/ FILE / }
        files=(-f)
        compopt -o filenames 2>/dev/null
        [[ $words == *:\\ * ]] && compopt -o nospace 2>/dev/null
    fi
    _reductio_reply "$word" "${files[@]}" -W "$words"
}

_reductio_options() {
    case $1 in
@OPTIONS@
    esac
}

# Prints the words of an option's value; fails where the option takes none.
_reductio_value() {
    case $1\\ $2 in
@VALUES@
    *) return 1 ;;
    esac
}

_reductio_operands() {
    case $1 in
@OPERANDS@
    esac
}

_reductio() {
    local line=${COMP_LINE:0:COMP_POINT} line_words command="" n_operands=0 k word previous values
    COMPREPLY=()
    # The words before the cursor, put together again where readline split them at ':' or '='.
    read -ra line_words <<<"$line"
    [[ -z $line || $line == *[[:space:]] ]] && line_words+=("")
    word=${line_words[-1]}
    previous=${line_words[-2]}
    for ((k = 1; k < ${#line_words[@]} - 1; k++)); do
        if [[ -z $command ]]; then
            [[ ${line_words[k]} == -* ]] || command=${line_words[k]}
        elif [[ $command == bench && " @BENCHES@ " == *" ${line_words[k]} "* ]]; then
            command+="-${line_words[k]}"
        elif [[ ${line_words[k]} == -?* ]]; then
            _reductio_value "$command" "${line_words[k]}" >/dev/null && ((k++))
        else
            ((n_operands++))
        fi
    done
    if [[ -z $command ]]; then
        [[ $word == -* ]] && _reductio_reply "$word" -W '--help --usage --version' && return
        _reductio_reply "$word" -W '@COMMANDS@'
    elif [[ $word == --*=* ]] && values=$(_reductio_value "$command" "${word%%=*}"); then
        _reductio_words_of "${word#*=}" "$values"
    elif [[ $previous == -* ]] && values=$(_reductio_value "$command" "$previous"); then
        _reductio_words_of "$word" "$values"
    elif [[ $word == -* ]]; then
        _reductio_reply "$word" -W "$(_reductio_options "$command")"
    else
        values=$(_reductio_operands "$command")
        # One program; any number of files.
        [[ $values == PROGRAM && $n_operands -gt 0 && $command != bench* ]] && values=""
        [[ $command == bench && $n_operands == 0 ]] && values+=" @BENCHES@"
        [[ -z $values ]] || _reductio_words_of "$word" "$values"
    fi
}

complete -F _reductio reductio
'''


def bash(commands):
    rows = {"OPTIONS": [], "VALUES": [], "OPERANDS": []}
    for command in commands:
        name = command.name.replace(" ", "-")
        shown = " ".join(option.long or option.short for option in command.options)
        rows["OPTIONS"].append(f"    {name}) echo '{shown}' ;;")
        by_words = {}
        for option, words in command.values.items():
            by_words.setdefault(words, []).append(option)
        for words, options in by_words.items():
            pattern = " | ".join(f"{name}\\ {option}" for option in options)
            rows["VALUES"].append(f"    {pattern}) echo '{words}' ;;")
        if command.operands:
            rows["OPERANDS"].append(f"    {name}) echo '{command.operands}' ;;")
    names = [command.name for command in commands if " " not in command.name]
    benches = [command.name.split()[1] for command in commands if " " in command.name]
    text = BASH.replace("@COMMANDS@", " ".join(names)).replace("@BENCHES@", " ".join(benches))
    for row, lines in rows.items():
        text = text.replace(f"@{row}@", "\n".join(lines))
    return text


# ---- zsh ----

ZSH = '''#compdef reductio
# SPDX-License-Identifier: MIT
# zsh completion for reductio(1). Made by tools/completion.py.

_reductio_programs() {
    local -a programs
    programs=(${(f)"$(reductio list 2>/dev/null | awk '{print $1}')"})
    compadd -a programs
}

@FUNCTIONS@
_reductio() {
    local -a commands
    local state line
    commands=(
@COMMANDS@
    )
    _arguments -C '(- *)--help[Give this help list]' '(- *)--version[Print program version]' \\
        '1:command:->command' '*::argument:->argument'
    case $state in
    command) _describe command commands ;;
    argument) (( $+functions[_reductio_$words[1]] )) && _reductio_$words[1] ;;
    esac
}

_reductio "$@"
'''


def zsh_action(words):
    parts = []
    for word in words.split():
        if word == "FILE":
            parts.append("_files")
        elif word == "PROGRAM":
            parts.append("_reductio_programs")
    rest = [word.replace(":", "\\:") for word in words.split() if word not in ("FILE", "PROGRAM")]
    if not parts:
        return f"({' '.join(rest)})" if rest else ""
    if len(parts) == 1 and not rest:
        return parts[0]
    also = f"; compadd -- {' '.join(rest)}" if rest else ""
    return "{" + "; ".join(parts) + also.replace("\\:", ":") + "}"


def zsh_quoted(text):
    return text.replace("[", "\\[").replace("]", "\\]").replace("'", "'\\''").replace(":", "\\:")


def zsh_options(command):
    for option in command.options:
        text = zsh_quoted(option.text)
        for name in option.names:
            others = f"({' '.join(option.names)})" if len(option.names) > 1 else ""
            spec = f"{others}{name}"
            if option.value is None:
                yield f"'{spec}[{text}]'"
                continue
            spec += "=" if name.startswith("--") else "+"
            action = zsh_action(command.values[name]).replace("'", "'\\''")
            yield f"'{spec}[{text}]:{zsh_quoted(option.value)}:{action}'"


def zsh(commands):
    functions = []
    for command in commands:
        specs = list(zsh_options(command))
        benches = [c.name.split()[1] for c in commands if c.name.startswith(command.name + " ")]
        if command.operands or benches:
            words = " ".join([command.operands, *benches]).strip()
            specs.append(f"'*:{command.operands.lower() or 'benchmark'}:{zsh_action(words)}'")
        body = " \\\n        ".join(specs)
        also = "".join(f"    [[ ${{words[2]}} == {bench} ]] && {{ _reductio_{command.name}_{bench}; return }}\n" for bench in benches)
        functions.append(f"_reductio_{command.name.replace(' ', '_')}() {{\n{also}    _arguments \\\n        {body}\n}}\n")
    names = "\n".join(f"        '{command.name}:{zsh_quoted(command.about)}'" for command in commands if " " not in command.name)
    return ZSH.replace("@FUNCTIONS@", "\n".join(functions)).replace("@COMMANDS@", names)


# ---- fish ----

FISH = '''# SPDX-License-Identifier: MIT
# fish completion for reductio(1). Made by tools/completion.py.
function __reductio_programs
    reductio list 2>/dev/null | string replace -r '^\\s*(\\S+)\\s+(.*)$' '$1\\t$2'
end
complete -c reductio -f
'''


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_words(words):
    """Returns the option of `complete` that offers the words."""
    rest = words.replace("FILE", "").replace("PROGRAM", "(__reductio_programs)").split()
    given = " -a " + fish_quoted(" ".join(rest)) if rest else ""
    return (" -F" if "FILE" in words else " -f") + given


def fish(commands):
    lines = [FISH]
    plain = [command for command in commands if " " not in command.name]
    for command in plain:
        lines.append(f"complete -c reductio -n __fish_use_subcommand -a {command.name} -d {fish_quoted(command.about)}\n")
    for command in commands:
        seen = " ; and ".join(f"__fish_seen_subcommand_from {word}" for word in command.name.split())
        when = f"complete -c reductio -n {fish_quoted(seen)}"
        if command.operands:
            lines.append(f"{when}{fish_words(command.operands)}\n")
        benches = [c.name.split()[1] for c in commands if c.name.startswith(command.name + " ")]
        if benches:
            lines.append(f"{when} -a {fish_quoted(' '.join(benches))}\n")
        for option in command.options:
            line = when
            line += f" -s {fish_quoted(option.short[1:])}" if option.short else ""
            line += f" -l {option.long[2:]}" if option.long else ""
            if option.value is not None:
                line += " -r" + fish_words(command.values[option.names[0]])
            lines.append(f"{line} -d {fish_quoted(option.text)}\n")
    return "".join(lines)


def main():
    shell, output, reductio = sys.argv[1:]
    text = {"bash": bash, "zsh": zsh, "fish": fish}[shell](commands_of(reductio))
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
