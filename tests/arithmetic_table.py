# SPDX-License-Identifier: MIT
"""Table of a GPU's results where CUDA C++ leaves the result undefined, kernel by kernel of check/arithmetic.cu. The
simulator's test and gpu_arithmetic.py, which asks a GPU, compare with it. It is computed from PTX's rules, not by the
simulator: shl, shr and cvt in the PTX ISA, and what the device's division leaves."""
import math
import struct

NAN, INF = float('nan'), float('inf')
INT32 = [5, -5, 1, -1, 2**31 - 1, -2**31]
AMOUNTS = [-1, 0, 1, 31, 32, 33, 63, 64, 65, 255, 256, -2**31]
FLOATS = [0, -0.5, -1, -3.7, 3.7, 127, 128, 255, 256, -129, 300, 32767, 32768, 65535, 65536, -32769, 1e9, 2147483648,
          -2147483648, -2147483904, 4294967295, 4294967296, 9.2e18, 2.0**63, 1.8e19, 2.0**64, 1e20, -1e20, 3e38, -3e38,
          INF, -INF, NAN]
DOUBLES = FLOATS + [2147483647.5, -2147483649, 4294967295.5, 1e300, -1e300]


def wrap(value, kind):
    bits = int(kind[1:])
    value %= 2**bits
    return value - 2**bits if kind[0] == 'i' and value >= 2**(bits - 1) else value


def promoted(kind):
    return kind if int(kind[1:]) >= 32 else 'i32'


def shl(value, amount, kind):
    wide = promoted(kind)
    amount %= 2**32
    return wrap(wrap(value << amount, wide) if amount < int(wide[1:]) else 0, kind)


def shr(value, amount, kind):
    wide = promoted(kind)
    return wrap(value >> min(amount % 2**32, int(wide[1:])), kind)


def cvt(value, source, kind):
    bits = max(int(kind[1:]), 32)
    wide = kind[0] + str(bits)
    if math.isnan(value):
        return wrap(0 if source == 'f32' and bits == 32 else 2**(bits - 1), kind)
    low, high = (-2**(bits - 1), 2**(bits - 1) - 1) if kind[0] == 'i' else (0, 2**bits - 1)
    nearest = high if value == INF else low if value == -INF else min(max(math.trunc(value), low), high)
    return wrap(wrap(nearest, wide), kind)


def divide(x, y, kind):
    """Quotient and remainder. nvcc divides numbers of 64 bits that fit into 32 as such."""
    if y == 0:
        ones = 2**32 - 1 if kind[1:] == '64' and 0 <= x < 2**32 else -1
        return wrap(ones, kind), wrap(ones, kind)
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return wrap(quotient, kind), wrap(x - quotient * y, kind)


def as_float(value, kind):
    return struct.unpack('<f', struct.pack('<f', value))[0] if kind == 'f32' else float(value)


def is_defined(value, kind):
    low, high = (-2**(int(kind[1:]) - 1), 2**(int(kind[1:]) - 1)) if kind[0] == 'i' else (0, 2**int(kind[1:]))
    return low - 1 < value < high


class Case:
    """A kernel, its inputs and what it leaves: {argument: (type, cells)} of each; and how often it does what is
    undefined, by kinds."""

    def __init__(self, kernel, inputs, outputs, **counts):
        self.kernel, self.inputs, self.outputs = kernel, inputs, outputs
        self.counts = {kind: count for kind, count in counts.items() if count}
        self.threads = len(inputs[0][1])


def shift_case(kernel, kind, amount_kind, amounts=AMOUNTS):
    values = sorted({wrap(value, kind) for value in INT32 + ([2**63 - 1, -2**63] if kind[1:] == '64' else [])})
    pairs = [(value, wrap(amount, amount_kind)) for value in values for amount in amounts]
    width = int(promoted(kind)[1:])
    return Case(kernel, [(kind, [value for value, _ in pairs]), (amount_kind, [amount for _, amount in pairs])],
                [(kind, [shl(value, amount, kind) for value, amount in pairs]),
                 (kind, [shr(value, amount, kind) for value, amount in pairs])],
                shift=2 * sum(not 0 <= amount < width for _, amount in pairs))


def conversion_case(kernel, source, kinds):
    cells = [as_float(value, source) for value in (FLOATS if source == 'f32' else DOUBLES)]
    return Case(kernel, [(source, cells)],
                [(kind, [cvt(value, source, kind) for value in cells]) for kind in kinds],
                conversion=sum(not is_defined(value, kind) for value in cells for kind in kinds))


def division_case(kernel, kind):
    low = -2**(int(kind[1:]) - 1) if kind[0] == 'i' else 0
    values = [7, -7, 0, 1, 2**31 - 1, -2**31] + ([2**32, 2**63 - 1, -2**63] if kind[1:] == '64' else [])
    pairs = [(wrap(x, kind), wrap(y, kind)) for x in values for y in (0, -1, 1, 2, -3)]
    results = [divide(x, y, kind) for x, y in pairs]
    return Case(kernel, [(kind, [x for x, _ in pairs]), (kind, [y for _, y in pairs])],
                [(kind, [quotient for quotient, _ in results]), (kind, [rest for _, rest in results])],
                division=2 * sum(y == 0 or (kind[0] == 'i' and x == low and y == -1) for x, y in pairs))


def one_case():
    amounts = list(range(-3, 70))
    return Case('shifts_one', [('i32', amounts)], [('i32', [shl(1, amount, 'i32') for amount in amounts])],
                shift=sum(not 0 <= amount < 32 for amount in amounts))


def intrinsics_case():
    floats, doubles = ([as_float(value, kind) for value in FLOATS] for kind in ('f32', 'f64'))
    kinds = [('f32', 'i32'), ('f32', 'u32'), ('f32', 'i64'), ('f64', 'i32'), ('f64', 'u32'), ('f64', 'u64')]
    return Case('intrinsics', [('f32', floats), ('f64', doubles)],
                [(kind, [cvt(value, source, kind) for value in (floats if source == 'f32' else doubles)])
                 for source, kind in kinds])


WIDE, NARROW = ['i32', 'u32', 'i64', 'u64'], ['i16', 'u16', 'i8', 'u8']
CASES = [
    shift_case('shifts_int', 'i32', 'i32'),
    shift_case('shifts_unsigned', 'u32', 'i32'),
    shift_case('shifts_long', 'i64', 'i32'),
    shift_case('shifts_unsigned_long', 'u64', 'u32'),
    shift_case('shifts_by_long', 'i64', 'i64', AMOUNTS + [2**32, 2**32 + 1, 2**40, -2**63]),
    shift_case('shifts_short', 'i16', 'i32'),
    shift_case('shifts_char', 'u8', 'i32'),
    shift_case('shifts_compound', 'i32', 'i32'),
    shift_case('shifts_const', 'i32', 'i32'),
    one_case(),
    conversion_case('converts_float', 'f32', WIDE),
    conversion_case('converts_float_narrow', 'f32', NARROW),
    conversion_case('converts_double', 'f64', WIDE),
    conversion_case('converts_double_narrow', 'f64', NARROW),
    division_case('divides_int', 'i32'),
    division_case('divides_unsigned', 'u32'),
    division_case('divides_long', 'i64'),
    division_case('divides_unsigned_long', 'u64'),
    division_case('divides_compound', 'i32'),
    intrinsics_case(),
]
