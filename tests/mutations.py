# SPDX-License-Identifier: MIT
"""Mutants: the text of a kernel file, with one token changed by tests/mutants.py within a function's body
or a macro's. Checkpoints are left alone: they belong to the assertions, not to the kernel."""
import collections
import re

Function = collections.namedtuple('Function', 'name is_kernel head begin end')  # its head's and its body's
Mutant = collections.namedtuple('Mutant', 'function line changed text')

# A pattern, and what may stand in its place. Binary operators have spaces around them; pointers do not.
SWAPS = [(re.compile(pattern), changes) for pattern, changes in [
    (r' \+ ', [' - ']), (r' - ', [' + ']), (r' \* ', [' + ']), (r' / ', [' * ']), (r' % ', [' / ']),
    (r' & ', [' | ']), (r' \^ ', [' | ', ' + ']), (r' << ', [' >> ']), (r' >> ', [' << ']),
    (r' \+= ', [' -= ', ' = ']), (r' -= ', [' += ', ' = ']),
    (r' < ', [' <= ', ' > ']), (r' <= ', [' < ', ' > ']), (r' > ', [' >= ', ' < ']), (r' >= ', [' > ', ' < ']),
    (r' == ', [' != ', ' >= ']), (r' == (?!0)', [' <= ']), (r' != ', [' == ']), (r' && ', [' || ']), (r' \|\| ', [' && ']),
    # The condition of `c ? x : y`: always true, always false.
    (r' \? ', [' || 1 ? ', ' && 0 ? ']),
    (r'\+\+', [' += 2']),
    (r'\bGLOBAL_THREAD\b', ['threadIdx.x', '(GLOBAL_THREAD + 1)']), (r'\bGLOBAL_THREAD_Y\b', ['threadIdx.y']),
    (r'\bGRID_THREADS\b', ['blockDim.x', '1']),
    (r'\bblockIdx\.x\b', ['0', 'threadIdx.x']), (r'\bblockIdx\.y\b', ['0', 'blockIdx.x']),
    (r'\bblockDim\.x\b', ['gridDim.x', '(blockDim.x - 1)', '(blockDim.x + 1)']), (r'\bgridDim\.x\b', ['blockDim.x']),
    (r'\bthreadIdx\.x\b', ['0', 'blockIdx.x']), (r'\bthreadIdx\.y\b', ['threadIdx.x']),
    (r'\brow\b', ['column']), (r'\bcolumn\b', ['row']), (r'\ba\[', ['b[']), (r'\bb\[', ['a[']),
    (r'\ba_tile\[', ['b_tile[']), (r'\bb_tile\[', ['a_tile[']),
    (r'\b(?:atomicAdd|ATOMIC_OP)\((.*), (.*)\);', [r'*(\1) += \2;']),
    (r'\bOP\(([^(),]+), ([^()]+)\)', [r'(\1 - \2)', r'\2']),
    (r'\batomicInc\((\w+), .*\) ==', [r'(*\1)++ ==']),
    (r'\b__syncthreads_or\b', ['']), (r'\b__shfl_down_sync\b', ['__shfl_up_sync']),
    (r'\b0xffffffffu', ['0x7fffffffu', '0xfffffffeu']),
]]
NUMBER = re.compile(r'(?<![\w.])(\d+)(u?)\b')
CONDITION = re.compile(r'\b(?:if|while) \(')
LOOP = re.compile(r'(\bfor \([^;]*; )([^;]*)(;)')
DECLARES = re.compile(r'(?:const |struct |unsigned |elem |size_t |int |bool |typedef |DYNAMIC_SHARED|__shared__)')
# A statement of one line that can be left out.
STATEMENT = re.compile(r'[^=;]*?(?: [-+*/%]?= [^;]*|\w\([^;]*\)|^return)(?<!else);$')
ORDERS = re.compile(r'__syncthreads\(\);|__syncwarp\(\);|__threadfence\(\);|GRID_SYNC\(\);')


def blank(text, pattern):
    """The text with spaces for what matches."""
    return re.sub(pattern, lambda found: re.sub(r'[^\n]', ' ', found[0]), text, flags=re.S)


def functions_of(text):
    """The functions, and the macros that have a value."""
    text = blank(text, r'/\*.*?\*/|//[^\n]*')
    found = []
    for head in re.finditer(r'^(?:EXTERN_C __global__|__device__ inline|#define (?!ATOMIC_))', text, re.M):
        if text.startswith('#define', head.start()):
            macro = re.compile(r'#define (\w+)(?:\(.*?\))?[ ]+((?:.*\\\n)*.*)').match(text, head.start())
            if macro:  # one of an include guard has no value
                found.append(Function(macro[1], False, head.start(), macro.start(2), macro.end(2)))
        else:
            body = text.index('\n{', head.start()) + 2
            kernel = re.search(r'\bNAME\((\w+)\)', text[head.start():body])
            name = kernel or re.search(r'(\w+)\(', text[head.start():body])
            found.append(Function(name[1], bool(kernel), head.start(), body, text.index('\n}', body)))
    return found


def without_kernels(text, kept):
    """The text with no kernels but those of these names."""
    for function in reversed(functions_of(text)):
        if function.is_kernel and function.name not in kept:
            text = text[:function.head] + text[text.index('\n', text.index('LAUNCHABLE', function.end)):]
    return text


def condition_end(line, begin):
    """The index of the parenthesis that closes the one before `begin`; -1 where the line ends first."""
    depth = 1
    for k in range(begin, len(line)):
        depth += {'(': 1, ')': -1}.get(line[k], 0)
        if depth == 0:
            return k
    return -1


def near(line, number, at):
    """Numbers close to it. What divides is not made 1: most loops would not end, as all know."""
    divides = re.search(r'[/%*]=? $', line[:at])
    return [number + 1, number * 2] if divides and number > 1 else [number + 1] + [number - 1] * (number > 0)


def changes_of(line):
    """The lines that the line may become, each changed in one place."""
    for pattern, changes in SWAPS:
        for found in pattern.finditer(line):
            for change in changes:
                yield line[:found.start()] + found.expand(change) + line[found.end():]
    for found in NUMBER.finditer(line):
        for number in near(line, int(found[1]), found.start()):
            yield line[:found.start()] + str(number) + found[2] + line[found.end():]
    for found in CONDITION.finditer(line):
        end = condition_end(line, found.end())
        if end >= 0:
            for constant in '10':
                yield line[:found.end()] + constant + line[end:]
    for found in LOOP.finditer(line):
        yield line[:found.start()] + found[1] + '0' + found[3] + line[found.end():]
    statement = line.strip(' \\')
    if STATEMENT.match(statement) and not DECLARES.match(statement) and not statement.startswith(('for ', 'if ')):
        yield line.replace(statement, ';')


def mutants_of(text):
    """All mutants of the file: first those of its first line, and so on."""
    code = blank(text, r'/\*.*?\*/|//[^\n]*|(?:\bif [^\n]*\n\s*)?\bCHECKPOINT(?:_LANE)?\([^;]*;|\bLAUNCHABLE(?:_COMMUNICATING)?\([^\n]*')
    for function in functions_of(text):
        seen = set()
        times = collections.Counter()
        before = None
        for line in re.finditer(r'[^\n]+', code[function.begin:function.end]):
            begin, end = function.begin + line.start(), function.begin + line.end()
            times[line[0].strip()] += 1
            changed = [(begin, line[0], change) for change in changes_of(line[0])]
            # A fence or a barrier, one statement too early.
            if before and ORDERS.match(line[0].strip()) and before[0].rstrip().endswith(';'):
                start = function.begin + before.start()
                changed.append((start, code[start:end], line[0] + '\n' + before[0]))
            for start, old, new in changed:
                old_line, new_line = ' '.join(old.split()), ' '.join(new.split())
                if (start, new_line) not in seen:
                    seen.add((start, new_line))
                    # A line that the function has several times is told by its number from the second on.
                    number = times[line[0].strip()]
                    old_line += ' // %d' % number if number > 1 else ''
                    yield Mutant(function, old_line, new_line, text[:start] + new + text[end:])
            if line[0].strip():
                before = line
